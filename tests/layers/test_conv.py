"""Convolutions: worked examples with their arithmetic, laws, and sentences about bad input."""

from dataclasses import replace
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost import Limiter, Scenario, Tiling
from dlperf_widgets.cost.time import alignment
from dlperf_widgets.dtypes import FP8, FP16, FP32, INT8, TF32, Format, uniform
from dlperf_widgets.layers import Conv1d, Conv2d, Conv3d, DepthwiseSeparable, Linear
from dlperf_widgets.ops import Conv, Operand, Phase, Stream
from dlperf_widgets.ops._conv import touched

A100 = gpus.A100_SXM4_80GB
HALF = uniform(FP16)
BACKWARD = (Phase.DGRAD, Phase.WGRAD)
CONV1 = Conv2d(32, 3, 64, 224, 224, 7, 7, stride=2, padding=3)  # of ResNet
CONV2 = Conv2d(32, 64, 64, 56, 56, 3, 3, padding=1)
STRIDED = Conv2d(32, 128, 128, 56, 56, 3, 3, stride=2, padding=1)


def op(layer, phase=Phase.FPROP):
    (only,) = layer.ops(phase)
    return only


def gemm(layer, phase=Phase.FPROP):
    only = op(layer, phase).tiled
    return only.m, only.n, only.k


def intensity(layer, phase=Phase.FPROP):
    return op(layer, phase).flops / op(layer, phase).traffic(HALF)


