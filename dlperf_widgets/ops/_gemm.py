"""Matrix products."""

from dataclasses import dataclass

from .._quick import quick
from ..dtypes import Format
from ._role import Operand


@quick
@dataclass(frozen=True)
class Gemm:
    """C = A B, with A of m x k, B of k x n and C of m x n, as in BLAS.

    ``batch`` products run at once, ``repeat`` such batches one after another (time steps); a
    ``resident`` A stays on the chip meanwhile and is read once.
    """

    m: int
    n: int
    k: int
    batch: int = 1
    repeat: int = 1
    a: Operand = Operand.WEIGHT
    b: Operand = Operand.ACTIVATION
    c: Operand = Operand.ACTIVATION
    leading: str = "kkm"  # for A, B, C: which of m, n, k is contiguous in memory
    resident: bool = False

    @property
    def macs(self) -> int:
        """Multiply-adds."""
        return self.repeat * self.batch * self.m * self.n * self.k

    @property
    def flops(self) -> int:
        """Two for each multiply-add."""
        return 2 * self.macs

    @property
    def gemms(self) -> tuple["Gemm", ...]:
        """Itself."""
        return (self,)

    @property
    def tiled(self) -> "Gemm":
        """Itself."""
        return self

    def traffic(self, form: Format) -> float:
        """Return the bytes moved if A and B are read once a repeat and C is written once a repeat."""
        a = self.m * self.k * self.a.dtype(form).bytes
        b = self.k * self.n * self.b.dtype(form).bytes
        c = self.m * self.n * self.c.dtype(form).bytes
        if self.resident:
            return self.batch * (a + self.repeat * (b + c))
        return self.repeat * self.batch * (a + b + c)

    def leading_bytes(self, form: Format) -> tuple[float, ...]:
        """Return the byte size of each operand's contiguous dimension: its rows start that far apart."""
        size = {"m": self.m, "n": self.n, "k": self.k}
        return (
            size[self.leading[0]] * self.a.dtype(form).bytes,
            size[self.leading[1]] * self.b.dtype(form).bytes,
            size[self.leading[2]] * self.c.dtype(form).bytes,
        )
