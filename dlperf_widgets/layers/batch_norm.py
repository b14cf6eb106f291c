"""Normalizations of images: over the batch, over groups of channels, over each channel."""

from abc import abstractmethod
from dataclasses import dataclass
from enum import StrEnum

from ..ops import Operand, Phase, Stream
from ._fields import choice, dim, flag
from ._layer import Layer, Saved, Shape


class Passes(StrEnum):
    """How often batch normalization reads its input, which is what it costs."""

    PERSISTENT = "persistent"  # once: a channel stays on the chip between its statistics and their use
    TWO_PASS = "two-pass"  # once for mean and variance together, once to normalize
    THREE_PASS = "three-pass"  # once for the mean, once for the variance, once to normalize
    INFERENCE = "inference"  # once, with statistics known before
    FOLDED = "folded"  # never: inference, multiplied into the convolution before it


_READS = {  # of x forward, of x and dy backward
    Passes.PERSISTENT: (1, 1),
    Passes.TWO_PASS: (2, 2),
    Passes.THREE_PASS: (3, 2),
    Passes.INFERENCE: (1, 0),
    Passes.FOLDED: (0, 0),
}


class _ImageNorm(Layer):
    """A normalization of N images of C channels and H x W pixels."""

    batch: int
    channels: int
    height: int
    width: int

    @property
    def elements(self) -> int:
        """N C H W."""
        return self.batch * self.channels * self.height * self.width

    @property
    @abstractmethod
    def sets(self) -> int:
        """Sets of elements, each with a mean and a variance of its own."""

    @property
    def slab(self) -> int:
        """Elements of one set: what must fit on the chip for the input to be read once."""
        return self.elements // self.sets

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return one pass forward and one backward, of slabs that fit on the chip."""
        match phase:
            case Phase.FPROP:
                return (self.forward(1, flops=8),)
            case Phase.DGRAD:
                return (self.backward(1, flops=13),)
            case _:
                return ()

    def forward(self, reads: int, flops: int) -> Stream:
        """Return the operation that reads x so often, and writes y. The flops are for each element."""
        e = self.elements
        return Stream(reads * e, e, flops * e, weights=self.params, side_bytes=8 * self.sets)

    def backward(self, reads: int, flops: int) -> Stream:
        """Return the operation that reads x and dy so often, and writes dx and the parameters' gradients."""
        e = self.elements
        return Stream(
            reads * e, e + self.params, flops * e,
            kept=reads * e, weights=self.params // 2, side_bytes=8 * self.sets, role=Operand.GRADIENT,
        )  # fmt: skip

    @property
    def params(self) -> int:
        """A scale and a shift a channel."""
        return 2 * self.channels

    @property
    def input_shape(self) -> Shape:
        """(N, C, H, W)."""
        return (self.batch, self.channels, self.height, self.width)

    @property
    def output_shape(self) -> Shape:
        """(N, C, H, W)."""
        return self.input_shape

    @property
    def saved(self) -> Saved:
        """The input, and a mean and an inverse deviation in FP32 for each set."""
        return Saved(input=self.elements, side_bytes=8 * self.sets)


@dataclass(frozen=True)
class BatchNorm2d(_ImageNorm):
    """Normalization of every channel over the batch.

    A convention, as texts count 4 to 6 flops an element: statistics are 3 (a sum, a sum of squares) and
    normalizing 2 (one factor, one shift); backward has two sums, 3, and dx of dy and x, 4.
    """

    batch: int = dim(32, "Batch size", most=1024)
    channels: int = dim(64, "Channels", most=4096)
    height: int = dim(56, "Height", most=1024)
    width: int = dim(56, "Width", most=1024)
    passes: str = choice(Passes.PERSISTENT, "Passes", tuple(map(str, Passes)))

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return one operation a direction, which counts every pass; none where it is folded away."""
        forward, backward = _READS[Passes(self.passes)]
        if phase is Phase.FPROP and forward:
            return (self.forward(forward, flops=2 if self.passes == Passes.INFERENCE else 5),)
        if phase is Phase.DGRAD and backward:
            return (self.backward(backward, flops=7),)
        return ()

    @property
    def sets(self) -> int:
        """One a channel."""
        return self.channels

    @property
    def saved(self) -> Saved:
        """As in training; inference keeps nothing."""
        return Saved() if self.passes in (Passes.INFERENCE, Passes.FOLDED) else super().saved


@dataclass(frozen=True)
class GroupNorm(_ImageNorm):
    """Normalization of every group of channels of every image."""

    batch: int = dim(32, "Batch size", most=1024)
    channels: int = dim(64, "Channels", most=4096)
    height: int = dim(56, "Height", most=1024)
    width: int = dim(56, "Width", most=1024)
    groups: int = dim(32, "Groups", most=4096)

    def check(self) -> None:
        """Groups are equally large."""
        if self.channels % self.groups:
            raise ValueError(
                f"GroupNorm: {self.groups} groups do not divide {self.channels} channels equally"
            )

    @property
    def sets(self) -> int:
        """One a group and image."""
        return self.batch * self.groups


@dataclass(frozen=True)
class InstanceNorm2d(_ImageNorm):
    """Normalization of every channel of every image; as in PyTorch, without parameters unless asked."""

    batch: int = dim(32, "Batch size", most=1024)
    channels: int = dim(64, "Channels", most=4096)
    height: int = dim(56, "Height", most=1024)
    width: int = dim(56, "Width", most=1024)
    affine: bool = flag(False, "Scale and shift")

    @property
    def params(self) -> int:
        """A scale and a shift a channel, if any."""
        return 2 * self.channels if self.affine else 0

    @property
    def sets(self) -> int:
        """One a channel and image."""
        return self.batch * self.channels
