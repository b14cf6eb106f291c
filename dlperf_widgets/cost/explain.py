"""A duration's terms, in words: the formula with the numbers put in, and where it comes from."""

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ..ops import Stream
from ..units import si

if TYPE_CHECKING:
    from .time import Cost

_GUIDE = "https://docs.nvidia.com/deeplearning/performance/"
_BACKGROUND = _GUIDE + "dl-performance-gpu-background/"
_PRODUCTS = _GUIDE + "dl-performance-matrix-multiplication/"


@dataclass(frozen=True)
class Term:
    """One part of a duration."""

    name: str
    seconds: float
    formula: str
    source: str


def terms(cost: "Cost") -> tuple[Term, ...]:
    """Return the terms of a cost in their fixed order; their seconds add up to its time."""
    steps = cost.steps
    seconds = (steps[0], *(after - before for before, after in pairwise(steps)))
    texts = (_ideal(cost), _tile(cost), _wave(cost), _alignment(cost), _launch(cost))
    return tuple(Term(name, time, *text) for (name, *text), time in zip(texts, seconds, strict=True))


def _ideal(cost: "Cost") -> tuple[str, str, str]:
    if cost.math_time >= cost.memory_time:
        return "math", f"{si(cost.flops, 'FLOP')} / {si(cost.peak, 'FLOPS')}", _BACKGROUND
    return "memory", f"{si(cost.bytes, 'B')} / {si(cost.gpu.bandwidth, 'B/s')}", _BACKGROUND


def _tile(cost: "Cost") -> tuple[str, str, str]:
    t = cost.tiling
    if t is None:
        return "tile", "not a product: no tiles", ""
    formula = (
        f"{t.tiles:,} tiles of {t.tile_m} x {t.tile_n}: {t.tile_efficiency:.1%} of them is output, "
        f"at {t.rate:.1%} of the largest tile's rate (fitted)"
    )
    return "tile", formula, _PRODUCTS


def _wave(cost: "Cost") -> tuple[str, str, str]:
    t = cost.tiling
    if t is None:
        return "wave", "not a product: no waves", ""
    formula = (
        f"{t.tiles:,} tiles in {t.waves:,} waves of {t.sms} SMs: {t.wave_efficiency:.1%} of the slots filled"
    )
    return "wave", formula, _PRODUCTS


def _alignment(cost: "Cost") -> tuple[str, str, str]:
    if isinstance(cost.op, Stream) or not cost.gpu.has_tensor_cores(cost.format.math):
        return "alignment", "no Tensor Cores used: any size does", _PRODUCTS
    sizes = ", ".join(f"{size:,.0f}" for size in cost.op.leading_bytes(cost.format))
    share = cost.alignment_efficiency
    return "alignment", f"rows of {sizes} bytes leave {share:.0%} of the rate (an estimate)", _PRODUCTS


def _launch(cost: "Cost") -> tuple[str, str, str]:
    return (
        "launch",
        f"least time of one operation, {si(cost.launch_time, 's')} (fitted)",
        "fitted to measurements",
    )
