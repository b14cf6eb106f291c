"""The roofline: the rate reached, under what memory and math allow."""

from ..cost import Cost, Scenario
from ..ops import Phase
from ..units import figures, si
from ._chart import Axis, Chart, Line, Options, Points, Spans
from .roles import Role

_X = Axis("Arithmetic intensity", "FLOPS/byte", (0.1, 1e4), log=True)
_Y = Axis("Math rate", "FLOPS", (1e10, 1e16), log=True)
SYMBOLS = {
    Phase.FPROP: "circle",
    Phase.DGRAD: "square",
    Phase.WGRAD: "triangle-up",
    Phase.UPDATE: "circle",
}


def roofline(scenario: Scenario, _options: Options) -> Chart:
    """Return the roofs of the scenario's GPU and format, and a point for each operation."""
    gpu, name = scenario.gpu, scenario.format.name
    peak = gpu.peak(scenario.format.math, scenario.sparse)
    ridge = peak / gpu.bandwidth
    low, high = _X.domain
    sparse = " sparse" if scenario.sparse else ""
    roofs = (
        Spans("memory limited", Role.MEMORY, low, ridge),
        Spans("math limited", Role.MATH, ridge, high),
        Line("memory roof", Role.MEMORY, (low, ridge), (low * gpu.bandwidth, peak)),
        Line("math roof", Role.MATH, (ridge, high), (peak, peak), f"{name}{sparse} {si(peak, 'FLOPS')}"),
        Line(
            "ops:byte ratio",
            Role.GUIDE,
            x=(ridge, ridge),
            y=(peak, _Y.domain[0]),
            label=f"{gpu.name}: {figures(ridge)} FLOPS/byte",
        ),
    )
    points = tuple(_points(phase, scenario) for phase in Phase if phase is not Phase.UPDATE)
    return Chart("Roofline", _X, _Y, roofs + points, _alt(scenario, ridge))


def _points(phase: Phase, scenario: Scenario) -> Points:
    costs = [cost for cost in scenario.costs if cost.phase is phase]
    return Points(
        phase.value,
        Role.PREDICTED,
        x=tuple(_within(cost.arithmetic_intensity, _X) for cost in costs),
        y=tuple(_within(cost.rate, _Y) for cost in costs),
        symbol=SYMBOLS[phase],
        notes=tuple(note(cost) for cost in costs),
    )


def _within(value: float, axis: Axis) -> float:
    """Keep a point that would leave the picture at its edge."""
    return min(max(value, axis.domain[0]), axis.domain[1])


def note(cost: Cost) -> str:
    """Return why a point stands where it does."""
    return (
        f"{cost.path} {cost.phase}: {si(cost.flops, 'FLOP')} and {si(cost.bytes, 'B')} make "
        f"{figures(cost.arithmetic_intensity)} FLOPS/byte. Math takes {si(cost.math_time, 's')}, memory "
        f"{si(cost.memory_time, 's')}: {cost.limiter} limited. {_changes(cost)} "
        f"{si(abs(cost.wasted_time), 's')}, the launch adds {si(cost.exposed_launch, 's')}: "
        f"{si(cost.time, 's')} in all, {cost.rate / cost.peak:.0%} of peak."
    ).strip()


def _changes(cost: Cost) -> str:
    if cost.wasted_time < 0:
        return "Caches save"
    return "Tiles, waves, clock and memory add" if cost.tiling else "Memory adds"


def _alt(scenario: Scenario, ridge: float) -> str:
    said = "; ".join(
        f"{c.path} {c.phase} {figures(c.arithmetic_intensity)} FLOPS/byte at {si(c.rate, 'FLOPS')}".strip()
        for c in scenario.costs
    )
    return f"Roofline of {scenario.gpu.name}, ridge at {figures(ridge)} FLOPS/byte. {said}."
