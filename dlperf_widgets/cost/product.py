"""The time of a product: tiles in waves on the SMs, against memory.

``choose`` looks for the tile and the split with the least time, as a library does; the other functions
are the terms of that time, each on top of the one before.
"""

from math import inf
from typing import NamedTuple

from ..dtypes import Format
from ..ops import Attention, Conv, Gemm, Operand, Phase, Product
from .bandwidth import cached, overlapped
from .engine import Engine, Tile
from .estimates import BATCHED_AREA, SPLIT_LEAST_K, SPLIT_MOST
from .power import limited
from .tiles import Tiling

HIDDEN = 0.3  # math below this share of the memory time hardly adds to it


class Work(NamedTuple):
    """What is asked of an engine: ``runs`` products one after another, each as here."""

    gemm: Gemm
    engine: Engine
    moved: float  # bytes, of one run
    memory: float  # seconds of one run at the datasheet bandwidth
    aligned: float  # share of the math rate that alignment leaves
    runs: float  # 2 in fused attention, 1/2 where its mask leaves half
    cold: float = 0.0  # bytes of those moved that are weights
    others: float = 1.0  # runs whose bytes are others', all of which pass through the cache

    @property
    def turned(self) -> bool:
        """Whether the output is contiguous along n: a library then swaps the operands, and so its tiles."""
        return self.gemm.leading[2] == "n"

    @property
    def partials(self) -> float:
        """Bytes of FP32 written and read for each part of a split product."""
        return 8.0 * self.gemm.batch * self.gemm.m * self.gemm.n


def asked(op: Product, core: Engine, form: Format, traffic: float, memory: float, aligned: float) -> Work:
    """Return the tiled product of an operation, and how many of it make up all of its flops."""
    gemm = op.tiled
    runs = op.flops / (2 * gemm.batch * gemm.m * gemm.n * gemm.k)
    cold = weight_bytes(op, form) / runs if core.room else 0.0
    others = runs if isinstance(op, Conv) else 1.0  # steps of a recurrent layer read the same weights
    return Work(gemm, core, traffic / runs, memory / runs, aligned, runs, cold, others)


def weight_bytes(op: Product, form: Format) -> float:
    """Return the bytes of the weights that an operation reads, but for those of the time step before."""
    if isinstance(op, Gemm):
        rows = op.m if op.a is Operand.WEIGHT else op.n if op.b is Operand.WEIGHT else 0
        return op.batch * rows * op.k * form.weights.bytes if op.repeat == 1 else 0.0
    if isinstance(op, Attention) or op.phase is Phase.WGRAD:
        return 0.0
    return op.weights * form.weights.bytes


def choose(work: Work) -> tuple[Tile, int]:
    """Return the tile and the split along k that take the least time."""
    if work.engine.tensor:
        return _choose_tensor(work)
    if work.gemm.batch > 1 and work.engine.batched:
        return _least_area(work), 1
    return _choose_cuda(work)


