"""What a GPU is asked to do: matrix products, and passes over memory.

Every layer lowers to these. A multiply-add counts as two flops, as NVIDIA and torch count it.
Sizes are in elements; only ``traffic`` returns bytes, each operand moved once.
"""

from dataclasses import dataclass
from enum import StrEnum

from .dtypes import DType, Format


class Phase(StrEnum):
    """A part of a training step."""

    FPROP = "fprop"
    DGRAD = "dgrad"  # gradient of the input activations
    WGRAD = "wgrad"  # gradient of the weights
    UPDATE = "update"  # the optimizer's step


TRAINING = tuple(Phase)


class Operand(StrEnum):
    """What a tensor is to its layer: a ``Format`` stores each role in a format of its own."""

    WEIGHT = "weights"
    ACTIVATION = "activations"
    GRADIENT = "gradients"

    def dtype(self, form: Format) -> DType:
        """Return the number format that stores this role."""
        match self:
            case Operand.WEIGHT:
                return form.weights
            case Operand.ACTIVATION:
                return form.activations
            case Operand.GRADIENT:
                return form.gradients


@dataclass(frozen=True)
class Gemm:
    """C = A B, with A of m x k, B of k x n and C of m x n, as in BLAS.

    ``batch`` products run at once, ``repeat`` such batches one after another (time steps).
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

    @property
    def macs(self) -> int:
        """Multiply-adds."""
        return self.repeat * self.batch * self.m * self.n * self.k

    @property
    def flops(self) -> int:
        """Two for each multiply-add."""
        return 2 * self.macs

    def traffic(self, form: Format) -> float:
        """Return the bytes moved if A and B are read once and C is written once."""
        once = (
            self.m * self.k * self.a.dtype(form).bytes
            + self.k * self.n * self.b.dtype(form).bytes
            + self.m * self.n * self.c.dtype(form).bytes
        )
        return self.repeat * self.batch * once

    def leading_bytes(self, form: Format) -> tuple[float, ...]:
        """Return the byte size of each operand's contiguous dimension: its rows start that far apart."""
        size = {"m": self.m, "n": self.n, "k": self.k}
        operands = zip(self.leading, (self.a, self.b, self.c), strict=True)
        return tuple(size[letter] * operand.dtype(form).bytes for letter, operand in operands)


@dataclass(frozen=True)
class Stream:
    """One pass over memory on the CUDA cores: elements read and written, flops done on the way."""

    reads: int
    writes: int
    flops: int

    @property
    def macs(self) -> int:
        """None: a stream's flops are counted one by one."""
        return 0

    def traffic(self, form: Format) -> float:
        """Return the bytes moved, all of them activations."""
        return (self.reads + self.writes) * form.activations.bytes


Op = Gemm | Stream
