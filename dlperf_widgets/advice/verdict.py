"""The answer first, then the two numbers that decide it."""

from functools import lru_cache

from .._given import thing
from ..cost import Cost, Limiter, Scenario
from ..cost.sweep import anchored, possible
from ..cost.validation import trust
from ..language import tr
from ..ops import Phase
from ..units import figures, si


def verdict(scenario: Scenario) -> str:
    """Return in a sentence what limits the longest operation, and the numbers that decide it."""
    scenario = thing("scenario", Scenario, scenario)
    if not scenario.costs:
        return tr("Nothing to run in these phases.")
    cost = max(scenario.costs, key=lambda c: c.time)
    where = tr(" in {phase}", phase=tr(str(cost.phase))) if len(scenario.costs) > 1 else ""
    if cost.limiter is Limiter.LAUNCH:
        return tr(
            "Launch limited{where}: the work takes {work}, its launch at least {launch}.",
            where=where, work=si(cost.ideal_time, "s"), launch=si(cost.launch_time, "s"),
        )  # fmt: skip
    text = "Memory limited{where}: {intensity} FLOPS/byte below the {needed} that {gpu} needs in {format}."
    if cost.limiter is Limiter.MATH:
        text = "Math limited{where}: {intensity} FLOPS/byte against {needed} that {gpu} needs in {format}."
    return tr(
        text, where=where, intensity=figures(cost.arithmetic_intensity),
        needed=figures(cost.peak / scenario.gpu.bandwidth), gpu=scenario.gpu.name,
        format=scenario.format.name,
    )  # fmt: skip


def crossover(scenario: Scenario, field: str, most: int = 2**31 - 1) -> int | None:
    """Return the smallest size of ``field`` at which no product's memory time exceeds its math time.

    None if there is none up to ``most``. Sizes only raise the arithmetic intensity, so halving finds it.
    """
    return _crossover(anchored(scenario, field), field, most)


@lru_cache(64)
def _crossover(anchor: Scenario, field: str, most: int) -> int | None:
    low = getattr(anchor.layer, field)
    if _math(anchor.costs):
        return int(low)
    high = low
    while high < most:  # double until it is math limited, or the layer takes no more
        doubled = dict(possible(anchor, field, (min(2 * high or 1, most),)))
        if not doubled:
            return None
        low, (high, asked) = high, next(iter(doubled.items()))
        if _math(asked.costs):
            return _halved(anchor, field, low, high)
    return None


def _halved(scenario: Scenario, field: str, low: int, high: int) -> int:
    """Return the first math limited size between one that is not and one that is."""
    while high - low > 1:
        middle = (low + high) // 2
        asked = dict(possible(scenario, field, (middle,)))
        if not asked:  # a size between that the layer cannot have
            return high
        low, high = (low, middle) if _math(asked[middle].costs) else (middle, high)
    return high


def _math(costs: tuple[Cost, ...]) -> bool:
    """Whether math decides every product; passes over memory count only where there is nothing else."""
    products = [c for c in costs if c.tiling]
    return all(c.math_time >= c.memory_time for c in products or costs)


def crossing(scenario: Scenario, field: str) -> str:
    """Return in a sentence where, along one size of the layer, memory stops being the limit."""
    label = tr(scenario.layer.__dataclass_fields__[field].metadata["label"]).lower()
    size = crossover(scenario, field)
    if size is None:
        return tr("Memory limited at every value of {label}.", label=label)
    if size == getattr(anchored(scenario, field).layer, field):
        return tr("Math limited at every value of {label}.", label=label)
    return tr("Math limited from {label} {size} up, memory limited below.", label=label, size=f"{size:,}")


def times(scenario: Scenario) -> str:
    """Return the time of each phase, and of all."""
    scenario = thing("scenario", Scenario, scenario)
    phases = {p: sum(c.time * c.count for c in scenario.costs if c.phase is p) for p in Phase}
    parts = [f"{tr(str(phase))} {si(time, 's')}" for phase, time in phases.items() if time]
    total = [f"{tr('step')} {si(scenario.time, 's')}"] if len(parts) > 1 else []
    return " · ".join([*parts, *total])


def trusted(scenario: Scenario) -> str:
    """Return in a sentence between which times measurements of the longest operation would lie."""
    if not scenario.costs:
        return ""
    cost = max(scenario.costs, key=lambda c: c.time * c.count)
    if len(scenario.costs) == 1:
        return f"{trust(cost)}{tr('.')}"
    name = f"{cost.path} {tr(str(cost.phase))}".strip()
    return tr("The longest, {name}: {trust}.", name=name, trust=trust(cost))
