"""How well more GPUs are used: the same batch split further, or as much for each GPU."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import log2
from typing import Any, NamedTuple

from ..cost import Scenario
from ..cost.parallel import Plan, Step
from ..cost.scaling import scaling_efficiency
from ..language import remembered, tr
from ._chart import Axis, Chart, Line, Numbers, Points
from .memory_options import batch
from .roles import Role
from .training_options import TrainingOptions, field_of, step, stepped, with_data

_MOST = 1024  # data-parallel ranks


class Curve(NamedTuple):
    """Efficiency at each number of GPUs."""

    gpus: Numbers
    efficiency: Numbers


def scaling(scenario: Scenario, options: TrainingOptions) -> Chart:
    """Return the efficiency of strong and of weak scaling against the GPUs, by more data-parallel ranks."""
    now = step(scenario, options)
    weak, strong = _weak(scenario, _alone(options)), strong_scaling(scenario, options)
    split = options.tensor * options.pipeline
    reach = max(weak.gpus[-1] if weak.gpus else 1, now.plan.ranks, 2)
    top = max((1.0, *weak.efficiency, *strong.efficiency, now.scaling_efficiency))
    note, places = scaling_note(now), _places(split, reach)
    ends = (float(split), float(reach))
    return Chart(
        title="Scaling",
        x=Axis("GPUs", "", (split, max(reach, 2 * split)), log=True, places=places,
               names=tuple(f"{place:,.0f}" for place in places)),
        y=Axis("Scaling efficiency", "%", (0, 1.1 if top <= 1.1 else 1.05 * top)),
        marks=(
            Line("ideal", Role.GUIDE, ends, (1.0, 1.0)),
            Line("weak: as much for each GPU", Role.PREDICTED, *weak),
            Line("strong: the same batch in all", Role.PREDICTED, *strong, dash="dashed"),
            Points("now", Role.CURRENT, *_at(now), notes=(note,), drag="data"),
        ),
        alt=tr("Scaling efficiency against the number of GPUs. {note}", note=note),
    )  # fmt: skip


def _at(one: Step) -> tuple[Numbers, Numbers]:
    return (float(one.plan.ranks),), (one.scaling_efficiency,)


def _places(split: int, reach: float) -> Numbers:
    """Return the numbers of GPUs that get a tick: at most seven."""
    doublings = int(log2(reach / split)) if reach > split else 1
    each = -(-doublings // 6)
    return tuple(float(split << i) for i in range(0, doublings + 1, each))


def _alone(options: TrainingOptions) -> Plan:
    """Return the plan with one data-parallel rank: what weak scaling depends on."""
    return with_data(options, 1)


@remembered(64)
def _weak(scenario: Scenario, alone: Plan) -> Curve:
    """Return steps with as many samples for each rank as now."""
    found = _possible(_ranks(), lambda data: _with(scenario, alone, data=data))
    return Curve(*_columns((one.plan.ranks, one.scaling_efficiency) for _, one in found))


def _with(scenario: Scenario, plan: Plan, **changed: int) -> Step:
    change: dict[str, Any] = dict(changed)
    return stepped(scenario, replace(plan, **change))


def strong_scaling(scenario: Scenario, options: TrainingOptions) -> Curve:
    """Return steps with as many samples in all: fewer micro-batches for each rank, then smaller ones."""
    return _strong(scenario, _alone(options), options.microbatches * options.data)


@remembered(64)
def _strong(scenario: Scenario, alone: Plan, many: int) -> Curve:
    """Return the steps whose ranks share ``many`` micro-batches of the present size evenly."""
    name, size = field_of(scenario), batch(scenario.layer)
    one = stepped(scenario, Plan()).whole
    whole = many * (one.forward + one.backward) + one.update

    def at(data: int) -> Step:
        each = many * size // data
        parts = -(-each // size)
        if many * size % data or each % parts or not (name or each == parts):
            raise ValueError(f"{data} ranks cannot share {many * size} samples evenly")
        smaller = scenario.resized(name, each // parts) if name else scenario
        return _with(smaller, alone, data=data, microbatches=parts)

    found = _possible(_ranks(), at)
    return Curve(*_columns((s.plan.ranks, scaling_efficiency(whole, s.plan.ranks, s.time)) for _, s in found))


def _ranks() -> tuple[int, ...]:
    return tuple(1 << i for i in range(_MOST.bit_length()))


def _possible(ranks: tuple[int, ...], at: Callable[[int], Step]) -> Iterator[tuple[int, Step]]:
    """Yield the step at each number of ranks that the plan can have: nodes must be filled."""
    for data in ranks:
        try:
            yield data, at(data)
        except ValueError:
            continue


def _columns(pairs: Iterator[tuple[float, float]]) -> tuple[Numbers, Numbers]:
    found = tuple(pairs)
    return tuple(float(x) for x, _ in found), tuple(y for _, y in found)


def scaling_note(one: Step) -> str:
    """Return the present efficiency, in a sentence."""
    return tr(
        "{gpus} GPUs are {speedup} times as fast as one: {share} of ideal scaling.",
        gpus=f"{one.plan.ranks:,}", speedup=f"{one.scaling_efficiency * one.plan.ranks:.3g}",
        share=f"{one.scaling_efficiency:.1%}",
    )  # fmt: skip
