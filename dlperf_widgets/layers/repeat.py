"""A layer many times over, and a layer with another's weights."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod

from .._given import thing
from ..ops import Op, Phase
from ._composite import Composite, Parts, described
from ._fields import LARGEST, dim, parts
from ._layer import Layer, Saved, Shape


@dataclass(frozen=True)
class Repeat(Composite):
    """The same layer several times over, each time with weights of its own.

    Its operations are listed once, with a count: a model of 96 blocks has the rows of one.
    """

    layer: Layer = parts("Layer")
    times: int = dim(2, "Times", most=128, log=False)

    def check(self) -> None:
        """What it gives must be what it takes."""
        thing("Repeat: layer", Layer, self.layer)
        if max((count for _, _, count in self.leaves()), default=0) > LARGEST:
            raise ValueError(f"Repeat: times within times make a layer run more than {LARGEST:,} times")
        given, taken = self.layer.output_shape, self.layer.input_shape
        if self.times > 1 and prod(given) != prod(taken):
            raise ValueError(f"Repeat: the layer takes {described(taken)}, but gives {described(given)}")

    @property
    def parts(self) -> Parts:
        """The layer, named for its indices."""
        return ((f"[0..{self.times - 1}]", self.layer),)

    def leaves(self) -> Iterator[tuple[str, Layer, int]]:
        """Yield every simple layer inside once, with how often it runs."""
        for path, leaf, count in super().leaves():
            yield path, leaf, count * self.times

    @property
    def params(self) -> int:
        """Of all copies."""
        return self.times * self.layer.params

    @property
    def input_shape(self) -> Shape:
        """Of the layer."""
        return self.layer.input_shape

    @property
    def output_shape(self) -> Shape:
        """Of the layer."""
        return self.layer.output_shape

    @property
    def saved(self) -> Saved:
        """Of a chain of the copies."""
        one = self.layer.saved
        between = (self.times - 1) * max(one.output, one.input)
        return replace(one, extra=self.times * one.extra + between, side_bytes=self.times * one.side_bytes)


@dataclass(frozen=True)
class Tied(Layer):
    """A layer whose weights are another's, as an output layer's are the embedding's: no parameters."""

    layer: Layer = parts("Layer")

    def check(self) -> None:
        """What is tied is one simple layer."""
        thing("Tied: layer", Layer, self.layer)
        if isinstance(self.layer, Composite):
            raise ValueError(f"Tied takes a simple layer, not {type(self.layer).__name__}")

    @property
    def title(self) -> str:
        """The layer's name, marked."""
        return f"{self.layer.title} (tied)"

    def ops(self, phase: Phase) -> tuple[Op, ...]:
        """Return those of the layer: its gradients are computed, and added to the other's."""
        return self.layer.ops(phase)

    @property
    def epilogue_flops(self) -> int:
        """Of the layer."""
        return self.layer.epilogue_flops

    @property
    def input_shape(self) -> Shape:
        """Of the layer."""
        return self.layer.input_shape

    @property
    def output_shape(self) -> Shape:
        """Of the layer."""
        return self.layer.output_shape

    @property
    def saved(self) -> Saved:
        """Of the layer."""
        return self.layer.saved
