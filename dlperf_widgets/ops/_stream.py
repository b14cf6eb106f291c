"""Passes over memory."""

from dataclasses import dataclass

from ..dtypes import Format
from ._gemm import Gemm
from ._role import Operand


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

    @property
    def gemms(self) -> tuple[Gemm, ...]:
        """None."""
        return ()

    def traffic(self, form: Format) -> float:
        """Return the bytes moved."""
        moved = (self.reads + self.writes) * self.role.dtype(form).bytes
        kept = self.kept * form.activations.bytes
        return moved + kept + self.weights * form.weights.bytes + self.side_bytes
