"""Transposed convolutions: cases that other tools count wrong, and the convolution they mirror."""

from dataclasses import replace
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets.dtypes import FP8, FP16, FP32, Format
from dlperf_widgets.layers import Conv1d, Conv2d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from dlperf_widgets.ops import Conv, Phase, Stream

PHASES = (Phase.FPROP, Phase.DGRAD, Phase.WGRAD)
MIRRORED = dict(zip(PHASES, (Phase.DGRAD, Phase.FPROP, Phase.WGRAD), strict=True))
FORM = Format(weights=FP8, activations=FP16, gradients=FP32)  # 1, 2 and 4 bytes


def op(layer, phase=Phase.FPROP):
    (only,) = layer.ops(phase)
    return only


class TestWorkedExamples:
    """Work is counted by input pixels, a bias by output pixels."""

    def test_one_pixel(self):
        layer = ConvTranspose2d(1, 32, 1, 1, 1, 3, 3, bias=False)
        assert layer.macs == 32 * 1 * 9 * (1 * 1) == 288
        assert layer.output_shape == (1, 1, 3, 3)

    def test_bias_by_output_pixels(self):
        layer = ConvTranspose2d(1, 3, 1, 2, 2, 2, 2, stride=2)
        assert layer.output_shape == (1, 1, 4, 4)
        assert layer.macs == 3 * 1 * 4 * (2 * 2) == 48
        assert layer.other_flops == 4 * 4

    def test_stride_does_not_multiply_the_work(self):
        layer = ConvTranspose2d(1, 64, 32, 16, 16, 4, 4, stride=2, padding=1, bias=False)
        assert layer.output_shape == (1, 32, 32, 32)  # 15*2 - 2 + 3 + 1
        assert layer.macs == 64 * 32 * 16 * 256 == 8_388_608
        # 4 x 4 taps over four places of 2 x 2: four products of 256 rows, each of 64 * 4
        (product,) = op(layer).gemms
        assert (product.m, product.n, product.k, product.repeat) == (256, 32, 64 * 4, 4)
        assert sum(g.macs for g in op(layer).gemms) == layer.macs

    def test_five_hundred_steps(self):
        layer = ConvTranspose2d(6, 192, 384, 30, 96, 2, 2, stride=2)
        forward, backward = (
            500 * sum(op(layer, phase).flops for phase in phases) for phases in (PHASES[:1], PHASES[1:])
        )
        # 500 * 2 * 6*192*30*96 * 384 * 4; twice that backward
        assert forward == pytest.approx(5.096e12, rel=1e-4)
        assert backward == 2 * forward
        assert forward + backward == pytest.approx(15.29e12, rel=1e-3)

    def test_parameters(self):
        # C_in x C_out/g x R x S, and a bias an output channel
        layer = ConvTranspose2d(1, 8, 12, 5, 5, 3, 2, groups=4)
        assert layer.params == 8 * 3 * 3 * 2 + 12

    def test_one_and_three_axes(self):
        assert ConvTranspose1d(1, 4, 2, 10, 5, stride=3, output_padding=2).output_shape == (1, 2, 34)
        clip = ConvTranspose3d(1, 4, 2, 3, 4, 5, 2, 2, 2, stride=(1, 2, 3))
        assert clip.output_shape == (1, 2, 4, 8, 14)  # 2*1 + 2, 3*2 + 2, 4*3 + 2

    def test_each_role_has_its_bytes(self):
        layer = ConvTranspose2d(2, 64, 32, 16, 16, 4, 4, stride=2, padding=1)
        x, y, w = 2 * 64 * 256, 2 * 32 * 1024, 64 * 32 * 16
        assert op(layer).traffic(FORM) == 2 * x + w + 2 * y  # activations to activations
        assert op(layer, Phase.DGRAD).traffic(FORM) == 4 * y + w + 4 * x  # gradients to gradients
        assert op(layer, Phase.WGRAD).traffic(FORM) == 2 * x + 4 * y + 4 * w

    def test_each_product_has_its_roles(self):
        layer = ConvTranspose2d(2, 64, 32, 16, 16, 1, 1)
        x, y, w = 2 * 64 * 256, 2 * 32 * 256, 64 * 32
        moved = [op(layer, phase).tiled.traffic(FORM) for phase in PHASES]
        assert moved == [2 * x + w + 2 * y, 4 * y + w + 4 * x, 4 * y + 2 * x + 4 * w]

    def test_leading_dimensions_have_their_roles(self):
        layer = ConvTranspose2d(2, 64, 32, 16, 16, 1, 1)
        # output channels 32, input channels 64: of 2 bytes forward, of 4 backward
        assert op(layer).leading_bytes(FORM) == (32 * 2, 64 * 2)
        assert op(layer, Phase.DGRAD).leading_bytes(FORM) == (32 * 4, 64 * 4)
        assert op(layer, Phase.WGRAD).leading_bytes(FORM) == (32 * 4, 64 * 2)

    def test_a_stride_beyond_the_kernel_leaves_holes(self):
        layer = ConvTranspose2d(1, 8, 8, 4, 4, 1, 1, stride=2, output_padding=1)
        assert layer.output_shape == (1, 8, 8, 8)
        # all 64 pixels are written, but the gradient of only 16 is of use
        assert op(layer).traffic(FORM) == 2 * 8 * 16 + 64 + 2 * 8 * 64
        assert op(layer, Phase.DGRAD).traffic(FORM) == 4 * 8 * 16 + 64 + 4 * 8 * 16

    def test_depthwise_runs_on_cuda_cores(self):
        layer = ConvTranspose2d(2, 16, 16, 8, 8, 4, 4, stride=2, padding=1, groups=16)
        x, y, w = 2 * 16 * 64, 2 * 16 * 256, 16 * 16
        assert all(isinstance(op(layer, phase), Stream) for phase in PHASES)
        assert op(layer).traffic(FORM) == 2 * x + w + 2 * y
        assert op(layer, Phase.DGRAD).traffic(FORM) == 4 * y + w + 4 * x
        wgrad = op(layer, Phase.WGRAD)
        assert (wgrad.kept, wgrad.reads) == (x, y)


