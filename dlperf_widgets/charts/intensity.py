"""How arithmetic intensity grows with one size of the layer, and where it passes what the GPU needs."""

from math import fsum

from ..cost import Cost, Scenario
from ..cost.sweep import anchored, possible
from ..language import remembered, tr
from ..ops import Phase
from ..units import figures
from ._chart import Axis, Chart, Line, Points, holding
from ._options import Options
from .roles import Role
from .roofline import SYMBOLS

_DASHES = {Phase.FPROP: "solid", Phase.DGRAD: "dashed", Phase.WGRAD: "dotted"}
_Y = (0.01, 1e5)


def intensity(scenario: Scenario, options: Options) -> Chart:
    """Return flops for each byte against ``options.field``, a line a phase, and the GPU's ops:byte ratio."""
    field = options.field
    now = getattr(scenario.layer, field)
    high = 1e4
    while high < now:
        high *= 10
    label = tr(scenario.layer.__dataclass_fields__[field].metadata["label"])
    needed = scenario.gpu.ops_byte_ratio(scenario.format.math, scenario.sparse)
    at_least = tr("{gpu} needs {ratio} FLOPS/byte", gpu=scenario.gpu.name, ratio=figures(needed))
    return Chart(
        title="Intensity",
        x=Axis(label, "", (1, high), log=True),
        y=holding(Axis("Arithmetic intensity", "FLOPS/byte", _Y, log=True), needed),
        marks=(
            Line(
                "ops:byte ratio",
                Role.GUIDE,
                (1, high),
                (needed, needed),
                tr("needed: {ratio} FLOPS/byte", ratio=figures(needed)),
                first=True,
            ),
            *_curves(anchored(scenario, field), field, high),
            *(
                Points(
                    f"{phase} now",
                    Role.PREDICTED,
                    (float(max(now, 1)),),
                    (_inside(reached),),
                    SYMBOLS[phase],
                    (_note(phase, label, now, reached, needed),),
                    drag=field,
                )
                for phase in scenario.phases
                if (reached := _intensity(scenario.costs, phase))
            ),
        ),
        alt=_alt(scenario, label, now, at_least),
    )


@remembered(64)
def _curves(scenario: Scenario, field: str, high: float) -> tuple[Line, ...]:
    sizes = sorted({round(2 ** (power / 2)) for power in range(80) if 2 ** (power / 2) <= high} | {int(high)})
    asked = [(float(size), each.costs) for size, each in possible(scenario, field, sizes)]
    lines = []
    for phase in scenario.phases:
        places = [(size, reached) for size, costs in asked if (reached := _intensity(costs, phase))]
        if places:
            x, y = zip(*places, strict=True)
            lines.append(
                Line(str(phase), Role.MATH, x, tuple(map(_inside, y)), dash=_DASHES.get(phase, "solid"))
            )
    return tuple(lines)


def _intensity(costs: tuple[Cost, ...], phase: Phase) -> float:
    """Return the flops of a phase over its bytes; 0 where nothing moves."""
    flops = sum(c.flops * c.count for c in costs if c.phase is phase)
    moved = fsum(c.bytes * c.count for c in costs if c.phase is phase)
    return flops / moved if moved else 0.0


def _inside(value: float) -> float:
    return min(max(value, _Y[0]), _Y[1])


def _note(phase: Phase, label: str, now: int, reached: float, needed: float) -> str:
    side = tr("more") if reached >= needed else tr("less")
    return tr(
        "{phase} at {label} {size}: {reached} FLOPS/byte, {side} than the {needed} at which math and memory "
        "take equally long.",
        phase=phase, label=label.lower(), size=f"{now:,}", reached=figures(reached), side=side,
        needed=figures(needed),
    )  # fmt: skip


def _alt(scenario: Scenario, label: str, now: int, at_least: str) -> str:
    phases = tr(", ").join(
        f"{phase} {figures(_intensity(scenario.costs, phase))} FLOPS/byte" for phase in scenario.phases
    )
    return tr(
        "Arithmetic intensity against {label}. At {size}: {phases}. {needs}.",
        label=label.lower(), size=f"{now:,}", phases=phases, needs=at_least,
    )  # fmt: skip
