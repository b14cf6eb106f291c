"""A question to the model: this layer, on this GPU, in this number format, run this way."""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from math import fsum
from typing import Any

from .._given import many, shown, thing
from ..dtypes import FP32, DType, Format, as_format
from ..gpus import Gpu
from ..layers import Layer
from ..ops import Phase
from .alignment import Library
from .launch import Launch
from .time import Cost, priced


class Layout(StrEnum):
    """How an image batch lies in memory."""

    NCHW = "NCHW"
    NHWC = "NHWC"


# What the fields of a scenario must be.
_KINDS: tuple[tuple[str, Any], ...] = (
    ("layer", Layer), ("gpu", Gpu), ("dtype", (DType, Format)), ("sparse", bool),
)  # fmt: skip
_CHOICES: tuple[tuple[str, type[StrEnum]], ...] = (
    ("launch", Launch), ("layout", Layout), ("library", Library),
)  # fmt: skip


@dataclass(frozen=True)
class Scenario:
    """An immutable question; ``costs`` is its answer, one row an operation."""

    layer: Layer  # or a network, which is one
    gpu: Gpu
    dtype: DType | Format  # of every tensor, or of weights, activations and gradients each
    phases: tuple[Phase, ...] = (Phase.FPROP,)  # or TRAINING: all of them
    launch: Launch = Launch.GRAPH  # from a CUDA graph, one by one (EAGER), or not counted (KERNEL)
    layout: Layout = Layout.NHWC  # of images in memory
    library: Library = Library.CURRENT  # LEGACY: cuBLAS before 11, cuDNN before 7.6.3
    sparse: bool = False  # 2:4 structured sparsity, which doubles the Tensor Core peak

    def __post_init__(self) -> None:
        for name, kind in _KINDS:
            if not isinstance(getattr(self, name), kind):
                raise ValueError(f"a scenario's {name} cannot be {shown(getattr(self, name))}")
        for name, choice in _CHOICES:
            object.__setattr__(self, name, _chosen(choice, name, getattr(self, name)))
        phases = (self.phases,) if isinstance(self.phases, str) else many("phases", self.phases)
        chosen = {_chosen(Phase, "phases", phase) for phase in phases}
        object.__setattr__(self, "phases", tuple(phase for phase in Phase if phase in chosen))
        if not self.phases:
            raise ValueError("a scenario needs at least one phase of fprop, dgrad, wgrad, update")
        self.gpu.peak(self.format.math, self.sparse)  # says so if the GPU lacks the format
        self.gpu.cuda_core_peak(FP32)  # which every layer needs somewhere
        if self.gpu.calibration:
            from .calibration import of

            of(self.gpu)

    @cached_property
    def format(self) -> Format:
        """The number format of each role, also where one ``DType`` was given for all."""
        return as_format(self.dtype)

    @cached_property
    def costs(self) -> tuple[Cost, ...]:
        """One row for each operation, in the order they run: forward, then backward from the last."""
        known: dict[Layer, dict[Phase, tuple[Cost, ...]]] = {}  # equal layers share an answer
        leaves = [
            (path, leaf, count, known.setdefault(leaf, {})) for path, leaf, count in self.layer.leaves()
        ]
        unasked = () if self.layer.needs_input_gradient else self.layer.head
        how = (self.gpu, self.format, self.launch, self.library, self.sparse)
        rows: list[Cost] = []
        for group in order(self.phases):
            for path, leaf, count, answer in leaves if group == (Phase.FPROP,) else reversed(leaves):
                for phase in group:
                    if phase is Phase.DGRAD and path in unasked:
                        continue
                    if phase in answer:
                        rows += [each.at(path, count) for each in answer[phase]]
                    else:
                        answer[phase] = priced(path, phase, leaf.ops(phase), count, *how)
                        rows += answer[phase]
        if self.launch is Launch.EAGER:
            from .queue import queued  # loaded for those who need it

            return queued(self.layer, tuple(rows))
        return tuple(rows)

    @property
    def time(self) -> float:
        """Seconds, over all operations."""
        return fsum(c.time * c.count for c in self.costs)

    @property
    def flops(self) -> int:
        """Flops, over all operations."""
        return sum(c.flops * c.count for c in self.costs)

    @property
    def bytes(self) -> float:
        """Bytes moved, over all operations."""
        return fsum(c.bytes * c.count for c in self.costs)

    @property
    def arithmetic_intensity(self) -> float:
        """Flops for each byte moved, over all operations; 0 where nothing moves."""
        return self.flops / self.bytes if self.bytes else 0.0

    def resized(self, field: str, value: int) -> "Scenario":
        """Return the same question with one size of the layer changed."""
        if not isinstance(field, str) or field not in self.layer.__dataclass_fields__:
            raise ValueError(f"{type(self.layer).__name__} has no field {shown(field)}")
        change: dict[str, Any] = {field: value}
        return self._about(replace(self.layer, **change))

    def _about(self, layer: Layer) -> "Scenario":
        """Return the same question about another layer: everything else was checked already."""
        other = object.__new__(Scenario)
        other.__dict__.update(self.__dict__, layer=layer)
        other.__dict__.pop("costs", None)
        return other

    def on(self, gpu: Gpu) -> "Scenario":
        """Return the same question on another GPU, in the nearest format where it lacks this one."""
        gpu = thing("gpu", Gpu, gpu)
        format, sparse = self.format, self.sparse
        if format.math not in gpu.dtypes:
            return replace(self, gpu=gpu, dtype=nearest(format.math, gpu), sparse=False)
        if sparse:
            try:
                gpu.peak(format.math, sparse)
            except ValueError:
                sparse = False
        return replace(self, gpu=gpu, sparse=sparse)

    def to_json(self) -> str:
        """Return the question as JSON text with a version."""
        from .text import to_json

        return to_json(self)

    @staticmethod
    def from_json(text: str) -> "Scenario":
        """Return the question that ``to_json`` wrote; ValueError says what is wrong with other text."""
        from .text import from_json

        return from_json(text)


@lru_cache(16)
def order(phases: tuple[Phase, ...]) -> tuple[tuple[Phase, ...], ...]:
    """Return the phases in groups that go through the layers together: forward, backward, update."""
    groups = ((Phase.FPROP,), (Phase.DGRAD, Phase.WGRAD), (Phase.UPDATE,))
    asked = (tuple(phase for phase in group if phase in phases) for group in groups)
    return tuple(group for group in asked if group)


def _chosen(choice: type[StrEnum], name: str, value: object) -> StrEnum:
    if type(value) is choice:
        return value
    if not isinstance(value, str) or value not in list(choice):
        raise ValueError(f"a scenario's {name} cannot be {shown(value)}: choose from {', '.join(choice)}")
    return choice(str(value))


def nearest(dtype: DType, gpu: Gpu) -> DType:
    """Return the GPU's format closest in size to ``dtype``: of equals the one it lists first."""
    return min(gpu.dtypes, key=lambda other: abs(other.bytes - dtype.bytes))
