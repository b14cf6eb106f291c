"""AlexNet, 2012: as torchvision has it, and as it was published, split over two GPUs."""

from dataclasses import dataclass

from ..layers import Sequence
from ..layers._fields import dim, flag
from ._chain import Chain
from ._model import Model


@dataclass(frozen=True)
class AlexNet(Model):
    """Five convolutions and three fully-connected layers, 1000 classes.

    ``grouped=False`` is torchvision's single-tower variant for 224 x 224 pixels. ``grouped=True`` is the
    original for 227 x 227, whose second, fourth and fifth convolutions are in two groups.
    """

    batch: int = dim(1, "Batch size", most=1024)
    grouped: bool = flag(False, "As published (two groups)")

    def build(self) -> Sequence:
        """Return the layers; local response normalization, without weights or products, is left out."""
        size, groups = (227, 2) if self.grouped else (224, 1)
        widths = (96, 256, 384, 384, 256) if self.grouped else (64, 192, 384, 256, 256)
        chain = Chain(self.batch, 3, size, size)
        chain.conv("conv1", widths[0], 11, stride=4, padding=0 if self.grouped else 2).act("relu1")
        chain.pool("pool1", 3, stride=2)
        chain.conv("conv2", widths[1], 5, padding=2, groups=groups).act("relu2").pool("pool2", 3, stride=2)
        chain.conv("conv3", widths[2], 3, padding=1).act("relu3")
        chain.conv("conv4", widths[3], 3, padding=1, groups=groups).act("relu4")
        chain.conv("conv5", widths[4], 3, padding=1, groups=groups).act("relu5").pool("pool5", 3, stride=2)
        chain.dropout("drop6").linear("fc6", 4096).act("relu6")
        chain.dropout("drop7").linear("fc7", 4096).act("relu7")
        return chain.linear("fc8", 1000).done()
