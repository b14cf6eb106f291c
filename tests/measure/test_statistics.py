"""The arithmetic of a measurement, by hand: no torch, no clock."""

import pytest

from dlperf_widgets.measure.statistics import (
    Summary,
    batch,
    copies,
    flush_bytes,
    repeats,
    seconds_left,
    settled,
    summarize,
)


def test_median_and_quartiles():
    # sorted 1 2 3 4 10: the middle is the third, the quartiles the second and the fourth
    assert summarize([3, 1, 10, 2, 4]) == Summary(3, 2, 4, 5)
    # between two: positions 0.75, 1.5 and 2.25 of 1 2 3 4
    assert summarize([4, 3, 2, 1]) == Summary(2.5, 1.75, 3.25, 4)
    assert summarize([7.0]) == Summary(7, 7, 7, 1)


def test_one_interruption_changes_nothing():
    assert summarize([1.0] * 20 + [1000.0])[:3] == (1, 1, 1)  # a mean would say 48.6


def test_nothing_has_no_median():
    with pytest.raises(ValueError, match="no times"):
        summarize([])


@pytest.mark.parametrize(
    ("once", "multiple", "expected"),
    [
        (1.0, 1, 1),
        (100e-6, 1, 1),
        (3e-6, 1, 34),  # 100 / 3 = 33.3
        (3e-6, 5, 35),  # the next multiple of five
        (1.0, 4, 4),  # each copy once
        (1e-9, 1, 1000),
        (0.0, 1, 1000),
        (1e-9, 7, 1001),  # 143 * 7
    ],
)
def test_repeats_make_a_reading_long_enough(once, multiple, expected):
    assert repeats(once, multiple) == expected


@pytest.mark.parametrize(("reading", "expected"), [(1.0, 1), (20e-3, 1), (5e-3, 4), (1e-6, 100), (0.0, 100)])
def test_batches(reading, expected):
    assert batch(reading) == expected


def test_copies_touch_twice_the_cache_between_two_uses():
    l2 = 40 * 2**20
    assert flush_bytes(l2) == 80 * 2**20
    assert copies(10 * 2**20, l2) == 9  # 8 others of 10 MiB are 80
    assert copies(30 * 2**20, l2) == 4  # 3 others are 90
    assert copies(159 * 2**20, l2) == 2
    assert copies(160 * 2**20, l2) == 1  # four times the cache drives itself out
    assert copies(0, 1) == 3


@pytest.mark.parametrize("l2", [1, 4_194_304, 52_428_800])
@pytest.mark.parametrize("held", [1, 1000, 10**6, 10**8])
def test_between_two_uses_of_a_copy_enough_is_touched(held, l2):
    many = copies(held, l2)
    assert many == 1 or (many - 1) * held >= 2 * l2


@pytest.mark.parametrize(
    ("batches", "expected"),
    [
        ([], False),
        ([1.0, 1.0], False),
        ([1.0, 1.0, 1.0], True),
        ([9.0, 1.0, 1.0, 1.015], True),
        ([1.0, 1.0, 1.03], False),
        ([1.0, 1.0, 1.0, 2.0], False),
    ],
)
def test_a_warm_up_is_over_when_three_batches_agree(batches, expected):
    assert settled(batches) is expected


def test_seconds_left():
    assert seconds_left(0, 10, 0.0, expected=0.5) == 5
    assert seconds_left(4, 10, 8.0, expected=0.5) == 12  # 2 s each, 6 to go
    assert seconds_left(10, 10, 8.0, expected=0.5) == 0
