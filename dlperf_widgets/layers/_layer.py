"""The one thing a layer must say: what it asks of the GPU in each phase."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import Field, field, fields
from operator import index
from typing import Any, ClassVar

from ..ops import Op, Phase

LARGEST = 2**31 - 1  # the largest size a 32-bit BLAS call can be given


def dim(default: int, label: str, most: int = 16384, log: bool = True) -> Any:
    """Describe a layer's dimension: its default, and what a control needs to draw a slider for it."""
    metadata = {"kind": "dim", "label": label, "min": 1, "max": most, "log": log}
    return field(default=default, metadata=metadata)


def flag(default: bool, label: str) -> Any:
    """Describe a layer's yes-or-no option."""
    return field(default=default, metadata={"kind": "flag", "label": label})


class Layer(ABC):
    """A layer and its shapes. Subclasses are frozen dataclasses of ``dim`` and ``flag`` fields."""

    scale: ClassVar[str] = "batch"  # the leading dimension: work is linear in it
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __post_init__(self) -> None:
        for f in fields(self):
            check = {"dim": _whole, "flag": _boolean}[f.metadata["kind"]]
            object.__setattr__(self, f.name, check(self, f.name, getattr(self, f.name)))

    @abstractmethod
    def ops(self, phase: Phase) -> tuple[Op, ...]:
        """Return the operations of one phase, in order."""

    @property
    @abstractmethod
    def params(self) -> int:
        """Trainable parameters."""

    @property
    def macs(self) -> int:
        """Multiply-adds of one forward pass."""
        return sum(op.macs for op in self.ops(Phase.FPROP))

    @property
    def flops(self) -> int:
        """Flops of the products of one forward pass: two for each multiply-add."""
        return 2 * self.macs

    def leaves(self) -> Iterator[tuple[str, "Layer"]]:
        """Yield every simple layer inside, with its dotted path."""
        yield "", self


def _whole(layer: Layer, name: str, value: object) -> int:
    kind = type(layer).__name__
    try:
        if isinstance(value, bool):
            raise TypeError
        size = index(value)  # type: ignore[arg-type]
    except TypeError:
        if not (isinstance(value, float) and value.is_integer()):
            raise ValueError(f"{kind} {name} must be a whole number, not {value!r}") from None
        size = int(value)
    if not 1 <= size <= LARGEST:
        raise ValueError(f"{kind} {name} must be between 1 and {LARGEST:,}, not {size:,}")
    return size


def _boolean(layer: Layer, name: str, value: object) -> bool:
    if value is not True and value is not False:
        raise ValueError(f"{type(layer).__name__} {name} must be True or False, not {value!r}")
    return value
