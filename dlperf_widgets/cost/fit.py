"""Constants fitted to measurements: the values with which the time model is least off.

What is made small is the sum of ``|ln(predicted / measured)|``, which a few odd measurements cannot rule, and
for each constant ``PULL`` times the square of ln(value / shipped value). A constant scales a time at most
in proportion, so n measurements move it by no more than n / (2 x PULL): one alone by 10%, few never far.
The search works on logarithms and gives the same values every time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import exp, isfinite, log
from statistics import fmean
from typing import NamedTuple

from ..gpus import Gpu
from . import calibration
from .constants import CONSTANTS
from .scenario import Scenario
from .search import least
from .time import Cost, cost

PULL = 5.0
WIDEST = 4.0  # times the shipped value, or a fraction of it
Measurement = tuple[Scenario, float]  # what was run, and the seconds it took
_ABOUT = {constant.name: constant for constant in CONSTANTS}


class Unknown(NamedTuple):
    """A constant to be fitted, of all GPUs or of those that take their value from one kind of GPU."""

    name: str
    kind: str = ""

    @property
    def shipped(self) -> float:
        """The value that the time model comes with."""
        about = _ABOUT[self.name]
        return about.own[self.kind] if self.kind else about.value

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that it may be."""
        return self.shipped / WIDEST, min(self.shipped * WIDEST, _ABOUT[self.name].most)


class Fitted(NamedTuple):
    """What a fit found."""

    values: dict[Unknown, float]
    error: float  # mean |ln(predicted / measured)|
    before: float  # the same with the values it started from


def fit(
    measurements: Iterable[Measurement],
    unknowns: Sequence[Unknown],
    start: dict[Unknown, float] | None = None,
    pull: float = PULL,
) -> Fitted:
    """Return the values of some constants with which the model is least off some measurements.

    Parameters
    ----------
    measurements
        Scenarios, each with the seconds that it took.
    unknowns
        The constants; all others keep their values.
    start
        Where the search begins; by default, and for what is missing, at the shipped values.
    pull
        How strongly constants are held to their shipped values.
    """
    groups = _by_gpu(measurements)
    first = [log((start or {}).get(unknown, unknown.shipped)) for unknown in unknowns]
    shipped = [log(unknown.shipped) for unknown in unknowns]

    def residuals(point: Sequence[float]) -> list[float]:
        return [off for group in groups for off in group.off(unknowns, point)]

    bounds = [(log(low), log(high)) for low, high in (unknown.bounds for unknown in unknowns)]
    found = least(residuals, first, bounds, shipped, pull)
    error, before = (fmean(map(abs, residuals(point))) for point in (found, first))
    return Fitted({u: exp(x) for u, x in zip(unknowns, found, strict=True)}, error, before)


def refit(gpu: Gpu, measurements: Iterable[Measurement]) -> Gpu:
    """Return a GPU with a name of its own, whose constants are refitted to measurements made on it.

    Only constants of the families that were measured change; see the module for how few measurements
    are kept from changing them much.
    """
    on_it = [(scenario.on(gpu) if scenario.gpu != gpu else scenario, took) for scenario, took in measurements]
    names = _measured_names(on_it)
    known = dict(gpu.calibration or ())
    unknowns = [Unknown(name, calibration.kind(gpu, name)) for name in names]
    start = {u: known[u.name] for u in unknowns if u.name in known}
    values = {u.name: value for u, value in fit(on_it, unknowns, start).values.items()}
    name = gpu.name if gpu.name.endswith(", refitted") else f"{gpu.name}, refitted"
    return replace(gpu, name=name, calibration=tuple((known | values).items()))


class _Group:
    """The measurements of one GPU, and how far off they are with some constants."""

    def __init__(self, gpu: Gpu) -> None:
        self.gpu = gpu
        self.rows: list[tuple[tuple[Cost, ...], Scenario, float]] = []
        self._known: dict[tuple[tuple[str, float], ...], list[float]] = {}

    def off(self, unknowns: Sequence[Unknown], point: Sequence[float]) -> list[float]:
        """Return ln(predicted / measured) of each measurement."""
        own = [
            (u.name, exp(x))
            for u, x in zip(unknowns, point, strict=True)
            if calibration.kind(self.gpu, u.name) == u.kind
        ]
        values = tuple((dict(self.gpu.calibration or ()) | dict(own)).items())
        if values not in self._known:
            gpu = replace(self.gpu, name=f"{self.gpu.name}, trial {len(self._known)}", calibration=values)
            self._known[values] = [
                log(_time(costs, scenario, gpu) / took) for costs, scenario, took in self.rows
            ]
        return self._known[values]


def _by_gpu(measurements: Iterable[Measurement]) -> list[_Group]:
    groups: dict[Gpu, _Group] = {}
    for scenario, took in measurements:
        if not (isfinite(took) and took > 0):
            raise ValueError(f"a measured time must be a positive number of seconds, not {took!r}")
        if not scenario.costs:
            raise ValueError(f"{scenario.layer} has no operations to measure in these phases")
        group = groups.setdefault(scenario.gpu, _Group(scenario.gpu))
        group.rows.append((scenario.costs, scenario, took))
    if not groups:
        raise ValueError("a fit needs at least one measurement")
    return list(groups.values())


def _time(costs: tuple[Cost, ...], s: Scenario, gpu: Gpu) -> float:
    how = (gpu, s.format, s.launch, s.library, s.sparse)
    return sum(c.count * cost(c.path, c.phase, c.op, c.count, *how).time for c in costs)


def _measured_names(measurements: Sequence[Measurement]) -> list[str]:
    """Return the constants of the families that some measurements belong to."""
    _by_gpu(measurements)
    launches = {"graph": "stream_launch", "eager": "host"}
    names = {launches.get(scenario.launch, "") for scenario, _ in measurements}
    families = {family for scenario, _ in measurements for c in scenario.costs for family in c.families}
    return [c.name for c in CONSTANTS if c.family in families - {"launch"} or c.name in names]
