"""A question to the model: this layer, on this GPU, in this number format, run this way."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from math import fsum
from typing import Any

from ..dtypes import DType, Format, as_format
from ..gpus import Gpu
from ..layers import Layer
from ..ops import Phase
from .alignment import Library
from .launch import Launch
from .time import Cost, cost


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

    layer: Layer
    gpu: Gpu
    dtype: DType | Format
    phases: tuple[Phase, ...] = (Phase.FPROP,)
    launch: Launch = Launch.GRAPH
    layout: Layout = Layout.NHWC
    library: Library = Library.CURRENT
    sparse: bool = False  # 2:4 structured sparsity, which doubles the Tensor Core peak

    def __post_init__(self) -> None:
        for name, kind in _KINDS:
            if not isinstance(getattr(self, name), kind):
                raise ValueError(f"a scenario's {name} cannot be {getattr(self, name)!r}")
        for name, choice in _CHOICES:
            object.__setattr__(self, name, _chosen(choice, name, getattr(self, name)))
        phases = (self.phases,) if isinstance(self.phases, str) else self.phases
        chosen = {_chosen(Phase, "phases", phase) for phase in phases}
        object.__setattr__(self, "phases", tuple(phase for phase in Phase if phase in chosen))
        if not self.phases:
            raise ValueError("a scenario needs at least one phase of fprop, dgrad, wgrad, update")
        self.gpu.peak(self.format.math, self.sparse)  # says so if the GPU lacks the format

    @cached_property
    def format(self) -> Format:
        """The number format of each role, also where one ``DType`` was given for all."""
        return as_format(self.dtype)

    @cached_property
    def costs(self) -> tuple[Cost, ...]:
        """One row for each operation, in the order they run: forward, then backward from the last."""
        leaves = tuple(self.layer.leaves())
        unasked = () if self.layer.needs_input_gradient else self.layer.head
        how = (self.gpu, self.format, self.launch, self.library, self.sparse)
        alike: dict[tuple[Layer, Phase], tuple[Cost, ...]] = {}
        rows: list[Cost] = []
        for group in self._order():
            for path, leaf, count in leaves if group == (Phase.FPROP,) else reversed(leaves):
                for phase in group:
                    if phase is Phase.DGRAD and path in unasked:
                        continue
                    known = alike.get((leaf, phase))
                    if known is None:
                        known = tuple(cost(path, phase, op, count, *how) for op in leaf.ops(phase))
                        alike[leaf, phase] = known
                        rows += known
                    else:
                        rows += (each.at(path, count) for each in known)
        if self.launch is Launch.EAGER:
            from .queue import queued  # loaded for those who need it

            return queued(self.layer, tuple(rows))
        return tuple(rows)

    def _order(self) -> Iterable[tuple[Phase, ...]]:
        backward = tuple(p for p in (Phase.DGRAD, Phase.WGRAD) if p in self.phases)
        groups = ((Phase.FPROP,), backward, (Phase.UPDATE,))
        return (group for group in groups if group and set(group) <= set(self.phases))

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
        if field not in {f.name for f in fields(self.layer)}:
            raise ValueError(f"{type(self.layer).__name__} has no field {field!r}")
        change: dict[str, Any] = {field: value}
        return replace(self, layer=replace(self.layer, **change))

    def on(self, gpu: Gpu) -> "Scenario":
        """Return the same question on another GPU, in the nearest format where it lacks this one."""
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


def _chosen(choice: type[StrEnum], name: str, value: object) -> StrEnum:
    if type(value) is choice:
        return value
    if value not in list(choice):
        raise ValueError(f"a scenario's {name} cannot be {value!r}: choose from {', '.join(choice)}")
    return choice(str(value))


def nearest(dtype: DType, gpu: Gpu) -> DType:
    """Return the GPU's format closest in size to ``dtype``: of equals the one it lists first."""
    return min(gpu.dtypes, key=lambda other: abs(other.bytes - dtype.bytes))
