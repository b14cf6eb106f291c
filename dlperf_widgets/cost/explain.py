"""A duration's terms, in words: the formula with the numbers put in, and where it comes from."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..ops import Attention, Gemm, Pass, Stream
from ..units import si
from . import recurrent
from .attention import block, key_steps
from .bandwidth import cached
from .estimates import SOFTMAX_REGISTERS
from .launch import Launch
from .product import warm_share
from .stream import Road, columns, road

if TYPE_CHECKING:
    from .product import Work
    from .tiles import Tiling
    from .time import Cost

_GUIDE = "https://docs.nvidia.com/deeplearning/performance/"
_BACKGROUND = _GUIDE + "dl-performance-gpu-background/"
_PRODUCTS = _GUIDE + "dl-performance-matrix-multiplication/"
_FITTED = "fitted to published measurements: cost/constants.py"
_WINOGRAD = "https://arxiv.org/abs/1509.09308"
_ESTIMATE = "an estimate: cost/constants.py"

Words = tuple[str, str, str]  # name, formula, source


class Term(NamedTuple):
    """One part of a duration."""

    name: str
    seconds: float
    formula: str
    source: str


def terms(cost: "Cost") -> tuple[Term, ...]:
    """Return the terms of a cost in their fixed order; their seconds add up to its time."""
    family = (
        _convolution
        if cost.way
        else _recurrent
        if cost.recurrence
        else _attention
        if cost.walk
        else _pass
        if isinstance(cost.op, Stream)
        else _product
    )
    words = [_ideal(cost), *family(cost), _launch(cost)]
    return tuple(Term(name, time, *text) for (name, *text), time in zip(words, cost.seconds, strict=True))


def _ideal(cost: "Cost") -> Words:
    if cost.math_time >= cost.memory_time:
        return "math", f"{si(cost.flops, 'FLOP')} / {si(cost.peak, 'FLOPS')}", _BACKGROUND
    return "memory", f"{si(cost.bytes, 'B')} / {si(cost.gpu.bandwidth, 'B/s')}", _BACKGROUND


def _product(cost: "Cost") -> Iterator[Words]:
    work, tiling, tile = cost.work, cost.tiling, cost.tile
    assert work and tiling and tile
    rate = work.engine.rate * work.engine.sms / work.engine.peak / tile.slowness
    yield (
        "tile",
        f"{tiling.tiles:,} tiles of {tile.m} x {tile.n}: {tiling.tile_efficiency:.1%} of them is output, "
        f"at {rate:.1%} of the peak rate (fitted)",
        _PRODUCTS,
    )
    yield "wave", _wave(tiling, cost.gpu.sms), _PRODUCTS
    yield (
        "prologue",
        f"filling a tile's pipeline takes {work.engine.prologue:.0f} steps of k beside {tiling.depth:,}",
        _FITTED,
    )
    yield "alignment", *_alignment(cost)
    yield "clock", _clock(work, tiling), _FITTED
    yield "memory", _memory(work), _FITTED
    yield "split-K", _split(work, tiling), _FITTED


def _convolution(cost: "Cost") -> Iterator[Words]:
    way = cost.way
    assert way
    gemm = way.work.gemm
    less = cost.flops / (gemm.flops * way.work.runs)
    products = f"{gemm.batch} products of {gemm.m:,} x {gemm.n:,} x {gemm.k:,}"
    yield "algorithm", f"{way.name}: {products}, {less:.3g} x fewer multiply-adds", _WINOGRAD
    yield from _product(cost)
    yield "transforms", f"{si(way.work.engine.dram * way.transforms, 'B')} moved besides", _FITTED


def _recurrent(cost: "Cost") -> Iterator[Words]:
    way = cost.recurrence
    assert way
    yield from _product(cost)
    yield "steps", recurrent.words(way), _FITTED


def _wave(t: "Tiling", sms: int) -> str:
    parts = f"{t.tiles:,} tiles" if t.split == 1 else f"{t.tiles:,} tiles, each split in {t.split},"
    waves = "1 wave" if t.waves == 1 else f"{t.waves:,} waves"
    where = f"{sms} SMs" if t.sms == sms else f"{t.sms} places on {sms} SMs"
    return f"{parts} in {waves} of {where}: {t.wave_efficiency:.1%} of the slots filled"


def _alignment(cost: "Cost") -> tuple[str, str]:
    if isinstance(cost.op, Stream) or not cost.gpu.has_tensor_cores(cost.format.math):
        return "no Tensor Cores used: any size does", _PRODUCTS
    sizes = ", ".join(f"{size:,.0f}" for size in cost.op.leading_bytes(cost.format))
    share = cost.alignment_efficiency
    return f"rows of {sizes} bytes leave {share:.0%} of the rate (an estimate)", _ESTIMATE


def _clock(work: "Work", tiling: "Tiling") -> str:
    e = work.engine
    executed = 2 * tiling.parts * tiling.depth * tiling.tile_m * tiling.tile_n * work.runs
    boost = f"{e.boost:.2f} x the nominal clock; " if e.boost != 1 else ""
    if not e.power_time:
        return f"{boost}no power limit is stated"
    return (
        f"{boost}{si(executed, 'FLOP')} take at least {si(executed * e.power_time, 's')} at the power limit"
    )


def _memory(work: "Work") -> str:
    e = work.engine
    share = warm_share(work)
    dram = f"{si(work.moved, 'B')}, {1 - share:.0%} at {si(e.dram, 'B/s')} from DRAM"
    cache = f", {share:.0%} at {si(e.l2, 'B/s')} from L2" if share >= 0.005 else ""
    return f"{dram}{cache}; " + ("overlaps with the math" if e.tensor else "hidden by the math, or hides it")


def _split(work: "Work", tiling: "Tiling") -> str:
    if tiling.split == 1:
        return "not split along k"
    return f"{tiling.split} x {si(work.partials, 'B')} of partial sums written, read and added up"


def _attention(cost: "Cost") -> Iterator[Words]:
    op, way = cost.op, cost.walk
    assert isinstance(op, Attention) and way
    rate = way.rate * way.sms / way.peak
    steps = op.batch * op.heads * key_steps(op)
    blocks = f"blocks of {block(op)} queries along {steps:,.0f} keys"
    yield "tile", f"{blocks}, at {rate:.1%} of the peak rate (fitted)", _FITTED
    yield "alignment", *_alignment(cost)
    more = f"{way.exponential:.1f} head dimensions beside {op.head_dim}"
    yield "exponential", f"exponentials take as long as products of {more}", _FITTED
    yield "wave", f"a block of queries sees all {op.keys:,} keys", _FITTED
    yield "memory", f"at {si(way.dram, 'B/s')}, beside the math; other blocks read K and V again", _FITTED


def _pass(cost: "Cost") -> Iterator[Words]:
    op, way = cost.op, road(cost.gpu)
    assert isinstance(op, Stream)
    share = cached(cost.bytes, way.l2_room)
    cache = f", {share:.0%} at {si(way.l2, 'B/s')} from L2" if share >= 0.005 else ""
    yield "memory", f"{1 - share:.0%} of the bytes at {si(way.dram, 'B/s')} from DRAM{cache}", _FITTED
    yield "reread", _reread(op), _FITTED
    yield "instructions", _instructions(op, way), _FITTED


def _reread(op: Stream) -> str:
    if op.kernels > 1:
        return f"{op.kernels} kernels move it, one after another"
    if op.kind in (Pass.ELEMENTWISE, Pass.INDEXED):
        return "nothing is read twice"
    return f"{op.rows:,} rows of {columns(op):,.0f}, read again where L1 has lost them"


def _instructions(op: Stream, way: Road) -> str:
    match op.kind:
        case Pass.NORM:
            return f"{way.row:.0f} clocks a row and {way.column:.3g} a column, if more"
        case Pass.SOFTMAX if columns(op) > SOFTMAX_REGISTERS:
            return f"{way.long:.3g} clocks a column, if more"
        case Pass.INDEXED:
            return f"{way.place:.3g} clocks of an SM an element, to compute where it lies, if more"
        case _:
            return "fewer than memory has time for"


def _launch(cost: "Cost") -> Words:
    start = cost.floor
    if start.queued:
        return "launch", "what the host, which runs ahead of long kernels, still takes (fitted)", _FITTED
    if cost.recurrence and isinstance(cost.op, Gemm):
        steps = "one kernel" if cost.op.resident else f"{cost.op.repeat:,} steps"
        waits = ", and the host until it has run ahead" if cost.launch is Launch.EAGER else ""
        return "launch", f"the launch of {steps}{waits} (fitted)", _FITTED
    hidden = "" if start.exposed == 1 else f", {1 - start.exposed:.0%} of it hidden by a long kernel"
    return "launch", f"least time of one operation, {si(start.seconds, 's')}{hidden} (fitted)", _FITTED
