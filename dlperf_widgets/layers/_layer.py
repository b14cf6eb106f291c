"""The one thing a layer must say: what it asks of the GPU in each phase."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, fields
from functools import lru_cache
from typing import Any, ClassVar

from .._given import shown
from ..ops import Op, Phase
from ._fields import checked

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Saved:
    """What the forward pass keeps for backward, in elements, by what the tensor is to the layer.

    A layer's input is its predecessor's output: what both keep is kept once.
    """

    input: int = 0
    output: int = 0
    extra: int = 0  # other tensors in the format of the activations
    side_bytes: float = 0.0  # masks, indices and statistics, whose size no format changes

    @property
    def elements(self) -> int:
        """All of them, for a layer by itself."""
        return self.input + self.output + self.extra


def _named(layer: "Layer", sentence: str) -> str:
    """Return a refusal that names the layer: one from a part inside says too what was asked of the whole."""
    owner = type(layer).__name__
    if sentence.startswith(owner):
        return sentence
    asked = ", ".join(
        f"{f.name}={shown(value)}"
        for f in fields(layer)
        if f.metadata["kind"] != "parts" and (value := getattr(layer, f.name)) != f.default
    )
    return f"{owner} with {asked}: {sentence}" if asked else f"{owner}: {sentence}"


@lru_cache(256)
def _described(kind: type["Layer"]) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Return the names of a class's fields with what describes each: many layers are made of a class."""
    return tuple((f.name, f.metadata) for f in fields(kind))


class Layer(ABC):
    """A layer and its shapes. Subclasses are frozen dataclasses of described fields (``_fields``)."""

    scale: ClassVar[str] = "batch"  # the leading dimension: work is linear in it
    needs_input_gradient: ClassVar[bool] = True  # a network's first layer has none
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __post_init__(self) -> None:
        owner, given = type(self).__name__, self.__dict__
        for name, about in _described(type(self)):
            given[name] = checked(owner, name, about, given[name])
        try:
            self.check()
        except ValueError as error:
            raise ValueError(_named(self, str(error))) from None
        except RecursionError:
            raise ValueError(f"{owner}: too many layers within layers") from None

    def check(self) -> None:  # noqa: B027 (most fields fit whatever they are)
        """Raise ValueError if the fields, each valid, do not fit together."""

    @abstractmethod
    def ops(self, phase: Phase) -> tuple[Op, ...]:
        """Return the operations of one phase, in order."""

    @property
    @abstractmethod
    def input_shape(self) -> Shape:
        """Shape of the (first) input."""

    @property
    @abstractmethod
    def output_shape(self) -> Shape:
        """Shape of the output."""

    @property
    def title(self) -> str:
        """The layer's name in tables."""
        return type(self).__name__

    @property
    def params(self) -> int:
        """Trainable parameters."""
        return 0

    @property
    def saved(self) -> Saved:
        """What the forward pass keeps for backward."""
        return Saved()

    @property
    def macs(self) -> int:
        """Multiply-adds of one forward pass: products, depthwise convolutions included."""
        return sum(op.macs for op in self.ops(Phase.FPROP))

    @property
    def flops(self) -> int:
        """Flops of the products of one forward pass: two for each multiply-add."""
        return 2 * self.macs

    @property
    def epilogue_flops(self) -> int:
        """Forward flops done while a product is written, such as adding a bias: they move nothing."""
        return 0

    @property
    def other_flops(self) -> int:
        """Every other flop of one forward pass: bias, activation, normalization."""
        streams = sum(op.flops - 2 * op.macs for op in self.ops(Phase.FPROP))
        return streams + self.epilogue_flops

    @property
    def head(self) -> tuple[str, ...]:
        """Paths of the layers up to the first with parameters: what they are given needs no gradient."""
        paths: list[str] = []
        for path, leaf, _ in self.leaves():
            paths.append(path)
            if leaf.params:
                break
        return tuple(paths)

    def leaves(self) -> Iterator[tuple[str, "Layer", int]]:
        """Yield every simple layer inside, with its dotted path and how often it runs."""
        yield "", self, 1
