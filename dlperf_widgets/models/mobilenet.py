"""MobileNets: depthwise separable convolutions, for 224 x 224 pixels and 1000 classes."""

from dataclasses import dataclass

from ..layers import Residual, Sequence
from ..layers._fields import dim, flag
from ..layers._layer import Shape
from ._chain import Chain
from ._model import Model

# output channels and stride of each depthwise separable convolution
_V1 = (
    (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1), (512, 1), (512, 1), (512, 1),
    (512, 1), (1024, 2), (1024, 1),
)  # fmt: skip
# expansion, output channels, blocks, stride of the first
_V2 = (
    (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1),
)  # fmt: skip


@dataclass(frozen=True)
class MobileNetV1(Model):
    """Thirteen depthwise separable convolutions, 2017; not ``separable``, standard 3 x 3 ones instead."""

    batch: int = dim(1, "Batch size", most=1024)
    separable: bool = flag(True, "Depthwise separable")

    def build(self) -> Sequence:
        """Return the layers."""
        chain = Chain(self.batch, 3, 224, 224)
        chain.conv("conv1", 32, 3, stride=2, padding=1, bias=False).norm("bn1").act("relu1")
        for i, (channels, stride) in enumerate(_V1, 2):
            if self.separable:
                given = chain.shape[1]
                chain.conv(f"dw{i}", given, 3, stride=stride, padding=1, groups=given, bias=False)
                chain.norm(f"dw{i}_bn").act(f"dw{i}_relu")
                chain.conv(f"pw{i}", channels, 1, bias=False).norm(f"pw{i}_bn").act(f"pw{i}_relu")
            else:
                chain.conv(f"conv{i}", channels, 3, stride=stride, padding=1, bias=False)
                chain.norm(f"bn{i}").act(f"relu{i}")
        return chain.global_pool("pool").linear("fc", 1000).done()


@dataclass(frozen=True)
class MobileNetV2(Model):
    """Seventeen inverted residuals with linear bottlenecks, 2018."""

    batch: int = dim(1, "Batch size", most=1024)

    def build(self) -> Sequence:
        """Return the layers."""
        chain = Chain(self.batch, 3, 224, 224)
        chain.conv("conv1", 32, 3, stride=2, padding=1, bias=False).norm("bn1").act("relu1", "relu6")
        block = 0
        for expansion, channels, blocks, first in _V2:
            for i in range(blocks):
                block += 1
                layer = _inverted(chain.shape, expansion, channels, first if i == 0 else 1)
                chain.add(f"block{block}", layer)
        chain.conv("conv2", 1280, 1, bias=False).norm("bn2").act("relu2", "relu6")
        return chain.global_pool("pool").dropout("drop").linear("fc", 1000).done()


def _inverted(shape: Shape, expansion: int, channels: int, stride: int) -> Sequence | Residual:
    given = shape[1]
    inner = expansion * given
    chain = Chain(*shape)
    if expansion != 1:
        chain.conv("expand", inner, 1, bias=False).norm("expand_bn").act("expand_relu", "relu6")
    chain.conv("dw", inner, 3, stride=stride, padding=1, groups=inner, bias=False)
    chain.norm("dw_bn").act("dw_relu", "relu6")
    chain.conv("project", channels, 1, bias=False).norm("project_bn")
    return Residual(chain.done()) if stride == 1 and given == channels else chain.done()
