"""Passes over memory."""

from dataclasses import dataclass
from enum import StrEnum

from .._quick import quick
from ..dtypes import Format
from ._gemm import Gemm
from ._role import Operand


class Pass(StrEnum):
    """What a kernel does with the rows it reads."""

    ELEMENTWISE = "elementwise"  # looks at every element by itself
    SOFTMAX = "softmax"  # needs the maximum and the sum of a row first
    NORM = "norm"  # needs its mean and deviation first
    INDEXED = "indexed"  # computes where each element lies: one operand is repeated, or transposed


@quick
@dataclass(frozen=True)
class Stream:
    """One pass over memory on the CUDA cores: elements read and written, flops done on the way.

    ``flops`` counts everything; ``macs`` the multiply-adds among it (of a depthwise convolution).
    """

    reads: int
    writes: int
    flops: int
    macs: int = 0
    kept: int = 0  # elements of activations that backward reads besides gradients
    weights: int = 0  # elements of weights moved
    side_bytes: float = 0.0  # masks, indices and statistics, whose size no format changes
    role: Operand = Operand.ACTIVATION  # of what is read and written
    kind: Pass = Pass.ELEMENTWISE
    rows: int = 0  # that are reduced, each on its own; 0: none
    kernels: int = 1  # that each move all of it
    steps: int = 1  # time steps, each of which moves its share after the one before

    @property
    def gemms(self) -> tuple[Gemm, ...]:
        """None."""
        return ()

    def traffic(self, form: Format) -> float:
        """Return the bytes moved."""
        moved = (self.reads + self.writes) * self.role.dtype(form).bytes
        kept = self.kept * form.activations.bytes
        return moved + kept + self.weights * form.weights.bytes + self.side_bytes
