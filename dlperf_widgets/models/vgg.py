"""VGG, 2014: nothing but 3 x 3 convolutions, and most parameters in one fully-connected layer."""

from dataclasses import dataclass

from ..layers import Sequence
from ..layers._fields import dim
from ._chain import Chain
from ._model import Model

_STAGES = ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3))  # channels, convolutions


@dataclass(frozen=True)
class Vgg16(Model):
    """Thirteen convolutions and three fully-connected layers for 224 x 224 pixels, 1000 classes."""

    batch: int = dim(1, "Batch size", most=1024)

    def build(self) -> Sequence:
        """Return the layers, named as in the paper."""
        chain = Chain(self.batch, 3, 224, 224)
        for stage, (channels, convolutions) in enumerate(_STAGES, 1):
            for i in range(1, convolutions + 1):
                chain.conv(f"conv{stage}_{i}", channels, 3, padding=1).act(f"relu{stage}_{i}")
            chain.pool(f"pool{stage}", 2, stride=2)
        for name in ("6", "7"):
            chain.linear(f"fc{name}", 4096).act(f"relu{name}").dropout(f"drop{name}")
        return chain.linear("fc8", 1000).done()
