"""How much of a convolution's work meets no padding."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets.layers import Conv1d, Conv2d, ConvTranspose1d
from dlperf_widgets.ops import Phase
from dlperf_widgets.ops._conv import met

PHASES = (Phase.FPROP, Phase.DGRAD, Phase.WGRAD)


def useful(layer, phase=Phase.FPROP):
    (only,) = layer.ops(phase)
    return only.useful


@pytest.mark.parametrize(
    ("size", "share"),
    [
        (56, 0.9763),  # along an axis (56*3 - 2) / (56*3): the first and the last window each lose a tap
        (14, 0.9070),  # (14*3 - 2) / (14*3) = 40/42
        (7, 0.8186),  # (7*3 - 2) / (7*3) = 19/21
    ],
)
def test_three_by_three_with_a_pixel_of_padding(size, share):
    layer = Conv2d(32, 64, 64, size, size, 3, 3, padding=1)
    assert useful(layer) == pytest.approx(((3 * size - 2) / (3 * size)) ** 2)
    assert round(useful(layer), 4) == share


def test_nothing_is_lost_without_padding():
    assert useful(Conv2d(2, 8, 8, 9, 7, 3, 5, stride=2)) == 1


def test_each_axis_by_itself():
    # height: 9 outputs of 3 taps lose 2 of 27; width: 7 outputs of 5 taps lose 1, 2 at either end, 6 of 35
    assert useful(Conv2d(1, 8, 8, 9, 7, 3, 5, padding=(1, 2))) == pytest.approx(25 / 27 * 29 / 35)


def test_a_picture_smaller_than_its_window():
    # one pixel, 3 taps, padded by one: only the middle tap meets it
    assert useful(Conv2d(1, 8, 8, 1, 1, 3, 3, padding=1)) == pytest.approx(1 / 9)


def test_every_phase_meets_as_much_padding():
    layer = Conv2d(2, 8, 16, 14, 14, 3, 3, stride=2, padding=1)
    # along an axis the first of 7 windows of 3 taps loses one; the last ends at pixel 13, which is there
    assert [useful(layer, phase) for phase in PHASES] == [pytest.approx((20 / 21) ** 2)] * 3


def test_a_transposed_convolution_cuts_off_what_the_mirrored_one_pads():
    # 4 pixels of 3 taps, stride 2: 9 sums, the first and the last cut off, of one product each: 10 of 12
    assert useful(ConvTranspose1d(1, 8, 8, 4, 3, stride=2, padding=1)) == pytest.approx(10 / 12)


AXIS = st.tuples(*[st.integers(1, 9)] * 4, st.integers(0, 8), st.integers(1, 5))


@given(AXIS)
def test_pairs_one_by_one(axis):
    size, output, kernel, stride, before, dilation = axis
    places = product(range(output), range(kernel))
    assert met(*axis) == sum(0 <= o * stride + r * dilation - before < size for o, r in places)


@given(st.integers(1, 30), st.integers(1, 5), st.integers(1, 3), st.integers(0, 4))
def test_a_share(size, kernel, stride, padding):
    if kernel > size + 2 * padding:
        return
    share = useful(Conv1d(2, 4, 4, size, kernel, stride, padding))
    assert 0 <= share <= 1
    assert padding or share == 1
