"""Gradients under a loss scale: what FP16 loses of a histogram, and a scale that follows overflows.

The histogram is made up: a bell over the powers of two. What is published of a real one are single
figures, which are quoted and never drawn.
"""

from math import log2, sin
from statistics import NormalDist

from ..cost import Scenario
from ..cost.formats import FLOATINGS
from ..cost.precision import MULTIBOX_SSD, LossScaling, ScalerStep, dynamic_scaling, loss_scaling
from ..dtypes import FP16
from ..language import remembered, tr
from ..units import figures
from ._chart import Area, Axis, Chart, Line, Mark, Points, Spans, nice
from .precision_options import PrecisionOptions
from .roles import Role

HALF = FLOATINGS[FP16]
STEPS = 1200  # of a run
FIRST_SCALE = 65_536
_FEW = 6  # steps that a point of a line stands for
_POWERS = (-64, 24)  # of two: the magnitudes in view
_TICKS = (-64, -44, -24, 0, 16)
_FATES = ("lost", "kept", "overflow")


@remembered(64)
def histogram(median: int, spread: int) -> dict[int, float]:
    """Return the share of the gradients in each power of two: between 2^n and 2^(n+1)."""
    bell = NormalDist(-median, spread)
    low, high = round(-median - 4 * spread), round(-median + 4 * spread)
    shares = {power: bell.cdf(power + 1) - bell.cdf(power) for power in range(low, high)}
    total = sum(shares.values())
    return {power: share / total for power, share in shares.items()}


def middle(power: int) -> float:
    """Return the magnitude that stands for all between two powers of two."""
    return float(2.0 ** (power + 0.5))


def outcome(options: PrecisionOptions) -> LossScaling:
    """Return the shares that are lost, kept and beyond FP16 under the loss scale."""
    return _outcome(options.median, options.spread, options.scale)


@remembered(64)
def _outcome(median: int, spread: int, scale: int) -> LossScaling:
    shares = histogram(median, spread)
    return loss_scaling({middle(power): share for power, share in shares.items()}, scale)


def _fate(scaled: float) -> str:
    """Return what becomes of a scaled gradient, where all of a bar share it."""
    if scaled <= HALF.min_subnormal / 2:
        return "lost"
    return "kept" if scaled < HALF.max + 2**4 else "overflow"  # halfway to the next power of two


def loss_scale(_scenario: Scenario, options: PrecisionOptions) -> Chart:
    """Return the histogram of the scaled gradients, over the range of FP16."""
    shares = histogram(options.median, options.spread)
    top = max(shares.values())
    low, high = (2.0**power for power in _POWERS)
    x = Axis("Magnitude of a scaled gradient", "", (low, high), log=True,
             places=tuple(2.0**power for power in _TICKS),
             names=tuple(f"2^{power}" if power else "1" for power in _TICKS))  # fmt: skip
    y = Axis("Share of the gradients", "%", (0, nice(1.15 * top)))
    here = -options.median + log2(options.scale)
    marks: tuple[Mark, ...] = (
        Spans("FP16", Role.GUIDE, HALF.min_subnormal, HALF.max),
        *(_bars(fate, options) for fate in _FATES),
        Points("the median, scaled", Role.CURRENT, (min(max(2.0**here, low), high),), (top,),
               notes=(scaling_words(options),), drag="scale"),
    )  # fmt: skip
    return Chart("Loss scaling", x, y, marks, f"{scaling_words(options)} {published()}")


_ROLES = {"lost": Role.WASTE, "kept": Role.MEASURED, "overflow": Role.MATH}
_SHADES = {"lost": 1.0, "kept": 0.7, "overflow": 1.0}


def _bars(fate: str, options: PrecisionOptions) -> Area:
    """Return the bars of the gradients that share a fate; bars of the others have no height."""
    x: list[float] = []
    top: list[float] = []
    low, high = (2.0**power for power in _POWERS)
    for power, share in histogram(options.median, options.spread).items():
        height = share if _fate(middle(power) * options.scale) == fate else 0.0
        x += [min(max(2.0**end * options.scale, low), high) for end in (power, power + 1)]
        top += [height, height]
    return Area(fate, _ROLES[fate], tuple(x), (0.0,) * len(x), tuple(top), _SHADES[fate])


def scaling_words(options: PrecisionOptions) -> str:
    """Return what the scale loses and saves."""
    found = outcome(options)
    values = {"scale": f"{options.scale:,}", "lost": _percent(found.lost), "over": _percent(found.overflow)}
    if found.overflow:
        text = "At a loss scale of {scale}, {lost} of these gradients become zero and {over} overflow FP16."
        return tr(text, **values)
    return tr("At a loss scale of {scale}, {lost} of these gradients become zero in FP16.", **values)


