"""Number formats at work: rounding, what a gradient loses in FP16, and the scaling that saves it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import copysign, frexp, fsum, inf, isfinite, ldexp, nan
from typing import NamedTuple

from ..dtypes import FP8, FP16, FP32, DType
from ._checks import many, positive, real, shown, thing, whole
from .formats import E4M3, E5M2, FLOATINGS, Floating


def floating(dtype: DType | Floating) -> Floating:
    """Return the bits of a floating-point format."""
    if isinstance(dtype, Floating):
        return dtype
    dtype = thing("dtype", DType, dtype)
    if dtype == FP8:
        raise ValueError(f"FP8 is two formats: choose {E4M3.name} or {E5M2.name}")
    if dtype not in FLOATINGS:
        raise ValueError(f"{dtype} is not a floating-point format")
    return FLOATINGS[dtype]


def quantize(value: float, dtype: DType | Floating, saturate: bool = False) -> float:
    """Return the nearest number that a format has; of two, the one whose last bit is zero.

    Beyond the largest number it is infinite, or NaN where the format has no infinity; with ``saturate``
    it is the largest number, as hardware and recent libraries convert to FP8.
    """
    number, value = floating(dtype), _number("value", value)
    if value == 0 or value != value:
        return value
    rounded = _nearest(abs(value), number) if isfinite(value) else inf
    if rounded > number.max:
        rounded = number.max if saturate else (inf if number.infinite else nan)
    return copysign(rounded, value)


def _number(name: str, value: object) -> float:
    """Return a number that may be infinite or no number: formats have those too."""
    try:
        if isinstance(value, bool | str | bytes):
            raise TypeError
        return float(value)  # type: ignore[arg-type]
    except OverflowError:
        return inf if value > 0 else -inf  # type: ignore[operator]
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a number, not {shown(value)}") from None


def _nearest(value: float, number: Floating) -> float:
    """Return a multiple of the gap between numbers of this size: exact, as scaling by powers of two is."""
    exponent = max(frexp(value)[1] - 1, number.smallest_exponent) - number.mantissa
    try:
        return ldexp(round(ldexp(value, -exponent)), exponent)  # round() takes halves to even
    except OverflowError:
        return inf


class LossScaling(NamedTuple):
    """What happens to scaled gradients in a narrow format, as shares of all of them."""

    zero: float  # zero before
    lost: float  # not zero before, zero now
    kept: float
    overflow: float  # beyond the largest number

    @property
    def usable(self) -> bool:
        """Whether no gradient overflows: the optimizer would skip the step."""
        return not self.overflow


def loss_scaling(
    gradients: Iterable[float] | Mapping[float, float], scale: float = 1.0, dtype: DType | Floating = FP16
) -> LossScaling:
    """Return the shares of the gradients that are lost when the loss is multiplied by ``scale``.

    ``gradients`` are values, or a histogram: the weight of each value.
    """
    factor, number = positive("scale", scale, LARGEST_SCALE), floating(dtype)
    several = many("gradients", gradients)
    pairs = gradients.items() if isinstance(gradients, Mapping) else ((g, 1.0) for g in several)
    weights: dict[str, list[float]] = {name: [] for name in LossScaling._fields}
    for gradient, weight in pairs:
        weights[_fate(real("gradient", gradient, -inf, inf), factor, number)].append(real("weight", weight))
    total = fsum(fsum(each) for each in weights.values())
    if not total:
        raise ValueError("loss scaling needs at least one gradient")
    return LossScaling(*(fsum(weights[name]) / total for name in LossScaling._fields))


def _fate(gradient: float, scale: float, number: Floating) -> str:
    if not gradient:
        return "zero"
    scaled = quantize(gradient * scale, number)
    return "lost" if scaled == 0 else ("kept" if isfinite(scaled) else "overflow")


@dataclass(frozen=True, kw_only=True)
class GradientHistogram:
    """Published figures of the gradients of one network."""

    network: str
    zero: float  # share of the activation gradients that are zero
    smallest: tuple[int, int, float]  # powers of two, and the share of the gradients between them
    becomes_zero: float  # share that turns to zero in FP16
    nonzero: float  # share that is not zero in FP16
    diverged: bool  # whether training in FP16 did, without a scale
    enough: float  # the scale that matches FP32 training
    recovers: tuple[float, float]  # a scale, and the share that it still loses
    source: str
    address: str


# The figures are quoted one by one: zero, becomes_zero and nonzero do not add up to all gradients, so
# they are not of one and the same tensor and are never combined here.
MULTIBOX_SSD = GradientHistogram(
    network="Multibox SSD",
    zero=0.668,
    smallest=(-32, -30, 0.04),
    becomes_zero=0.31,
    nonzero=0.053,
    diverged=True,
    enough=8,
    recovers=(32_768, 0.001),
    source="NVIDIA, Training With Mixed Precision, loss scaling to preserve small gradient magnitudes",
    address="https://docs.nvidia.com/deeplearning/performance/mixed-precision-training/",
)


LARGEST_SCALE = FLOATINGS[FP32].max  # the scale is an FP32 number itself


class ScalerStep(NamedTuple):
    """One training step under a dynamic loss scale."""

    scale: float  # that the loss of this step was multiplied by
    skipped: bool  # it overflowed, so the weights were left alone


def dynamic_scaling(
    largest: Iterable[float],
    scale: float = 65_536,
    *,
    interval: int = 2000,
    growth: float = 2.0,
    backoff: float = 0.5,
    dtype: DType | Floating = FP16,
) -> tuple[ScalerStep, ...]:
    """Return the loss scale of each step, given the magnitude of its largest gradient.

    Parameters
    ----------
    largest
        The largest gradient of each step, unscaled.
    scale
        The scale of the first step.
    interval
        Good steps in a row after which the scale grows.
    growth
        What it is then multiplied by.
    backoff
        What it is multiplied by after an overflow, whose step is skipped.
    dtype
        The format of the gradients.
    """
    interval = whole("interval", interval, 1)
    scale, growth, backoff = (
        positive("scale", scale, LARGEST_SCALE),
        real("growth", growth, 1.0),
        positive("backoff", backoff, 1.0),
    )  # fmt: skip
    steps, good = [], 0
    for gradient in many("largest", largest):
        skipped = not isfinite(quantize(_number("a gradient", gradient) * scale, dtype))
        steps.append(ScalerStep(scale, skipped))
        good = 0 if skipped else good + 1
        if skipped:
            scale *= backoff
        elif good == interval:
            scale, good = scale * (growth if scale * growth <= LARGEST_SCALE else 1.0), 0
    return tuple(steps)


def update_is_lost(weight: float, update: float, dtype: DType | Floating = FP16) -> bool:
    """Return whether adding an update leaves a weight of this format as it was: why weights stay in FP32."""
    stored = quantize(real("weight", weight, -inf, inf), dtype)
    return quantize(stored + real("update", update, -inf, inf), dtype) == stored


def lost_ratio(dtype: DType | Floating = FP16) -> float:
    """Return the ratio ``|weight| / |update|`` from which an update can be lost: 2048 in FP16.

    Below it none is; the published rule counts on a weight that is a power of two. Above twice the ratio
    every update is lost. In between it depends on the weight's mantissa.
    """
    return 2.0 ** (floating(dtype).mantissa + 1)
