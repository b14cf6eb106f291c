"""Measured times over the predicted ones."""

from dataclasses import dataclass

from ..cost import Scenario
from ..cost.collapse import once
from ..cost.sweep import anchored, possible
from ..language import remembered, tr
from ..layers import Composite
from ..units import si
from ._chart import Axis, Chart, Line, Mark, Numbers, Points
from ._options import Options
from .roles import Role

_MANY = 64  # layers from which on a network is asked about at fewer sizes


@dataclass(frozen=True)
class MeasuredPoint:
    """What one measurement shows: a size, and the quartiles of its time in seconds."""

    field: str
    size: int
    low: float
    median: float
    high: float
    device: str
    note: str


def measured(scenario: Scenario, options: Options, points: tuple[MeasuredPoint, ...]) -> Chart:
    """Return times against ``options.field``, both axes logarithmic, each point with its quartiles."""
    known = scenario.layer.__dataclass_fields__.get(options.field)
    field = options.field if known else ""  # a network from elsewhere has no size to vary
    shown = tuple(point for point in points if point.field == field)
    label = tr(known.metadata["label"] if known else "Times the layer as given")
    now = max(getattr(scenario.layer, field), 1) if known else 1
    sizes = [now, *(point.size for point in shown)]
    high = _decade(max(sizes) * 1.5)
    predicted = _predicted(anchored(scenario, field), field, high) if known else _alone(scenario)
    around = (t for point in shown for t in (point.low, point.high))
    times = [t for t in (*predicted.y, _time(scenario), *around) if t > 0] or [1e-6]
    return Chart(
        title="Measured",
        x=Axis(label, "", (1, high), log=True),
        y=Axis("Time", "s", (_decade(min(times) / 10), _decade(max(times))), log=True),
        marks=(
            predicted,
            *_bars(shown),
            *_points(shown),
            *_now(scenario, field, now),
        ),
        alt=_alt(label, shown),
    )


def _now(scenario: Scenario, field: str, now: int) -> tuple[Mark, ...]:
    """Return the present size; nothing where there is nothing to run."""
    time = _time(scenario)
    if not time:
        return ()
    note = tr("predicted {time}", time=si(time, "s"))
    return (Points("now", Role.CURRENT, (float(now),), (time,), notes=(note,), drag=field),)


def _decade(value: float) -> float:
    """Return the next power of ten."""
    power = 1e-12
    while power < value:
        power *= 10
    return power


@remembered(64)
def _predicted(scenario: Scenario, field: str, high: float) -> Line:
    every = 4 if sum(1 for _ in scenario.layer.leaves()) > _MANY else 1  # its curve has no steps to be missed
    powers = (power / 2 for power in range(0, 80, every))
    sizes = sorted({round(2**power) for power in powers if 2**power <= high})
    asked = [(float(size), _time(each)) for size, each in possible(scenario, field, sizes)]
    places = [pair for pair in asked if pair[1] > 0]
    return Line("predicted", Role.PREDICTED, tuple(x for x, _ in places), tuple(y for _, y in places))


def _alone(scenario: Scenario) -> Line:
    return Line("predicted", Role.PREDICTED, (1.0,), (_time(scenario),))


def _time(scenario: Scenario) -> float:
    """Return the seconds of all rows; of a network equal layers are asked about once."""
    return once(scenario).time if isinstance(scenario.layer, Composite) else scenario.time


def _points(shown: tuple[MeasuredPoint, ...]) -> list[Mark]:
    devices = dict.fromkeys(point.device for point in shown)
    marks: list[Mark] = []
    for symbol, device in zip(("circle", "square", "triangle-up"), devices, strict=False):
        own = [point for point in shown if point.device == device]
        x: Numbers = tuple(float(point.size) for point in own)
        y: Numbers = tuple(point.median for point in own)
        notes = tuple(point.note for point in own)
        marks.append(Points(tr("measured: {device}", device=device), Role.MEASURED, x, y, symbol, notes))
    return marks


def _bars(shown: tuple[MeasuredPoint, ...]) -> list[Mark]:
    """Return an upright line for each point, from its first quartile to its third."""
    return [
        Line(f"quartiles {index}", Role.MEASURED, (float(p.size),) * 2, (p.low, p.high), listed=False)
        for index, p in enumerate(shown)
    ]


def _alt(label: str, shown: tuple[MeasuredPoint, ...]) -> str:
    if not shown:
        return tr("Predicted time against {label}; nothing was measured yet.", label=label.lower())
    said = tr("; ").join(f"{p.size:,}: {si(p.median, 's')}" for p in shown)
    return tr(
        "Time against {label}, measured on {device}: {points}.",
        label=label.lower(), device=shown[0].device, points=said,
    )  # fmt: skip
