"""Pictures of number formats: ranges, gaps, rounding, loss scaling, INT8 and what stays in FP32."""

import struct
import xml.etree.ElementTree as ET
from itertools import pairwise
from math import inf

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.charts import (
    PrecisionOptions,
    dynamic,
    gaps,
    kept_html,
    loss_scale,
    number_line,
    quantized_html,
    quantized_words,
    rounding_html,
    svg,
)
from dlperf_widgets.charts.gradients import STEPS, histogram, largest_gradients, outcome, published, run
from dlperf_widgets.charts.kept_in_fp32 import KEPT, update_words
from dlperf_widgets.charts.quantized import errors, quantized, tensor
from dlperf_widgets.charts.rounding import FORMATS, all_rounded, gap_at, note, rounded, smallest
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.quantization import per_channel, per_tensor
from dlperf_widgets.dtypes import FP16, INT8
from dlperf_widgets.layers import Linear

SCENARIO = Scenario(Linear(4096, 4096, 4096), gpus.A100_SXM4_80GB, FP16)
BY_NAME = {number.name: number for number in FORMATS}
DEFAULT = PrecisionOptions()


def marks(chart):
    return {mark.name: mark for mark in chart.marks}


@pytest.mark.parametrize("value", [1e-45, 6e-8, 5.96e-5, 0.1, 1.0, 2049.0, 65504.0, 3.3e38])
@pytest.mark.parametrize(("name", "letter"), [("FP16", "e"), ("FP32", "f")])
def test_rounding_agrees_with_the_machine(value, name, letter):
    found = rounded(value, BY_NAME[name])
    try:
        (expected,) = struct.unpack(f"<{letter}", struct.pack(f"<{letter}", value))
    except OverflowError:
        expected = inf
    assert found.nearest == expected
    if expected not in (0, inf):
        assert found.below <= value <= found.above
        assert found.nearest in (found.below, found.above)


@pytest.mark.parametrize("number", FORMATS, ids=lambda number: number.name)
def test_both_neighbours_are_numbers_of_the_format(number):
    for value in (0.3, 1.1, 5.7, 100.3):
        found = rounded(value, number)
        for end in (found.below, found.above):
            assert end == 0 or rounded(end, number).error == 0
        assert found.above - found.below == found.gap


def test_worked_examples_of_gaps():
    assert gap_at(1.0, BY_NAME["FP16"]) == 2**-10  # 10 bits of mantissa
    assert gap_at(2048.0, BY_NAME["FP16"]) == 2  # 2^11 / 2^10: odd numbers are gone
    assert gap_at(1.0, BY_NAME["BF16"]) == 2**-7
    assert gap_at(300.0, BY_NAME["E4M3"]) == 32  # 2^8 / 2^3
    assert gap_at(1e-7, BY_NAME["FP16"]) == 2**-24  # below 2^-14 gaps no longer shrink
    assert gap_at(77.0, BY_NAME["INT8"]) == 1
    assert smallest(BY_NAME["FP16"]) == 2**-24


def test_what_is_too_large_overflows_and_what_is_too_small_is_lost():
    big = {found.format.name: found for found in all_rounded(65520.0)}
    assert big["FP16"].overflows and big["E4M3"].overflows and big["INT8"].overflows
    assert not big["BF16"].overflows
    assert "overflows: the largest number is 65504" in note(big["FP16"])
    assert rounded(65504.0, BY_NAME["FP16"]).above == inf
    small = {found.format.name: found for found in all_rounded(2.9e-8)}  # below 2^-25 = 2.98e-8
    assert small["FP16"].lost and not small["TF32"].lost
    assert rounded(3.0e-8, BY_NAME["FP16"]).nearest == 2**-24
    assert rounded(448.0, BY_NAME["E4M3"]).error == 0
    assert rounded(500.0, BY_NAME["E4M3"]).overflows  # E4M3 has no infinity: it is NaN there


def test_bars_are_boxes_from_the_smallest_to_the_largest_number():
    chart = number_line(SCENARIO, DEFAULT)
    full = marks(chart)["full precision"]
    corners = list(zip(full.x, full.top, strict=True))
    assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(corners))  # no slanted edge
    assert corners[0] == corners[-1]
    assert {2.0**-14, 65504.0, 2.0**-126, 448.0, 127.0} <= set(full.x)
    assert len(marks(chart)["rounded to"].x) == 6  # 0.1 is lost in INT8 alone
    assert marks(chart)["lost or overflowing"].x == (1.0,)
    assert "FP16: 0.0999756" in chart.alt


def test_a_curve_of_gaps_steps_up_twofold():
    line = marks(gaps(SCENARIO, DEFAULT))["FP16"]
    ratios = {b / a for a, b in pairwise(line.y) if a != b}
    assert ratios == {2.0}
    assert line.x[-1] == 65504
    assert min(line.y) == 2**-24


def test_a_value_outside_the_gaps_in_view_stays_at_the_edge():
    chart = gaps(SCENARIO, PrecisionOptions(value=1e-30))
    assert marks(chart)["this value"].x == (1e-9,)


