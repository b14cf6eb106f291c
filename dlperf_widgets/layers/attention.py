"""Attention: the products of queries, keys and values, without the projections around them."""

from dataclasses import dataclass

from ..ops import Attention as Kernel
from ..ops import Gemm, Op, Operand, Phase, Stream
from ._fields import dim, flag
from ._layer import Layer, Saved, Shape

_ACTIVATION, _GRADIENT = Operand.ACTIVATION, Operand.GRADIENT


@dataclass(frozen=True)
class Attention(Layer):
    """softmax(Q K' / sqrt(d)) V, where groups of heads may share the keys and values of ``kv_heads``.

    Fused, it is one kernel that keeps the scores on the chip and skips what the causal mask hides; its
    backward computes the scores again. Unfused, the scores go through memory and all of them are
    computed, masked or not. A causal mask aligns the last query with the last key, so that queries may
    continue cached keys; of more queries than keys the first see none.
    """

    batch: int = dim(8, "Batch size")
    queries: int = dim(2048, "Queries", most=131072)
    keys: int = dim(2048, "Keys", most=131072)
    heads: int = dim(16, "Heads", most=128)
    head_dim: int = dim(64, "Head dimension", most=256)
    kv_heads: int = dim(0, "Key-value heads (0: as heads)", most=128, log=False, least=0)
    causal: bool = flag(False, "Causal")
    fused: bool = flag(True, "Fused")

    def check(self) -> None:
        """Every key-value head must serve the same number of heads; 0 becomes as many as heads."""
        object.__setattr__(self, "kv_heads", shared("Attention", self.heads, self.kv_heads))

    def ops(self, phase: Phase) -> tuple[Op, ...]:
        """Return one kernel if fused; else products and softmax, backward four products."""
        match phase:
            case Phase.FPROP:
                return (self._kernel(phase),) if self.fused else self._forward()
            case Phase.DGRAD:
                return (self._kernel(phase),) if self.fused else self._backward()
            case _:
                return ()

    def _kernel(self, phase: Phase) -> Kernel:
        return Kernel(
            phase, self.batch, self.queries, self.keys, self.heads, self.head_dim, self.kv_heads, self.causal
        )

    @property
    def _sizes(self) -> tuple[int, int, int, int]:
        """One product a key-value head, over the queries of all heads it serves: keys are read once."""
        rows = self.heads // self.kv_heads * self.queries
        return rows, self.keys, self.head_dim, self.batch * self.kv_heads

    def _forward(self) -> tuple[Op, ...]:
        rows, t, d, many = self._sizes
        act, scores = _ACTIVATION, rows * t * many
        return (
            Gemm(rows, t, d, many, a=act, b=act, c=act, leading="kkn"),  # Q K'
            Stream(scores, scores, flops=5 * scores),  # max, subtract, exponential, sum, divide
            Gemm(rows, d, t, many, a=act, b=act, c=act, leading="knn"),  # P V
        )

    def _backward(self) -> tuple[Op, ...]:
        rows, t, d, many = self._sizes
        act, grad, scores = _ACTIVATION, _GRADIENT, rows * t * many
        return (
            Gemm(t, d, rows, many, a=act, b=grad, c=grad, leading="mnn"),  # dV = P' dO
            Gemm(rows, t, d, many, a=grad, b=act, c=grad, leading="kkn"),  # dP = dO V'
            # dS = P (dP - sum(P dP)): reads P and dP, and writes dS
            Stream(scores, scores, flops=4 * scores, kept=scores, role=grad),
            Gemm(rows, d, t, many, a=grad, b=act, c=grad, leading="knn"),  # dQ = dS K
            Gemm(t, d, rows, many, a=grad, b=act, c=grad, leading="mnn"),  # dK = dS' Q
        )

    @property
    def pairs(self) -> int:
        """Query-key pairs of one head that the mask leaves, exactly: S (S + 1) / 2 of a square."""
        return self._kernel(Phase.FPROP).pairs

    @property
    def pairs_half(self) -> int:
        """The same by the usual convention, which takes half of the masked square: S S / 2."""
        if not self.causal:
            return self.pairs
        square = min(self.queries, self.keys)
        return square * self.keys - square * square // 2

    @property
    def epilogue_flops(self) -> int:
        """Softmax inside the fused kernel: five a pair."""
        return self.fused * 5 * self.batch * self.heads * self.pairs

    @property
    def kv_cache(self) -> int:
        """Elements of the keys and values, which decoding keeps: 2 x batch x kv_heads x keys x head_dim."""
        return 2 * self.batch * self.kv_heads * self.keys * self.head_dim

    @property
    def input_shape(self) -> Shape:
        """(batch, queries, (heads + 2 x kv_heads) x head_dim): Q, K and V of the new tokens side by side."""
        return (self.batch, self.queries, (self.heads + 2 * self.kv_heads) * self.head_dim)

    @property
    def output_shape(self) -> Shape:
        """(batch, queries, heads x head_dim)."""
        return (self.batch, self.queries, self.heads * self.head_dim)

    @property
    def saved(self) -> Saved:
        """Q, K and V; fused also the output and 4 bytes a row, unfused the probabilities."""
        q = self.batch * self.queries * self.heads * self.head_dim
        # keys and values of the new tokens came as input, those of earlier ones from the cache
        new = self.kv_cache // self.keys * min(self.queries, self.keys)
        cached = self.kv_cache - new
        rows = self.batch * self.heads * self.queries
        if self.fused:
            return Saved(input=q + new, output=q, extra=cached, side_bytes=4 * rows)
        return Saved(input=q + new, extra=cached + rows * self.keys)


def shared(owner: str, heads: int, kv_heads: int) -> int:
    """Return the number of key-value heads, or raise ValueError if they do not divide the heads."""
    if kv_heads > heads:
        raise ValueError(f"{owner} kv_heads {kv_heads} is more than heads {heads}")
    if kv_heads and heads % kv_heads:
        raise ValueError(f"{owner} heads {heads} must be a multiple of kv_heads {kv_heads}")
    return kv_heads or heads
