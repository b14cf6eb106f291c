"""The rate chart: larger products reach more of the peak, and none reaches beyond it."""

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.charts import Options, rate
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear

SCENARIO = Scenario(Linear(512, 1024, 4096), gpus.A100_SXM4_80GB, FP16)


def test_the_rate_is_the_flops_over_the_time_and_stays_under_the_peak():
    marks = {mark.name: mark for mark in rate(SCENARIO, Options("batch", 1024)).marks}
    # 2 x 512 x 1024 x 4096 flops in the predicted time
    assert marks["now"].y == pytest.approx((2 * 512 * 1024 * 4096 / SCENARIO.time,))
    assert max(marks["predicted"].y) < marks["math roof"].y[0] == 312e12


def test_larger_products_reach_more():
    curve = next(mark for mark in rate(SCENARIO, Options("batch", 1024)).marks if mark.name == "predicted")
    at = dict(zip(curve.x, curve.y, strict=True))
    assert at[4096] > 1.5 * at[256] > 1.5 * 8 * at[8]


def test_a_moved_point_leaves_the_curve_as_it_is():
    one, other = (rate(SCENARIO.resized("batch", size), Options("batch", 1024)) for size in (512, 520))
    assert one.marks[1] is other.marks[1]
