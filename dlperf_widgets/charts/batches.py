"""Throughput of training, and the steps of an epoch, against the batch of each GPU."""

from collections.abc import Iterator
from itertools import pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from ..cost import Scenario
from ..cost.parallel import Plan
from ..cost.sweep import anchored
from ..language import remembered, tr
from ..units import si
from ._chart import Axis, Chart, Line, Mark, Numbers, Points, nice
from .memory_options import batch
from .roles import Role
from .training_options import TrainingOptions, field_of, iterations, most, step, stepped

_ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_ROWS = 400  # of a network: of more, a curve takes fewer batches
_NEAR = 0.9  # of the plateau


class Curve(NamedTuple):
    """What a step does at each batch of a GPU."""

    batch: Numbers
    rate: Numbers  # samples a second
    samples: Numbers  # of a step, on all GPUs

    @property
    def plateau(self) -> float:
        """The highest rate in view."""
        return max(self.rate)

    @property
    def near(self) -> float:
        """The batch from which the rate stays within a tenth of the plateau until it is reached."""
        rising = self.rate[: self.rate.index(self.plateau)]
        below = [i for i, rate in enumerate(rising) if rate < _NEAR * self.plateau]
        if not below:
            return self.batch[0]
        low = below[-1]
        (x0, x1), (y0, y1) = self.batch[low : low + 2], self.rate[low : low + 2]
        return x0 + (x1 - x0) * (_NEAR * self.plateau - y0) / (y1 - y0)


def throughput(scenario: Scenario, options: TrainingOptions) -> Chart:
    """Return samples a second against the batch of a GPU, with the plateau and what fits."""
    now, curve, reach = step(scenario, options), _shown(scenario, options), _reach(scenario, options)
    top = nice(1.12 * max(curve.plateau, now.samples_per_second), _ROUND)
    ends = (curve.batch[0], curve.batch[-1])
    words = tr("plateau {rate} samples/s", rate=si(curve.plateau))
    axis = Axis("Samples per second", "", (0, top))
    return Chart(
        title="Throughput",
        x=_axis(reach),
        y=axis,
        marks=(
            *_full(scenario, options, reach, axis),
            Line("plateau", Role.GUIDE, ends, (curve.plateau, curve.plateau), words, first=True),
            Line("throughput", Role.PREDICTED, curve.batch, curve.rate),
            *_near(curve),
            _now(scenario, now.samples_per_second, rate_note(scenario, options)),
        ),
        alt=" ".join(
            (
                tr("Samples per second against the batch of a GPU."),
                rate_note(scenario, options),
                near_note(curve),
            )
        ),
    )


def epoch(scenario: Scenario, options: TrainingOptions) -> Chart:
    """Return the steps of an epoch against the batch of a GPU."""
    now, curve, reach = step(scenario, options), _shown(scenario, options), _reach(scenario, options)
    steps = tuple(float(ceil(options.epoch / samples)) for samples in curve.samples)
    many = iterations(options, now)
    low, high = min(*steps, many), max(*steps, many)
    axis = Axis("Iterations per epoch", "", _decades(low, high), log=True)
    return Chart(
        title="Epoch",
        x=_axis(reach),
        y=axis,
        marks=(
            *_full(scenario, options, reach, axis),
            Line("iterations per epoch", Role.PREDICTED, curve.batch, steps),
            _now(scenario, many, epoch_note(scenario, options)),
        ),
        alt=f"{tr('Iterations per epoch against the batch of a GPU.')} {epoch_note(scenario, options)}",
    )


def _decades(low: float, high: float) -> tuple[float, float]:
    return 10.0 ** floor(log10(low)), 10.0 ** max(ceil(log10(high)), 1)


def _axis(reach: int) -> Axis:
    places = tuple(2.0**i for i in range(reach.bit_length()) if i % 2 == 0 or reach < 64)
    names = tuple(f"{place:,.0f}" for place in places)
    return Axis("Batch of a GPU", "", (1, reach), log=True, places=places, names=names)


def _now(scenario: Scenario, height: float, note: str) -> Points:
    size = batch(scenario.layer)
    return Points("now", Role.CURRENT, (size,), (height,), notes=(note,), drag=field_of(scenario))


def _full(scenario: Scenario, options: TrainingOptions, reach: int, axis: Axis) -> tuple[Line, ...]:
    """Return the line at the largest batch that fits, if it is in view."""
    full = most(scenario, options)
    if not full or full >= reach:
        return ()
    return (Line("fits up to here", Role.GUIDE, (full, full), axis.domain),)


