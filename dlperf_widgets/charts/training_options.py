"""What is asked about training on many GPUs besides the layer, and the answers that its charts share."""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from math import ceil, log2
from typing import Any, NamedTuple

from ..cost import Scenario
from ..cost.activations import has_batch
from ..cost.footprint import Footprint
from ..cost.parallel import Plan, Step
from ..cost.planned import planned
from ..cost.rank_memory import rank_footprint
from ..dtypes import Format
from ..language import remembered
from ..layers import Layer
from ..layers._fields import choice, dim, hidden, real
from ..units import GIB
from ._options import FARTHEST, Described
from .memory_options import OFF, PRECISIONS, batch, largest, one_sample


def _of_plan(name: str, **changed: Any) -> Any:
    """Describe a field as the plan does, with another default where one is given."""
    about = Plan.__dataclass_fields__[name]
    return field(default=changed.get("default", about.default), metadata=about.metadata)


@dataclass(frozen=True)
class TrainingOptions(Described):
    """A cluster plan, and how the network is trained on it."""

    data: int = _of_plan("data", default=4)
    tensor: int = _of_plan("tensor", default=2)
    pipeline: int = _of_plan("pipeline", default=4)
    microbatches: int = _of_plan("microbatches", default=8)
    interleave: int = _of_plan("interleave")
    zero: int = _of_plan("zero")
    node: int = _of_plan("node")
    inside: str = _of_plan("inside")
    between: str = _of_plan("between")
    overlap: bool = _of_plan("overlap")
    optimizer: str = choice("adam", "Optimizer", ("sgd", "momentum", "adam", "adamw"))
    precision: str = choice("amp", "Mixed precision", PRECISIONS)
    epoch: int = dim(1_000_000, "Samples in an epoch", most=100_000_000)
    reserve: float = real(0.6, "Reserve (GiB)", 0.0, 64.0)
    bucket_bytes: int = hidden(Plan.bucket_bytes)
    reach: int = hidden(64, FARTHEST)  # the largest batch of a GPU that is shown

    @cached_property
    def plan(self) -> Plan:
        """The cluster plan."""
        return Plan(**{f.name: getattr(self, f.name) for f in fields(Plan)})

    @property
    def reserved(self) -> float:
        """The reserve in bytes."""
        return self.reserve * GIB


@remembered(512)
def stepped(scenario: Scenario, plan: Plan) -> Step:
    """Return the training step that is asked about; ValueError says why there is none."""
    return planned(scenario, plan)


def step(scenario: Scenario, options: TrainingOptions) -> Step:
    """Return the step of the present question."""
    return stepped(scenario, options.plan)


class _Held(NamedTuple):
    """All that a rank's memory depends on."""

    layer: Layer  # for one sample, if it has a field for its batch
    format: Format
    plan: Plan
    optimizer: str
    precision: str


@remembered(256)
def _memory(asked: _Held) -> Footprint:
    precision = None if asked.precision == OFF else asked.precision
    return rank_footprint(asked.layer, asked.format, asked.plan, asked.optimizer, precision)


def memory(scenario: Scenario, options: TrainingOptions) -> Footprint:
    """Return what a GPU holds, where a sample is one of a micro-batch."""
    precision = options.precision if scenario.format.activations.bytes < 4 else OFF  # nothing to mix
    held = _Held(one_sample(scenario.layer), scenario.format, options.plan, options.optimizer, precision)
    return _memory(held)


def most(scenario: Scenario, options: TrainingOptions) -> int | None:
    """Return the largest micro-batch that fits; 0 if not one sample does, None if any does."""
    return largest(memory(scenario, options), scenario.gpu, options.reserved)


def fits(scenario: Scenario, options: TrainingOptions) -> bool:
    """Return whether a GPU has room for the present micro-batch."""
    return memory(scenario, options).fits(scenario.gpu, batch(scenario.layer), options.reserved)


def iterations(options: TrainingOptions, one: Step) -> int:
    """Return the steps of an epoch: the last one may be smaller."""
    return ceil(options.epoch / one.samples)


def fitting(scenario: Scenario, options: TrainingOptions) -> int:
    """Return a largest batch to show, with the present one and a little more than fits in view."""
    far = max(batch(scenario.layer), min(most(scenario, options) or 1, 1024))
    return max(32, 1 << ceil(log2(1.4 * far)))


def field_of(scenario: Scenario) -> str:
    """Return the field that follows a dragged batch: none where the layer has no field for it."""
    return scenario.layer.scale if has_batch(scenario.layer) else ""


def with_data(options: TrainingOptions, data: int, microbatches: int | None = None) -> Plan:
    """Return the plan with other data-parallel ranks, and other micro-batches where given."""
    many = options.microbatches if microbatches is None else microbatches
    return replace(options.plan, data=data, microbatches=many)
