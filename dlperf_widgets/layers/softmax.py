"""Softmax."""

from dataclasses import dataclass

from ..ops import Operand, Pass, Phase, Stream
from ._fields import dim
from ._layer import Saved
from .norm import Rowwise


@dataclass(frozen=True)
class Softmax(Rowwise):
    """y = exp(x) / sum exp(x), along every row."""

    rows: int = dim(8192, "Rows", most=2**22)
    columns: int = dim(2048, "Columns", most=2**18)

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return a read and a write forward; backward reads y and dy, and writes dx."""
        e = self.elements
        match phase:
            case Phase.FPROP:  # maximum, subtract, exponential, sum, divide
                return (Stream(e, e, flops=5 * e, kind=Pass.SOFTMAX, rows=self.rows),)
            case Phase.DGRAD:  # dx = y (dy - sum y dy): PyTorch runs y dy as a kernel of its own
                return (Stream(e, e, flops=4 * e, kept=e, role=Operand.GRADIENT, kernels=2),)
            case _:
                return ()

    @property
    def saved(self) -> Saved:
        """The output."""
        return Saved(output=self.elements)
