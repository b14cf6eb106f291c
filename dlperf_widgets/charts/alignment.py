"""What sizes near the present one leave of the math rate: why to choose multiples of 8 and 64."""

from collections.abc import Callable

from ..cost import Cost, Scenario
from ..cost.sweep import anchored, possible
from ..language import remembered, tr
from ._chart import Axis, Chart, Line, Mark, Points
from ._options import Options
from .roles import Role

_BLOCK = 64
_ROWS = 2000  # that a curve may take to compute: whole networks show multiples of 8 alone


def alignment(scenario: Scenario, options: Options) -> Chart:
    """Return tile, wave and alignment efficiency for each size of ``options.field`` near the present."""
    field = options.field
    now = getattr(scenario.layer, field)
    low = max(now // _BLOCK * _BLOCK - _BLOCK // 2, 1)
    label = tr(scenario.layer.__dataclass_fields__[field].metadata["label"])
    present = share(scenario.costs, _all)
    note = f"{label} {_note(now, scenario.costs)}"
    return Chart(
        title="Alignment",
        x=Axis(label, "", (low - 1, low + 2 * _BLOCK + 1), places=_places(low)),
        y=Axis("Share of the math rate left", "%", (0, 1.1), places=(0, 0.25, 0.5, 0.75, 1)),
        marks=(
            *_near(anchored(scenario, field), field, low),
            Points("now", Role.CURRENT, (now,), (present,), notes=(note,), drag=field),
        ),
        alt=note,
    )


def _places(low: int) -> tuple[float, ...]:
    step = 16 if low < 10_000 else 32  # long numbers need room
    return tuple(size for size in range(low, low + 2 * _BLOCK + 1) if size % step == 0)


@remembered(64)
def _near(scenario: Scenario, field: str, low: int) -> tuple[Mark, ...]:
    """Return what does not change while the present size stays within its block."""
    high = low + 2 * _BLOCK
    rows = max((len(each.costs) for _, each in possible(scenario, field, (low, high))), default=1)
    sizes = range(low, high + 1) if rows * _BLOCK < _ROWS else range(-(-low // 8) * 8, high + 1, 8)
    costs = {size: each.costs for size, each in possible(scenario, field, sizes)}
    x = tuple(map(float, costs))
    return (
        Line("tiles alone", Role.MATH, x, tuple(share(c, _tile) for c in costs.values())),
        Line("alignment alone", Role.GUIDE, x, tuple(share(c, _aligned) for c in costs.values())),
        Line("waves alone", Role.MATH, x, tuple(share(c, _wave) for c in costs.values()), dash="dashed"),
        _points("all three: other sizes", Role.GUIDE, costs, lambda s: s % 8 != 0),
        _points("multiples of 8", Role.PREDICTED, costs, lambda s: s % 8 == 0 and s % 64 != 0),
        _points("multiples of 64", Role.PREDICTED, costs, lambda s: s % 64 == 0, "square"),
    )


def _points(
    name: str,
    role: Role,
    costs: dict[int, tuple[Cost, ...]],
    belongs: Callable[[int], bool],
    symbol: str = "circle",
) -> Points:
    sizes = [size for size in costs if belongs(size)]
    left = tuple(share(costs[size], _all) for size in sizes)
    notes = tuple(
        tr("{size}: {share} of the math rate left.", size=size, share=f"{value:.0%}")
        for size, value in zip(sizes, left, strict=True)
    )
    return Points(name, role, tuple(map(float, sizes)), left, symbol, notes, small=role is Role.GUIDE)


def _note(size: int, costs: tuple[Cost, ...]) -> str:
    kinds = {"aligned": _aligned, "tiles": _tile, "waves": _wave, "together": _all}
    return tr(
        "{size}: alignment leaves {aligned} of the math rate, tiles {tiles}, waves {waves}; "
        "together {together}.",
        size=size,
        **{name: f"{share(costs, kind):.0%}" for name, kind in kinds.items()},
    )


def share(costs: tuple[Cost, ...], efficiency: Callable[[Cost], float]) -> float:
    """Return an efficiency over several operations: each weighs by its ideal math time."""
    ideal = sum(c.math_time for c in costs)
    return ideal / sum(c.math_time / efficiency(c) for c in costs) if ideal else 1.0


def _tile(cost: Cost) -> float:
    return cost.tile_efficiency


def _wave(cost: Cost) -> float:
    return cost.wave_efficiency


def _aligned(cost: Cost) -> float:
    return cost.alignment_efficiency


def _all(cost: Cost) -> float:
    return cost.tile_efficiency * cost.wave_efficiency * cost.alignment_efficiency
