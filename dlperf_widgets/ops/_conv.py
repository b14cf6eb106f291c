"""Convolutions and their gradients."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod

from .._quick import quick
from ..dtypes import Format
from ._gemm import Gemm
from ._role import Operand, Phase


@quick
@dataclass(frozen=True)
class Conv:
    """A convolution of any number of axes, or one of its two gradients, as ``phase`` says.

    In the usual letters: N images of C channels and H x W pixels, K filters of R x S in g groups, outputs
    of P x Q. Multiply-adds that meet padding count.

    A transposed convolution is the gradient of a convolution, run forward, so its phases are this one's
    with activations and gradients in each other's place: that is what ``transposed`` says.
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
    transposed: bool = False  # a phase of a transposed convolution, not of this one

    @property
    def roles(self) -> tuple[Operand, Operand]:
        """What the input and the output hold: values or gradients."""
        value, gradient = Operand.ACTIVATION, Operand.GRADIENT
        if self.transposed:
            value, gradient = gradient, value
        match self.phase:
            case Phase.DGRAD:
                return gradient, gradient
            case Phase.WGRAD:
                return value, gradient
            case _:
                return value, value

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
    def useful(self) -> float:
        """Share of the multiply-adds that meet no padding, exactly; the others multiply zeros.

        Of a transposed convolution they are those whose sums are not cut off.
        """
        axes = zip(self.size, self.output, self.kernel, self.stride, self.padding, self.dilation, strict=True)
        return prod(met(*axis) for axis in axes) / prod(self.output + self.kernel)

    @property
    def gemms(self) -> tuple[Gemm, ...]:
        """The implicit product of each group.

        The gradient of the input under strides is one smaller product for each place within a stride,
        run one after another: a single one would multiply zeros (stride squared times the work).
        """
        n, g = self.batch, self.groups
        c, k = self.in_channels // g, self.out_channels // g
        weight, (given, made) = Operand.WEIGHT, self.roles
        taps_c, pixels = c * prod(self.kernel), n * prod(self.output)
        match self.phase:
            case Phase.DGRAD:
                return tuple(
                    Gemm(n * places, c, k * taps, g, repeat, a=made, b=weight, c=given, leading="knn")
                    for places, taps, repeat in self._residues
                )
            case Phase.WGRAD:
                return (Gemm(taps_c, k, pixels, g, a=given, b=made, c=Operand.GRADIENT, leading="mnn"),)
            case _:
                return (Gemm(pixels, k, taps_c, g, a=given, b=weight, c=made, leading="knn"),)

    @property
    def _residues(self) -> list[tuple[int, int, int]]:
        """Pixels, taps and number of the places within a stride, most work first."""
        axes = zip(self.size, self.kernel, self.stride, self.padding, self.dilation, strict=True)
        combined = [
            tuple(map(prod, zip(*each, strict=True))) for each in product(*(residues(*a) for a in axes))
        ]
        counts: Counter[tuple[int, int]] = Counter()
        for places, taps, repeat in combined:
            counts[places, taps] += repeat
        order = sorted(counts.items(), key=lambda item: -prod(item[0]))
        return [(places, taps, repeat) for (places, taps), repeat in order]

    @property
    def tiled(self) -> Gemm:
        """The product of its groups; of several, the one with most work."""
        return self.gemms[0]

    def traffic(self, form: Format) -> float:
        """Return the bytes moved: the two tensors the phase reads and the one it writes, each once."""
        given, made = (role.dtype(form).bytes for role in self.roles)
        outputs = made * self.batch * self.out_channels * prod(self.output)
        match self.phase:
            case Phase.DGRAD:  # writes every pixel, zeros included
                inputs = given * self.batch * self.in_channels * prod(self.size)
                return outputs + form.weights.bytes * self.weights + inputs
            case Phase.WGRAD:
                return given * self.touched + outputs + form.gradients.bytes * self.weights
            case _:
                return given * self.touched + form.weights.bytes * self.weights + outputs

    def leading_bytes(self, form: Format) -> tuple[float, ...]:
        """Return the byte sizes of the channels of input and output, contiguous in NHWC."""
        per_group = (self.in_channels // self.groups, self.out_channels // self.groups)
        roles = zip(per_group, self.roles, strict=True)
        return tuple(channels * role.dtype(form).bytes for channels, role in roles)


@lru_cache(4096)
def touched(size: int, output: int, kernel: int, stride: int, before: int, dilation: int) -> int:
    """Return how many pixels of one axis some window covers.

    Taps that are a multiple of the stride apart visit the same residue class; within it each covers a
    run of ``output`` places, and the runs are merged.
    """
    if dilation == 1 and stride <= kernel:
        return max(0, min(size, (output - 1) * stride + kernel - before))
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


@lru_cache(4096)
def met(size: int, output: int, kernel: int, stride: int, before: int, dilation: int) -> int:
    """Return how many pairs of an output and a tap along one axis meet a pixel."""
    pairs = 0
    for place in range(-before, kernel * dilation - before, dilation):  # of the tap in the first window
        first, last = max(0, -(place // stride)), min(output - 1, (size - 1 - place) // stride)
        pairs += max(0, last - first + 1)
    return pairs


@lru_cache(4096)
def residues(
    size: int, kernel: int, stride: int, before: int, dilation: int
) -> tuple[tuple[int, int, int], ...]:
    """Return pixels, taps and number of the places within a stride along one axis that some tap meets.

    The gradient of a pixel sums only over taps whose window starts at a multiple of the stride.
    """
    taps = Counter(tap * dilation % stride for tap in range(kernel))
    kinds: Counter[tuple[int, int]] = Counter()
    for residue, many in taps.items():
        first = (residue - before) % stride
        if first < size:
            kinds[-(-(size - first) // stride), many] += 1
    # windows that meet nothing but padding: a product runs all the same, for zeros
    return tuple((*kind, count) for kind, count in kinds.items()) or ((size, 1, 1),)
