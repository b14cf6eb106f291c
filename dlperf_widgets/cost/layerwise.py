"""What each layer of a network costs: one row a layer, over the phases that are asked for."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import fsum
from typing import NamedTuple

from ..layers import Layer
from ..ops import Phase
from .collapse import Collapsed, keys, once
from .scenario import Scenario
from .time import Cost, Limiter

PASSES = ("all", "forward", "backward")


class Parts(NamedTuple):
    """Seconds by what they are spent on; an operation's ideal time is math or memory, the longer one."""

    launch: float
    memory: float
    math: float
    waste: float


class LayerRow(NamedTuple):
    """One layer, or several equal ones: totals over every time that it runs."""

    path: str
    layer: Layer
    times: int  # how often it runs
    params: int
    macs: int  # of a forward pass
    forward: float  # seconds
    backward: float  # seconds, the update of weights with it
    flops: int
    bytes: float
    limiter: Limiter | None  # of most of its time; None where nothing runs
    parts: Parts

    @property
    def time(self) -> float:
        """Seconds, forward and backward."""
        return self.forward + self.backward


def layer_rows(scenario: Scenario, collapse: bool = False, passes: str = "all") -> tuple[LayerRow, ...]:
    """Return a row for each layer of a network, in forward order.

    Parameters
    ----------
    scenario
        The question.
    collapse
        Whether equal layers share a row, under the path of the first.
    passes
        "all" phases of the scenario, or its "forward" or "backward" ones alone.
    """
    if passes not in PASSES:
        raise ValueError(f"passes must be one of {', '.join(PASSES)}, not {passes!r}")
    return _rows(scenario, collapse, passes)


@lru_cache(16)
def _rows(scenario: Scenario, collapse: bool, passes: str) -> tuple[LayerRow, ...]:
    one, network = _distinct(scenario, passes), once(scenario).layer
    assert isinstance(network, Collapsed)
    if collapse:
        return tuple(_times(one[path], path, count) for path, _, count in network.layers)
    first: dict[object, str] = {}
    return tuple(
        _times(one[first.setdefault(key, path)], path, count) for key, path, count in keys(scenario.layer)
    )


@lru_cache(16)
def _distinct(scenario: Scenario, passes: str) -> Mapping[str, LayerRow]:
    """Return what one run of each distinct layer costs, by the path where it comes first."""
    asked = once(scenario)
    by_path: dict[str, list[Cost]] = {}
    for cost in asked.costs:
        if passes == "all" or (cost.phase is Phase.FPROP) is (passes == "forward"):
            by_path.setdefault(cost.path, []).append(cost)
    network = asked.layer
    assert isinstance(network, Collapsed)
    return {path: _row(path, layer, by_path.get(path, [])) for path, layer, _ in network.layers}


def _row(path: str, layer: Layer, costs: list[Cost]) -> LayerRow:
    """Return what one run of a layer costs."""
    by_limiter: dict[Limiter, float] = {}
    for cost in costs:
        by_limiter[cost.limiter] = by_limiter.get(cost.limiter, 0.0) + cost.time
    return LayerRow(
        path=path,
        layer=layer,
        times=1,
        params=layer.params,
        macs=layer.macs,
        forward=fsum(c.time for c in costs if c.phase is Phase.FPROP),
        backward=fsum(c.time for c in costs if c.phase is not Phase.FPROP),
        flops=sum(c.flops for c in costs),
        bytes=fsum(c.bytes for c in costs),
        limiter=max(by_limiter, key=lambda each: by_limiter[each], default=None),
        parts=spent(costs),
    )


def spent(costs: Iterable[Cost], all_runs: bool = False) -> Parts:
    """Return what the time of one run of each operation, or of ``all_runs``, is spent on."""
    launch = memory = math = waste = 0.0
    for cost in costs:
        count = cost.count if all_runs else 1
        busy = cost.busy_time
        ideal = count * min(cost.ideal_time, busy)
        if cost.math_time >= cost.memory_time:
            math += ideal
        else:
            memory += ideal
        launch += count * cost.exposed_launch
        waste += count * max(busy - cost.steps[0], 0.0)
    return Parts(launch, memory, math, waste)


def _times(row: LayerRow, path: str, count: int) -> LayerRow:
    """Return the row of a layer that runs so often."""
    return LayerRow(
        path, row.layer, count, count * row.params, count * row.macs, count * row.forward,
        count * row.backward, count * row.flops, count * row.bytes, row.limiter,
        Parts(*[count * part for part in row.parts]),
    )  # fmt: skip
