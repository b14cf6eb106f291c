"""A network layer by layer: four charts of bars over the same layers, and what they show of them."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import fsum
from typing import NamedTuple

from ..advice.network import network_verdict
from ..cost import Scenario
from ..cost.layerwise import PASSES, LayerRow, layer_rows
from ..language import remembered, tr
from ..layers._fields import choice, flag, hidden
from ..units import si
from ._chart import Area, Axis, Chart, Numbers, nice
from ._options import Described
from .roles import Role

_ROUND = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
_STACK = (Role.LAUNCH, Role.MEMORY, Role.MATH, Role.WASTE)  # as ``cost.layerwise.Parts``


@dataclass(frozen=True)
class ModelOptions(Described):
    """What is shown of a network."""

    passes: str = choice("all", "Passes", PASSES)
    collapse: bool = flag(False, "Collapse repeats")
    roofs: bool = flag(False, "Other roofs")
    field: str = hidden("")  # no size of a network follows a dragged point of the roofline
    sort: str = hidden("")  # the table's column; with a minus before it, the largest first
    filter: str = hidden("")  # what the table's rows must hold
    opened: str = hidden("")  # the path of the layer that is looked at by itself


class Metric(NamedTuple):
    """What the bars of one chart count."""

    key: str
    label: str
    unit: str
    roles: tuple[Role, ...]
    value: Callable[[LayerRow], Numbers]  # one a role


METRICS = (
    Metric("time", "Time", "s", _STACK, lambda row: row.parts),
    Metric("flops", "Work", "FLOP", (Role.MATH,), lambda row: (float(row.flops),)),
    Metric("bytes", "Traffic", "B", (Role.MEMORY,), lambda row: (row.bytes,)),
    Metric("params", "Parameters", "", (Role.GUIDE,), lambda row: (float(row.params),)),
)


def rows_shown(scenario: Scenario, options: ModelOptions) -> tuple[LayerRow, ...]:
    """Return the layers that the options ask for."""
    return layer_rows(scenario, options.collapse, options.passes)


def layers_bars(scenario: Scenario, options: ModelOptions) -> tuple[Chart, ...]:
    """Return time, work, traffic and parameters of each layer as bars, in the order that they run."""
    return _charts(scenario, options.collapse, options.passes)


@remembered(16)
def _charts(scenario: Scenario, collapse: bool, passes: str) -> tuple[Chart, ...]:
    rows = layer_rows(scenario, collapse, passes)
    return tuple(_bars(scenario, rows, metric) for metric in METRICS)


def _bars(scenario: Scenario, rows: tuple[LayerRow, ...], metric: Metric) -> Chart:
    stacks = [tuple(accumulate(metric.value(row), initial=0.0)) for row in rows]
    highest = max((stack[-1] for stack in stacks), default=0.0)
    levels = list(zip(*stacks, strict=True)) or [()] * (len(metric.roles) + 1)
    areas = (
        Area(role.value, role, *_outline(base, top))
        for role, (base, top) in zip(metric.roles, pairwise(levels), strict=True)
    )
    return Chart(
        title=metric.label,
        x=Axis("Layer, in the order that they run", "", (0, max(len(rows), 1))),
        y=Axis(metric.label, metric.unit, (0, nice(highest or 1.0, _ROUND))),
        marks=tuple(areas),
        alt=_alt(scenario, rows, metric),
    )


def _outline(base: Numbers, top: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return one outline around all bars: between two of them it has no height."""
    x: list[float] = []
    low: list[float] = []
    high: list[float] = []
    for index, (bottom, height) in enumerate(zip(base, top, strict=True)):
        left, right = index + 0.1, index + 0.9
        x += [left, left, right, right]
        low += [0.0, bottom, bottom, 0.0]
        high += [0.0, height, height, 0.0]
    return tuple(x), tuple(low), tuple(high)


def _alt(scenario: Scenario, rows: tuple[LayerRow, ...], metric: Metric) -> str:
    most = sorted(rows, key=lambda row: -sum(metric.value(row)))[:3]
    told = tr(", ").join(
        f"{row.path or row.layer.title} {si(sum(metric.value(row)), metric.unit)}" for row in most
    )
    return tr(
        "{what} of the {count} layers of {network}; the most: {most}. {verdict}",
        what=tr(metric.label), count=len(rows), network=scenario.layer.title, most=told,
        verdict=network_verdict(scenario),
    )  # fmt: skip


@remembered(16)
def bar_notes(rows: tuple[LayerRow, ...]) -> tuple[str, ...]:
    """Return the numbers of each layer in a sentence."""
    whole = fsum(row.time for row in rows)
    told: dict[LayerRow, str] = {}  # equal layers differ in their names alone
    notes = []
    for row in rows:
        unnamed = row._replace(path="")
        if unnamed not in told:
            told[unnamed] = _told(row, whole)
        notes.append(f"{row.path or row.layer.title} {told[unnamed]}")
    return tuple(notes)


def _told(row: LayerRow, whole: float) -> str:
    """Return what is said of a layer after its name."""
    many = f" × {row.times}" if row.times > 1 else ""
    share = f"{row.time / whole:.1%}" if whole else "0%"
    limit = tr("{limiter} limited", limiter=tr(row.limiter)) if row.limiter else tr("nothing to run")
    return (
        f"({row.layer.title}){many}: {si(row.time, 's')}, {share}, {limit}; {si(row.flops, 'FLOP')}, "
        f"{si(row.bytes, 'B')}, {tr('{count} parameters', count=f'{row.params:,}')}"
    )
