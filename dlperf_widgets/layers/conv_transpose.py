"""Transposed convolutions: a convolution's gradient, run forward."""

from dataclasses import dataclass

from ..ops import Conv, Phase, Stream
from ._fields import axes
from .conv import Axes, Convolution, Line, Plane, Volume, check_axes, each, lowered

# the phase of the mirrored convolution that computes each phase of the transposed one
_MIRRORED = {Phase.FPROP: Phase.DGRAD, Phase.DGRAD: Phase.FPROP, Phase.WGRAD: Phase.WGRAD}


@dataclass(frozen=True)
class Transposed(Convolution):
    """The mirror image of a convolution from ``out_channels`` to ``in_channels``.

    Padding is the mirrored convolution's, so it is cut off here; ``output_padding`` adds pixels at the
    end, where a stride leaves several input sizes that give the same output size.
    """

    padding: Axes = axes(0, "Padding", least=0)
    output_padding: Axes = axes(0, "Output padding", least=0)

    def check(self) -> None:
        """Output padding must be below stride or dilation, and something be left of the output."""
        super().check()
        kind, names = type(self).__name__, self.names
        check_axes(kind, "output_padding", self.output_padding, names)
        about = (each(value, names) for value in (self.output_padding, self.stride, self.dilation))
        for name, extra, stride, dilation in zip(names, *about, strict=True):
            if extra >= max(stride, dilation):
                raise ValueError(
                    f"{kind} output_padding {extra} of the {name} must be below its stride {stride} "
                    f"or its dilation {dilation}"
                )
        for name, pad, size in zip(names, each(self.padding, names), self.output, strict=True):
            if size < 1:
                raise ValueError(f"{kind} padding {pad} leaves an output {name} of {size}")

    @property
    def output(self) -> tuple[int, ...]:
        """Pixels of the output along each axis."""
        values = (each(value, self.names) for value in (self.stride, self.padding, self.output_padding))
        about = zip(self.size, self.reach, *values, strict=True)
        return tuple((size - 1) * u - 2 * pad + reach + extra for size, reach, u, pad, extra in about)

    def ops(self, phase: Phase) -> tuple[Conv | Stream, ...]:
        """Return the mirrored convolution's gradient, the convolution itself, or its weight gradient."""
        if phase is Phase.UPDATE:
            return ()
        mirrored = Conv(
            _MIRRORED[phase], self.batch, in_channels=self.out_channels, out_channels=self.in_channels,
            size=self.output, kernel=self.kernel, output=self.size,
            stride=each(self.stride, self.names), padding=each(self.padding, self.names),
            dilation=each(self.dilation, self.names), groups=self.groups, transposed=True,
        )  # fmt: skip
        return (lowered(mirrored),)


@dataclass(frozen=True)
class ConvTranspose1d(Transposed, Line):
    """A transposed convolution along one axis, of (batch, channels, length)."""


@dataclass(frozen=True)
class ConvTranspose2d(Transposed, Plane):
    """A transposed convolution of images, (batch, channels, height, width)."""


@dataclass(frozen=True)
class ConvTranspose3d(Transposed, Volume):
    """A transposed convolution of volumes or clips, (batch, channels, depth, height, width)."""
