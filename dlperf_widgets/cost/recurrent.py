"""The time of a recurrent product: the same small product at every time step, each waiting for the last.

A step takes the time of its weights, from the L2 cache or DRAM, or of its product, whichever is longer, and
is started: T = call + latency + steps x (launch + max(weights, product)). The latency is what the GPU waits
for the host until that has run ahead. A persistent kernel keeps the weights in registers instead, where they
fit, and its steps meet at a barrier.
"""

from dataclasses import replace
from functools import lru_cache
from math import exp
from typing import NamedTuple

from ..dtypes import DType, Format
from ..gpus import Gpu
from ..language import tr
from ..ops import Gemm
from ..units import si
from .bandwidth import sustained
from .calibration import of
from .engine import Engine, Tile, cut, engine
from .estimates import BARRIER, STALLED_BATCHES, STALLS
from .power import limited
from .product import Work, moved_time
from .product import steps as product_steps
from .tiles import Tiling

# Tiles of outputs x batch; the narrow ones are for batches smaller than a tile.
_TILES = ((128, 128), (128, 64), (64, 64), (128, 32), (64, 32), (128, 16), (32, 32))
_SPLITS = (1, 2, 4, 8, 16)


class Recurrence(NamedTuple):
    """The product of one step, and what keeps a step longer."""

    work: Work
    tile: Tile
    tiling: Tiling
    stall: float  # seconds that a step takes at least, waiting for operands
    barrier: float  # seconds at the end of each step of a persistent kernel
    held: bool  # a persistent kernel holds the weights


@lru_cache(128)
def step_engine(gpu: Gpu, dtype: DType, sparse: bool) -> Engine:
    """Return what the product of one step meets: small tiles, and weights that the L2 cache may hold."""
    core, c = engine(gpu, dtype, sparse), of(gpu)
    dram = sustained(gpu) * c.recurrent_bandwidth
    own = core._replace(
        dram=dram,
        reach=0.0,
        l2=max(gpu.sms * gpu.clock * c.tensor_l2_rate, dram),
        room=c.tensor_l2_part * (gpu.l2 or 0),
    )
    if core.tensor:
        return own
    return own._replace(tiles=cut(_TILES, c.cuda_reread, 1 / 64, True), batched=())


def choose(op: Gemm, gpu: Gpu, form: Format, work: Work, sparse: bool) -> Recurrence:
    """Return how a step is computed; ``work`` is its product with the weights where the op has them."""
    held = op.resident and fits(op, gpu, form)
    if op.resident and not held:
        work = work._replace(moved=replace(op, resident=False).traffic(form) / work.runs)
    work = work._replace(engine=step_engine(gpu, form.math, sparse))
    stalls = not held and gpu.architecture in STALLS and STALLED_BATCHES[0] < op.n <= STALLED_BATCHES[1]
    tile, split = (_share(work), 1) if held else _quickest(work, _SPLITS[:1] if stalls else _SPLITS)
    stall = op.k * of(gpu).recurrent_stall / gpu.clock if stalls else 0.0
    tiling = Tiling(work.gemm, tile.m, tile.n, gpu.sms, split)
    return Recurrence(work, tile, tiling, stall, BARRIER if held else 0.0, held)


def fits(op: Gemm, gpu: Gpu, form: Format) -> bool:
    """Return whether the registers of all SMs hold the weights: m x k elements in 4 bytes x registers."""
    weights = op.m * op.k * op.a.dtype(form).bytes
    return weights <= 4 * (gpu.registers_per_sm or 65536) * gpu.sms


def steps(way: Recurrence) -> tuple[float, ...]:
    """Return the time as the terms but the launch are switched on: a product's, then what keeps each step."""
    levels = product_steps(way.work, way.tile, way.tiling)
    return (*levels, max(levels[-1], way.work.runs * way.stall) + way.work.runs * way.barrier)


def words(way: Recurrence) -> str:
    """Return what keeps a step longer, in words."""
    if way.held:
        return tr("registers hold the weights; all SMs meet once a step, {time} (an estimate)",
                  time=si(way.barrier, "s"))  # fmt: skip
    if way.stall:
        return tr("a kernel that waits for its operands takes {time} at least", time=si(way.stall, "s"))
    return tr("nothing keeps a step longer")


def launches(op: Gemm, gpu: Gpu, hosted: bool) -> float:
    """Return the seconds for starting all steps: a kernel each, or one if it persists.

    Where no graph replays them but the host starts them (``hosted``), a call and the latency of the first
    steps come on top, until the host has run ahead: latency x ahead x (1 - e^(-steps / ahead)).
    """
    c = of(gpu)
    kernels = 1 if op.resident else op.repeat
    time = kernels * c.tensor_launch / (gpu.tensor_clock or gpu.clock)
    if hosted:
        waits = c.recurrent_latency * c.recurrent_ahead * (1 - exp(-kernels / c.recurrent_ahead))
        time += c.recurrent_call + waits
    return time


def _share(work: Work) -> Tile:
    """Return what each SM of a persistent kernel computes: its share of the outputs, for the whole batch."""
    m, n = -(-work.gemm.m // work.engine.sms), work.gemm.n
    return Tile(m, n, 2.0 * m * n, 1.0, 1.0)


def _quickest(work: Work, splits: tuple[int, ...]) -> tuple[Tile, int]:
    """Return the tile and the split along k that take the least time, at most two parts for each SM."""
    gemm, e = work.gemm, work.engine
    memory, partials = moved_time(work), work.partials / (e.l2 if e.tensor else e.dram)
    best, split, least = e.tiles[work.turned][0], 1, float("inf")
    for tile in e.tiles[work.turned]:
        tiles = gemm.batch * -(-gemm.m // tile.m) * -(-gemm.n // tile.n)
        for parts in splits:
            if parts > 1 and tiles * parts > 2 * e.sms:
                break
            depth, waves = -(-gemm.k // parts), -(-tiles * parts // e.sms)
            steps = (depth / work.aligned + e.prologue) * waves
            math = tile.flops * tile.slowness * steps / (e.rate * e.boost)
            bound = tiles * parts * tile.flops * depth * tile.energy * e.power_time
            time = max(limited(math, bound, e.delay), memory + (parts * partials if parts > 1 else 0.0))
            time += e.reduction if parts > 1 else 0.0
            if time < least:
                best, split, least = tile, parts, time
    return best, split
