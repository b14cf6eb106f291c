"""The rate that a layer reaches while one of its sizes grows: larger products come nearer to the peak."""

from ..cost import Scenario
from ..cost.sweep import anchored, possible
from ..language import remembered, tr
from ..units import si
from ._chart import Axis, Chart, Line, Points, holding
from ._options import Options
from .roles import Role

_Y = Axis("Math rate", "FLOPS", (1e9, 1e16), log=True)


def rate(scenario: Scenario, options: Options) -> Chart:
    """Return flops a second against ``options.field``, under the peak of the GPU and format."""
    field = options.field
    now = getattr(scenario.layer, field)
    label = tr(scenario.layer.__dataclass_fields__[field].metadata["label"])
    x = holding(Axis(label, "", (1, 1e4), log=True), max(now, 1))
    peak = scenario.gpu.peak(scenario.format.math, scenario.sparse)
    reached = _rate(scenario)
    note = tr(
        "{label} {size}: {rate}, {share} of the peak {peak}.",
        label=label, size=f"{now:,}", rate=si(reached, "FLOPS"), share=f"{reached / peak:.0%}",
        peak=si(peak, "FLOPS"),
    )  # fmt: skip
    words = f"{scenario.format.name} {si(peak, 'FLOPS')}"
    return Chart(
        title="Rate",
        x=x,
        y=_Y,
        marks=(
            Line("math roof", Role.MATH, x.domain, (peak, peak), words, first=True),
            _curve(anchored(scenario, field), field, x.domain[1]),
            Points(
                "now", Role.CURRENT, (float(now),), (max(reached, _Y.domain[0]),), notes=(note,), drag=field
            ),
        ),
        alt=note,
    )


@remembered(64)
def _curve(scenario: Scenario, field: str, high: float) -> Line:
    sizes = sorted(
        {round(2 ** (power / 4)) for power in range(160) if 2 ** (power / 4) <= high} | {int(high)}
    )
    places = [(float(size), _rate(each)) for size, each in possible(scenario, field, sizes)]
    kept = [(size, reached) for size, reached in places if reached >= _Y.domain[0]]
    return Line("predicted", Role.PREDICTED, tuple(x for x, _ in kept), tuple(y for _, y in kept))


def _rate(scenario: Scenario) -> float:
    time = scenario.time
    return scenario.flops / time if time else 0.0
