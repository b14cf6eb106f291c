"""Fused attention."""

from dataclasses import dataclass

from .._quick import quick
from ..dtypes import Format
from ._gemm import Gemm
from ._role import Operand, Phase


@quick
@dataclass(frozen=True)
class Attention:
    """softmax(Q K') V in one fused kernel, forward (FPROP) or backward (DGRAD), heads at once.

    Causal masks align the last query with the last key. The backward pass computes Q K' again: five
    products for the forward's two.
    """

    phase: Phase
    batch: int
    queries: int
    keys: int
    heads: int
    head_dim: int
    kv_heads: int
    causal: bool = False

    @property
    def pairs(self) -> int:
        """Query-key pairs of one head that the mask leaves."""
        if not self.causal:
            return self.queries * self.keys
        # the last min(queries, keys) queries see keys - i of them, i = 0, 1, ...
        rows = min(self.queries, self.keys)
        return rows * self.keys - rows * (rows - 1) // 2

    @property
    def macs(self) -> int:
        """Forward 2, backward 5 for each pair, head and element of a head."""
        products = 5 if self.phase is Phase.DGRAD else 2
        return products * self.batch * self.heads * self.pairs * self.head_dim

    @property
    def flops(self) -> int:
        """Two for each multiply-add."""
        return 2 * self.macs

    @property
    def gemms(self) -> tuple[Gemm, ...]:
        """Forward: Q K' and P V; backward: Q K', dP = dO V', dV = P' dO, dQ = dS K, dK = dS' Q. Unmasked."""
        s, t, d, many = self.queries, self.keys, self.head_dim, self.batch * self.heads
        act = Operand.ACTIVATION
        if self.phase is Phase.DGRAD:
            shapes = [(s, t, d), (s, t, d), (t, d, s), (s, d, t), (t, d, s)]
        else:
            shapes = [(s, t, d), (s, d, t)]
        return tuple(Gemm(m, n, k, many, a=act, b=act, c=act, leading="kkn") for m, n, k in shapes)

    @property
    def tiled(self) -> Gemm:
        """The product that writes the output: blocks of queries are dealt to the SMs."""
        many = self.batch * self.heads
        return Gemm(self.queries, self.head_dim, self.keys, many, a=Operand.ACTIVATION, leading="knn")

    def traffic(self, form: Format) -> float:
        """Return the bytes moved: Q, K, V and O once and 4 bytes a row; backward also their gradients."""
        q = self.batch * self.heads * self.queries * self.head_dim
        kv = 2 * self.batch * self.kv_heads * self.keys * self.head_dim
        rows = 4 * self.batch * self.heads * self.queries  # log of the sum of exponentials, FP32
        act, grad = form.activations.bytes, form.gradients.bytes
        if self.phase is Phase.DGRAD:
            return act * (2 * q + kv) + rows + grad * (2 * q + kv)
        return act * (2 * q + kv) + rows

    def leading_bytes(self, form: Format) -> tuple[float, ...]:
        """Return the byte size of a head: the contiguous dimension of Q, K, V and O."""
        return (self.head_dim * form.activations.bytes,)
