"""Copies over PCIe, and copies and kernels that overlap."""

from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dlperf_widgets as dp
from dlperf_widgets import gpus, links
from dlperf_widgets.cost.overlap import Lane, best_chunks, loader_step, overlap
from dlperf_widgets.cost.transfer import HostMemory, host_copy, unified, zero_copy
from dlperf_widgets.units import GB_S, GIB, KIB, MIB

GEN3 = links.pcie(3, 16)


@pytest.mark.parametrize(
    ("generation", "lane", "x16"),
    [(1, 0.25, 4), (2, 0.5, 8), (3, 0.985, 15.75), (4, 1.969, 31.5), (5, 3.938, 63.0)],
)
def test_raw_rates_of_pcie(generation, lane, x16):
    assert 1e9 / host_copy(10**9, links.pcie(generation, 1)).time == pytest.approx(lane * GB_S, rel=1e-3)
    assert host_copy(GIB, links.pcie(generation, 16)).bandwidth == pytest.approx(x16 * GB_S, rel=1e-3)


def test_a_gibibyte_over_pcie_and_from_hbm():
    # 2^30 / (8e9 * 128 / 130 * 16 / 8) = 68.2 ms; 2^30 / 2039e9 = 0.53 ms: 129 times less
    assert host_copy(GIB, GEN3).time == pytest.approx(68.2e-3, abs=0.05e-3)
    assert GIB / gpus.A100_SXM4_80GB.bandwidth == pytest.approx(0.53e-3, abs=0.005e-3)


def test_latency_efficiency_and_the_extra_copy_of_pageable_memory():
    pinned = host_copy(GIB, GEN3, efficiency=0.8, latency=10e-6)
    assert pinned.time == pytest.approx(10e-6 + GIB / (0.8 * GEN3.bandwidth))
    assert [term.name for term in pinned.terms] == ["latency", "link"] and not pinned.estimate
    pageable = host_copy(GIB, GEN3, "pageable", efficiency=0.8, latency=10e-6, staging=12 * GB_S)
    assert pageable.time - pinned.time == pytest.approx(GIB / 12e9)
    assert not pageable.estimate  # the rate was given
    assert host_copy(GIB, GEN3, HostMemory.PAGEABLE).estimate
    assert all(term.formula and term.source for term in pageable.terms)
    assert pageable.terms[-1].formula == "1.07 GB / 12 GB/s into pinned memory"


def test_zero_copy_pays_for_every_read():
    assert zero_copy(GIB, GEN3, reads=3).time == pytest.approx(3 * host_copy(GIB, GEN3).time)
    assert zero_copy(GIB, GEN3, reads=1 / 16).time < host_copy(GIB, GEN3).time  # sparse reads move less


def test_unified_memory_moves_whole_pages_and_faults_for_each():
    one = unified(1, GEN3)
    assert (one.bytes, one.terms[0].formula) == (64 * KIB, "1 x 20 µs, one for each 64 KiB")
    # 16,384 pages x 20 µs = 328 ms and 68 ms on the link; 512 large pages 10 ms
    small, large = unified(GIB, GEN3), unified(GIB, GEN3, 2 * MIB)
    assert small.time == pytest.approx(16_384 * 20e-6 + GIB / GEN3.bandwidth)
    assert large.time == pytest.approx(512 * 20e-6 + GIB / GEN3.bandwidth)
    assert unified(GIB, GEN3, fault=0).time == host_copy(GIB, GEN3).time  # prefetched
    assert small.estimate and "estimate" in small.terms[0].source


def test_nothing_takes_no_time():
    assert host_copy(0, GEN3).time == host_copy(0, GEN3).bandwidth == unified(0, GEN3).time == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: host_copy(-1, GEN3), "size must be between 0 and"),
        (lambda: host_copy(1, GEN3, "paged"), "memory must be one of pinned, pageable, not 'paged'"),
        (lambda: host_copy(1, GEN3, efficiency=1.5), "efficiency must be at most 1, not 1.5"),
        (lambda: host_copy(1, GEN3, efficiency=0), "efficiency must be positive, not 0"),
        (lambda: host_copy(1, GEN3, latency=-1), "latency must be at least 0, not -1"),
        (lambda: host_copy(1, GEN3, "pageable", staging="fast"), "staging must be a number, not 'fast'"),
        (lambda: unified(1, GEN3, page=1), "page must be between 4096 and"),
        (lambda: overlap(1, 1, 1, chunks=0), "chunks must be between 1 and 100,000, not 0"),
        (lambda: overlap(1, 1, 1, engines=3), "engines must be between 1 and 2, not 3"),
        (lambda: overlap(1, float("nan"), 1), "kernel must be a finite number, not nan"),
        (lambda: overlap(1, 1, 1, launch=-1), "launch must be at least 0, not -1"),
        (lambda: best_chunks(1, 1, 1, launch=0), "launch must be positive, not 0"),
        (lambda: loader_step(1, -2, 1), "h2d must be at least 0, not -2"),
    ],
)
def test_nonsense_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_four_chunks_halve_the_time():
    # 36 / 4 + 3/4 * 12 = 18; without end the 12 of one stage remain
    cut = dp.overlap(12, 12, 12, chunks=4)
    assert (cut.serial, cut.time, cut.speedup) == (36, 18, 2)
    assert overlap(12, 12, 12, chunks=12_000).time == pytest.approx(12, rel=1e-3)
    assert overlap(12, 12, 12).time == 36


