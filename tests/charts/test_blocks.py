"""Pictures of a kernel's shape: blocks per SM, lanes over sectors and banks, bytes in flight."""

import re
import xml.etree.ElementTree as ET

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.charts import (
    OccupancyOptions,
    blocks_by_registers,
    blocks_by_threads,
    in_flight,
    lanes_alt,
    lanes_html,
    svg,
)
from dlperf_widgets.charts.in_flight import hidden_latency, needed, reached, under_way
from dlperf_widgets.charts.lanes import asked_for, touched
from dlperf_widgets.charts.occupancy_options import WARPS
from dlperf_widgets.cost import Scenario, occupancy
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear

A100 = Scenario(Linear(), gpus.A100_SXM4_80GB, FP16)
V100 = Scenario(Linear(), gpus.V100_SXM2_16GB, FP16)


def marks(chart):
    return {mark.name: mark for mark in chart.marks}


def at(line, x):
    """Return the height of a line of steps at x."""
    return next(line.y[i] for i in range(0, len(line.x), 2) if line.x[i] <= x <= line.x[i + 1])


@pytest.mark.parametrize("registers", [16, 40, 64, 255])
@pytest.mark.parametrize("shared", [0, 49_152])
def test_the_curve_is_the_occupancy_of_every_block_size(registers, shared):
    line = marks(blocks_by_threads(A100, OccupancyOptions(256, registers, shared)))["blocks that fit"]
    for threads in (1, 31, 32, 33, 100, 256, 1000, 1024):
        assert at(line, threads) == occupancy.occupancy("8.0", threads, registers, shared).blocks
    assert line.x[:4] == (1, 32, 33, 64)


@pytest.mark.parametrize("threads", [32, 96, 256, 1024])
def test_the_curve_is_the_occupancy_of_every_number_of_registers(threads):
    line = marks(blocks_by_registers(V100, OccupancyOptions(threads)))["blocks that fit"]
    for registers in (1, 8, 9, 32, 33, 64, 65, 255):
        assert at(line, registers) == occupancy.occupancy("7.0", threads, registers).blocks
    assert line.x[-1] == 255


def test_a_step_of_registers_is_a_granule_of_eight():
    # 32 lanes x 33 registers = 1,056, given in units of 256: 1,280, as for 40 registers
    line = marks(blocks_by_registers(A100, OccupancyOptions(256)))["blocks that fit"]
    assert at(line, 32) == 8
    assert at(line, 33) == at(line, 40) == 6


def test_warps_are_blocks_times_their_warps():
    options = OccupancyOptions(96, 20, show=WARPS)
    chart = blocks_by_threads(A100, options)
    # 96 threads are 3 warps; floor(64 / 3) = 21 blocks, 63 of 64 warps
    assert marks(chart)["this kernel"].y == (63,)
    assert at(marks(chart)["warps that fit"], 96) == 63
    assert chart.y.domain[1] > 64


def test_no_line_leaves_the_picture_and_room_that_cannot_run_out_has_none():
    chart = blocks_by_threads(A100, OccupancyOptions(256, 40))
    for mark in chart.marks:
        assert max(mark.y) <= chart.y.domain[1]
    assert "room: shared memory" not in marks(chart)  # 1 KiB of 164 KiB: room for 164 blocks
    assert "room: shared memory" in marks(blocks_by_threads(A100, OccupancyOptions(shared_memory=49_152)))


def test_a_launch_that_fails_says_so():
    chart = blocks_by_threads(V100, OccupancyOptions(1024, 65))
    assert marks(chart)["this kernel"].y == (0,)
    assert "The launch fails" in chart.alt
    ET.fromstring(svg(chart))


