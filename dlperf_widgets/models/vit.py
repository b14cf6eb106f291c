"""Vision transformers, 2020."""

from dataclasses import dataclass

from ..layers import ClassToken, Conv2d, LayerNorm, Linear, MultiheadAttention, Repeat, Sequence, Take
from ..layers._fields import dim
from ._model import Model
from ._transformer import pre_norm_block

_PATCH, _WIDTH, _HEADS, _BLOCKS = 16, 768, 12, 12


@dataclass(frozen=True)
class VitB16(Model):
    """ViT-B/16: patches of 16 x 16 pixels, 12 blocks of width 768, 1000 classes."""

    batch: int = dim(1, "Batch size", most=1024)
    size: int = dim(224, "Picture size", most=512, log=False, least=16)

    def build(self) -> Sequence:
        """Return the patch embedding, the encoder and the classifier."""
        patches = (self.size // _PATCH) ** 2
        tokens = patches + 1
        rows = self.batch * tokens
        attention = MultiheadAttention(self.batch, tokens, _WIDTH, _HEADS)
        return Sequence.of(
            patches=Conv2d(self.batch, 3, _WIDTH, self.size, self.size, _PATCH, _PATCH, stride=_PATCH),
            tokens=ClassToken(self.batch, patches, _WIDTH),
            blocks=Repeat(pre_norm_block(rows, _WIDTH, attention, 4 * _WIDTH), _BLOCKS),
            norm=LayerNorm(rows, _WIDTH),
            take=Take(self.batch, tokens, _WIDTH),
            head=Linear(self.batch, _WIDTH, 1000),
        )
