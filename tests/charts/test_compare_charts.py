"""Price against time and shares of the peaks, of many GPUs."""

import xml.etree.ElementTree as ET

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.charts import CompareOptions, price_against_time, shares_of_peaks, svg
from dlperf_widgets.charts.compare import compared
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import LAYERS, Linear

A100 = gpus.A100_SXM4_80GB
SCENARIO = Scenario(Linear(512, 1024, 4096), A100, FP16)


def test_the_scenarios_gpu_is_among_the_rows_once():
    names = [row.gpu.name for row in compared(SCENARIO, CompareOptions(gpus=("T4", "L4")))]
    assert names == ["A100 SXM4 80GB", "T4", "L4"]
    names = [row.gpu.name for row in compared(SCENARIO, CompareOptions(gpus=("A100 SXM4 80GB", "L4")))]
    assert names == ["A100 SXM4 80GB", "L4"]


def test_only_what_has_a_price_has_a_point_and_the_rest_is_named():
    chart = price_against_time(SCENARIO, CompareOptions(gpus=("T4", "L4", "H100 SXM5 80GB")))
    (points,) = chart.marks
    assert points.labels == ("L4 FP16", "H100 SXM5 80GB FP16")
    assert "No price known: A100 SXM4 80GB, T4." in chart.alt
    rows = {row.gpu.name: row for row in compared(SCENARIO, CompareOptions())}
    assert points.x[0] == rows["L4"].time
    assert points.y[0] == pytest.approx(0.49 / 3600 * rows["L4"].time * 1e6)
    assert chart.y.label == "Price of a million runs (USD)"


def test_a_picture_without_any_price_says_so():
    chart = price_against_time(SCENARIO, CompareOptions(gpus=("T4",)))
    assert "nothing has a price" in chart.alt
    assert ET.fromstring(svg(chart)).get("aria-label") == chart.alt


def test_a_typed_price_of_a_card():
    options = CompareOptions(gpus=("T4",), per="card", prices=("T4=900/card 2026-01-31",))
    chart = price_against_time(SCENARIO, options)
    row = next(row for row in compared(SCENARIO, options) if row.gpu.name == "T4")
    assert chart.marks[0].y == (pytest.approx(900 * row.time),)


@pytest.mark.parametrize("kind", LAYERS, ids=lambda kind: kind.__name__)
def test_every_layer_can_be_compared(kind):
    scenario = Scenario(kind(), A100, FP16)
    options = CompareOptions(formats=("FP8", "INT8"))
    for chart in (price_against_time(scenario, options), shares_of_peaks(scenario, options)):
        low, high = chart.x.domain
        assert all(low <= x <= high for x in chart.marks[0].x)
        assert all(chart.y.domain[0] <= y <= chart.y.domain[1] for y in chart.marks[0].y)
        assert len(chart.marks[0].notes) == len(chart.marks[0].x)
        for axis in (chart.x, chart.y):
            assert len(set(axis.ticks.values())) == len(axis.ticks) <= 9


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"gpus": ("GTX 480",)}, "gpus must be some of"),
        ({"formats": ("FP3",)}, "formats must be some of"),
        ({"per": "year"}, "per must be one of hour, card"),
        ({"prices": ("T4=0/hour 2026-01-31",)}, "the price of T4 must be more than 0 USD"),
    ],
)
def test_options_that_make_no_sense(options, why):
    with pytest.raises(ValueError, match=why):
        CompareOptions(**options)
