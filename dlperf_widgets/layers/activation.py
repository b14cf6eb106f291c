"""Activations: what they compute hardly matters, what they move does."""

from dataclasses import dataclass
from typing import NamedTuple

from ..ops import Operand, Phase, Stream
from ._fields import choice, dim, flag
from ._layer import Saved, Shape
from .elementwise import Elementwise


class _Kind(NamedTuple):
    forward: int  # flops for each output element
    backward: int
    keeps_input: bool = False  # else backward needs the output alone
    gated: bool = False  # half of the input multiplies a function of the other half


# A convention, not a measurement: every add, multiply, compare and exponential is one flop, max(x, 0) is
# one, and GELU is its tanh form. The time of none depends on it: all are limited by memory.
_KINDS = {
    "relu": _Kind(1, 1),
    "relu6": _Kind(2, 2),
    "leaky_relu": _Kind(2, 2),
    "sigmoid": _Kind(4, 3),
    "tanh": _Kind(5, 3),
    "gelu": _Kind(8, 16, keeps_input=True),
    "silu": _Kind(5, 9, keeps_input=True),
    "hardswish": _Kind(5, 5, keeps_input=True),
    "glu": _Kind(5, 9, keeps_input=True, gated=True),
    "geglu": _Kind(9, 19, keeps_input=True, gated=True),
    "swiglu": _Kind(6, 12, keeps_input=True, gated=True),
}


@dataclass(frozen=True)
class Activation(Elementwise):
    """y = f(x), elementwise; the gated kinds take twice the ``elements`` they give.

    In place, y overwrites x: no tensor is allocated for it, but as much is moved.
    """

    elements: int = dim(2**24, "Elements", most=2**28, limit=2**40)
    kind: str = choice("relu", "Function", tuple(_KINDS))
    inplace: bool = flag(False, "In place")

    def check(self) -> None:
        """In place, the input is gone when backward runs."""
        if self.inplace and self._about.keeps_input:
            free = ", ".join(kind for kind, about in _KINDS.items() if not about.keeps_input)
            raise ValueError(
                f"Activation: {self.kind} cannot run in place, as its backward pass reads the input; "
                f"{free} can"
            )

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return a read and a write forward; backward reads dy and what was kept, and writes dx."""
        inputs, e, about = self.input_shape[0], self.elements, self._about
        match phase:
            case Phase.FPROP:
                return (Stream(inputs, e, flops=about.forward * e),)
            case Phase.DGRAD:
                return (Stream(e, inputs, about.backward * e, kept=inputs, role=Operand.GRADIENT),)
            case _:
                return ()

    @property
    def _about(self) -> _Kind:
        return _KINDS[self.kind]

    @property
    def input_shape(self) -> Shape:
        """(elements,), or twice as many where gated."""
        return (2 * self.elements if self._about.gated else self.elements,)

    @property
    def saved(self) -> Saved:
        """The output where backward needs no more, in place or not; else the input."""
        if self._about.keeps_input:
            return Saved(input=self.input_shape[0])
        return Saved(output=self.elements)

    @property
    def allocated(self) -> int:
        """Elements of new memory that forward takes: none in place."""
        return 0 if self.inplace else self.elements
