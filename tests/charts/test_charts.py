"""Every chart describes every layer, and the SVG writer draws every description."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.charts import CHARTS, Area, Options, alignment, duration, lower, roofline, svg
from dlperf_widgets.charts.duration import samples
from dlperf_widgets.charts.roles import COLOURS, Role
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import LAYERS, Linear
from dlperf_widgets.models import Gpt2
from dlperf_widgets.ops import TRAINING

A100 = gpus.A100_SXM4_80GB
SCENARIO = Scenario(Linear(512, 1024, 4096), A100, FP16)
EVERY = [
    (chart, Scenario(kind(), gpu, FP16, phases))
    for chart in CHARTS
    for kind in LAYERS
    for gpu in (A100, gpus.V100_SXM2_16GB, gpus.GTX_1080_TI)
    for phases in (TRAINING, ("fprop",))
    if FP16 in gpu.dtypes
]
OPTIONS = Options("batch", 1024)


@pytest.mark.parametrize(("chart", "scenario"), EVERY)
def test_a_chart_is_equal_data_with_words_and_separate_ticks(chart, scenario):
    options = Options(scenario.layer.scale, 1024)
    one = chart(scenario, options)
    assert one == chart(scenario, options)
    assert len(one.alt) > 40
    for axis in (one.x, one.y):
        assert len(set(axis.ticks.values())) == len(axis.ticks) <= 9


@pytest.mark.parametrize(("chart", "scenario"), EVERY)
def test_an_svg_is_well_formed_and_says_what_it_shows(chart, scenario):
    picture = chart(scenario, Options(scenario.layer.scale, 1024))
    root = ET.fromstring(svg(picture))
    assert root.get("aria-label") == picture.alt


def test_roofs_meet_at_the_ridge():
    marks = {mark.name: mark for mark in roofline(SCENARIO, OPTIONS).marks}
    assert marks["memory roof"].x[-1] == marks["math roof"].x[0] == 312e12 / 2039e9
    assert marks["memory roof"].y[-1] == marks["math roof"].y[0]


def test_a_roof_has_a_point_for_each_phase():
    marks = {mark.name: mark for mark in roofline(replace(SCENARIO, phases=TRAINING), OPTIONS).marks}
    assert [len(marks[name].x) for name in ("fprop", "dgrad", "wgrad")] == [1, 1, 1]
    assert marks["fprop"].x[0] == SCENARIO.costs[0].arithmetic_intensity


def test_a_stack_has_no_gaps_and_ends_at_the_time():
    chart = duration(SCENARIO, OPTIONS)
    stack = [mark for mark in chart.marks if isinstance(mark, Area)]
    assert all(below.top == above.base for below, above in pairwise(stack))
    at = stack[-1].x.index(512)
    assert stack[-1].top[at] == pytest.approx(SCENARIO.time)


def test_a_stack_counts_repeated_blocks():
    scenario = Scenario(Gpt2(batch=64), A100, FP16)  # a row of a block stands for twelve
    stack = [mark for mark in duration(scenario, Options("batch", 64)).marks if isinstance(mark, Area)]
    assert stack[-1].top[stack[-1].x.index(64)] == pytest.approx(scenario.time)


def test_a_stack_ends_at_the_time_where_a_cache_saves_some():
    scenario = Scenario(Linear(65_536, 64, 128), gpus.L40S, FP16)
    assert scenario.costs[0].wasted_time < 0
    stack = [mark for mark in duration(scenario, Options("batch", 131_072)).marks if isinstance(mark, Area)]
    assert all(below.top == above.base for below, above in pairwise(stack))
    assert all(top >= base for mark in stack for base, top in zip(mark.base, mark.top, strict=True))
    assert stack[-1].top[stack[-1].x.index(65_536)] == pytest.approx(scenario.time)


def test_steps_are_drawn_where_they_are():
    sizes = samples(SCENARIO, "batch", 1024)
    assert {128, 129, 256, 257, 512, 513} <= set(sizes)
    assert len(samples(SCENARIO, "batch", 2**20)) <= 200
    # the inputs' rows must stay aligned: after a step comes the next multiple of 16 bytes
    assert {128, 136} <= set(samples(SCENARIO, "inputs", 1024))
    assert 129 not in samples(SCENARIO, "inputs", 1024)


@pytest.mark.parametrize("chart", [duration, alignment])
def test_the_present_size_moves_only_its_point(chart):
    before, after = (lower(chart(s, OPTIONS)) for s in (SCENARIO, SCENARIO.resized("batch", 520)))
    assert [name for name in before if before[name] != after[name]] == ["now"]


def test_multiples_of_64_are_marked_and_lose_nothing_to_alignment():
    chart = alignment(SCENARIO, Options("inputs"))
    marks = {mark.name: mark for mark in chart.marks}
    assert all(x % 64 == 0 for x in marks["multiples of 64"].x)
    assert all(x % 8 for x in marks["all three: other sizes"].x)
    assert (
        max(marks["all three: other sizes"].y)
        < min(marks["multiples of 8"].y)
        < min(marks["multiples of 64"].y)
    )


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize(("theme", "ground"), [(0, "#ffffff"), (1, "#111111")])
@pytest.mark.parametrize("role", Role)
def test_marks_stand_out_from_the_ground(role, theme, ground):
    light, dark = sorted((luminance(COLOURS[role][theme]), luminance(ground)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= 3


def test_the_change_of_sides_is_drawn_as_a_step():
    # 1024 to 4096 on A100 turns math limited at batch 189
    chart = duration(SCENARIO, OPTIONS)
    memory = next(mark for mark in chart.marks if mark.name == "memory")
    height = {x: top - base for x, base, top in zip(memory.x, memory.base, memory.top, strict=True)}
    assert height[188] > 0
    assert height[189] == 0
