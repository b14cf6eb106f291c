"""Llama 2, 2023, and Llama 3, 2024: RMS norm, SwiGLU, rotary positions, grouped-query heads."""

from dataclasses import dataclass

from ..layers import Embedding, Linear, MultiheadAttention, Repeat, RmsNorm, Sequence
from ..layers._fields import choice, dim
from ._model import Model
from ._transformer import llama_block

_SIZES = {  # blocks, width, heads, key-value heads, inner width, vocabulary
    "2-7B": (32, 4096, 32, 32, 11008, 32000),
    "2-70B": (80, 8192, 64, 8, 28672, 32000),
    "3-8B": (32, 4096, 32, 8, 14336, 128256),
    "3-70B": (80, 8192, 64, 8, 28672, 128256),
}


@dataclass(frozen=True)
class Llama(Model):
    """A Llama by name; ``context`` tokens are in its cache already (0: a prefill, or a training step).

    Rotary positions are part of the attention kernel and move nothing here.
    """

    name: str = choice("2-7B", "Model", tuple(_SIZES))
    batch: int = dim(1, "Batch size", most=1024)
    sequence: int = dim(4096, "Sequence", most=131072)
    context: int = dim(0, "Cached tokens", most=131072, log=False, least=0)

    def build(self) -> Sequence:
        """Return embedding, blocks and the output layer, which has weights of its own."""
        blocks, width, heads, kv_heads, inner, vocabulary = _SIZES[self.name]
        rows = self.batch * self.sequence
        attention = MultiheadAttention(
            self.batch, self.sequence, width, heads, kv_heads, causal=True, bias=False, context=self.context
        )
        return Sequence.of(
            embedding=Embedding(rows, width, vocabulary),
            blocks=Repeat(llama_block(rows, width, attention, inner), blocks),
            norm=RmsNorm(rows, width),
            head=Linear(rows, width, vocabulary, bias=False),
        )
