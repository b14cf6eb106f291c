"""How far predictions were from measurements: the error and the band that go with a predicted time.

Of public data, by kind of operation and compute capability. Bands are those of predictions for GPUs that
were left out of the fit. What nothing backs has no error and no band; on a generation that was not measured
a time has no error, and the band of the GPU that it was widest on.
"""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..dtypes import BF16, FP16, FP32
from ..language import tr
from ..ops import Attention, Conv, Gemm, Pass, Phase, Stream
from ..units import si
from . import calibration
from .errors import ERRORS
from .launch import Launch

if TYPE_CHECKING:
    from .time import Cost

LIMITS = (50e-6, 300e-6)  # seconds: predictions below, between and above err differently


class Validation(NamedTuple):
    """The mean absolute relative error over some measured latencies, and what band holds 8 of 10."""

    error: float
    rows: int
    data: str  # whose, and on what
    factors: tuple[float, float, float]  # x for short, middling and long times: between time / x and time x x


def validation(cost: "Cost") -> Validation | None:
    """Return what backs a predicted time, or None: forward passes, launched as the data were."""
    found = ERRORS.get((kind(cost) or "", cost.gpu.compute_capability))
    return Validation(*found) if found else None


def interval(cost: "Cost") -> tuple[float, float] | None:
    """Return between how many seconds 8 of 10 measurements lay, or None where nothing backs it."""
    named = kind(cost)
    if named is None:
        return None
    found = validation(cost)
    factor = (found.factors if found else widest(named))[bucket(cost.time)]
    return cost.time / factor, cost.time * factor


@lru_cache
def widest(named: str) -> tuple[float, float, float]:
    """Return for each duration the widest band of any GPU."""
    all_of_it = [found[3] for (other, _), found in ERRORS.items() if other == named]
    short, middling, long = (max(factors) for factors in zip(*all_of_it, strict=True))
    return short, middling, long


def bucket(seconds: float) -> int:
    """Return 0, 1 or 2 for a short, middling or long time."""
    return sum(seconds >= limit for limit in LIMITS)


def trust(cost: "Cost") -> str:
    """Return a predicted time in words, with how far it can be trusted."""
    band, found = interval(cost), validation(cost)
    time = si(cost.time, "s")
    if band is None:
        return tr("{time}, not validated by measurement", time=time)
    low, high = (si(seconds, "s") for seconds in band)
    if found is None:
        return tr(
            "{time}, not validated by measurement on compute capability {capability}; "
            "where predictions of {things} were worst, 8 times in 10 between {low} and {high}",
            time=time, capability=cost.gpu.compute_capability, things=_things(cost), low=low, high=high,
        )  # fmt: skip
    return tr(
        "{time}, 8 times in 10 between {low} and {high} ({rows} measured {things}: {data})",
        time=time, low=low, high=high, rows=f"{found.rows:,}", things=_things(cost), data=found.data,
    )  # fmt: skip


def standing(cost: "Cost") -> str:
    """Return which measurements the constants behind a time were fitted to, in words."""
    found = calibration.standing(cost.gpu, cost.families[0])
    if found.like == calibration.REFITTED:
        return tr("constants refitted to this GPU's own measurements")
    if found.own(cost.gpu):
        return tr("constants fitted to {data}, {date}", data=found.data, date=found.date)
    return tr(
        "constants of compute capability {like}, as none of {capability} was measured: {data}, {date}",
        like=found.like, capability=cost.gpu.compute_capability, data=found.data, date=found.date,
    )  # fmt: skip


def kind(cost: "Cost") -> str | None:
    """Return what the table of errors calls an operation, or None where it was not measured like that."""
    half = cost.format.math in (FP16, BF16)
    if not (half or cost.format.math == FP32) or (cost.launch is Launch.EAGER) == half:
        return None
    return _half(cost) if half else _single(cost)


def _things(cost: "Cost") -> str:
    return {
        "16-bit product": tr("16-bit products"),
        "prefill": tr("attention prefills"),
        "decode": tr("attention decodings"),
        "elementwise": tr("elementwise passes"),
        "softmax": tr("softmaxes"),
        "norm": tr("layer norms"),
        "fp32 linear": tr("FP32 linear layers"),
        "fp32 batched": tr("FP32 batched products"),
        "fp32 convolution": tr("FP32 3 x 3 convolutions"),
    }[kind(cost) or ""]


def _half(cost: "Cost") -> str | None:
    match cost.op:
        case Gemm(batch=1, repeat=1):
            return "16-bit product"
        case Attention(phase=Phase.FPROP, queries=1):
            return "decode"
        case Attention(phase=Phase.FPROP, causal=True):
            return "prefill"
    return None


def _single(cost: "Cost") -> str | None:
    match cost.op:
        case Stream(kernels=1, steps=1, kind=kind) if cost.phase is Phase.FPROP:
            return {Pass.SOFTMAX: "softmax", Pass.NORM: "norm"}.get(kind, "elementwise")
        case Gemm(repeat=1, batch=batch):
            return "fp32 linear" if batch == 1 else "fp32 batched"
        case Conv(phase=Phase.FPROP, kernel=(3, 3)):
            return "fp32 convolution"
    return None