def test_a_scale_moves_gradients_into_the_range_of_fp16():
    shares = histogram(24, 5)
    assert sum(shares.values()) == pytest.approx(1)
    lost = [outcome(PrecisionOptions(scale=scale)).lost for scale in (1, 8, 64, 32_768)]
    # below 2^-25 all is lost; a bell about 2^-24, 5 powers of two wide: P(z < -1/5) = 0.42, and times 8
    # P(z < -4/5) = 0.21
    assert lost[0] == pytest.approx(0.42, abs=0.01)
    assert lost[1] == pytest.approx(0.21, abs=0.01)
    assert lost == sorted(lost, reverse=True)
    assert lost[3] < 0.001
    # 2^30 moves a median of 2^-10 to 2^20, four powers of two beyond 65,504: P(z > -4/5) = 0.79
    assert outcome(PrecisionOptions(scale=2**30, median=10)).overflow == pytest.approx(0.79, abs=0.01)


def test_bars_share_out_the_histogram():
    chart = loss_scale(SCENARIO, PrecisionOptions(scale=2**26))
    found = [marks(chart)[name] for name in ("lost", "kept", "overflow")]
    total = sum(y for mark in found for y in mark.top[::2])
    assert total == pytest.approx(1)
    assert max(y for mark in found for y in mark.top) <= chart.y.domain[1]
    fp16 = marks(chart)["FP16"]
    assert (fp16.low, fp16.high) == (2**-24, 65504)


def test_published_figures_are_quoted_one_by_one():
    assert published() == (
        "Published of Multibox SSD: 66.8% of the gradients are zero, 4% lie between 2^-32 and 2^-30, "
        "31% become zero in FP16. A scale of 8 trains as FP32 does; 32,768 loses 0.1%."
    )


def test_a_dynamic_scale_doubles_and_halves():
    steps = run(24, 5, 60)
    assert len(steps) == STEPS
    assert steps[0].scale == 65_536 and steps[60].scale == 131_072
    largest = largest_gradients(24, 5)
    for now, then, gradient in zip(steps, steps[1:], largest, strict=False):
        assert now.skipped == (now.scale * gradient >= 65520)  # halfway to the next power of two
        if now.skipped:
            assert then.scale == now.scale / 2
    chart = dynamic(SCENARIO, DEFAULT)
    assert min(marks(chart)["beyond it FP16 overflows"].y) == 65504 / max(largest)
    assert marks(chart)["beyond it FP16 overflows"].x[:2] == (0, 6)
    assert len(marks(chart)["skipped step"].x) == sum(step.skipped for step in steps) > 0
    assert max(marks(chart)["loss scale"].y) <= chart.y.domain[1]


def test_no_value_moves_by_more_than_half_its_scale():
    values = tensor(16, 16)
    one, many = per_tensor(values), per_channel(values)
    for scale, channel in zip(many, values, strict=True):
        assert all(scale.error(x) <= scale.scale / 2 * (1 + 1e-9) for x in channel)
        assert all(one.error(x) <= one.scale / 2 * (1 + 1e-9) for x in channel)


def test_a_scale_for_each_channel_errs_less_where_channels_differ():
    alike, apart = errors(16, 1), errors(16, 256)
    assert alike[2] == pytest.approx(alike[3])
    assert apart[2][1] > 10 * apart[3][1]
    assert errors(16, 16)[0] == (0, 0)  # FP32 is what the others are compared with


def test_size_and_speed_of_int8():
    full, half, one, many = quantized(SCENARIO, DEFAULT)
    params = 4096 * 4096 + 4096
    assert (full.bytes, half.bytes) == (4 * params, 2 * params)
    assert one.bytes == params + 4  # a scale of 4 B
    assert many.bytes == params + 4 * 16
    # 624 TOPS against 312: about twice as fast
    assert half.time / many.time == pytest.approx(2, rel=0.1)


def test_a_gpu_without_int8_says_so():
    lacking = next(gpu for gpu in gpus.GPUS if INT8 not in gpu.dtypes)
    asked = SCENARIO.on(lacking)
    assert quantized(asked, DEFAULT)[3].time is None
    assert f"{lacking.name} has no" in quantized_words(asked, DEFAULT)
    assert "this GPU has no such format" in quantized_html(asked, DEFAULT)


def test_an_update_needs_more_bits_than_a_weight():
    # 1 / 4096 is beyond 11 bits of FP16 and 8 of BF16, within 24 of FP32
    assert "by an update of 0.000244141 in: FP32." in update_words(1.0)
    assert "none of them" in update_words(1e-46)
    assert all(each.source[1].startswith("https://") for each in KEPT)


@pytest.mark.parametrize("value", [1e-46, 2e-8, 0.1, 127.5, 1e39])
def test_every_picture_is_well_formed(value):
    options = PrecisionOptions(value=value, scale=2**30, median=60, spread=20, channels=1)
    for chart in (number_line, gaps, loss_scale, dynamic):
        picture = chart(SCENARIO, options)
        ET.fromstring(svg(picture))
        for axis in (picture.x, picture.y):
            assert len(set(axis.ticks.values())) == len(axis.ticks) <= 9
    for html in (rounding_html, quantized_html, kept_html):
        ET.fromstring(f"<div>{html(SCENARIO, options).replace('<br>', '<br/>')}</div>")


@pytest.mark.parametrize("scale", [1, 8, 1000, 2**30])
def test_the_bars_add_up_to_the_shares_of_the_cost_model(scale):
    options = PrecisionOptions(scale=scale, spread=8)
    chart, found = loss_scale(SCENARIO, options), outcome(options)
    for fate in ("lost", "kept", "overflow"):
        assert sum(marks(chart)[fate].top[::2]) == pytest.approx(getattr(found, fate))
