"""Layers one after another."""

from dataclasses import dataclass
from itertools import pairwise
from math import prod

from ._composite import Parts, Series, described, named
from ._fields import parts
from ._layer import Layer


@dataclass(frozen=True)
class Sequence(Series):
    """Layers one after another: ``Sequence.of(up=Linear(...), act=Activation(...))``.

    Each takes what the one before gives, as it is or reshaped.
    """

    layers: Parts = parts("Layers", default=())

    @classmethod
    def of(cls, **layers: Layer) -> "Sequence":
        """Return the sequence of named layers, in the order given."""
        return cls(tuple(layers.items()))

    def check(self) -> None:
        """Every layer must take as many elements as the one before gives."""
        found = named("Sequence", self.layers)
        object.__setattr__(self, "layers", found)
        if not found:
            raise ValueError("Sequence needs at least one layer")
        for (first, before), (second, after) in pairwise(found):
            given, taken = before.output_shape, after.input_shape
            if prod(given) != prod(taken):
                raise ValueError(
                    f"Sequence: {second} ({type(after).__name__}) takes {described(taken)}, but "
                    f"{first} ({type(before).__name__}) gives {described(given)}"
                )

    @property
    def parts(self) -> Parts:
        """The layers."""
        return self.layers
