"""GPT-2, 2019, and GPT-3, 2020: decoders whose output layer has the embedding's weights."""

from dataclasses import dataclass

from ..layers import Embedding, LayerNorm, Linear, MultiheadAttention, Repeat, Residual, Sequence, Tied
from ..layers._fields import choice, dim
from ._model import Model
from ._transformer import pre_norm_block

_SIZES = {  # blocks, width, heads
    "small": (12, 768, 12),
    "medium": (24, 1024, 16),
    "large": (36, 1280, 20),
    "xl": (48, 1600, 25),
}
_VOCABULARY = 50257


@dataclass(frozen=True)
class Gpt2(Model):
    """GPT-2 in its four sizes, for up to 1024 tokens."""

    size: str = choice("small", "Size", tuple(_SIZES))
    batch: int = dim(1, "Batch size", most=1024)
    sequence: int = dim(1024, "Sequence", most=1024, limit=1024)

    def build(self) -> Sequence:
        """Return embeddings, blocks and the tied output layer."""
        return _decoder(self.batch, self.sequence, 1024, *_SIZES[self.size])


@dataclass(frozen=True)
class Gpt3(Model):
    """The largest GPT-3: 96 blocks of width 12288, for up to 2048 tokens."""

    batch: int = dim(1, "Batch size", most=1024)
    sequence: int = dim(2048, "Sequence", most=2048, limit=2048)

    def build(self) -> Sequence:
        """Return embeddings, blocks and the tied output layer; attention is dense in every block here."""
        return _decoder(self.batch, self.sequence, 2048, 96, 12288, 96)


def _decoder(batch: int, sequence: int, positions: int, blocks: int, width: int, heads: int) -> Sequence:
    rows = batch * sequence
    attention = MultiheadAttention(batch, sequence, width, heads, causal=True)
    return Sequence.of(
        embedding=Residual(Embedding(rows, width, _VOCABULARY), Embedding(rows, width, positions)),
        blocks=Repeat(pre_norm_block(rows, width, attention, 4 * width), blocks),
        norm=LayerNorm(rows, width),
        head=Tied(Linear(rows, width, _VOCABULARY, bias=False)),
    )