@pytest.mark.parametrize(
    ("stride", "element", "offset", "count", "share"),
    [
        (1, "4", 0, 4, 1.0),  # 32 x 4 B = 128 B = 4 sectors
        (1, "4", 4, 5, 0.8),  # one sector more: 128 / 160
        (2, "4", 0, 8, 0.5),
        (8, "4", 0, 32, 0.125),  # 4 of each 32 B
        (32, "4", 0, 32, 0.125),
        (0, "4", 0, 1, 0.125),  # all lanes the same word
        (1, "16", 0, 16, 1.0),
    ],
)
def test_sectors_are_drawn_one_by_one(stride, element, offset, count, share):
    options = OccupancyOptions(stride=stride, element=element, offset=offset)
    assert touched(options) == count
    assert asked_for(options) == pytest.approx(share)
    pictures = ET.fromstring(f"<div>{lanes_html(A100, options)}</div>").iter(
        "{http://www.w3.org/2000/svg}svg"
    )
    sectors = [svg for svg in pictures if svg.get("role") == "img"][1]
    outlines = [r for r in sectors.iter() if "stroke" in r.get("style", "") and r.tag.endswith("rect")]
    assert len(outlines) == count


@pytest.mark.parametrize(("stride", "rounds"), [(1, 1), (2, 2), (4, 4), (32, 32), (33, 1), (0, 1)])
def test_a_bank_has_a_box_for_every_round(stride, rounds):
    html = lanes_html(A100, OccupancyOptions(bank_stride=stride))
    pictures = ET.fromstring(f"<div>{html}</div>").iter("{http://www.w3.org/2000/svg}svg")
    banks = [svg for svg in pictures if svg.get("role") == "img"][2]
    boxes = [r for r in banks.iter() if r.tag.endswith("rect") and "stroke" in r.get("style", "")]
    conflicts = [box for box in boxes if "hatch" in box.get("style")]
    words = 1 if stride == 0 else 32
    assert len(conflicts) == words - (words // rounds)
    left = [box.get("x") for box in boxes]
    assert max(left.count(x) for x in left) == rounds


def test_lanes_without_a_thread_are_hatched():
    # 33 threads: the second warp has 1 lane at work and 31 without
    html = lanes_html(A100, OccupancyOptions(33))
    first = re.search(r"<svg[^>]*role=.*?</svg>", html, re.S)[0]
    assert first.count("hatch") == 31
    assert "51.6%" in lanes_alt(A100, OccupancyOptions(33))  # 33 / 64
    assert "1 of 32 lanes" in html
    assert "32 of 32 lanes" in lanes_html(A100, OccupancyOptions(256))


def test_bytes_in_flight_by_littles_law():
    options = OccupancyOptions(256, 32, in_flight=16, latency=500)
    # 2,039 GB/s x 500 ns = 1.0195 MB; 8 blocks x 108 SMs x 256 threads x 16 B = 3.539 MB
    assert needed(A100, options) == pytest.approx(1.0195e6)
    assert under_way(A100, options) == 8 * 108 * 256 * 16 == 3_538_944
    assert hidden_latency(A100, options) == pytest.approx(1.7356e-6, rel=1e-4)
    assert reached(A100, options) == 2039e9
    slow = OccupancyOptions(256, 32, in_flight=1, latency=500)
    assert reached(A100, slow) == pytest.approx(221_184 / 500e-9)  # 442 GB/s


def test_the_lines_cross_where_the_latency_is_just_hidden():
    options = OccupancyOptions(256, 32, latency=200)
    found = marks(in_flight(A100, options))
    assert found["bandwidth"].high == found["latency"].low == hidden_latency(A100, options)
    assert found["this kernel"].x == pytest.approx((200e-9,))
    line = found["needed for the full bandwidth"]
    assert [y / x for x, y in zip(line.x, line.y, strict=True)] == pytest.approx([2039e9] * 2)


def test_nothing_in_flight_is_still_a_picture():
    chart = in_flight(V100, OccupancyOptions(1024, 65))
    ET.fromstring(svg(chart))
    assert "bandwidth" not in marks(chart)
    assert "0 B/s at most" in chart.alt
