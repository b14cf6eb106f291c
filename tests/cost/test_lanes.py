"""What a warp does to memory: sectors, banks, atomics and Little's law."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost.lanes import (
    atomic_rounds,
    bank_conflicts,
    bytes_in_flight,
    sector_efficiency,
    sectors,
)


@pytest.mark.parametrize(
    ("stride", "element", "offset", "touched"),
    [
        pytest.param(4, 4, 0, 4, id="32 x 4 B side by side: 128 / 32"),
        pytest.param(4, 4, 32, 4, id="the same a sector later"),
        pytest.param(4, 4, 4, 5, id="misaligned: one more"),
        pytest.param(4, 4, 28, 5, id="misaligned by seven elements"),
        pytest.param(8, 4, 0, 8, id="every second element"),
        pytest.param(32, 4, 0, 32, id="every eighth: a sector a lane"),
        pytest.param(4096, 4, 0, 32, id="far apart: no worse"),
        pytest.param(0, 4, 0, 1, id="all lanes one element"),
        pytest.param(2, 2, 0, 2, id="FP16"),
        pytest.param(16, 16, 0, 16, id="float4"),
    ],
)
def test_sectors_of_a_stride(stride, element, offset, touched):
    assert sectors(stride, element, offset) == touched
    assert sectors([lane * stride for lane in range(32)], element, offset) == touched


def test_the_order_of_lanes_does_not_matter_and_gathers_count_by_address():
    assert sectors([4 * (31 - lane) for lane in range(32)]) == 4
    assert sectors([0, 4, 4000, 4004]) == 2
    assert sectors([30], element=4) == 2  # across a boundary


def test_share_of_the_moved_bytes_that_was_asked_for():
    assert [sector_efficiency(stride) for stride in (4, 8, 32)] == [1, 0.5, 0.125]
    assert sector_efficiency(4, offset=4) == 0.8


@given(st.integers(0, 1000), st.integers(1, 16), st.integers(0, 1000))
def test_sectors_are_those_of_the_bytes(stride, element, offset):
    found = {(offset + lane * stride + byte) // 32 for lane in range(32) for byte in range(element)}
    assert sectors(stride, element, offset) == len(found)
    assert 0 < sector_efficiency(stride, element, offset) <= 1


@pytest.mark.parametrize(
    ("stride", "ways"),
    [(1, 1), (2, 2), (3, 1), (4, 4), (6, 2), (16, 16), (32, 32), (33, 1), (64, 32), (0, 1)],
)
def test_bank_conflicts_of_a_stride(stride, ways):
    assert bank_conflicts(stride) == bank_conflicts(-stride) == ways


@given(st.integers(0, 1000))
def test_bank_conflicts_are_the_most_words_of_one_bank(stride):
    words = {lane * stride for lane in range(32)}
    assert bank_conflicts(stride) == max(sum(word % 32 == bank for word in words) for bank in range(32))


def test_atomics_on_one_address_follow_one_another():
    assert atomic_rounds([0] * 32) == 32
    assert atomic_rounds(range(0, 128, 4)) == 1
    assert atomic_rounds([0, 4, 0, 8, 0]) == 3


def test_bytes_in_flight():
    # 2039e9 * 500e-9 = 1.02 MB, about 9.4 kB for each of 108 SMs
    assert bytes_in_flight(gpus.A100_SXM4_80GB.bandwidth, 500e-9) == pytest.approx(1.02e6, rel=1e-3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sectors(-4), "stride must be between 0 and 2,147,483,647, not -4"),
        (lambda: sectors([]), "a warp has between 1 and 32 addresses, not 0"),
        (lambda: sectors([0] * 33), "a warp has between 1 and 32 addresses, not 33"),
        (lambda: sectors(4, element=0), "element must be between 1 and"),
        (lambda: bank_conflicts(1.5), "stride must be a whole number, not 1.5"),
        (lambda: bytes_in_flight(0, 1), "bandwidth must be positive, not 0"),
        (lambda: bytes_in_flight(1e9, float("inf")), "latency must be a finite number, not inf"),
    ],
)
def test_nonsense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
