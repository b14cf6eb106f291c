"""A duration's terms, in words: the formula with the numbers put in, and where it comes from."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..language import tr
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
        tr(
            "{tiles} tiles of {m} x {n}: {output} of them is output, at {rate} of the peak rate (fitted)",
            tiles=f"{tiling.tiles:,}",
            m=tile.m,
            n=tile.n,
            output=f"{tiling.tile_efficiency:.1%}",
            rate=f"{rate:.1%}",
        ),
        _PRODUCTS,
    )
    yield "wave", _wave(tiling, cost.gpu.sms), _PRODUCTS
    yield (
        "prologue",
        tr(
            "filling a tile's pipeline takes {steps} steps of k beside {depth}",
            steps=f"{work.engine.prologue:.0f}",
            depth=f"{tiling.depth:,}",
        ),
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
    size = f"{gemm.m:,} x {gemm.n:,} x {gemm.k:,}"
    words = tr("{name}: {count} products of {size}, {less} x fewer multiply-adds",
               name=tr(way.name), count=gemm.batch, size=size, less=f"{less:.3g}")  # fmt: skip
    yield "algorithm", words, _WINOGRAD
    yield from _product(cost)
    moved = si(way.work.engine.dram * way.transforms, "B")
    yield "transforms", tr("{bytes} moved besides", bytes=moved), _FITTED


def _recurrent(cost: "Cost") -> Iterator[Words]:
    way = cost.recurrence
    assert way
    yield from _product(cost)
    yield "steps", recurrent.words(way), _FITTED


def _wave(t: "Tiling", sms: int) -> str:
    text = "{tiles} tiles" if t.split == 1 else "{tiles} tiles, each split in {split},"
    parts = tr(text, tiles=f"{t.tiles:,}", split=t.split)
    waves = tr("1 wave") if t.waves == 1 else tr("{waves} waves", waves=f"{t.waves:,}")
    where = tr("{sms} SMs", sms=sms)
    if t.sms != sms:
        where = tr("{places} places on {sms} SMs", places=t.sms, sms=sms)
    return tr("{parts} in {waves} of {where}: {share} of the slots filled",
              parts=parts, waves=waves, where=where, share=f"{t.wave_efficiency:.1%}")  # fmt: skip


def _alignment(cost: "Cost") -> tuple[str, str]:
    if isinstance(cost.op, Stream) or not cost.gpu.has_tensor_cores(cost.format.math):
        return tr("no Tensor Cores used: any size does"), _PRODUCTS
    sizes = ", ".join(f"{size:,.0f}" for size in cost.op.leading_bytes(cost.format))
    share = f"{cost.alignment_efficiency:.0%}"
    words = tr("rows of {sizes} bytes leave {share} of the rate (an estimate)", sizes=sizes, share=share)
    return words, _ESTIMATE


def _clock(work: "Work", tiling: "Tiling") -> str:
    e = work.engine
    executed = 2 * tiling.parts * tiling.depth * tiling.tile_m * tiling.tile_n * work.runs
    boost = tr("{boost} x the nominal clock; ", boost=f"{e.boost:.2f}") if e.boost != 1 else ""
    if not e.power_time:
        return boost + tr("no power limit is stated")
    return boost + tr("{flops} take at least {time} at the power limit",
                      flops=si(executed, "FLOP"), time=si(executed * e.power_time, "s"))  # fmt: skip


def _memory(work: "Work") -> str:
    e = work.engine
    share = warm_share(work)
    dram = tr("{bytes}, {share} at {rate} from DRAM", bytes=si(work.moved, "B"), share=f"{1 - share:.0%}",
              rate=si(e.dram, "B/s"))  # fmt: skip
    how = tr("overlaps with the math") if e.tensor else tr("hidden by the math, or hides it")
    return f"{dram}{_cached(share, e.l2)}{tr('; ')}{how}"


def _cached(share: float, rate: float) -> str:
    """Return what the L2 cache delivers, if that is worth a word."""
    if share < 0.005:
        return ""
    return tr(", {share} at {rate} from L2", share=f"{share:.0%}", rate=si(rate, "B/s"))


def _split(work: "Work", tiling: "Tiling") -> str:
    if tiling.split == 1:
        return tr("not split along k")
    return tr("{split} x {bytes} of partial sums written, read and added up",
              split=tiling.split, bytes=si(work.partials, "B"))  # fmt: skip


def _attention(cost: "Cost") -> Iterator[Words]:
    op, way = cost.op, cost.walk
    assert isinstance(op, Attention) and way
    rate = way.rate * way.sms / way.peak
    steps = op.batch * op.heads * key_steps(op)
    words = tr("blocks of {queries} queries along {keys} keys, at {rate} of the peak rate (fitted)",
               queries=block(op), keys=f"{steps:,.0f}", rate=f"{rate:.1%}")  # fmt: skip
    yield "tile", words, _FITTED
    yield "alignment", *_alignment(cost)
    more = tr("exponentials take as long as products of {more} head dimensions beside {own}",
              more=f"{way.exponential:.1f}", own=op.head_dim)  # fmt: skip
    yield "exponential", more, _FITTED
    yield "wave", tr("a block of queries sees all {keys} keys", keys=f"{op.keys:,}"), _FITTED
    rate_words = tr("at {rate}, beside the math; other blocks read K and V again", rate=si(way.dram, "B/s"))
    yield "memory", rate_words, _FITTED


def _pass(cost: "Cost") -> Iterator[Words]:
    op, way = cost.op, road(cost.gpu)
    assert isinstance(op, Stream)
    share = cached(cost.bytes, way.l2_room)
    dram = tr("{share} of the bytes at {rate} from DRAM", share=f"{1 - share:.0%}", rate=si(way.dram, "B/s"))
    yield "memory", dram + _cached(share, way.l2), _FITTED
    yield "reread", _reread(op), _FITTED
    yield "instructions", _instructions(op, way), _FITTED


def _reread(op: Stream) -> str:
    if op.kernels > 1:
        return tr("{kernels} kernels move it, one after another", kernels=op.kernels)
    if op.kind in (Pass.ELEMENTWISE, Pass.INDEXED):
        return tr("nothing is read twice")
    return tr("{rows} rows of {columns}, read again where L1 has lost them",
              rows=f"{op.rows:,}", columns=f"{columns(op):,.0f}")  # fmt: skip


def _instructions(op: Stream, way: Road) -> str:
    match op.kind:
        case Pass.NORM:
            return tr("{row} clocks a row and {column} a column, if more",
                      row=f"{way.row:.0f}", column=f"{way.column:.3g}")  # fmt: skip
        case Pass.SOFTMAX if columns(op) > SOFTMAX_REGISTERS:
            return tr("{column} clocks a column, if more", column=f"{way.long:.3g}")
        case Pass.INDEXED:
            return tr("{clocks} clocks of an SM an element, to compute where it lies, if more",
                      clocks=f"{way.place:.3g}")  # fmt: skip
        case _:
            return tr("fewer than memory has time for")


def _launch(cost: "Cost") -> Words:
    start = cost.floor
    if start.queued:
        return "launch", tr("what the host, which runs ahead of long kernels, still takes (fitted)"), _FITTED
    if cost.recurrence and isinstance(cost.op, Gemm):
        steps = tr("one kernel") if cost.op.resident else tr("{steps} steps", steps=f"{cost.op.repeat:,}")
        waits = tr(", and the host until it has run ahead") if cost.launch is Launch.EAGER else ""
        return "launch", tr("the launch of {steps}{waits} (fitted)", steps=steps, waits=waits), _FITTED
    hidden = ""
    if start.exposed != 1:
        hidden = tr(", {share} of it hidden by a long kernel", share=f"{1 - start.exposed:.0%}")
    words = tr(
        "least time of one operation, {time}{hidden} (fitted)", time=si(start.seconds, "s"), hidden=hidden
    )
    return "launch", words, _FITTED