@st.composite
def transposed(draw):
    """A possible transposed convolution along one axis."""
    stride, dilation, groups = (draw(st.integers(1, 4)) for _ in range(3))
    size, kernel, pad = draw(st.integers(1, 8)), draw(st.integers(1, 5)), draw(st.integers(0, 4))
    extra = draw(st.integers(0, max(stride, dilation) - 1))
    if (size - 1) * stride - 2 * pad + dilation * (kernel - 1) + extra + 1 < 1:
        pad = 0
    channels = 2 * groups, 3 * groups
    return ConvTranspose1d(
        2, *channels, size, kernel, stride, pad, dilation, groups, output_padding=extra, bias=False
    )


@given(transposed())
def test_it_is_the_gradient_of_the_mirrored_convolution(layer):
    conv = Conv1d(
        2, layer.out_channels, layer.in_channels, layer.output[0], layer.kernel_length,
        layer.stride, layer.padding, layer.dilation, layer.groups, bias=False,
    )  # fmt: skip
    assert conv.params == layer.params
    if conv.output != layer.size:  # output padding that only a dilation allows is a stride or more
        assert layer.output_padding >= layer.stride
        return
    assert conv.input_shape == layer.output_shape and conv.output_shape == layer.input_shape
    assert conv.macs == layer.macs
    for phase, mirrored in MIRRORED.items():
        assert replace(op(layer, phase), transposed=False) == op(conv, mirrored)


@given(transposed())
def test_every_phase_does_the_same_work(layer):
    assert {op(layer, phase).macs for phase in PHASES} == {layer.macs}
    taps = layer.in_channels * layer.out_channels // layer.groups * layer.kernel_length
    assert layer.macs == 2 * layer.length * taps
    for phase in PHASES:
        assert isinstance(op(layer, phase), Conv)
        assert op(layer, phase).traffic(FORM) > 0 and op(layer, phase).tiled.macs > 0
    assert op(layer, Phase.DGRAD).touched <= prod(layer.output_shape)


def test_it_undoes_the_shape_of_a_convolution():
    conv = Conv2d(2, 3, 8, 15, 16, 3, 3, stride=2, padding=1)
    assert conv.output == (8, 8)
    back = ConvTranspose2d(2, 8, 3, 8, 8, 3, 3, stride=2, padding=1)
    assert back.output == (15, 15)
    assert replace(back, output_padding=(0, 1)).output == (15, 16)  # which of the two it was


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (
            lambda: ConvTranspose2d(stride=2, output_padding=2),
            "ConvTranspose2d output_padding 2 of the height must be below its stride 2 or its dilation 1",
        ),
        (
            lambda: ConvTranspose2d(stride=(2, 1), output_padding=1),
            "output_padding 1 of the width must be below",
        ),
        (
            lambda: ConvTranspose1d(1, 1, 1, 1, 3, padding=2),
            "ConvTranspose1d padding 2 leaves an output length of -1",
        ),
        (lambda: ConvTranspose2d(padding="same"), "ConvTranspose2d padding must be a number"),
        (lambda: ConvTranspose2d(padding=-1), "ConvTranspose2d padding must be between 0"),
        (
            lambda: ConvTranspose2d(output_padding=(0, 0, 0)),
            r"ConvTranspose2d output_padding \(0, 0, 0\) must be one number, or 2",
        ),
        (lambda: ConvTranspose2d(groups=5), "ConvTranspose2d groups 5 must divide in_channels 64"),
    ],
)
def test_nonsense_is_one_sentence(build, words):
    with pytest.raises(ValueError, match=words) as caught:
        build()
    assert "\n" not in str(caught.value)


def test_output_padding_may_be_below_the_dilation():
    assert ConvTranspose1d(1, 1, 1, 4, 2, dilation=3, output_padding=2).output == (3 + 3 + 2 + 1,)
