"""Convolutions over one, two or three axes."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import ClassVar

from ..ops import Conv, Operand, Phase, Stream
from ._fields import axes, dim, flag
from ._layer import Layer, Saved, Shape

Axes = int | tuple[int, ...]
WIDEST = 2**16  # taps of a kernel along one axis: they are looked at one by one


@dataclass(frozen=True)
class Channels(Layer):
    """A layer from channels to channels. Subclasses have a size and a kernel for each of ``names``."""

    names: ClassVar[tuple[str, ...]]

    batch: int = dim(32, "Batch size")
    in_channels: int = dim(64, "Input channels")
    out_channels: int = dim(64, "Output channels")

    @property
    def size(self) -> tuple[int, ...]:
        """Pixels of the input along each axis."""
        return tuple(getattr(self, name) for name in self.names)

    @property
    def kernel(self) -> tuple[int, ...]:
        """Taps along each axis."""
        return tuple(getattr(self, f"kernel_{name}") for name in self.names)


@dataclass(frozen=True)
class Line(Channels):
    """One axis."""

    names = ("length",)

    length: int = dim(1024, "Length")
    kernel_length: int = dim(3, "Kernel length", most=31, log=False, limit=WIDEST)


@dataclass(frozen=True)
class Plane(Channels):
    """Two axes."""

    names = ("height", "width")

    height: int = dim(56, "Height", most=1024)
    width: int = dim(56, "Width", most=1024)
    kernel_height: int = dim(3, "Kernel height", most=11, log=False, limit=WIDEST)
    kernel_width: int = dim(3, "Kernel width", most=11, log=False, limit=WIDEST)


@dataclass(frozen=True)
class Volume(Channels):
    """Three axes."""

    names = ("depth", "height", "width")

    depth: int = dim(16, "Depth", most=256)
    height: int = dim(56, "Height", most=1024)
    width: int = dim(56, "Width", most=1024)
    kernel_depth: int = dim(3, "Kernel depth", most=11, log=False, limit=WIDEST)
    kernel_height: int = dim(3, "Kernel height", most=11, log=False, limit=WIDEST)
    kernel_width: int = dim(3, "Kernel width", most=11, log=False, limit=WIDEST)


@dataclass(frozen=True)
class Convolution(Channels):
    """What convolutions and transposed ones share. Fields come in the order Channels, a size, these."""

    stride: Axes = axes(1, "Stride")
    padding: Axes | str = axes(0, "Padding", least=0)
    dilation: Axes = axes(1, "Dilation")
    groups: int = dim(1, "Groups")
    bias: bool = flag(True, "Bias")

    def check(self) -> None:
        """Groups must divide the channels, and what is given for each axis be as many numbers."""
        kind = type(self).__name__
        if self.in_channels % self.groups or self.out_channels % self.groups:
            raise ValueError(
                f"{kind} groups {self.groups} must divide in_channels {self.in_channels} "
                f"and out_channels {self.out_channels}"
            )
        for name in ("stride", "padding", "dilation"):
            check_axes(kind, name, getattr(self, name), self.names)

    @property
    def reach(self) -> tuple[int, ...]:
        """Pixels from the first tap to the last along each axis, both included."""
        dilation = each(self.dilation, self.names)
        return tuple(d * (r - 1) + 1 for d, r in zip(dilation, self.kernel, strict=True))

    @property
    @abstractmethod
    def output(self) -> tuple[int, ...]:
        """Pixels of the output along each axis."""

    @property
    def params(self) -> int:
        """Weights, and one bias an output channel."""
        weights = self.in_channels * self.out_channels // self.groups * prod(self.kernel)
        return weights + self.bias * self.out_channels

    @property
    def epilogue_flops(self) -> int:
        """One addition of the bias an output."""
        return self.bias * prod(self.output_shape)

    @property
    def input_shape(self) -> Shape:
        """(batch, input channels, a size for each axis)."""
        return (self.batch, self.in_channels, *self.size)

    @property
    def output_shape(self) -> Shape:
        """(batch, output channels, a size for each axis)."""
        return (self.batch, self.out_channels, *self.output)

    @property
    def saved(self) -> Saved:
        """The input, for the gradient of the weights."""
        return Saved(input=prod(self.input_shape))


@dataclass(frozen=True)
class Direct(Convolution):
    """A convolution that is not transposed.

    Padding is given for both ends of an axis. "same" is TensorFlow's: size / stride outputs, rounded up,
    an odd pixel of padding at the end; for stride 1 it is PyTorch's too. "valid" is none.
    """

    padding: Axes | str = axes(0, "Padding", least=0, words=("same", "valid"))

    def check(self) -> None:
        """No window may be larger than the padded input."""
        super().check()
        about = zip(self.names, self.kernel, self.reach, each(self.dilation, self.names), strict=True)
        for (name, taps, reach, dilation), size, pad in zip(about, self.size, self.pads, strict=True):
            if reach > size + sum(pad):
                raise ValueError(too_large(type(self).__name__, name, taps, reach, dilation, size + sum(pad)))

    @property
    def pads(self) -> tuple[tuple[int, int], ...]:
        """Padding before the first and after the last pixel of each axis."""
        if self.padding == "same":
            stride = each(self.stride, self.names)
            return tuple(map(same, self.size, self.reach, stride))
        padding = 0 if isinstance(self.padding, str) else self.padding
        return tuple((pad, pad) for pad in each(padding, self.names))

    @cached_property
    def output(self) -> tuple[int, ...]:
        """Pixels of the output along each axis."""
        stride = each(self.stride, self.names)
        about = zip(self.size, self.pads, self.reach, stride, strict=True)
        return tuple((size + sum(pad) - reach) // u + 1 for size, pad, reach, u in about)

    def ops(self, phase: Phase) -> tuple[Conv | Stream, ...]:
        """Return the convolution of a phase. Bias is part of its epilogue and moves nothing more."""
        if phase is Phase.UPDATE:
            return ()
        conv = Conv(
            phase, self.batch, self.in_channels, self.out_channels,
            size=self.size, kernel=self.kernel, output=self.output,
            stride=each(self.stride, self.names), padding=tuple(before for before, _ in self.pads),
            dilation=each(self.dilation, self.names), groups=self.groups,
        )  # fmt: skip
        return (lowered(conv),)


@dataclass(frozen=True)
class Conv1d(Direct, Line):
    """A convolution along one axis, of (batch, channels, length)."""


@dataclass(frozen=True)
class Conv2d(Direct, Plane):
    """A convolution of images, (batch, channels, height, width)."""


@dataclass(frozen=True)
class Conv3d(Direct, Volume):
    """A convolution of volumes or clips, (batch, channels, depth, height, width)."""


def lowered(conv: Conv) -> Conv | Stream:
    """Return a product, or for one input channel a group (depthwise) a pass on the CUDA cores.

    Depthwise sums are too short for Tensor Cores.
    """
    if conv.groups == 1 or conv.in_channels != conv.groups:
        return conv
    inputs = conv.batch * conv.in_channels * prod(conv.size)
    outputs = conv.batch * conv.out_channels * prod(conv.output)
    flops, macs = conv.flops, conv.macs
    match conv.phase:
        case Phase.DGRAD:
            return Stream(outputs, inputs, flops, macs, weights=conv.weights, role=conv.roles[0])
        case Phase.WGRAD:
            kept, read = (
                (conv.touched, outputs) if conv.roles[0] is Operand.ACTIVATION else (outputs, conv.touched)
            )
            return Stream(read, conv.weights, flops, macs, kept=kept, role=Operand.GRADIENT)
        case _:
            return Stream(conv.touched, outputs, flops, macs, weights=conv.weights, role=conv.roles[0])


def each(value: Axes, names: tuple[str, ...]) -> tuple[int, ...]:
    """Return a number for each axis."""
    return (value,) * len(names) if isinstance(value, int) else value


def same(size: int, reach: int, stride: int) -> tuple[int, int]:
    """Return TensorFlow's SAME padding before and after one axis: just enough, an odd one after."""
    outputs = -(-size // stride)
    total = max((outputs - 1) * stride + reach - size, 0)
    return total // 2, total - total // 2


def check_axes(kind: str, field: str, value: Axes | str, names: tuple[str, ...]) -> None:
    """Raise ValueError if a tuple has not one number for each axis."""
    if isinstance(value, tuple) and len(value) != len(names):
        raise ValueError(
            f"{kind} {field} {value} must be one number, or {len(names)}: one for each of {', '.join(names)}"
        )


def too_large(kind: str, name: str, taps: int, reach: int, dilation: int, padded: int) -> str:
    """Return the sentence for a window that does not fit."""
    return (
        f"{kind} kernel_{name} {taps} ({reach} with dilation {dilation}) "
        f"is larger than the padded {name} {padded}"
    )
