"""Where a network's parameters, work and time are, by kind of layer: AlexNet's famous contrast."""

from collections.abc import Callable
from typing import NamedTuple

from ..advice.network import Kind, kinds, where
from ..cost import Scenario
from ..language import tr
from ..units import si
from ._chart import Area, Axis, Chart, Points
from ._options import Described
from .roles import Role

_MOST = 4  # kinds shown, those of the largest share first: names of more would overlap on a narrow page
_LABELLED = 0.005  # the least share with a number on its bar
_WIDTH = 0.26  # of a bar; a kind is 1 wide


class _Bar(NamedTuple):
    name: str
    role: Role
    left: float  # within its kind
    share: Callable[[Kind], float]
    unit: str


_BARS = (
    _Bar("parameters", Role.MEMORY, 0.08, lambda kind: kind.params, ""),
    _Bar("multiply-adds", Role.MATH, 0.37, lambda kind: kind.macs, ""),
    _Bar("time", Role.LAUNCH, 0.66, lambda kind: kind.time, "s"),
)


def shares(scenario: Scenario, _options: Described) -> Chart:
    """Return the share of each kind of layer in the parameters, the multiply-adds and the time."""
    shown = kinds(scenario)[:_MOST]
    return Chart(
        title="Shares",
        x=Axis(
            "Kind of layer",
            "",
            (0, max(len(shown), 1)),
            places=tuple(i + 0.5 for i in range(len(shown))),
            names=tuple(kind.title.removesuffix("2d") for kind in shown),
        ),
        y=Axis("Share of the network", "%", (0, 1.1), places=(0, 0.25, 0.5, 0.75, 1)),
        marks=(*(_area(bar, shown) for bar in _BARS), _tops(shown)),
        alt=_alt(scenario),
    )


def _area(bar: _Bar, shown: tuple[Kind, ...]) -> Area:
    x: list[float] = []
    top: list[float] = []
    for index, kind in enumerate(shown):
        left = index + bar.left
        x += [left, left, left + _WIDTH, left + _WIDTH]
        top += [0.0, bar.share(kind), bar.share(kind), 0.0]
    return Area(bar.name, bar.role, tuple(x), (0.0,) * len(x), tuple(top))


def _tops(shown: tuple[Kind, ...]) -> Points:
    """Return a point on every bar that is high enough to see, with its share as a word."""
    bars = [
        (index, kind, bar)
        for index, kind in enumerate(shown)
        for bar in _BARS
        if bar.share(kind) >= _LABELLED
    ]
    return Points(
        "share",
        Role.GUIDE,
        x=tuple(index + bar.left + _WIDTH / 2 for index, _, bar in bars),
        y=tuple(bar.share(kind) for _, kind, bar in bars),
        notes=tuple(_note(kind, bar) for _, kind, bar in bars),
        small=True,
        labels=tuple(f"{bar.share(kind):.0%}" for _, kind, bar in bars),
    )


def _note(kind: Kind, bar: _Bar) -> str:
    count = kind.counts[_BARS.index(bar)]
    return tr(
        "{kind}, {layers} layers: {count} of {what}, {share} of the network's.",
        kind=kind.title, layers=kind.layers, count=si(count, bar.unit), what=tr(bar.name),
        share=_percent(bar.share(kind)),
    )  # fmt: skip


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.1 else f"{share:.1%}"


def _alt(scenario: Scenario) -> str:
    times = tr(", ").join(f"{kind.title} {_percent(kind.time)}" for kind in kinds(scenario)[:_MOST])
    return tr(
        "Shares of {network} by kind of layer. {where} Of the time: {times}.",
        network=scenario.layer.title, where=where(scenario), times=times,
    )  # fmt: skip
