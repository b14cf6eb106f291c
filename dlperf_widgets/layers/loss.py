"""Losses: many numbers in, one out."""

from dataclasses import dataclass

from ..ops import Operand, Phase, Stream
from ._fields import dim
from ._layer import Saved, Shape
from .elementwise import Elementwise
from .norm import Rowwise

_TARGET, _STATISTIC = 8, 4  # bytes a row: an INT64 class, an FP32 log of the sum of exponentials


@dataclass(frozen=True)
class CrossEntropy(Rowwise):
    """Softmax, logarithm and the mean over rows of the target's, fused; ``columns`` are the classes.

    The logits are stored as activations are; many programs convert them to FP32 before.
    """

    rows: int = dim(4096, "Rows", most=2**20)
    columns: int = dim(50257, "Classes", most=2**18)

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return a read of the logits forward; backward reads them again and writes their gradient."""
        e, side = self.elements, (_TARGET + _STATISTIC) * self.rows
        match phase:
            case Phase.FPROP:  # maximum, subtract, exponential, sum, subtract
                return (Stream(e, 0, flops=5 * e, side_bytes=side),)
            case Phase.DGRAD:  # subtract and exponential; subtract one at the target, scale
                return (Stream(0, e, flops=4 * e, kept=e, side_bytes=side, role=Operand.GRADIENT),)
            case _:
                return ()

    @property
    def output_shape(self) -> Shape:
        """(1,)."""
        return (1,)

    @property
    def saved(self) -> Saved:
        """The logits and a statistic a row: unfused, as many log-probabilities in their place."""
        return Saved(input=self.elements, side_bytes=_STATISTIC * self.rows)


@dataclass(frozen=True)
class MseLoss(Elementwise):
    """The mean of the squares of x - target."""

    elements: int = dim(2**24, "Elements", most=2**28, limit=2**40)

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return two reads forward; backward the same two and a write."""
        e = self.elements
        match phase:
            case Phase.FPROP:  # subtract, square, sum
                return (Stream(2 * e, 0, flops=3 * e),)
            case Phase.DGRAD:  # subtract, scale
                return (Stream(0, e, flops=2 * e, kept=2 * e, role=Operand.GRADIENT),)
            case _:
                return ()

    @property
    def output_shape(self) -> Shape:
        """(1,)."""
        return (1,)

    @property
    def saved(self) -> Saved:
        """The input and the target."""
        return Saved(input=self.elements, extra=self.elements)