class TestWorkedExamples:
    def test_the_three_products(self):
        # N 2, C 8, K 16, H W 12 x 10, R S 5 x 3; P = 12 + 2*1 - 5 + 1 = 10, Q = 10 + 2*1 - 3 + 1 = 10
        layer = Conv2d(2, 8, 16, 12, 10, 5, 3, padding=1)
        assert layer.output_shape == (2, 16, 10, 10)
        assert gemm(layer) == (2 * 10 * 10, 16, 8 * 5 * 3)  # NPQ x K x CRS
        assert gemm(layer, Phase.DGRAD) == (2 * 12 * 10, 8, 16 * 5 * 3)  # NHW x C x KRS
        assert gemm(layer, Phase.WGRAD) == (8 * 5 * 3, 16, 2 * 10 * 10)  # CRS x K x NPQ

    def test_groups_make_as_many_products(self):
        # C/g = 2, K/g = 4
        product_ = op(Conv2d(2, 8, 16, 12, 12, 3, 3, padding=1, groups=4)).tiled
        assert (product_.m, product_.n, product_.k, product_.batch) == (2 * 12 * 12, 4, 2 * 9, 4)

    def test_resnet_conv2(self):
        assert gemm(CONV2) == (100352, 64, 576)  # 32*56*56, 64, 64*9
        assert CONV2.flops == 2 * 100352 * 64 * 576 == 7_398_752_256
        # 2 (32*64*56*56 + 64*64*9 + 32*64*56*56)
        assert op(CONV2).traffic(HALF) == 25_763_840
        assert intensity(CONV2) == pytest.approx(287.18, abs=0.005)

    def test_resnet_conv1_and_padding_its_channels(self):
        padded = replace(CONV1, in_channels=4)
        assert CONV1.output_shape == (32, 64, 112, 112)  # (224 + 6 - 7) // 2 + 1
        assert gemm(CONV1) == (401408, 64, 147)  # 32*112*112, 64, 3*49
        assert CONV1.flops == 7_552_892_928
        assert intensity(CONV1) == pytest.approx(123.75, abs=0.005)
        assert gemm(padded) == (401408, 64, 196)  # 4*49
        assert intensity(padded) == pytest.approx(156.74, abs=0.005)
        assert padded.flops / CONV1.flops == pytest.approx(4 / 3)  # 33.3% more flops
        # 3 channels of 2 bytes are aligned to 2 bytes, 4 to 8
        assert (alignment(op(CONV1), HALF), alignment(op(padded), HALF)) == (2, 8)

    @pytest.mark.parametrize(("dtype", "multiple"), [(FP16, 8), (TF32, 4), (INT8, 16)])
    def test_channels_align_at_sixteen_bytes(self, dtype, multiple):
        layer = Conv2d(8, multiple, 3 * multiple, 14, 14, 3, 3)
        half = replace(layer, out_channels=multiple // 2)
        assert alignment(op(layer), uniform(dtype)) == 16
        assert alignment(op(half), uniform(dtype)) == 8

    def test_larger_sizes_are_more_efficient_but_not_faster(self):
        small, large = (
            Scenario(Conv2d(32, c, c, 28, 28, 3, 3, padding=1), A100, FP16).costs[0] for c in (64, 256)
        )
        assert large.efficiency > small.efficiency
        assert large.time > small.time

    def test_explicit_im2col_would_write_nine_times_the_input(self):
        rows, _, depth = gemm(CONV2)
        assert rows * depth == 9 * prod(CONV2.input_shape)

    def test_stride_divides_the_flops_but_not_the_input_read(self):
        dense = replace(STRIDED, stride=1)
        assert dense.flops == 4 * STRIDED.flops
        assert op(dense).touched == op(STRIDED).touched == prod(STRIDED.input_shape)
        assert intensity(STRIDED) < intensity(dense)

    def test_dilation_costs_nothing_if_the_output_stays(self):
        dilated = replace(CONV2, dilation=2, padding=2)
        assert dilated.output_shape == CONV2.output_shape
        assert dilated.flops == CONV2.flops
        assert op(dilated).traffic(HALF) == op(CONV2).traffic(HALF)

    @pytest.mark.parametrize(("batch", "tiles", "waves"), [(27, 108, 1), (28, 112, 2)])
    def test_wave_quantization(self, batch, tiles, waves):
        # 27*16*16 = 6912 rows in 54 tiles of 128, 256 channels in 2; 28 make 56 * 2 = 112
        layer = Conv2d(batch, 64, 256, 16, 16, 3, 3, padding="same")
        tiling = Tiling(op(layer).tiled, 128, 128, sms=108)
        assert (tiling.tiles, tiling.waves) == (tiles, waves)

    def test_pointwise_is_memory_limited_everywhere(self):
        layer = Conv2d(32, 256, 64, 56, 56, 1, 1)
        assert gemm(layer) == (100352, 64, 256)
        assert intensity(layer) == pytest.approx(51.17, abs=0.005)
        for gpu in (gpus.V100_SXM2_16GB, A100, gpus.H100_SXM5_80GB, gpus.T4):
            assert Scenario(layer, gpu, FP16).costs[0].limiter is Limiter.MEMORY

    def test_depthwise(self):
        layer = Conv2d(32, 512, 512, 14, 14, 3, 3, padding=1, groups=512)
        # 2*9 flops on 2 + 2 bytes each of 32*512*14*14, and 2*512*9 bytes of weights
        assert intensity(layer) == pytest.approx(4.497, abs=0.0005)
        assert isinstance(op(layer), Stream)
        assert layer.params == 512 * 9 + 512

    def test_strided_and_its_gradient(self):
        assert gemm(STRIDED) == (25088, 128, 1152)  # 32*28*28, 128, 128*9
        assert intensity(STRIDED) == pytest.approx(228.30, abs=0.005)
        gradient = op(STRIDED, Phase.DGRAD)
        naive = (32 * 56 * 56) * 128 * (128 * 9)
        assert naive == 4 * gradient.macs
        # even pixels meet one tap along an axis, odd ones two: (2 + 1)^2 = 9 taps over four products
        assert [(g.m, g.n, g.k, g.repeat) for g in gradient.gemms] == [
            (25088, 128, 128 * 4, 1),
            (25088, 128, 128 * 2, 2),
            (25088, 128, 128 * 1, 1),
        ]
        assert sum(g.macs for g in gradient.gemms) == gradient.macs == STRIDED.macs

    def test_a_pointwise_stride_of_two_reads_a_quarter(self):
        layer = Conv2d(32, 256, 512, 56, 56, 1, 1, stride=2)
        assert op(layer).touched == prod(layer.input_shape) // 4
        gradient = op(layer, Phase.DGRAD)
        assert sum(g.macs for g in gradient.gemms) == gradient.macs  # one place of four has work
        # 2 (N C H W / 4 + C K + N K P Q), but all of the input's gradient is written, zeros included
        outputs = prod(layer.output_shape)
        weights, inputs = 256 * 512, prod(layer.input_shape)
        assert op(layer).traffic(HALF) == 2 * (inputs // 4 + weights + outputs)
        assert gradient.traffic(HALF) == 2 * (inputs + weights + outputs)

    def test_backward_of_a_depthwise_convolution(self):
        # 24 channels, 3 x 3, 32 x 32 -> 30 x 30: 2*24*30*30*9 = 388,800 in each of three phases
        layer = Conv2d(1, 24, 24, 32, 32, 3, 3, groups=24, bias=False)
        work = [op(layer, phase).flops for phase in (Phase.FPROP, *BACKWARD)]
        assert work == [388_800] * 3 and sum(work) == 1_166_400

    @pytest.mark.parametrize(
        ("size", "kernel", "padding", "stride", "output"),
        [(227, 11, 0, 4, 55), (224, 11, 2, 4, 55), (224, 7, 3, 2, 112)],
    )
    def test_output_shapes(self, size, kernel, padding, stride, output):
        # (size + 2 padding - kernel) // stride + 1
        layer = Conv2d(1, 3, 64, size, size, kernel, kernel, stride, padding)
        assert layer.output_shape == (1, 64, output, output)

    def test_same_padding_puts_the_odd_pixel_at_the_end(self):
        # ceil(224 / 2) = 112; 111*2 + 3 - 224 = 1 pixel of padding, after the last
        layer = Conv2d(1, 3, 32, 224, 224, 3, 3, stride=2, padding="same")
        assert layer.output_shape == (1, 32, 112, 112)
        assert op(layer).padding == (0, 0)
        assert op(layer).touched == 3 * 224 * 224

    def test_valid_is_no_padding(self):
        layer = Conv2d(1, 3, 32, 9, 9, 3, 3)
        assert replace(layer, padding="valid").output_shape == layer.output_shape == (1, 32, 7, 7)

    def test_one_and_three_axes(self):
        line = Conv1d(4, 8, 16, length=100, kernel_length=5, stride=2, padding=2)
        assert line.output_shape == (4, 16, 50)  # (100 + 4 - 5) // 2 + 1
        assert line.macs == 4 * 16 * 50 * 8 * 5
        clip = Conv3d(2, 3, 8, 16, 32, 24, 3, 5, 7, stride=(1, 2, 2), padding=(1, 2, 3))
        assert clip.output_shape == (2, 8, 16, 16, 12)
        assert clip.macs == 2 * 8 * (16 * 16 * 12) * 3 * (3 * 5 * 7)
        assert clip.params == 8 * 3 * 105 + 8

    def test_bias_is_an_addition_an_output_and_a_parameter_a_channel(self):
        bare = replace(CONV2, bias=False)
        assert CONV2.params - bare.params == 64
        assert CONV2.other_flops - bare.other_flops == prod(CONV2.output_shape)
        assert CONV2.ops(Phase.FPROP) == bare.ops(Phase.FPROP)

    def test_backward_keeps_the_input(self):
        assert (CONV2.saved.elements, CONV2.saved.input) == (32 * 64 * 56 * 56,) * 2

    def test_each_role_has_its_bytes(self):
        # weights 1 byte, activations 2, gradients 4; x and y 100,352 * 64 elements, w 36,864
        form, e, w = Format(FP8, FP16, FP32), 100352 * 64, 64 * 64 * 9
        moved = [op(CONV2, phase).traffic(form) for phase in (Phase.FPROP, *BACKWARD)]
        assert moved == [2 * e + w + 2 * e, 4 * e + w + 4 * e, 2 * e + 4 * e + 4 * w]
        depthwise = replace(CONV2, groups=64)
        assert op(depthwise).traffic(form) == 2 * e + 64 * 9 + 2 * e
        assert op(depthwise, Phase.DGRAD).traffic(form) == 4 * e + 64 * 9 + 4 * e


class TestDepthwiseSeparable:
    @pytest.mark.parametrize(
        ("channels", "ratio"),
        [(64, 0.12674), (128, 0.11892), (256, 0.11502), (512, 0.11306), (1024, 0.11209)],
    )
    def test_its_share_of_a_standard_convolution(self, channels, ratio):
        # 1/K + 1/9
        layer = DepthwiseSeparable(8, channels, channels, 14, 14)
        standard = Conv2d(8, channels, channels, 14, 14, 3, 3, padding=1, bias=False)
        assert layer.output_shape == standard.output_shape
        assert layer.macs / standard.macs == pytest.approx(ratio, abs=5e-6)
        assert layer.params / standard.params == pytest.approx(1 / channels + 1 / 9)

    def test_it_keeps_the_tensor_between_too(self):
        layer = DepthwiseSeparable(8, 64, 128, 56, 56, stride=2)
        assert layer.output_shape == (8, 128, 28, 28)
        assert layer.saved.elements == 8 * 64 * (56 * 56 + 28 * 28)

    def test_it_gains_less_time_than_flops(self):
        layer = DepthwiseSeparable(32, 512, 512, 14, 14)
        standard = Conv2d(32, 512, 512, 14, 14, 3, 3, padding=1, bias=False)
        separable, whole = (Scenario(each, A100, FP16) for each in (layer, standard))
        assert [row.path for row in separable.costs] == ["depthwise", "pointwise"]
        assert separable.costs[0].arithmetic_intensity == pytest.approx(4.497, abs=0.0005)
        assert separable.time / whole.time > separable.flops / whole.flops


SIZES = st.integers(1, 12)


@st.composite
def windows(draw):
    """One axis: size, kernel, stride, padding and dilation of a possible convolution."""
    size, stride, dilation = draw(SIZES), draw(st.integers(1, 5)), draw(st.integers(1, 4))
    pad = draw(st.integers(0, 5))
    most = (size + 2 * pad - 1) // dilation + 1
    return size, draw(st.integers(1, min(most, 6))), stride, pad, dilation


def met(size, outputs, kernel, stride, before, dilation):
    """Return every (output, tap, pixel) that meets, by trying them all."""
    places = product(range(outputs), range(kernel))
    found = ((o, r, o * stride + r * dilation - before) for o, r in places)
    return [each for each in found if 0 <= each[2] < size]


@given(windows())
def test_touched_is_the_set_of_pixels_that_windows_meet(axis):
    size, kernel, stride, pad, dilation = axis
    layer = Conv1d(1, 1, 1, size, kernel, stride, pad, dilation)
    pixels = {pixel for _, _, pixel in met(size, layer.output[0], kernel, stride, pad, dilation)}
    assert op(layer).touched == len(pixels)


@given(SIZES, st.integers(1, 6), st.integers(1, 5), st.integers(1, 4))
def test_touched_with_same_padding(size, kernel, stride, dilation):
    layer = Conv1d(1, 1, 1, size, kernel, stride, "same", dilation)
    before, after = layer.pads[0]
    assert layer.output[0] == -(-size // stride)
    assert after - before in (0, 1)
    pixels = {pixel for _, _, pixel in met(size, layer.output[0], kernel, stride, before, dilation)}
    assert op(layer).touched == len(pixels)


@given(windows())
def test_touched_of_any_number_of_outputs(axis):
    size, kernel, stride, pad, dilation = axis
    for outputs in range(1, 8):
        pixels = {pixel for _, _, pixel in met(size, outputs, kernel, stride, pad, dilation)}
        assert touched(size, outputs, kernel, stride, pad, dilation) == len(pixels)


@given(windows())
def test_products_of_the_input_gradient_have_a_row_for_each_pixel_that_taps_can_reach(axis):
    size, kernel, stride, pad, dilation = axis
    taps = {
        pixel: [r for r in range(kernel) if (pixel + pad - r * dilation) % stride == 0]
        for pixel in range(size)
    }
    layer = Conv1d(1, 1, 1, size, kernel, stride, pad, dilation)
    gemms = op(layer, Phase.DGRAD).gemms
    pairs = sum(map(len, taps.values()))
    assert sum(g.macs for g in gemms) == (pairs or size)
    assert gemms[0].m * gemms[0].k == max(g.m * g.k for g in gemms)


@given(windows(), windows(), st.integers(1, 3))
def test_every_phase_does_the_same_work(one, other, groups):
    (h, r, u, p, d), (w, s, v, q, e) = one, other
    layer = Conv2d(2, 2 * groups, 3 * groups, h, w, r, s, (u, v), (p, q), (d, e), groups)
    assert op(layer).macs == op(layer, Phase.DGRAD).macs == op(layer, Phase.WGRAD).macs == layer.macs
    assert layer.ops(Phase.UPDATE) == ()


@given(windows(), st.integers(2, 4), st.integers(2, 3), st.integers(1, 3))
def test_groups_divide_work_and_weights(axis, groups, channels, filters):
    size, kernel, stride, pad, dilation = axis
    whole = Conv1d(2, channels * groups, filters * groups, size, kernel, stride, pad, dilation, bias=False)
    split = replace(whole, groups=groups)
    assert whole.macs == groups * split.macs
    assert whole.params == groups * split.params
    for phase in (Phase.FPROP, *BACKWARD):
        assert isinstance(op(split, phase), Conv)
        assert op(split, Phase.WGRAD).tiled.batch == groups


@given(st.integers(1, 300), st.integers(1, 300), st.integers(1, 300), st.booleans())
def test_a_pointwise_convolution_of_one_pixel_is_a_linear_layer(batch, inputs, outputs, bias):
    conv = Conv2d(batch, inputs, outputs, 1, 1, 1, 1, bias=bias)
    linear = Linear(batch, inputs, outputs, bias=bias)
    assert (conv.macs, conv.params, conv.other_flops) == (linear.macs, linear.params, linear.other_flops)
    form = Format(FP8, FP16, FP32)
    for phase in (Phase.FPROP, *BACKWARD):
        assert op(conv, phase).traffic(form) == op(linear, phase).traffic(form)
        assert op(conv, phase).tiled.traffic(form) == op(conv, phase).traffic(form)
        assert sorted(gemm(conv, phase)) == sorted(gemm(linear, phase))


def test_depthwise_runs_on_cuda_cores_in_every_phase():
    # 16 -> 32 channels, 9 x 9 -> 3 x 3: windows of one pixel, three apart
    layer = Conv2d(2, 16, 32, 9, 9, 1, 1, stride=3, groups=16)
    inputs, read, outputs, weights = 2 * 16 * 81, 2 * 16 * 9, 2 * 32 * 9, 32
    fprop, dgrad, wgrad = (op(layer, phase) for phase in (Phase.FPROP, *BACKWARD))
    assert (fprop.reads, fprop.writes, fprop.weights) == (read, outputs, weights)
    assert (dgrad.reads, dgrad.writes, dgrad.weights) == (outputs, inputs, weights)
    assert (wgrad.reads, wgrad.kept, wgrad.writes, wgrad.weights) == (outputs, read, weights, 0)
    assert {each.macs for each in (fprop, dgrad, wgrad)} == {outputs}
    assert dgrad.role is wgrad.role is Operand.GRADIENT
    assert layer.other_flops == outputs  # the bias


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (
            lambda: Conv2d(1, 64, 128, 8, 8, 3, 3, groups=3),
            "Conv2d groups 3 must divide in_channels 64 and out_channels 128",
        ),
        (
            lambda: Conv2d(1, 1, 1, 5, 9, 7, 7),
            r"Conv2d kernel_height 7 \(7 with dilation 1\) is larger than the padded height 5",
        ),
        (
            lambda: Conv2d(1, 1, 1, 9, 6, 3, 3, padding=1, dilation=4),
            r"Conv2d kernel_width 3 \(9 with dilation 4\) is larger than the padded width 8",
        ),
        (
            lambda: Conv2d(1, 1, 1, 8, 8, 3, 3, padding=(1, 1, 1)),
            r"Conv2d padding \(1, 1, 1\) must be one number, or 2: one for each of height, width",
        ),
        (lambda: Conv1d(stride=(1, 2)), r"Conv1d stride \(1, 2\) must be one number, or 1"),
        (lambda: Conv3d(dilation=(1, 2)), r"Conv3d dilation \(1, 2\) must be one number, or 3"),
        (lambda: Conv2d(stride=0), "Conv2d stride must be between 1"),
        (lambda: Conv2d(padding=-1), "Conv2d padding must be between 0"),
        (lambda: Conv2d(padding="full"), "Conv2d padding must be a number, or 'same' or 'valid', not 'full'"),
        (lambda: Conv2d(stride="same"), "Conv2d stride must be a number, or no word, not 'same'"),
        (lambda: Conv2d(dilation=(1, 0.5)), "Conv2d dilation must be a whole number, not 0.5"),
        (lambda: Conv1d(kernel_length=10**6), "Conv1d kernel_length must be between 1 and 65,536"),
        (lambda: DepthwiseSeparable(height=2, padding=0), "kernel_height 3 .* the padded height 2"),
    ],
)
def test_nonsense_is_one_sentence(build, words):
    with pytest.raises(ValueError, match=words) as caught:
        build()
    assert "\n" not in str(caught.value)
