"""How the time is made up while one size of the layer grows."""

from itertools import accumulate, pairwise
from math import ceil, log2

from ..cost import Cost, Scenario
from ..cost.sweep import anchored, possible
from ..language import remembered, tr
from ..units import si
from ._chart import Area, Axis, Chart, Numbers, Points, nice
from ._options import Options
from .roles import Role

_SAMPLES = 200  # at most
_ROWS = 10_000  # that a curve may take to compute: a whole network shows fewer sizes
STACK = (Role.LAUNCH, Role.MEMORY, Role.MATH, Role.WASTE)
_ROUND = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)


def duration(scenario: Scenario, options: Options) -> Chart:
    """Return the stacked time against ``options.field`` up to ``options.reach``."""
    field = options.field
    now = getattr(scenario.layer, field)
    about = scenario.layer.__dataclass_fields__[field].metadata
    reach = max(min(options.reach, about["limit"]), now)
    stack, top = _curve(anchored(scenario, field), field, reach)
    label = tr(about["label"])
    return Chart(
        title="Duration",
        x=Axis(label, "", (0, reach), places=tuple(reach * i / 4 for i in range(5))),
        y=Axis("Time", "s", (0, nice(1.02 * top or 1e-6, _ROUND))),
        marks=(
            *stack,
            Points("now", Role.CURRENT, (now,), (scenario.time,), notes=(_note(scenario),), drag=field),
        ),
        alt=tr(
            "Time against {label}, up to {reach}. {note}",
            label=label.lower(),
            reach=reach,
            note=_note(scenario),
        ),
    )


def _stepped(sizes: tuple[int, ...], heights: list[Numbers], after: int) -> tuple[Numbers, list[Numbers]]:
    """Draw a change of time from one aligned size to the next as a step: sizes between are padded up."""
    places, levels = [float(sizes[0])], [heights[0]]
    for (low, before), (high, then) in pairwise(zip(sizes, heights, strict=True)):
        if 1 < high - low <= after:
            places.append(low + 1.0)
            levels.append(_padded(before, then, high - low))
        places.append(float(high))
        levels.append(then)
    return tuple(places), levels


def _padded(before: Numbers, then: Numbers, distance: int) -> Numbers:
    """Return the levels one size after ``before``: what is wanted grows on, waste fills up to ``then``."""
    memory = STACK.index(Role.MEMORY)
    if (before[memory + 1] > before[memory]) != (then[memory + 1] > then[memory]):
        return then  # math takes over from memory: a step too
    grown = (low + (high - low) / distance for low, high in zip(before[:-1], then[:-1], strict=True))
    return (*grown, then[-1])


def fitting(size: int) -> int:
    """Return the reach that shows a size well inside the picture."""
    return max(64, 1 << ceil(log2(1.5 * max(size, 1))))


@remembered(64)
def _curve(scenario: Scenario, field: str, reach: int) -> tuple[tuple[Area, ...], float]:
    """Return the stack and its greatest height. The present size is no part of it: a drag reuses it."""
    chosen = with_crossings(scenario, field, samples(scenario, field, reach))
    asked = dict(possible(scenario, field, chosen))
    columns = [by_role(each.costs) for each in asked.values()]
    heights = [tuple(accumulate((c[role] for role in STACK), initial=0.0)) for c in columns]
    x, levels = _stepped(tuple(asked), heights, _granule(scenario, field))
    stack = tuple(
        Area(role.value, role, x, base, top)
        for role, (base, top) in zip(STACK, pairwise(zip(*levels, strict=True)), strict=True)
    )
    return stack, max(level[-1] for level in levels)


def samples(scenario: Scenario, field: str, reach: int) -> tuple[int, ...]:
    """Return sizes on both sides of every multiple of a tile in view, so that steps stand where they are.

    Short stretches have every size, long ones every other tile or fewer. Where alignment depends on the
    size, the next aligned one is taken after a step.
    """
    after = _granule(scenario, field)
    most = max(24, min(_SAMPLES, _ROWS // max(len(scenario.costs), 1)))
    if reach <= most and after == 1:
        return tuple(range(0, reach + 1))
    step = 64
    while 2 * reach / step > most - 2:
        step *= 2
    edges = range(step, reach + 1, step)
    first = max(after, getattr(scenario.layer, field))
    sizes = {first, reach, *edges, *(edge + after for edge in edges)}
    return tuple(sorted(size for size in sizes if size <= max(reach, after)))


def with_crossings(scenario: Scenario, field: str, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Add both sides of every change between math and memory: a change is a step, not a slope."""

    def sides(size: int) -> tuple[bool, ...]:
        costs = next((each.costs for _, each in possible(scenario, field, (size,))), ())
        return tuple(c.math_time >= c.memory_time for c in costs if c.tiling)

    after = _granule(scenario, field)
    found = set(sizes)
    for low, high in pairwise(sizes):
        while high - low > after and sides(low) != sides(high):
            middle = (low + high) // 2 // after * after
            if middle <= low:
                break
            low, high = (middle, high) if sides(middle) == sides(low) else (low, middle)
            found |= {low, high} if high - low <= after else set()
    return tuple(sorted(found))


def _granule(scenario: Scenario, field: str) -> int:
    """Return the distance between sizes that are equally aligned: 1 where alignment does not depend on it."""
    shares = [
        [c.alignment_efficiency for c in each.costs] for _, each in possible(scenario, field, (128, 129))
    ]
    if len(shares) < 2 or shares[0] == shares[1]:
        return 1
    return max(round(16 / scenario.format.math.bytes), 1)


def by_role(costs: tuple[Cost, ...]) -> dict[Role, float]:
    """Return how the time of some operations is made up.

    An ideal time counts as math or as memory, whichever is larger, as far as it is spent.
    """
    ideal = [(c.count * min(c.ideal_time, c.busy_time), c.math_time >= c.memory_time) for c in costs]
    return {
        Role.LAUNCH: sum(c.count * c.exposed_launch for c in costs),
        Role.MEMORY: sum(time for time, is_math in ideal if not is_math),
        Role.MATH: sum(time for time, is_math in ideal if is_math),
        Role.WASTE: sum(c.count * max(c.wasted_time, 0.0) for c in costs),
    }


def _note(scenario: Scenario) -> str:
    parts = tr(", ").join(
        f"{tr(role)} {si(time, 's')}" for role, time in by_role(scenario.costs).items() if time
    )
    return tr("{time} in all: {parts}.", time=si(scenario.time, "s"), parts=parts)
