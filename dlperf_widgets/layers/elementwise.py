"""Layers that do the same to every element: limited by memory on every GPU."""

from dataclasses import dataclass

from ..ops import Operand, Phase, Stream
from ._fields import dim
from ._layer import Layer, Saved, Shape

_MOST = 2**28  # elements that a slider reaches
_LIMIT = 2**40  # that there can be: a pass over memory knows no 32-bit sizes


class Elementwise(Layer):
    """A layer over ``elements``, whatever their shape."""

    scale = "elements"
    elements: int

    @property
    def input_shape(self) -> Shape:
        """(elements,)."""
        return (self.elements,)

    @property
    def output_shape(self) -> Shape:
        """(elements,)."""
        return (self.elements,)


@dataclass(frozen=True)
class Add(Elementwise):
    """x + y. Backward hands the same gradient to both: nothing moves."""

    elements: int = dim(2**24, "Elements", most=_MOST, limit=_LIMIT)

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return two reads and a write forward."""
        if phase is not Phase.FPROP:
            return ()
        return (Stream(2 * self.elements, self.elements, flops=self.elements),)


@dataclass(frozen=True)
class Multiply(Elementwise):
    """x y, elementwise. Backward reads dz, x and y, and writes dx and dy."""

    elements: int = dim(2**24, "Elements", most=_MOST, limit=_LIMIT)

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return two reads and a write forward, three and two backward."""
        e = self.elements
        match phase:
            case Phase.FPROP:
                return (Stream(2 * e, e, flops=e),)
            case Phase.DGRAD:
                return (Stream(e, 2 * e, flops=2 * e, kept=2 * e, role=Operand.GRADIENT),)
            case _:
                return ()

    @property
    def saved(self) -> Saved:
        """Both factors."""
        return Saved(input=self.elements, extra=self.elements)
