"""Depthwise separable convolutions."""

from dataclasses import dataclass

from ._composite import Parts, Series
from ._fields import axes, dim, flag
from .conv import WIDEST, Axes, Conv2d
from .sequence import Sequence


@dataclass(frozen=True)
class DepthwiseSeparable(Series):
    """A convolution of each channel by itself, then a 1 x 1 convolution that mixes them.

    Of a standard convolution's work 1/K + 1/(R S) is left, but the tensor between the two is kept too.
    """

    batch: int = dim(32, "Batch size")
    in_channels: int = dim(64, "Input channels")
    out_channels: int = dim(128, "Output channels")
    height: int = dim(56, "Height", most=1024)
    width: int = dim(56, "Width", most=1024)
    kernel: int = dim(3, "Kernel", most=11, log=False, limit=WIDEST)
    stride: Axes = axes(1, "Stride")
    padding: Axes | str = axes(1, "Padding", least=0, words=("same", "valid"))
    bias: bool = flag(False, "Bias")

    def check(self) -> None:
        """Both convolutions must be possible, one after the other."""
        Sequence(self.parts)

    @property
    def parts(self) -> Parts:
        """The convolution of each channel, and the one that mixes them."""
        depthwise = Conv2d(
            self.batch, self.in_channels, self.in_channels, self.height, self.width, self.kernel, self.kernel,
            self.stride, self.padding, groups=self.in_channels, bias=self.bias,
        )  # fmt: skip
        height, width = depthwise.output
        pointwise = Conv2d(
            self.batch, self.in_channels, self.out_channels, height, width, 1, 1, bias=self.bias
        )
        return (("depthwise", depthwise), ("pointwise", pointwise))