def _choose_tensor(work: Work) -> tuple[Tile, int]:
    """Try every tile, likely ones first, and drop what cannot win as soon as that is certain."""
    gemm, e = work.gemm, work.engine
    batch, m, n, k, sms = gemm.batch, gemm.m, gemm.n, gemm.k, e.sms
    speed, memory, fill = e.rate * e.boost * work.aligned, moved_time(work), e.prologue * work.aligned
    hidden, menu = HIDDEN * memory, e.tiles[work.turned]
    best, split, least, math = menu[0], 1, inf, inf
    for tile in menu if m > 192 and n > 192 else menu[::-1]:
        tile_m, tile_n, flops, slowness, _ = tile
        tiles = batch * -(-m // tile_m) * -(-n // tile_n)
        step = flops * slowness / speed  # seconds of one step of k on one SM
        if step * k * tiles > least * sms:
            continue  # loses even if perfectly packed
        for parts in (1,) if 2 * tiles > sms else _splits(tiles, k, sms):
            depth = -(-k // parts)
            busy = step * (depth + fill) * -(-tiles * parts // sms)
            if busy >= least:
                continue
            busy = limited(busy, tiles * parts * flops * depth * e.power_time, e.delay)
            moved = memory + parts * work.partials / e.l2 if parts > 1 else memory
            time = overlapped(busy, moved, e.overlap) + (e.reduction if parts > 1 else 0.0)
            if time < least:
                best, split, least, math = tile, parts, time, busy
            if busy < hidden:
                break
        if math < hidden:
            break  # memory decides: no other tile can win
    return best, split


def _splits(tiles: int, k: int, sms: int) -> tuple[int, ...]:
    """Return into how many parts k may be cut: into 1, and so that one or two waves are full."""
    most = min(k // SPLIT_LEAST_K, SPLIT_MOST)
    full = min(sms // tiles, most)
    return (1, full, min(2 * sms // tiles, most)) if full > 1 else (1,)


def _choose_cuda(work: Work) -> tuple[Tile, int]:
    """Try every tile of the generation, and splits in powers of two where tiles are few."""
    gemm, e = work.gemm, work.engine
    k, memory, partials = gemm.k, moved_time(work), work.partials / e.dram
    menu = e.tiles[work.turned]
    least, best, split = inf, menu[0], 1
    for tile in menu:
        tiles = gemm.batch * -(-gemm.m // tile.m) * -(-gemm.n // tile.n)
        slower = translation(work, tile)
        for parts in e.splits if tiles < 2 * e.sms else (1,):
            if parts > 1 and tiles * parts > 4 * e.sms:
                break
            depth, waves = -(-k // parts), -(-tiles * parts // e.sms)
            math = tile.flops * tile.slowness * (depth + e.prologue) * waves / e.rate
            if math >= least:
                continue
            bound = tiles * parts * tile.flops * depth * tile.energy * e.power_time
            moved = memory + (parts * partials if parts > 1 else 0.0)
            time = max(slower * limited(math, bound, e.delay), moved)
            if time < least:
                least, best, split = time, tile, parts
    return best, split


def _least_area(work: Work) -> Tile:
    """Return the tile with the least padded output: batched products are blind to waves."""
    m, n = work.gemm.m, work.gemm.n

    def area(tile: Tile) -> float:
        padded = -(-m // tile.m) * tile.m * -(-n // tile.n) * tile.n
        return padded * (1 + BATCHED_AREA * (1 / tile.m + 1 / tile.n - 1 / 64))

    return min(work.engine.batched[work.turned], key=area)


def steps(work: Work, tile: Tile, tiling: Tiling) -> tuple[float, ...]:
    """Return the time of all runs as the terms but the launch are switched on one after another."""
    e, memory, runs = work.engine, work.memory, work.runs
    parts, depth = tiling.parts, tiling.depth
    math = work.gemm.flops / work.gemm.repeat / e.peak
    # whole tiles at the tile's rate, evenly spread over the SMs; then waves that all SMs start together
    tiled = tiling.tiles * tile.flops * tile.slowness * tiling.gemm.k / (e.rate * e.sms)
    waved = tiling.waves * tile.flops * tile.slowness * depth / e.rate
    filled = waved * (1 + e.prologue / depth)
    aligned = filled + waved * (1 / work.aligned - 1)  # what fills and writes a tile needs no alignment
    # at the clock that a card runs at and that its power allows
    executed = parts * depth * tile.flops * tile.energy
    clocked = limited(aligned / e.boost, executed * e.power_time, e.delay)
    slower = 1.0 if e.tensor else translation(work, tile)
    moved = moved_time(work)
    both = combined(e, slower * clocked, moved)
    whole = split_time(work, tiling, slower * clocked, moved) if tiling.split > 1 else both
    levels = [runs * max(each, memory) for each in (math, tiled, waved, filled, aligned, clocked)]
    return (*levels, runs * both, runs * whole)


def moved_time(work: Work) -> float:
    """Return the seconds that the operands take from DRAM, or from L2 where they still are.

    Activations were written by the last kernel; weights were read before all the others in ``between``.
    """
    e = work.engine
    if not e.room:
        return work.moved / e.dram
    hit = _hit(work)
    return (work.moved - hit) / e.dram + hit / e.l2


def _hit(work: Work) -> float:
    """Return the bytes of a run that are still in L2."""
    e, cold = work.engine, work.cold
    warm = work.moved - cold
    found = warm * cached(warm * work.others, e.room)
    return found + cold * cached(cold * e.between, e.room) if cold else found


def translation(work: Work, tile: Tile) -> float:
    """Return how many times longer the math of a single product on CUDA cores takes for its many pages.

    1 + lines x k x 4 / reach: the lines along k that one wave reads lie so far apart that addresses of that
    many bytes are translated all the time.
    """
    gemm, e = work.gemm, work.engine
    if not e.reach or gemm.batch > 1:
        return 1.0
    first, second = ((gemm.m, tile.m), (gemm.n, tile.n))[:: -1 if work.turned else 1]
    across = min(e.sms, -(-first[0] // first[1]))  # tiles of a wave along the contiguous dimension
    lines = (min(across * first[1], first[0]), min(-(-e.sms // across) * second[1], second[0]))
    layout = gemm.leading[:2][:: -1 if work.turned else 1]
    apart = sum(line for line, along in zip(lines, layout, strict=True) if along == "k")
    return 1 + apart * gemm.k * 4.0 / e.reach


def warm_share(work: Work) -> float:
    """Return the share of all bytes that comes from the L2 cache."""
    return _hit(work) / work.moved if work.moved else 0.0


def combined(e: Engine, math: float, memory: float) -> float:
    """Return math and memory together: on CUDA cores the larger alone fits the data better."""
    return overlapped(math, memory, e.overlap) if e.tensor else max(math, memory)


def split_time(work: Work, tiling: Tiling, math: float, memory: float) -> float:
    """Return the same where partial sums are written in FP32, read again and added by another kernel."""
    e = work.engine
    partial = tiling.split * work.partials / (e.l2 if e.tensor else e.dram)
    return combined(e, math, memory + partial) + e.reduction
