"""BERT, 2018."""

from dataclasses import dataclass

from ..layers import (
    Activation,
    Embedding,
    LayerNorm,
    Linear,
    MultiheadAttention,
    Repeat,
    Residual,
    Sequence,
    Take,
)
from ..layers._fields import choice, dim
from ._model import Model
from ._transformer import post_norm_block

_SIZES = {"base": (12, 768, 12), "large": (24, 1024, 16)}  # blocks, width, heads
_VOCABULARY, _POSITIONS, _SEGMENTS = 30522, 512, 2


@dataclass(frozen=True)
class Bert(Model):
    """The encoder with its pooler, uncased vocabulary."""

    size: str = choice("large", "Size", tuple(_SIZES))
    batch: int = dim(1, "Batch size", most=1024)
    sequence: int = dim(512, "Sequence", most=512, limit=_POSITIONS)

    def build(self) -> Sequence:
        """Return embeddings, encoder blocks and pooler."""
        blocks, width, heads = _SIZES[self.size]
        rows = self.batch * self.sequence
        words, positions, segments = (
            Embedding(rows, width, entries) for entries in (_VOCABULARY, _POSITIONS, _SEGMENTS)
        )
        attention = MultiheadAttention(self.batch, self.sequence, width, heads)
        return Sequence.of(
            embedding=Residual(Residual(words, positions), segments),
            norm=LayerNorm(rows, width),
            blocks=Repeat(post_norm_block(rows, width, attention, 4 * width), blocks),
            take=Take(self.batch, self.sequence, width),
            pooler=Linear(self.batch, width, width),
            tanh=Activation(self.batch * width, kind="tanh"),
        )
