"""Pooling: bytes, window by window."""

from dataclasses import replace
from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost import Limiter, Scenario
from dlperf_widgets.dtypes import FP16, FP32, Format, uniform
from dlperf_widgets.layers import GlobalPool2d, Pool2d
from dlperf_widgets.ops import Operand, Phase

HALF = uniform(FP16)
RESNET = Pool2d(32, 64, 112, 112, 3, 3, stride=2, padding=1)
KINDS = pytest.mark.parametrize("kind", ["max", "average"])


def op(layer, phase=Phase.FPROP):
    (only,) = layer.ops(phase)
    return only


def intensity(layer):
    return op(layer).flops / op(layer).traffic(HALF)


class TestWorkedExamples:
    @KINDS
    def test_three_by_three_of_unit_stride(self, kind):
        # 9 ops / (2 B + 2 B)
        layer = Pool2d(8, 64, 56, 56, 3, 3, stride=1, padding=1, kind=kind)
        assert intensity(layer) == 2.25
        assert Scenario(layer, gpus.V100_SXM2_16GB, FP16).costs[0].limiter is Limiter.MEMORY

    def test_of_resnet(self):
        assert RESNET.output_shape == (32, 64, 56, 56)
        # 2 B * 32*64 * (112*112 + 56*56)
        assert op(RESNET).traffic(HALF) == 64_225_280
        assert intensity(RESNET) == pytest.approx(0.9)  # 9 * 3136 / (2 * 15680): not 2.25

    def test_global(self):
        layer = GlobalPool2d(32, 2048, 7, 7)
        assert layer.output_shape == (32, 2048, 1, 1)
        assert intensity(layer) == pytest.approx(0.49)  # 49 / (2 * (49 + 1))
        assert layer.macs == layer.params == 0
        assert layer.other_flops == 32 * 2048 * 49

    def test_a_global_pool_is_one_window_over_everything(self):
        for kind in ("max", "average"):
            window = Pool2d(4, 8, 7, 5, 7, 5, kind=kind)
            layer = GlobalPool2d(4, 8, 7, 5, kind=kind)
            assert window.output_shape == layer.output_shape and window.saved == layer.saved
            for phase in Phase:
                assert window.ops(phase) == layer.ops(phase)

    def test_backward_of_a_maximum_reads_its_index(self):
        # gradients 4 B of 56*56 read and of 112*112 written, 8 B of index an output
        form = Format(FP16, FP16, FP32)
        backward = op(RESNET, Phase.DGRAD)
        assert backward.traffic(form) == 32 * 64 * (4 * (56 * 56 + 112 * 112) + 8 * 56 * 56)
        assert backward.role is Operand.GRADIENT

    def test_backward_of_an_average_reads_gradients_only(self):
        backward = op(replace(RESNET, kind="average"), Phase.DGRAD)
        assert backward.traffic(HALF) == op(RESNET).traffic(HALF)

    def test_what_is_saved(self):
        assert RESNET.saved.input == prod(RESNET.input_shape)
        assert RESNET.saved.side_bytes == 8 * 32 * 64 * 56 * 56
        average = replace(RESNET, kind="average").saved
        assert (average.elements, average.side_bytes) == (0, 0)

    def test_strides_beyond_the_window_skip_pixels(self):
        # windows of 2 x 2, 4 apart: a quarter of the pixels
        layer = Pool2d(1, 1, 16, 16, 2, 2, stride=4)
        assert op(layer).reads == 16 * 16 // 4
        assert op(layer, Phase.DGRAD).writes == 16 * 16

    def test_the_stride_is_the_kernel_unless_given(self):
        assert Pool2d(1, 1, 12, 12, 3, 2).output == (4, 6)
        assert Pool2d(1, 1, 12, 12, 3, 2) != Pool2d(1, 1, 12, 12, 3, 2, stride=1)

    def test_no_gradient_of_weights(self):
        assert RESNET.ops(Phase.WGRAD) == RESNET.ops(Phase.UPDATE) == ()

    @pytest.mark.parametrize(
        ("size", "kernel", "stride", "pad", "floor", "ceil"),
        [
            (112, 3, 2, 0, 55, 56),  # GoogLeNet's, without padding: the last window hangs over by one
            (7, 2, 2, 0, 3, 4),
            (6, 2, 2, 0, 3, 3),
            (4, 2, 2, 1, 3, 3),
            (5, 2, 3, 1, 2, 2),  # a third window would start at pixel 5, after the last
            (2, 3, 2, 0, None, 1),  # a single window, all of it but one pixel
        ],
    )
    def test_ceil_mode(self, size, kernel, stride, pad, floor, ceil):
        assert Pool2d(1, 1, size, size, kernel, kernel, stride, pad, ceil_mode=True).output == (ceil, ceil)
        if floor:
            assert Pool2d(1, 1, size, size, kernel, kernel, stride, pad).output == (floor, floor)


@given(st.data())
def test_covered_is_the_set_of_pixels_in_windows(data):
    size, kernel, stride = (data.draw(st.integers(1, most)) for most in (12, 5, 6))
    dilation = data.draw(st.integers(1, 3))
    reach = dilation * (kernel - 1) + 1
    pad, ceil_mode = data.draw(st.integers(0, kernel // 2)), data.draw(st.booleans())
    try:
        layer = Pool2d(1, 1, size, 9, kernel, 3, (stride, 1), (pad, 1), (dilation, 1), ceil_mode)
    except ValueError:
        assert reach > size + 2 * pad
        return
    starts = range(0, layer.output[0] * stride, stride)
    pixels = {start + r * dilation - pad for start, r in product(starts, range(kernel))}
    assert op(layer).reads == 9 * len(pixels & set(range(size)))
    assert op(layer).writes == prod(layer.output_shape)
    # every window has a pixel of the input, or of the padding before it
    assert starts[-1] < size + pad


@given(st.integers(1, 4), st.integers(1, 4))
def test_an_input_is_used_at_most_once_for_each_tap(r, s):
    layer = Pool2d(2, 3, 16, 16, r, s, stride=1)
    assert op(layer).flops <= r * s * prod(layer.input_shape)
    assert op(layer).flops == r * s * prod(layer.output_shape)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (
            lambda: Pool2d(1, 1, 8, 8, 3, 3, padding=2),
            "Pool2d padding 2 is more than half of kernel_height 3",
        ),
        (
            lambda: Pool2d(1, 1, 8, 2, 3, 3),
            r"Pool2d kernel_width 3 \(3 with dilation 1\) is larger than the padded width 2",
        ),
        (
            lambda: Pool2d(dilation=2, kind="average"),
            "Pool2d dilation 2 is for max pooling: an average has none",
        ),
        (lambda: Pool2d(stride="same"), "Pool2d stride must be a number, or 'kernel', not 'same'"),
        (lambda: Pool2d(stride=(1, 1, 1)), r"Pool2d stride \(1, 1, 1\) must be one number, or 2"),
        (lambda: Pool2d(kind="min"), "Pool2d kind must be one of max, average, not 'min'"),
        (lambda: GlobalPool2d(kind="sum"), "GlobalPool2d kind must be one of max, average, not 'sum'"),
    ],
)
def test_nonsense_is_one_sentence(build, words):
    with pytest.raises(ValueError, match=words) as caught:
        build()
    assert "\n" not in str(caught.value)
