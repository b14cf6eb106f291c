"""Dropout."""

from dataclasses import dataclass

from ..ops import Operand, Phase, Stream
from ._fields import dim
from ._layer import Saved
from .elementwise import Elementwise


@dataclass(frozen=True)
class Dropout(Elementwise):
    """y = x mask / (1 - rate), in training, with a mask of a byte an element. The rate changes no cost."""

    elements: int = dim(2**24, "Elements", most=2**28, limit=2**40)

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return a read, a write and the mask, both ways; drawing random numbers counts no flops."""
        if phase not in (Phase.FPROP, Phase.DGRAD):
            return ()
        role = Operand.ACTIVATION if phase is Phase.FPROP else Operand.GRADIENT
        return (Stream(self.elements, self.elements, 2 * self.elements, side_bytes=self.elements, role=role),)

    @property
    def saved(self) -> Saved:
        """The mask."""
        return Saved(side_bytes=self.elements)