def published() -> str:
    """Return the published figures of a network that needs a scale."""
    ssd = MULTIBOX_SSD
    low, high, share = ssd.smallest
    return tr(
        "Published of {network}: {zero} of the gradients are zero, {share} lie between 2^{low} and 2^{high}, "
        "{lost} become zero in FP16. A scale of {enough} trains as FP32 does; {most} loses {left}.",
        network=ssd.network, zero=_percent(ssd.zero), share=_percent(share), low=low, high=high,
        lost=_percent(ssd.becomes_zero), enough=f"{ssd.enough:g}", most=f"{ssd.recovers[0]:,}",
        left=_percent(ssd.recovers[1]),
    )  # fmt: skip


def _percent(share: float) -> str:
    return f"{figures(100 * share)}%"


# --- A scale that follows --------------------------------------------------------------------------------


@remembered(64)
def largest_gradients(median: int, spread: int) -> tuple[float, ...]:
    """Return the largest gradient of each step of a made-up run: it falls, wobbles, and jumps at times."""
    start = -median + 3.5 * spread
    return tuple(
        2.0 ** (start - 5 * step / STEPS + 0.7 * sin(step / 12) + (3 if step % 340 == 210 else 0))
        for step in range(STEPS)
    )


@remembered(64)
def run(median: int, spread: int, interval: int) -> tuple[ScalerStep, ...]:
    """Return the scale of each step, doubled after good steps in a row and halved by an overflow."""
    return dynamic_scaling(largest_gradients(median, spread), FIRST_SCALE, interval=interval)


def dynamic(_scenario: Scenario, options: PrecisionOptions) -> Chart:
    """Return a dynamic loss scale over the steps of a run, and the steps that it skips."""
    steps = run(options.median, options.spread, options.interval)
    largest = largest_gradients(options.median, options.spread)
    most = _envelope(largest)
    skipped = [step for step, each in enumerate(steps) if each.skipped]
    values = (*most[1], *(each.scale for each in steps))
    bottom, top = (2.0 ** (round(log2(end)) + out) for end, out in ((min(values), -2), (max(values), 2)))
    places = range(round(log2(bottom)), round(log2(top)) + 1, max(round(log2(top / bottom) / 6), 1))
    x = Axis("Step", "", (0, STEPS))
    y = Axis("Loss scale", "", (bottom, top), log=True, places=tuple(2.0**power for power in places),
             names=tuple(f"2^{power}" if power else "1" for power in places))  # fmt: skip
    marks: tuple[Mark, ...] = (
        Line("beyond it FP16 overflows", Role.MATH, *most, dash="solid"),
        Line("loss scale", Role.PREDICTED, *_changes(steps), dash="solid"),
        Points("skipped step", Role.MATH, tuple(map(float, skipped)),
               tuple(steps[step].scale for step in skipped), "square", small=True,
               notes=tuple(_skipped(step, steps[step]) for step in skipped)),
    )  # fmt: skip
    return Chart("Dynamic loss scale", x, y, marks, dynamic_words(options))


def _skipped(step: int, found: ScalerStep) -> str:
    return tr("Step {step} overflows at a scale of {scale}: no update, and half the scale.",
              step=f"{step:,}", scale=f"{found.scale:,.10g}")  # fmt: skip


def _envelope(largest: tuple[float, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the largest scale without overflow: of every few steps the one that allows least."""
    parts = range(0, STEPS, _FEW)
    return (
        tuple(map(float, parts)), tuple(HALF.max / max(largest[start : start + _FEW]) for start in parts)
    )  # fmt: skip


def _changes(steps: tuple[ScalerStep, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the scale as a line with a corner wherever it changes."""
    x, y = [0.0], [steps[0].scale]
    for step, each in enumerate(steps):
        if each.scale != y[-1]:
            x += [float(step), float(step)]
            y += [y[-1], each.scale]
    return (*x, float(STEPS)), (*y, y[-1])


def dynamic_words(options: PrecisionOptions) -> str:
    """Return how often a run under a dynamic scale skips a step."""
    steps = run(options.median, options.spread, options.interval)
    return tr(
        "A scale that doubles after {interval} good steps and halves at an overflow goes from {first} to "
        "{last}, and skips {skipped} of {steps} steps.",
        first=f"{FIRST_SCALE:,}", interval=f"{options.interval:,}", last=f"{steps[-1].scale:,.10g}",
        skipped=sum(each.skipped for each in steps), steps=f"{STEPS:,}",
    )  # fmt: skip


def example() -> str:
    """Return the guide's example of a dynamic scale."""
    return tr("NVIDIA's guide gives as an example: double after 2,000 good steps, halve at an overflow.")
