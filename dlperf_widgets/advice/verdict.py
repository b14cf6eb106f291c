"""The answer first, then the two numbers that decide it."""

from ..cost import Cost, Limiter, Scenario
from ..ops import Phase
from ..units import figures, si


def verdict(scenario: Scenario) -> str:
    """Return in a sentence what limits the longest operation, and the numbers that decide it."""
    if not scenario.costs:
        return "Nothing to run in these phases."
    cost = max(scenario.costs, key=lambda c: c.time)
    where = f" in {cost.phase}" if len(scenario.costs) > 1 else ""
    if cost.limiter is Limiter.LAUNCH:
        return (
            f"Launch limited{where}: the work takes {si(cost.ideal_time, 's')}, "
            f"its launch at least {si(cost.launch_time, 's')}."
        )
    needed = figures(cost.peak / scenario.gpu.bandwidth)
    word = "against" if cost.limiter is Limiter.MATH else "below the"
    return (
        f"{cost.limiter.capitalize()} limited{where}: {figures(cost.arithmetic_intensity)} FLOPS/byte {word} "
        f"{needed} that {scenario.gpu.name} needs in {scenario.format.name}."
    )


def crossover(scenario: Scenario, field: str, most: int = 2**31 - 1) -> int | None:
    """Return the smallest size of ``field`` at which no operation's memory time exceeds its math time.

    None if there is none up to ``most``. Sizes only raise the arithmetic intensity, so halving finds it.
    """
    if not _math(scenario.resized(field, most).costs):
        return None
    low, high = 0, most  # memory limited at low, math limited at high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _math(scenario.resized(field, middle).costs) else (middle, high)
    return high


def _math(costs: tuple[Cost, ...]) -> bool:
    return all(c.math_time >= c.memory_time for c in costs)


def crossing(scenario: Scenario, field: str) -> str:
    """Return in a sentence where, along one size of the layer, memory stops being the limit."""
    label = scenario.layer.__dataclass_fields__[field].metadata["label"].lower()
    size = crossover(scenario, field)
    if size is None:
        return f"Memory limited at every {label}."
    if size == 1:
        return f"Math limited at every {label}."
    return f"Math limited from {label} {size:,} up, memory limited below."


def times(scenario: Scenario) -> str:
    """Return the time of each phase, and of all."""
    phases = {p: sum(c.time * c.count for c in scenario.costs if c.phase is p) for p in Phase}
    parts = [f"{phase} {si(time, 's')}" for phase, time in phases.items() if time]
    total = [f"step {si(scenario.time, 's')}"] if len(parts) > 1 else []
    return " · ".join([*parts, *total])
