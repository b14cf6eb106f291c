"""Attention with the projections around it, as in a transformer block."""

from dataclasses import dataclass

from ._composite import Parts, Series
from ._fields import dim, flag
from ._layer import Shape
from .attention import Attention, shared
from .linear import Linear


@dataclass(frozen=True)
class MultiheadAttention(Series):
    """One projection to queries, keys and values, attention, and a projection back to ``width``.

    ``context`` tokens are already in the cache: the new ones attend to them too. The sizes left 0
    follow the others when those change.
    """

    batch: int = dim(8, "Batch size")
    sequence: int = dim(2048, "Sequence length", most=131072)
    width: int = dim(1024, "Width")
    heads: int = dim(16, "Heads", most=128)
    kv_heads: int = dim(0, "Key-value heads (0: as heads)", most=128, log=False, least=0)
    head_dim: int = dim(0, "Head dimension (0: width / heads)", most=256, log=False, least=0)
    causal: bool = flag(False, "Causal")
    fused: bool = flag(True, "Fused")
    bias: bool = flag(True, "Bias")
    context: int = dim(0, "Cached tokens", most=131072, log=False, least=0)

    def check(self) -> None:
        """Heads must share the width, and key-value heads the heads, evenly."""
        name = "MultiheadAttention"
        shared(name, self.heads, self.kv_heads)
        if not self.head_dim and self.width % self.heads:
            raise ValueError(
                f"{name} width {self.width} must be a multiple of heads {self.heads}, or head_dim be given"
            )
        _ = self.parts  # says so if a product of the sizes is too large

    @property
    def attention(self) -> Attention:
        """The attention inside, with every size a number."""
        return Attention(
            self.batch, self.sequence, self.context + self.sequence, self.heads,
            self.head_dim or self.width // self.heads, self.kv_heads, self.causal, self.fused,
        )  # fmt: skip

    @property
    def parts(self) -> Parts:
        """Projection to Q, K and V, attention, projection of its output."""
        attention, tokens = self.attention, self.batch * self.sequence
        return (
            ("qkv", Linear(tokens, self.width, attention.input_shape[-1], self.bias)),
            ("attention", attention),
            ("output", Linear(tokens, attention.output_shape[-1], self.width, self.bias)),
        )

    @property
    def input_shape(self) -> Shape:
        """(batch, sequence, width)."""
        return (self.batch, self.sequence, self.width)

    @property
    def output_shape(self) -> Shape:
        """(batch, sequence, width)."""
        return self.input_shape
