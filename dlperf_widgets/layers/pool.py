"""Pooling: limited by memory on every GPU."""

from abc import abstractmethod
from dataclasses import dataclass
from math import prod

from ..ops import Conv, Operand, Phase, Stream
from ._fields import axes, choice, dim, flag
from ._layer import Layer, Saved, Shape
from .conv import WIDEST, Axes, check_axes, each, too_large

_NAMES = ("height", "width")
_Axis = tuple[str, int, int, int, int, int]  # name, size, kernel, stride, padding, dilation
_KINDS = ("max", "average")
_INDEX = 8  # bytes: PyTorch keeps where each maximum was as a 64-bit index


class Pooling(Layer):
    """Every output is the maximum or the average of a window of its channel.

    Forward moves the pixels that some window covers, and the outputs. A maximum is found again backward
    by its index, 8 bytes an output: these count in what is saved and in the backward traffic, not in the
    forward traffic, which is inference's.
    """

    batch: int
    channels: int
    height: int
    width: int
    kind: str

    @property
    @abstractmethod
    def window(self) -> tuple[int, ...]:
        """Taps along each axis."""

    @property
    @abstractmethod
    def output(self) -> tuple[int, ...]:
        """Pixels of the output along each axis."""

    @property
    def covered(self) -> int:
        """Input elements that some window covers."""
        return prod(self.input_shape)

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return a compare or an add for each tap forward; backward the gradient goes where it came from."""
        inputs, outputs = prod(self.input_shape), prod(self.output_shape)
        flops = outputs * prod(self.window)
        match phase:
            case Phase.FPROP:
                return (Stream(self.covered, outputs, flops),)
            case Phase.DGRAD if self.kind == "max":
                index = _INDEX * outputs
                return (Stream(outputs, inputs, outputs, side_bytes=index, role=Operand.GRADIENT),)
            case Phase.DGRAD:
                return (Stream(outputs, inputs, flops, role=Operand.GRADIENT),)
            case _:
                return ()

    @property
    def input_shape(self) -> Shape:
        """(batch, channels, height, width)."""
        return (self.batch, self.channels, self.height, self.width)

    @property
    def output_shape(self) -> Shape:
        """(batch, channels, height, width)."""
        return (self.batch, self.channels, *self.output)

    @property
    def saved(self) -> Saved:
        """Of a maximum, the input and where each maximum was; of an average, nothing."""
        if self.kind == "average":
            return Saved()
        return Saved(input=prod(self.input_shape), side_bytes=_INDEX * prod(self.output_shape))


@dataclass(frozen=True)
class Pool2d(Pooling):
    """Pooling with a window that moves by ``stride``, as default by its own size.

    With ``ceil_mode`` a last window may hang over the end, if it starts within the input or its padding.
    """

    batch: int = dim(32, "Batch size")
    channels: int = dim(64, "Channels")
    height: int = dim(112, "Height", most=1024)
    width: int = dim(112, "Width", most=1024)
    kernel_height: int = dim(3, "Kernel height", most=11, log=False, limit=WIDEST)
    kernel_width: int = dim(3, "Kernel width", most=11, log=False, limit=WIDEST)
    stride: Axes | str = axes("kernel", "Stride", words=("kernel",))
    padding: Axes = axes(0, "Padding", least=0)
    dilation: Axes = axes(1, "Dilation")
    ceil_mode: bool = flag(False, "Count a last, partial window")
    kind: str = choice("max", "Kind", _KINDS)

    def check(self) -> None:
        """Windows must fit, padding be at most half of them, and averages have no dilation."""
        for name in ("stride", "padding", "dilation"):
            check_axes("Pool2d", name, getattr(self, name), _NAMES)
        if self.kind == "average" and set(each(self.dilation, _NAMES)) != {1}:
            raise ValueError(f"Pool2d dilation {self.dilation} is for max pooling: an average has none")
        for axis, output in zip(self._axes, self.output, strict=True):
            name, size, taps, _, pad, dilation = axis
            if 2 * pad > taps:
                raise ValueError(f"Pool2d padding {pad} is more than half of kernel_{name} {taps}")
            if output < 1:
                reach = dilation * (taps - 1) + 1
                raise ValueError(too_large("Pool2d", name, taps, reach, dilation, size + 2 * pad))

    @property
    def window(self) -> tuple[int, ...]:
        """Taps along each axis."""
        return (self.kernel_height, self.kernel_width)

    @property
    def strides(self) -> tuple[int, ...]:
        """How far the window moves along each axis."""
        return self.window if isinstance(self.stride, str) else each(self.stride, _NAMES)

    @property
    def _axes(self) -> list[_Axis]:
        """Each axis."""
        padding, dilation = each(self.padding, _NAMES), each(self.dilation, _NAMES)
        size = (self.height, self.width)
        return list(zip(_NAMES, size, self.window, self.strides, padding, dilation, strict=True))

    @property
    def output(self) -> tuple[int, ...]:
        """Pixels of the output along each axis."""
        return tuple(_outputs(axis, self.ceil_mode) for axis in self._axes)

    @property
    def covered(self) -> int:
        """Input elements that some window covers: with a stride above the kernel not all."""
        _, size, kernel, stride, padding, dilation = zip(*self._axes, strict=True)
        return Conv(
            Phase.FPROP, self.batch, self.channels, self.channels, size, kernel, self.output,
            stride, padding, dilation, groups=self.channels,
        ).touched  # fmt: skip


def _outputs(axis: _Axis, ceil_mode: bool) -> int:
    _, size, kernel, stride, pad, dilation = axis
    room = size + 2 * pad - dilation * (kernel - 1) - 1
    outputs = (-(-room // stride) if ceil_mode else room // stride) + 1
    # a last window that would see nothing but padding after the end is left out
    return outputs - (ceil_mode and (outputs - 1) * stride >= size + pad)


@dataclass(frozen=True)
class GlobalPool2d(Pooling):
    """One window over all of a channel: (batch, channels, 1, 1) is left."""

    batch: int = dim(32, "Batch size")
    channels: int = dim(2048, "Channels")
    height: int = dim(7, "Height", most=1024)
    width: int = dim(7, "Width", most=1024)
    kind: str = choice("average", "Kind", _KINDS)

    @property
    def window(self) -> tuple[int, ...]:
        """All pixels."""
        return (self.height, self.width)

    @property
    def output(self) -> tuple[int, ...]:
        """One pixel."""
        return (1, 1)
