"""The roofline: the rate reached, under what memory and math allow."""

from collections.abc import Iterator

from ..cost import Cost, Scenario
from ..language import tr
from ..ops import Phase
from ..units import figures, si
from ._chart import Axis, Chart, Line, Points, Spans, holding
from ._options import Options
from .roles import Role

_X = Axis("Arithmetic intensity", "FLOPS/byte", (0.1, 1e4), log=True)
_Y = Axis("Math rate", "FLOPS", (1e10, 1e16), log=True)
_APART = 2.2  # roofs closer than this factor share one line's label
SYMBOLS = {
    Phase.FPROP: "circle",
    Phase.DGRAD: "square",
    Phase.WGRAD: "triangle-up",
    Phase.UPDATE: "circle",
}


def roofline(scenario: Scenario, options: Options) -> Chart:
    """Return the roofs of the scenario's GPU and format, and a point for each operation.

    ``options.roofs`` adds the GPU's other roofs. A point can be dragged along its roof: the size of
    ``options.field`` is looked for that has that intensity.
    """
    return drawn(scenario, options, _alt(scenario))


def drawn(scenario: Scenario, options: Options, alt: str, small: bool = False) -> Chart:
    """Return the roofline with a text of one's own, and small points where there are many."""
    gpu = scenario.gpu
    peak = gpu.peak(scenario.format.math, scenario.sparse)
    ridge = peak / gpu.bandwidth
    rates = [peak, *(rate for rate, _ in _rates(scenario) if options.roofs)]
    across = holding(_X, *(rate / gpu.bandwidth for rate in rates))
    low, high = across.domain
    up = holding(_Y, *rates, low * gpu.bandwidth)
    name = scenario.format.name + (" sparse" if scenario.sparse else "")
    roofs = (
        Spans("memory limited", Role.MEMORY, low, ridge),
        Spans("math limited", Role.MATH, ridge, high),
        *(_others(scenario, peak, across.domain) if options.roofs else ()),
        Line("memory roof", Role.MEMORY, (low, ridge), (low * gpu.bandwidth, peak)),
        Line("math roof", Role.MATH, (ridge, high), (peak, peak), f"{name} {si(peak, 'FLOPS')}"),
        Line(
            "ops:byte ratio",
            Role.GUIDE,
            x=(ridge, ridge),
            y=(peak, up.domain[0]),
            label=f"{gpu.name}: {figures(ridge)} FLOPS/byte",
        ),
    )
    axes = (across, up)
    phases = (phase for phase in Phase if phase is not Phase.UPDATE)
    points = tuple(_points(phase, scenario, options, axes, small) for phase in phases)
    return Chart("Roofline", *axes, roofs + points, alt)


def _others(scenario: Scenario, shown: float, span: tuple[float, float]) -> Iterator[Line]:
    """Yield the other math roofs of the GPU, those of one height as one, and that of its L2 cache."""
    gpu, (low, high) = scenario.gpu, span
    by_rate: dict[float, list[str]] = {}
    for rate, name in _rates(scenario):
        by_rate.setdefault(rate, []).append(name)
    labelled = [shown]
    for rate, names in sorted(by_rate.items(), key=lambda pair: -pair[0]):
        apart = all(max(rate, other) / min(rate, other) > _APART for other in labelled)
        labelled += [rate] if apart else []
        words = f"{', '.join(names)} {si(rate, 'FLOPS')}"
        yield Line(words, Role.GUIDE, (rate / gpu.bandwidth, high), (rate, rate), words if apart else "")
    if gpu.l2_bandwidth:
        yield Line(
            f"L2 {si(gpu.l2_bandwidth, 'B/s')}",
            Role.GUIDE,
            (low, shown / gpu.l2_bandwidth),
            (low * gpu.l2_bandwidth, shown),
        )


def _rates(scenario: Scenario) -> Iterator[tuple[float, str]]:
    """Yield each rate of the GPU that is not the scenario's, with the name of its format."""
    gpu, asked = scenario.gpu, (scenario.format.math, scenario.sparse)
    for dtype in gpu.dtypes:
        for sparse in (False, True):
            if (dtype, sparse) != asked:
                try:
                    yield gpu.peak(dtype, sparse), dtype.name + (" sparse" if sparse else "")
                except ValueError:
                    continue  # no sparse rate for this format


def _points(
    phase: Phase, scenario: Scenario, options: Options, axes: tuple[Axis, Axis], small: bool
) -> Points:
    costs = [cost for cost in scenario.costs if cost.phase is phase]
    return Points(
        phase.value,
        Role.PREDICTED,
        x=tuple(_within(cost.arithmetic_intensity, axes[0]) for cost in costs),
        y=tuple(_within(cost.rate, axes[1]) for cost in costs),
        symbol=SYMBOLS[phase],
        notes=tuple(note(cost) for cost in costs),
        drag=options.field,
        small=small,
        solve=True,
    )


def _within(value: float, axis: Axis) -> float:
    """Keep a point that would leave the picture at its edge."""
    return min(max(value, axis.domain[0]), axis.domain[1])


def note(cost: Cost) -> str:
    """Return why a point stands where it does."""
    name = f"{cost.path} {cost.phase}".strip()
    parts = {
        "name": name, "flops": si(cost.flops, "FLOP"), "bytes": si(cost.bytes, "B"),
        "intensity": figures(cost.arithmetic_intensity), "math": si(cost.math_time, "s"),
        "memory": si(cost.memory_time, "s"), "limiter": tr(str(cost.limiter)),
    }  # fmt: skip
    sentences = [
        tr("{name}: {flops} and {bytes} make {intensity} FLOPS/byte.", **parts),
        tr("Math takes {math}, memory {memory}: {limiter} limited.", **parts),
        tr(_changes(cost), waste=si(abs(cost.wasted_time), "s")),
        tr("The launch adds {launch}: {time} in all, {share} of peak.",
           launch=si(cost.exposed_launch, "s"), time=si(cost.time, "s"),
           share=f"{cost.rate / cost.peak:.0%}"),
    ]  # fmt: skip
    return " ".join(sentences)


def _changes(cost: Cost) -> str:
    if cost.wasted_time < 0:
        return "Caches save {waste}."
    return "Tiles, waves, clock and memory add {waste}." if cost.tiling else "Memory adds {waste}."


def _alt(scenario: Scenario) -> str:
    ridge = scenario.gpu.peak(scenario.format.math, scenario.sparse) / scenario.gpu.bandwidth
    said = tr("; ").join(
        tr("{name} {intensity} FLOPS/byte at {rate}", name=f"{c.path} {c.phase}".strip(),
           intensity=figures(c.arithmetic_intensity), rate=si(c.rate, "FLOPS"))
        for c in scenario.costs
    )  # fmt: skip
    return tr(
        "Roofline of {gpu}, ridge at {ridge} FLOPS/byte. {said}.",
        gpu=scenario.gpu.name, ridge=figures(ridge), said=said,
    )  # fmt: skip
