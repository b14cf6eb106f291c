"""Time against size, both axes logarithmic: flat at the launch floor, then in proportion to the bytes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, exp, floor, fsum, log, log10
from typing import NamedTuple

from ..cost import Cost, Scenario
from ..cost.sweep import anchored, possible
from ..language import remembered, tr
from ..layers import Activation, BatchNorm2d, Layer, Passes
from ..layers._fields import choice, flag, hidden
from ..units import si
from ._chart import Axis, Chart, Line, Mark, Numbers, Points, Spans
from ._options import FARTHEST, Described
from .guide_figures import FIGURE_NAMES, OWN
from .roles import Role

_DASHES = ("solid", "dashed", "dotted")
_PER_DECADE = 6  # sizes that a curve has
COMPARED = ("phases", "passes", "functions")
_TRAINING_PASSES = (Passes.PERSISTENT, Passes.TWO_PASS, Passes.THREE_PASS)
_FUNCTIONS = ("sigmoid", "relu", "tanh")


@dataclass(frozen=True)
class SizeOptions(Described):
    """What is shown of a layer that memory limits."""

    figure: str = choice(OWN, "Guide's figure", FIGURE_NAMES)
    compare: str = choice("phases", "Curves", COMPARED)
    per_value: bool = flag(False, "Time for each value")
    field: str = hidden("batch")  # the size of the layer that varies
    reach: int = hidden(10_000, FARTHEST)  # the largest size of it that is shown


class Place(NamedTuple):
    """One size of a curve: all times in seconds."""

    size: int
    time: float
    memory: float  # bytes over bandwidth
    floor: float  # of the launches
    values: int  # of the input


class Curve(NamedTuple):
    """A line of the picture."""

    name: str
    places: tuple[Place, ...]


def comparable(layer: Layer) -> tuple[str, ...]:
    """Return what can be compared of a layer."""
    if isinstance(layer, BatchNorm2d) and layer.passes in _TRAINING_PASSES:
        return ("phases", "passes")
    return ("phases", "functions") if isinstance(layer, Activation) else ("phases",)


def sizes(scenario: Scenario, options: SizeOptions) -> Chart:
    """Return a curve for each phase, or for each way to run the layer, against ``options.field``."""
    field, now = options.field, getattr(scenario.layer, options.field)
    limit = scenario.layer.__dataclass_fields__[field].metadata["limit"]
    high = decade(max(min(options.reach, limit), now))
    drawn, x, y = _picture(
        anchored(scenario, field), field, high, options.compare, options.per_value, _label(scenario, field)
    )
    shown = _now(scenario, options)
    what = tr("each value") if options.per_value else tr("the layer")
    return Chart(
        title="Duration",
        x=x,
        y=y,
        marks=(*drawn, shown),
        alt=tr(
            "Time of {what} against {label}, both axes logarithmic. {knee} {notes}",
            what=what, label=_label(scenario, field).lower(), knee=flat_until(scenario, options),
            notes=" ".join(shown.notes),
        ),
    )  # fmt: skip


def decade(size: float) -> int:
    """Return the next power of ten, at least 1000."""
    return int(10 ** max(ceil(log10(size) - 1e-9), 3))


def _now(scenario: Scenario, options: SizeOptions) -> Points:
    asked = [c for c in _curves(scenario, options.compare, (scenario,)) if c.places]
    if options.compare != "phases":
        asked = [c for c in asked if c.name == _own_name(scenario.layer)]
    places = [curve.places[0] for curve in asked]
    notes = (
        tr(
            "{name} at {size}: {time}, its bytes take {memory} at the full bandwidth, its launch {floor}.",
            name=c.name, size=f"{getattr(scenario.layer, options.field):,}", time=si(p.time, "s"),
            memory=si(p.memory, "s"), floor=si(p.floor, "s"),
        )
        for c, p in zip(asked, places, strict=True)
    )  # fmt: skip
    now = float(getattr(scenario.layer, options.field))
    heights = tuple(p.time / (p.values if options.per_value else 1) for p in places)
    return Points("now", Role.CURRENT, (now,) * len(places), heights, notes=tuple(notes), drag=options.field)


@remembered(64)
def _picture(
    anchor: Scenario, field: str, high: int, compare: str, per_value: bool, label: str
) -> tuple[tuple[Mark, ...], Axis, Axis]:
    """Return all that does not depend on the present size: a drag reuses it."""
    low = max(anchor.layer.__dataclass_fields__[field].metadata["min"], high // 10**6, 1)
    curves = curves_along(anchor, field, low, high, compare)
    lines = [_heights(curve, [p.time for p in curve.places], per_value) for curve in curves]
    values = [value for line in lines for value in line]
    bottom, top = 10.0 ** floor(log10(min(values) / 2)), 10.0 ** ceil(log10(max(values)))
    x = Axis(label, "", (low, high), log=True)
    y = Axis("Time for each value" if per_value else "Time", "s", (bottom, top), log=True)
    drawn = [
        Line(c.name, Role.PREDICTED, _sizes(c), line, dash=_DASHES[i % 3])
        for i, (c, line) in enumerate(zip(curves, lines, strict=True))
    ]
    return (*_guides(curves[0], per_value, x, y), *drawn), x, y


def _guides(curve: Curve, per_value: bool, x: Axis, y: Axis) -> Iterator[Mark]:
    """Yield the two regions, the floor and the slope of the first curve, and where they meet."""
    low, high = x.domain
    knee = min(max(_knee(curve), low), high)
    if knee > low:
        yield Spans("launch limited", Role.LAUNCH, low, knee)
    if knee < high:
        yield Spans("memory limited", Role.MEMORY, knee, high)
    flow = _heights(curve, [p.memory for p in curve.places], per_value)
    yield _within("bytes / bandwidth", Role.MEMORY, curve, flow, y.domain)
    if ground := curve.places[0].floor:
        heights = _heights(curve, [ground] * len(flow), per_value)
        # a mark of its own name where its words stand elsewhere
        name = "launch floor / values" if per_value else "launch floor"
        line = _within(name, Role.LAUNCH, curve, heights, y.domain)
        yield replace(line, label=tr("floor {time}", time=si(ground, "s")), first=per_value)
    if low < knee < high:
        yield _knee_line(knee, x, y)
    if not per_value and knee < high / 10:
        yield _slope(curve, high, ground)


def _knee_line(knee: float, x: Axis, y: Axis) -> Line:
    """Mark where the bytes take as long as the launch, named right of the line where there is room."""
    low, high = x.domain
    room = log(knee / low) < 0.75 * log(high / low)
    words = tr("knee {size}", size=_count(knee)) if room else ""
    return Line("knee", Role.GUIDE, (knee, knee), y.domain, words, first=True)


def _slope(curve: Curve, high: float, ground: float) -> Line:
    """Return two legs of a triangle under the curve, clear of the floor: ten times the size and the time."""
    right = high / 1.5
    left = right / 10
    base = _interpolated(curve, left, [p.memory for p in curve.places]) / 2.2
    if ground and 0.6 < base / ground < 2.2:
        base = ground / 2.5
    return Line(
        "slope 1",
        Role.GUIDE,
        (left, right, right, right),
        (base, base, 10 * base, base),
        tr("slope 1"),
        "solid",
    )


def _within(name: str, role: Role, curve: Curve, heights: Numbers, domain: tuple[float, float]) -> Line:
    """Return a line as far as it is in the picture."""
    inside = [(x, y) for x, y in zip(_sizes(curve), heights, strict=True) if domain[0] <= y <= domain[1]]
    xs, ys = zip(*inside, strict=True) if inside else ((), ())
    return Line(name, role, xs, ys)


def _heights(curve: Curve, times: list[float], per_value: bool) -> Numbers:
    divisors = (p.values if per_value else 1 for p in curve.places)
    return tuple(time / divisor for time, divisor in zip(times, divisors, strict=True))


def _sizes(curve: Curve) -> Numbers:
    return tuple(float(p.size) for p in curve.places)


def curves_along(anchor: Scenario, field: str, low: int, high: int, compare: str) -> tuple[Curve, ...]:
    """Return the curves over sizes that are even on a logarithmic scale."""
    steps = range(ceil(_PER_DECADE * log10(low)), _PER_DECADE * round(log10(high)) + 1)
    chosen = sorted({low, *(round(10 ** (step / _PER_DECADE)) for step in steps)})
    asked = tuple(each for _, each in possible(anchor, field, chosen))
    return tuple(curve for curve in _curves(anchor, compare, asked, field) if curve.places)


def _curves(anchor: Scenario, compare: str, asked: tuple[Scenario, ...], field: str = "") -> Iterator[Curve]:
    """Yield a curve over some scenarios for each phase, or for each variant of the layer."""
    if compare == "phases":
        for phase in anchor.phases:
            yield Curve(str(phase), tuple(_places(asked, field, phase)))
        return
    for change in _variants(anchor.layer):
        changed = tuple(replace(s, layer=replace(s.layer, **change)) for s in asked)
        yield Curve(next(iter(change.values())), tuple(_places(changed, field, None)))


def _variants(layer: Layer) -> list[dict[str, str]]:
    if isinstance(layer, BatchNorm2d):
        return [{"passes": str(each)} for each in _TRAINING_PASSES]
    assert isinstance(layer, Activation)
    kinds = _FUNCTIONS if layer.kind in _FUNCTIONS else (layer.kind, *_FUNCTIONS[:2])
    return [{"kind": each} for each in kinds]


def _own_name(layer: Layer) -> str:
    return str(getattr(layer, "passes", getattr(layer, "kind", "")))


def _places(asked: tuple[Scenario, ...], field: str, phase: str | None) -> Iterator[Place]:
    for each in asked:
        costs = [c for c in each.costs if phase in (None, c.phase)]
        if costs:
            size = getattr(each.layer, field) if field else 0
            yield Place(size, *_sums(costs), _values(each.layer))


def _sums(costs: list[Cost]) -> tuple[float, float, float]:
    pairs = ((c.time, c.memory_time, c.launch_time) for c in costs)
    time, memory, ground = (fsum(column) for column in zip(*pairs, strict=True))
    return time, memory, ground


def _values(layer: Layer) -> int:
    count = 1
    for length in layer.input_shape:
        count *= length
    return count


def _knee(curve: Curve) -> float:
    """Return the size at which the bytes take as long as the launch, 0 where they always take longer."""
    first, last = curve.places[0], curve.places[-1]
    if first.memory >= first.floor:
        return 0.0
    if last.memory < last.floor:
        return float("inf")
    for before, after in pairwise(curve.places):
        if after.memory >= after.floor:
            share = log(before.floor / before.memory) / log(after.memory / before.memory)
            return before.size * exp(share * log(after.size / before.size))
    return float("inf")


def _interpolated(curve: Curve, size: float, heights: list[float]) -> float:
    """Return a height between the sizes of a curve, along a line in the logarithms."""
    for (before, low), (after, high) in pairwise(zip(curve.places, heights, strict=True)):
        if before.size <= size <= after.size:
            share = log(size / before.size) / log(after.size / before.size)
            return low * exp(share * log(high / low))
    return heights[-1]


def flat_until(scenario: Scenario, options: SizeOptions) -> str:
    """Return in a sentence up to which size the launch decides, and what decides above."""
    field = options.field
    label, bandwidth = _label(scenario, field).lower(), si(scenario.gpu.bandwidth, "B/s")
    curve = first_curve(anchored(scenario, field), field, decade(options.reach), options.compare)
    knee, ground = _knee(curve), si(curve.places[0].floor, "s")
    if not knee:
        text = "{curve}: the bytes decide at every size shown, {bandwidth} at best."
        return tr(text, curve=curve.name, bandwidth=bandwidth)
    if knee == float("inf"):
        return tr(
            "{curve}: the launch of {floor} decides at every size shown.", curve=curve.name, floor=ground
        )
    return tr(
        "{curve}: up to {label} {knee} the launch floor of {floor} decides; above it the bytes do, and twice "
        "the size takes twice as long: {bandwidth} at best.",
        curve=curve.name, floor=ground, label=label, knee=_count(knee), bandwidth=bandwidth,
    )  # fmt: skip


@remembered(64)
def first_curve(anchor: Scenario, field: str, high: int, compare: str) -> Curve:
    """Return the curve whose floor and slope the picture names."""
    low = max(anchor.layer.__dataclass_fields__[field].metadata["min"], high // 10**6, 1)
    return curves_along(anchor, field, low, high, compare)[0]


def _count(size: float) -> str:
    return f"{round(size):,}" if size < 1e5 else si(size)


def _label(scenario: Scenario, field: str) -> str:
    return tr(scenario.layer.__dataclass_fields__[field].metadata["label"])