def test_the_timeline_of_two_chunks():
    spans = overlap(2, 4, 2, chunks=2).spans
    assert [(span.lane.value, span.name, span.start, span.end) for span in spans] == [
        ("h2d", "h2d 1", 0, 1), ("h2d", "h2d 2", 1, 2),
        ("kernel", "kernel 1", 1, 3), ("kernel", "kernel 2", 3, 5),
        ("d2h", "d2h 1", 3, 4), ("d2h", "d2h 2", 5, 6),
    ]  # fmt: skip


def test_one_copy_engine_takes_turns():
    # the copies alone keep it busy for 24; a kernel of 40 is longer, with the first and last chunk around it
    assert overlap(12, 12, 12, chunks=4, engines=1).time == 24
    assert overlap(12, 12, 12, chunks=4, engines=1).bound is Lane.COPIES
    assert overlap(12, 40, 12, chunks=4, engines=1).time == 3 + 40 + 3
    assert overlap(12, 40, 12, chunks=4, engines=1).bound is Lane.KERNEL


@pytest.mark.parametrize(
    ("stages", "bound"), [((3, 1, 1), Lane.H2D), ((1, 3, 1), Lane.KERNEL), ((1, 1, 3), Lane.D2H)]
)
def test_the_busiest_lane_is_named(stages, bound):
    assert overlap(*stages).bound is bound
    assert overlap(0, 0, 0).time == 0 and overlap(0, 0, 0).speedup == 1


times = st.just(0.0) | st.floats(1e-6, 100)  # seconds: none that only subnormal numbers could divide
works = st.tuples(times, times, times)
counts = st.integers(1, 40)


@given(works, counts, st.floats(0, 1))
def test_two_engines_take_the_closed_form(work, chunks, launch):
    expected = sum(work) / chunks + (chunks - 1) / chunks * max(work) + chunks * launch
    assert overlap(*work, chunks, launch=launch).time == pytest.approx(expected)


@given(works, counts, st.floats(0.0, 1))
def test_one_engine_meets_a_bound_that_no_order_beats(work, chunks, launch):
    h2d, kernel, d2h = (seconds / chunks for seconds in work)
    copies = work[0] + work[2] >= work[1] and work[0] + work[2] > work[1]
    h2d, kernel = (h2d + launch, kernel) if copies else (h2d, kernel + launch)
    least = max(
        chunks * (h2d + d2h),  # the copies
        h2d + chunks * kernel + d2h,  # the kernels, between the first copy and the last
        chunks * h2d + kernel + d2h,  # all copies in, and what follows the last
        h2d + kernel + chunks * d2h,  # what precedes the first copy back, and all of them
    )
    assert overlap(*work, chunks, engines=1, launch=launch).time == pytest.approx(least)


@given(works, counts, st.sampled_from([1, 2]), st.floats(0, 1))
def test_lanes_do_one_thing_at_a_time_and_stages_wait_for_each_other(work, chunks, engines, launch):
    cut = overlap(*work, chunks, engines, launch)
    for lane in Lane:
        own = sorted(
            (span for span in cut.spans if span.lane is lane), key=lambda span: (span.start, span.end)
        )
        assert all(before.end <= after.start for before, after in pairwise(own))
    stages = [cut.spans[i : i + chunks] for i in range(0, 3 * chunks, chunks)]
    for copy, kernel, back in zip(*stages, strict=True):
        assert copy.end <= kernel.start and kernel.end <= back.start
    assert max(span.end for span in cut.spans) == cut.time


@given(works, counts, st.sampled_from([1, 2]))
def test_overlap_is_between_the_longest_part_and_the_sum(work, chunks, engines):
    cut = overlap(*work, chunks, engines)
    assert max(work) * (1 - 1e-12) <= cut.time <= cut.serial * (1 + 1e-12)


@given(works, counts, st.sampled_from([1, 2]))
def test_more_chunks_are_never_slower_where_starting_one_is_free(work, chunks, engines):
    more = overlap(*work, chunks + 1, engines).time
    assert more <= overlap(*work, chunks, engines).time * (1 + 1e-12)


@given(works)
def test_a_second_copy_engine_never_hurts(work):
    assert overlap(*work, 7, 2).time <= overlap(*work, 7, 1).time * (1 + 1e-12)


def test_best_chunks():
    # 24 / n + 12 + n a is least at sqrt(24 / a): 16 for a = 3/32
    assert best_chunks(12, 12, 12, launch=3 / 32) == 16 == sqrt(24 / (3 / 32))
    assert overlap(12, 12, 12, 16, launch=3 / 32).time == 24 / 16 + 12 + 16 * 3 / 32  # 15 instead of 36
    assert best_chunks(12, 12, 12, launch=100) == 1
    assert best_chunks(12, 12, 12, launch=1e-9, most=50) == 50
    assert best_chunks(0, 12, 0, launch=1e-3) == 1  # nothing to overlap


@given(works, st.floats(0.01, 10), st.sampled_from([1, 2]))
def test_no_number_of_chunks_is_better_than_the_best(work, launch, engines):
    best = best_chunks(*work, launch, engines, most=30)
    least = min(overlap(*work, chunks, engines, launch).time for chunks in range(1, 31))
    assert overlap(*work, best, engines, launch).time == pytest.approx(least)


def test_a_prefetching_loader_takes_as_long_as_its_longest_part():
    assert loader_step(8, 3, 5) == (8, "load")
    assert loader_step(2, 6, 5) == (6, "h2d")
    assert loader_step(5, 3, 5) == (5, "compute")  # the GPU is kept busy
    assert loader_step(8, 3, 5, prefetch=False) == (16, "load")
