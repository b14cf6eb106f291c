"""Convolutions and their gradients."""

from dataclasses import dataclass
from functools import lru_cache
from math import prod

from ..dtypes import Format
from ._gemm import Gemm
from ._role import Operand, Phase


@dataclass(frozen=True)
class Conv:
    """A convolution of any number of axes, or one of its two gradients, as ``phase`` says.

    In the usual letters: N images of C channels and H x W pixels, K filters of R x S in g groups, outputs
    of P x Q. Multiply-adds that meet padding count.
    """

    phase: Phase
    batch: int  # N
    in_channels: int  # C
    out_channels: int  # K
    size: tuple[int, ...]  # H, W
    kernel: tuple[int, ...]  # R, S
    output: tuple[int, ...]  # P, Q
    stride: tuple[int, ...]
    padding: tuple[int, ...]  # before the first pixel
    dilation: tuple[int, ...]
    groups: int = 1

    @property
    def macs(self) -> int:
        """N K P Q (C/g) R S, in every phase."""
        taps = self.in_channels // self.groups * prod(self.kernel)
        return self.batch * self.out_channels * prod(self.output) * taps

    @property
    def flops(self) -> int:
        """Two for each multiply-add."""
        return 2 * self.macs

    @property
    def weights(self) -> int:
        """K (C/g) R S."""
        return self.out_channels * self.in_channels // self.groups * prod(self.kernel)

    @property
    def touched(self) -> int:
        """Input elements that some output depends on: a 1 x 1 window of stride 2 reads a quarter."""
        axes = zip(self.size, self.output, self.kernel, self.stride, self.padding, self.dilation, strict=True)
        return self.batch * self.in_channels * prod(touched(*axis) for axis in axes)

    @property
    def gemms(self) -> tuple[Gemm, ...]:
        """The implicit product of each group.

        The gradient of the input under strides is one smaller product for each place within a stride,
        run one after another: a single one would multiply zeros (stride squared times the work).
        """
        n, g = self.batch, self.groups
        c, k = self.in_channels // g, self.out_channels // g
        act, weight, grad = Operand.ACTIVATION, Operand.WEIGHT, Operand.GRADIENT
        match self.phase:
            case Phase.DGRAD:
                places = [-(-size // u) for size, u in zip(self.size, self.stride, strict=True)]
                taps = [-(-r // u) for r, u in zip(self.kernel, self.stride, strict=True)]
                rows, depth, repeat = n * prod(places), k * prod(taps), prod(self.stride)
                return (Gemm(rows, c, depth, g, repeat, a=grad, b=weight, c=grad, leading="knn"),)
            case Phase.WGRAD:
                taps_c, pixels = c * prod(self.kernel), n * prod(self.output)
                return (Gemm(taps_c, k, pixels, g, a=act, b=grad, c=grad, leading="mnn"),)
            case _:
                taps_c, pixels = c * prod(self.kernel), n * prod(self.output)
                return (Gemm(pixels, k, taps_c, g, a=act, b=weight, c=act, leading="knn"),)

    @property
    def tiled(self) -> Gemm:
        """The product of its groups."""
        return self.gemms[0]

    def traffic(self, form: Format) -> float:
        """Return the bytes moved: the two tensors the phase reads and the one it writes, each once."""
        act, weight, grad = (form.activations.bytes, form.weights.bytes, form.gradients.bytes)
        outputs = self.batch * self.out_channels * prod(self.output)
        match self.phase:
            case Phase.DGRAD:
                inputs = self.batch * self.in_channels * prod(self.size)
                return grad * outputs + weight * self.weights + grad * inputs
            case Phase.WGRAD:
                return act * self.touched + grad * outputs + grad * self.weights
            case _:
                return act * self.touched + weight * self.weights + act * outputs

    def leading_bytes(self, form: Format) -> tuple[float, ...]:
        """Return the byte sizes of the channels of input and output, contiguous in NHWC."""
        per_group = (self.in_channels // self.groups, self.out_channels // self.groups)
        return tuple(channels * form.activations.bytes for channels in per_group)


@lru_cache(4096)
def touched(size: int, output: int, kernel: int, stride: int, before: int, dilation: int) -> int:
    """Return how many pixels of one axis some window covers.

    Taps that are a multiple of the stride apart visit the same residue class; within it each covers a
    run of ``output`` places, and the runs are merged.
    """
    if dilation == 1 and stride <= kernel:
        return min(size, (output - 1) * stride + kernel - before)
    classes: dict[int, list[int]] = {}
    for tap in range(kernel):
        shift, residue = divmod(tap * dilation, stride)
        classes.setdefault(residue, []).append(shift)
    total = 0
    for residue, shifts in classes.items():
        first, last = -(-(before - residue) // stride), (size - 1 + before - residue) // stride
        end = first - 1
        for shift in shifts:
            start, stop = max(shift, end + 1), min(shift + output - 1, last)
            total += max(stop - start + 1, 0)
            end = max(end, stop)
    return total
