"""Torch's modules for convolutions, poolings and normalizations of images."""

from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...layers import BatchNorm2d, GlobalPool2d, GroupNorm, InstanceNorm2d, Passes, Pool2d
from ...layers.conv import Direct, each
from ...layers.conv_transpose import Transposed
from ._how import How, Leaf

_CONVOLUTIONS = {1: nn.Conv1d, 2: nn.Conv2d, 3: nn.Conv3d}
_TRANSPOSED = {1: nn.ConvTranspose1d, 2: nn.ConvTranspose2d, 3: nn.ConvTranspose3d}
_TWO = ("height", "width")


class _Padded(nn.Module):
    """A convolution whose padding differs at the two ends, which torch pads for before."""

    def __init__(self, inner: nn.Module, pads: tuple[tuple[int, int], ...]) -> None:
        super().__init__()
        self.inner = inner
        self.pads = [end for pair in reversed(pads) for end in pair]  # torch lists the last axis first

    def forward(self, x: Tensor) -> Tensor:
        """Return the convolution of the padded input."""
        return self.inner(F.pad(x, self.pads))


def convolution(layer: Direct, how: How) -> Leaf:
    """Return a convolution of one, two or three axes."""
    even = all(before == after for before, after in layer.pads)
    module = _CONVOLUTIONS[len(layer.names)](
        layer.in_channels, layer.out_channels, layer.kernel,
        stride=each(layer.stride, layer.names), padding=tuple(b for b, _ in layer.pads) if even else 0,
        dilation=each(layer.dilation, layer.names), groups=layer.groups, bias=layer.bias, **how.made,
    )  # fmt: skip
    laid = how.module(module)
    return Leaf(layer, laid if even else _Padded(laid, layer.pads))


def transposed(layer: Transposed, how: How) -> Leaf:
    """Return a transposed convolution of one, two or three axes."""
    padding, extra = (each(value, layer.names) for value in (layer.padding, layer.output_padding))
    module = _TRANSPOSED[len(layer.names)](
        layer.in_channels, layer.out_channels, layer.kernel,
        stride=each(layer.stride, layer.names), padding=padding, output_padding=extra, groups=layer.groups,
        bias=layer.bias, dilation=each(layer.dilation, layer.names), **how.made,
    )  # fmt: skip
    return Leaf(layer, how.module(module))


def batch_norm(layer: BatchNorm2d, how: How) -> Leaf:
    """Return a batch normalization; which kernel reads its input how often is the libraries' choice."""
    module = nn.BatchNorm2d(layer.channels, **how.made)
    return Leaf(layer, module.eval() if layer.passes == Passes.INFERENCE else module)


def group_norm(layer: GroupNorm, how: How) -> Leaf:
    """Return a group normalization."""
    return Leaf(layer, nn.GroupNorm(layer.groups, layer.channels, **how.made))


def instance_norm(layer: InstanceNorm2d, how: How) -> Leaf:
    """Return an instance normalization."""
    return Leaf(layer, nn.InstanceNorm2d(layer.channels, affine=layer.affine, **how.made))


def pool(layer: Pool2d, how: How) -> Leaf:
    """Return a pooling by windows."""
    padding, dilation = each(layer.padding, _TWO), each(layer.dilation, _TWO)
    if layer.kind == "max":
        where = (layer.window, layer.strides, padding, dilation, layer.ceil_mode)
        return Leaf(layer, lambda x: F.max_pool2d(x, *where))
    where = (layer.window, layer.strides, padding, layer.ceil_mode)
    return Leaf(layer, lambda x: F.avg_pool2d(x, *where))


def global_pool(layer: GlobalPool2d, how: How) -> Leaf:
    """Return a pooling of all pixels."""
    function = F.adaptive_max_pool2d if layer.kind == "max" else F.adaptive_avg_pool2d
    return Leaf(layer, lambda x: function(x, 1))
