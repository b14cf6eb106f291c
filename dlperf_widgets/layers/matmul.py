"""Products of two activations."""

from dataclasses import dataclass

from ..ops import Gemm, Operand, Phase
from ._fields import dim
from ._layer import Layer, Saved, Shape

_ACTIVATION, _GRADIENT = Operand.ACTIVATION, Operand.GRADIENT


@dataclass(frozen=True)
class Matmul(Layer):
    """C = A B of two activations, ``batch`` products at once, all stored by rows.

    Both operands need a gradient: backward is two products, and there are no weights.
    """

    batch: int = dim(16, "Batch size")
    m: int = dim(1024, "M")
    n: int = dim(1024, "N")
    k: int = dim(1024, "K")

    def ops(self, phase: Phase) -> tuple[Gemm, ...]:
        """Return the product forward, and the gradients of A and of B backward."""
        m, n, k, many = self.m, self.n, self.k, self.batch
        act, grad = _ACTIVATION, _GRADIENT
        match phase:
            case Phase.FPROP:
                return (Gemm(m, n, k, many, a=act, b=act, c=act, leading="knn"),)
            case Phase.DGRAD:
                return (
                    Gemm(m, k, n, many, a=grad, b=act, c=grad, leading="kkn"),  # dA = dC B'
                    Gemm(k, n, m, many, a=act, b=grad, c=grad, leading="mnn"),  # dB = A' dC
                )
            case _:
                return ()

    @property
    def input_shape(self) -> Shape:
        """(batch, m, k), of A."""
        return (self.batch, self.m, self.k)

    @property
    def output_shape(self) -> Shape:
        """(batch, m, n)."""
        return (self.batch, self.m, self.n)

    @property
    def saved(self) -> Saved:
        """Both operands, each for the other's gradient."""
        return Saved(input=self.batch * self.m * self.k, extra=self.batch * self.k * self.n)
