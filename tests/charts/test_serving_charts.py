"""Charts of serving, against the cache's arithmetic and the rows of a decode step."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.charts import (
    ServingOptions,
    Spans,
    serving_latency,
    serving_memory,
    serving_rate,
    serving_step,
    svg,
)
from dlperf_widgets.charts.serving_options import batches, fitting, most, served, turn
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.serving import Serving
from dlperf_widgets.dtypes import FP16, INT4
from dlperf_widgets.models import Gpt2, Llama
from dlperf_widgets.units import GIB

A100 = gpus.A100_SXM4_80GB
LLAMA = Scenario(Llama("3-8B", batch=32, sequence=2048), A100, FP16)
OPTIONS = ServingOptions()
CHARTS = (serving_rate, serving_latency, serving_step, serving_memory)


def mark(chart, name):
    return next(each for each in chart.marks if each.name == name)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("options", [OPTIONS, ServingOptions(64, "one for all", "INT4", reach=4096)], ids=str)
@pytest.mark.parametrize("layer", [Llama("2-7B", 8, 100), Gpt2(batch=1, sequence=64)], ids=str)
def test_every_chart_shows_every_model(chart, options, layer):
    drawn = chart(Scenario(layer, A100, FP16), replace(options, generated=64))
    assert drawn.alt and svg(drawn).startswith("<svg")
    assert all(drawn.x.domain[0] <= x <= drawn.x.domain[1] for each in drawn.marks for x in _across(each))
    assert all(low <= y <= high for each in drawn.marks if not isinstance(each, Spans)
               for y in getattr(each, "y", ()) for low, high in [drawn.y.domain])  # fmt: skip


def _across(each):
    return (each.low, each.high) if isinstance(each, Spans) else each.x


def test_switches_are_what_serving_is_asked():
    asked = served(LLAMA, ServingOptions(128, "one for all", "INT4"))
    assert asked == Serving(LLAMA, 128, 1, INT4)


def test_rates_at_each_batch_are_those_of_serving():
    chart = serving_rate(LLAMA, OPTIONS)
    decoding, reading = mark(chart, "decoding"), mark(chart, "reading prompts")
    for size in (1, 16, 96, 512):
        one = Serving(LLAMA.resized("batch", size))
        place = decoding.x.index(size)
        assert decoding.y[place] == pytest.approx(one.tokens_per_second, rel=1e-9)
        assert reading.y[place] == pytest.approx(one.prompt_tokens_per_second, rel=1e-9)


def test_times_are_those_of_serving():
    chart, one = serving_latency(LLAMA, OPTIONS), Serving(LLAMA)
    assert mark(chart, "now").y == (one.decode.time,)
    assert mark(chart, "first token now").y == (one.prefill.time,)
    line = mark(chart, "for each next token")
    assert line.y[line.x.index(32)] == pytest.approx(one.decode.time)


@pytest.mark.parametrize("chart", CHARTS, ids=lambda each: each.__name__)
def test_a_drag_moves_the_point_alone(chart):
    first, moved = chart(LLAMA, OPTIONS), chart(LLAMA.resized("batch", 100), OPTIONS)
    changed = {a.name for a, b in zip(first.marks, moved.marks, strict=True) if a != b}
    assert changed == {"now"} | ({"first token now"} if chart is serving_latency else set())
    assert mark(moved, "now").x == (100,) and mark(moved, "now").drag == "batch"


def test_stretches_say_what_limits_and_what_does_not_fit():
    chart = serving_rate(LLAMA, replace(OPTIONS, stored="INT4"))
    spans = {each.name: (each.low, each.high) for each in chart.marks if isinstance(each, Spans)}
    assert list(spans) == ["memory limited", "math limited"]
    # INT4: half a byte a weight, so math takes over at about 153 x 0.5 / 2 = 38 requests
    assert spans["memory limited"] == (1, 41) and spans["math limited"] == (41, 268)
    assert mark(chart, "fits up to here").x == (268, 268)
    assert mark(chart, "products turn math limited").x == (41,)


def test_products_change_colour_where_they_turn():
    options = replace(OPTIONS, stored="INT4")
    chart = serving_step(LLAMA, options)
    assert mark(chart, "products, memory limited").x[-1] == turn(LLAMA, options)
    assert mark(chart, "products, math limited").x[0] == turn(LLAMA, options)
    whole = mark(chart, "rest")
    at = dict(zip(whole.x, whole.top, strict=True))
    assert at[32] == pytest.approx(served(LLAMA, options).decode.time)


def test_products_that_never_turn_have_one_colour():
    few = replace(
        LLAMA, gpu=replace(A100, bandwidth=A100.bandwidth / 1000, name="Slow"), layer=Llama("3-8B", 8)
    )
    names = [each.name for each in serving_step(few, OPTIONS).marks]
    assert "products, math limited" not in names and "products, memory limited" in names


def test_memory_is_filled_at_the_largest_batch():
    chart, full = serving_memory(LLAMA, OPTIONS), most(LLAMA, OPTIONS)
    assert full == 228  # (85.26 GB - 16.26 GB) / 302.3 MB, as in the test of its memory
    assert mark(chart, "largest batch").x == (228,)
    assert mark(chart, "largest batch").y[0] <= 80 < mark(chart, "largest batch").y[0] + 0.3
    reserve, weights, _, cache = (mark(chart, n) for n in ("reserve", "weights", "activations", "cache"))
    assert reserve.top == (0.6, 0.6)
    assert weights.top[0] - weights.base[0] == pytest.approx(2 * 8_030_261_248 / GIB)
    reach = cache.x[-1]
    assert cache.top[1] - cache.base[1] == pytest.approx(reach * 131_072 * 2304 / GIB)
    now = mark(chart, "now").y[0]
    total = (Serving(LLAMA).memory.total(32) + 0.6 * GIB) / GIB
    assert now == pytest.approx(total)


def test_batches_double_and_end_where_the_picture_does():
    assert list(batches(100)) == [1, 2, 4, 8, 16, 32, 64, 96, 100]


def test_the_limits_are_in_view():
    for options in (OPTIONS, replace(OPTIONS, sharing="each head"), replace(OPTIONS, stored="INT4")):
        reach = fitting(LLAMA, options)
        assert max(most(LLAMA, options), turn(LLAMA, options) or 1) < reach
    assert fitting(LLAMA.resized("batch", 200), OPTIONS) == fitting(LLAMA, OPTIONS)
