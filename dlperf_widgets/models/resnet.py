"""ResNet, 2015, for 1000 classes."""

from dataclasses import dataclass

from ..layers import Residual, Sequence
from ..layers._fields import choice, dim
from ..layers._layer import Shape
from ._chain import Chain
from ._model import Model

_BLOCKS = {
    "18": (2, 2, 2, 2),
    "34": (3, 4, 6, 3),
    "50": (3, 4, 6, 3),
    "101": (3, 4, 23, 3),
    "152": (3, 8, 36, 3),
}
_BOTTLENECK = ("50", "101", "152")


@dataclass(frozen=True)
class ResNet(Model):
    """A residual network of 18, 34, 50, 101 or 152 weighted layers.

    Version v1 halves the picture in a bottleneck's first 1 x 1 convolution, as published; v1.5, as
    torchvision and NVIDIA have it, in its 3 x 3 one.
    """

    depth: str = choice("50", "Depth", tuple(_BLOCKS))
    version: str = choice("v1.5", "Version", ("v1.5", "v1"))
    batch: int = dim(1, "Batch size", most=1024)
    size: int = dim(224, "Picture size", most=512, log=False, least=32)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", str(self.depth))  # 50 or "50"
        super().__post_init__()

    def build(self) -> Sequence:
        """Return the stem, four stages of blocks, and the classifier."""
        chain = Chain(self.batch, 3, self.size, self.size)
        chain.conv("conv1", 64, 7, stride=2, padding=3, bias=False).norm("bn1").act("relu1")
        chain.pool("pool1", 3, stride=2, padding=1)
        for stage, blocks in enumerate(_BLOCKS[self.depth]):
            for i in range(blocks):
                stride = 2 if stage and not i else 1
                name = f"conv{stage + 2}_{i + 1}"
                width = 64 * 2**stage
                chain.add(name, self._block(chain.shape, width, stride))
                chain.act(f"{name}_relu")
        return chain.global_pool("pool").linear("fc", 1000).done()

    def _block(self, shape: Shape, width: int, stride: int) -> Residual:
        body = Chain(*shape)
        if self.depth in _BOTTLENECK:
            out = 4 * width
            first, second = (stride, 1) if self.version == "v1" else (1, stride)
            body.conv("conv1", width, 1, stride=first, bias=False).norm("bn1").act("relu1")
            body.conv("conv2", width, 3, stride=second, padding=1, bias=False).norm("bn2").act("relu2")
            body.conv("conv3", out, 1, bias=False).norm("bn3")
        else:
            out = width
            body.conv("conv1", width, 3, stride=stride, padding=1, bias=False).norm("bn1").act("relu1")
            body.conv("conv2", width, 3, padding=1, bias=False).norm("bn2")
        if stride == 1 and shape[1] == out:
            return Residual(body.done())
        shortcut = Chain(*shape).conv("conv", out, 1, stride=stride, bias=False).norm("bn")
        return Residual(body.done(), shortcut.done())


def ResNet18(batch: int = 1, size: int = 224) -> ResNet:  # noqa: N802
    """Return the network of 18 layers."""
    return ResNet("18", batch=batch, size=size)


def ResNet34(batch: int = 1, size: int = 224) -> ResNet:  # noqa: N802
    """Return the network of 34 layers."""
    return ResNet("34", batch=batch, size=size)


def ResNet50(batch: int = 1, size: int = 224, version: str = "v1.5") -> ResNet:  # noqa: N802
    """Return the network of 50 layers."""
    return ResNet("50", version, batch, size)


def ResNet101(batch: int = 1, size: int = 224, version: str = "v1.5") -> ResNet:  # noqa: N802
    """Return the network of 101 layers."""
    return ResNet("101", version, batch, size)


def ResNet152(batch: int = 1, size: int = 224, version: str = "v1.5") -> ResNet:  # noqa: N802
    """Return the network of 152 layers."""
    return ResNet("152", version, batch, size)
