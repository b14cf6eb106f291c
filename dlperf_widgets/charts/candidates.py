"""Every tile that a product may be cut into, with its predicted time."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from ..cost import Cost, Scenario
from ..cost.candidates import Candidate, candidates, in_tile
from ..language import tr
from ..layers._fields import hidden
from ..units import si
from ._chart import Area, Axis, Chart, Points, nice
from ._options import Described
from .duration import STACK, by_role
from .roles import Role

BEST = "chosen by the model"
_HALF = 0.35  # width of a bar


@dataclass(frozen=True)
class GemmOptions(Described):
    """Which product of a scenario is looked at, and in which tile."""

    product: str = hidden("fprop")  # path and phase
    tile: str = hidden(BEST)  # or "256 x 128"


def products(scenario: Scenario) -> dict[str, Cost]:
    """Return the rows of a scenario that are cut into tiles, by path and phase, alike ones numbered."""
    found: dict[str, Cost] = {}
    seen: Counter[str] = Counter()
    for cost in scenario.costs:
        if cost.work is not None:
            name = f"{cost.path} {cost.phase}".strip()
            seen[name] += 1
            found[f"{name}, product {seen[name]}" if seen[name] > 1 else name] = cost
    return found


@lru_cache(8)
def found_for(scenario: Scenario, product: str) -> tuple[Candidate, ...]:
    """Return the candidates of one product of a scenario: several ask for them at each step of a drag."""
    return candidates(products(scenario)[product])


def looked_at(scenario: Scenario, options: GemmOptions) -> Cost:
    """Return the cost of the product looked at, in the tile that was chosen for it."""
    cost = products(scenario)[options.product]
    if options.tile == BEST:
        return cost
    tile_m, tile_n = map(int, options.tile.split(" x "))
    return in_tile(cost, tile_m, tile_n)


def tile_name(cost: Cost) -> str:
    """Return the tile of a product's cost."""
    assert cost.tiling
    return f"{cost.tiling.tile_m} x {cost.tiling.tile_n}"


def tile_candidates(scenario: Scenario, options: GemmOptions) -> Chart:
    """Return the time in each tile as a stack of what it is made of, the fastest first."""
    found = found_for(scenario, options.product)
    shown = looked_at(scenario, options)
    names = [tile_name(each.cost) for each in found]
    columns = [by_role((each.cost,)) for each in found]
    heights = [tuple(accumulate((column[role] for role in STACK), initial=0.0)) for column in columns]
    at = names.index(tile_name(shown))
    return Chart(
        title="Candidates",
        x=Axis(
            "Tile: rows below, columns above the bar", "", (-0.6, len(found) - 0.4),
            places=tuple(map(float, range(len(found)))), names=tuple(name.split(" x ")[0] for name in names),
        ),
        y=Axis("Time", "s", (0, nice(1.05 * max(h[-1] for h in heights), (1, 1.5, 2, 3, 4, 5, 6, 8, 10)))),
        marks=(
            *_stacks(heights),
            Points(
                "predicted", Role.PREDICTED, tuple(map(float, range(len(found)))),
                tuple(each.cost.time for each in found), notes=tuple(map(_note, found)), small=True,
                labels=tuple(f"×{name.split(' x ')[1]}" for name in names),
            ),
            Points("now", Role.CURRENT, (float(at),), (found[at].cost.time,), notes=(_note(found[at]),)),
        ),
        alt=tr("Predicted time in each tile: {times}.",
               times=tr(", ").join(f"{n} {si(c.cost.time, 's')}" for n, c in zip(names, found, strict=True))),
    )  # fmt: skip


def _stacks(heights: list[tuple[float, ...]]) -> tuple[Area, ...]:
    """Return an area for each role: bars side by side, with nothing between them."""
    x = tuple(place + side for place in range(len(heights)) for side in (-_HALF, -_HALF, _HALF, _HALF))
    levels = [
        tuple(value for height in heights for value in (0.0, height[level], height[level], 0.0))
        for level in range(len(STACK) + 1)
    ]
    return tuple(
        Area(role.value, role, x, base, top)
        for role, (base, top) in zip(STACK, pairwise(levels), strict=True)
    )


def _note(candidate: Candidate) -> str:
    cost = candidate.cost
    assert cost.tiling
    values = {
        "tile": tile_name(cost), "time": si(cost.time, "s"), "tiles": f"{cost.tiling.tiles:,}",
        "waves": f"{cost.tiling.waves:,}", "output": f"{cost.tile_efficiency:.0%}",
        "slots": f"{cost.wave_efficiency:.0%}", "split": cost.tiling.split,
    }  # fmt: skip
    words = tr("{tile}: {time}. {tiles} tiles, {output} of them output, in {waves} waves that fill {slots} "
               "of the SMs.", **values)  # fmt: skip
    if cost.tiling.split > 1:
        words += " " + tr("Each is split in {split} along k.", **values)
    return words + " " + tr("The model expects a library to choose it.") if candidate.chosen else words