def _near(curve: Curve) -> tuple[Mark, ...]:
    """Return the point of the curve at 90% of the plateau, if the curve begins below it."""
    if not curve.near > curve.batch[0]:
        return ()
    height = _NEAR * curve.plateau
    notes = (near_note(curve),)
    return (Points("90% of the plateau", Role.PREDICTED, (curve.near,), (height,), "square", notes),)


def near_note(curve: Curve) -> str:
    """Return from where a larger batch gives little more, in a sentence."""
    return tr(
        "From batch {batch} up the GPUs give 90% of the plateau: more takes memory and gives little.",
        batch=f"{ceil(curve.near):,}",
    )  # fmt: skip


def _reach(scenario: Scenario, options: TrainingOptions) -> int:
    return max(options.reach, batch(scenario.layer))


def _shown(scenario: Scenario, options: TrainingOptions) -> Curve:
    name = field_of(scenario)
    asked = anchored(scenario, name) if name else scenario
    return _curve(asked, options.plan, name, _reach(scenario, options))


@remembered(64)
def _curve(anchor: Scenario, plan: Plan, name: str, reach: int) -> Curve:
    """Return steps at each batch. The present one is no part of it: a drag reuses it."""
    if not name:
        one = stepped(anchor, plan)
        return Curve((1.0,), (one.samples_per_second,), (float(one.samples),))
    sizes = tuple(_sizes(anchor, reach))
    steps = [stepped(each, plan) for each in _scenarios(anchor, name, sizes)]
    known = [(float(size), float(one.samples), one.time) for size, one in zip(sizes, steps, strict=True)]
    columns = list(_filled(known))
    return Curve(
        tuple(size for size, _, _ in columns),
        tuple(samples / time for _, samples, time in columns),
        tuple(samples for _, samples, _ in columns),
    )


def _filled(known: list[tuple[float, float, float]]) -> Iterator[tuple[float, float, float]]:
    """Yield batch, samples and time of steps; where batches are far apart, doublings on a line between."""
    for low, high in pairwise(known):
        yield low
        size = 2 * low[0]
        while size < high[0]:
            share = (size - low[0]) / (high[0] - low[0])
            samples, time = (a + (b - a) * share for a, b in zip(low[1:], high[1:], strict=True))
            yield size, samples, time
            size *= 2
    yield known[-1]


@remembered(16)
def _scenarios(anchor: Scenario, name: str, sizes: tuple[int, ...]) -> tuple[Scenario, ...]:
    """Return the question at each batch: another plan asks of the same ones."""
    return tuple(anchor.resized(name, size) for size in sizes)


def _sizes(anchor: Scenario, reach: int) -> list[int]:
    """Return doublings and small batches between them; of a network with many rows, every other doubling."""
    doubled = [1 << i for i in range(reach.bit_length())]
    if sum(1 for _ in anchor.layer.leaves()) * 3 < _ROWS:
        wanted = {*doubled, 3, 6, 12, reach}
    else:
        wanted = {1, *doubled[::-2], reach}
    return sorted(size for size in wanted if size <= reach)


def rate_note(scenario: Scenario, options: TrainingOptions) -> str:
    """Return the present throughput, in a sentence."""
    now, curve = step(scenario, options), _shown(scenario, options)
    return tr(
        "Batch {batch} on each of {data} data-parallel ranks, {many} micro-batches: {samples} samples a "
        "step, {rate} samples/s, {share} of the plateau.",
        batch=f"{batch(scenario.layer):,}", data=f"{options.data:,}", many=f"{options.microbatches:,}",
        samples=f"{now.samples:,}", rate=si(now.samples_per_second),
        share=f"{now.samples_per_second / curve.plateau:.0%}",
    )  # fmt: skip


def epoch_note(scenario: Scenario, options: TrainingOptions) -> str:
    """Return how many steps an epoch takes, and how long, in a sentence."""
    now = step(scenario, options)
    many = iterations(options, now)
    return tr(
        "An epoch of {epoch} samples takes {many} iterations of {samples} samples, {time} in all.",
        epoch=f"{options.epoch:,}", many=f"{many:,}", samples=f"{now.samples:,}", time=clock(many * now.time),
    )  # fmt: skip


def clock(seconds: float) -> str:
    """Return a long time as people say it: ``2.5 h``."""
    for size, letter in ((86400.0, "d"), (3600.0, "h"), (60.0, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {letter}"
    return si(seconds, "s")
