"""Time against size on logarithmic axes: the floor, the slope, the knee, and the guide's figures."""

from dataclasses import replace
from itertools import pairwise
from math import log

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.charts import Line, Points, SizeOptions, Spans, lower, sizes
from dlperf_widgets.charts.guide_figures import FIGURES, OWN, figure
from dlperf_widgets.charts.sizes import comparable, decade, first_curve, flat_until
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.cost.sweep import anchored
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Activation, BatchNorm2d, GroupNorm, LayerNorm, Pool2d
from dlperf_widgets.ops import Phase

A100 = gpus.A100_SXM4_80GB
BOTH = (Phase.FPROP, Phase.DGRAD)
SCENARIO = Scenario(BatchNorm2d(32, 64, 56, 56), A100, FP16, BOTH)


def marks(scenario=SCENARIO, **options):
    return {mark.name: mark for mark in sizes(scenario, SizeOptions(**options)).marks}


def drawn(chosen):
    """The marks of a figure of the guide."""
    return marks(
        chosen.scenario, compare=chosen.compare, per_value=chosen.per_value, field=chosen.field,
        reach=chosen.reach,
    )  # fmt: skip


def slope(line, low, high):
    """Slope in the logarithms over a stretch of x."""
    places = [(x, y) for x, y in zip(line.x, line.y, strict=True) if low <= x <= high]
    (x0, y0), (x1, y1) = places[0], places[-1]
    return log(y1 / y0) / log(x1 / x0)


def test_a_curve_for_each_phase_goes_through_the_answer():
    found = marks()
    for phase, height in zip(BOTH, found["now"].y, strict=True):
        assert height == replace(SCENARIO, phases=(phase,)).time
        at = found[phase].x.index(100.0)
        asked = replace(SCENARIO.resized("batch", 100), phases=(phase,))
        assert found[phase].y[at] == asked.time
    assert found["now"].x == (32, 32)
    assert found["now"].drag == "batch"


def test_the_floor_is_the_launch_and_the_slope_the_bytes():
    found = marks()
    floor = SCENARIO.costs[0].launch_time
    assert set(found["launch floor"].y) == {floor}
    assert found["launch floor"].label == "floor 2.34 µs"
    x, y = found["bytes / bandwidth"].x[-1], found["bytes / bandwidth"].y[-1]
    assert y == pytest.approx(SCENARIO.resized("batch", int(x)).costs[0].bytes / 2039e9)
    assert slope(found["bytes / bandwidth"], 100, 10_000) == pytest.approx(1, abs=1e-3)
    (left, right, _, _), (bottom, _, top, _) = found["slope 1"].x, found["slope 1"].y
    assert top / bottom == pytest.approx(right / left) == pytest.approx(10)


def test_the_knee_is_where_floor_and_bytes_meet():
    # a sample is 64 x 56 x 56 x 2 B x 2 = 802,816 B; 2.34 µs x 2039 GB/s / 802,816 B = 5.94
    found = marks()
    assert found["knee"].x[0] == pytest.approx(2.34e-6 * 2039e9 / 802_816, rel=0.01)
    assert found["knee"].label == "knee 6"
    assert found["launch limited"].high == found["memory limited"].low == found["knee"].x[0]
    assert "up to batch size 6 the launch floor of 2.34 µs decides" in flat_until(SCENARIO, SizeOptions())


def test_a_kernel_alone_has_no_floor():
    scenario = replace(SCENARIO, launch=Launch.KERNEL)
    found = marks(scenario)
    assert {"launch floor", "knee", "launch limited"}.isdisjoint(found)
    assert flat_until(scenario, SizeOptions()).startswith("fprop: the bytes decide at every size")


def test_launch_decides_where_everything_is_small():
    scenario = Scenario(LayerNorm(8, 8), A100, FP16)
    found = marks(scenario, field="rows", reach=1000)
    assert "memory limited" not in found
    words = flat_until(scenario, SizeOptions(field="rows", reach=1000))
    assert words == "fprop: the launch of 2.34 µs decides at every size shown."


@pytest.mark.parametrize("field", ["batch", "channels", "height"])
def test_only_the_points_move_with_the_size(field):
    options = SizeOptions(field=field)
    now, then = (lower(sizes(s, options)) for s in (SCENARIO, SCENARIO.resized(field, 48)))
    assert [name for name in now if now[name] != then[name]] == ["now"]


def test_a_moved_point_reuses_the_curves():
    one, other = (sizes(s, SizeOptions()) for s in (SCENARIO, SCENARIO.resized("batch", 48)))
    assert all(a is b for a, b in zip(one.marks[:-1], other.marks[:-1], strict=True))


def test_sizes_that_the_layer_cannot_have_are_left_out():
    scenario = Scenario(GroupNorm(8, 64, 8, 8, groups=32), A100, FP16)
    found = marks(scenario, field="channels", reach=1000)
    assert all(x % 32 == 0 for x in found["fprop"].x)


def test_passes_are_compared_from_the_quickest_up():
    found = marks(replace(SCENARIO, phases=(Phase.FPROP,)), compare="passes")
    last = [found[name].y[-1] for name in ("persistent", "two-pass", "three-pass")]
    # 2, 3 and 4 times the input
    assert last[1] / last[0] == pytest.approx(3 / 2, rel=0.03)
    assert last[2] / last[0] == pytest.approx(4 / 2, rel=0.03)
    assert len({found[name].dash for name in ("persistent", "two-pass", "three-pass")}) == 3
    assert found["now"].y == (replace(SCENARIO, phases=(Phase.FPROP,)).time,)


def test_functions_are_compared():
    found = marks(Scenario(Activation(10**6), A100, FP16), compare="functions", field="elements", reach=10**8)
    assert found["sigmoid"].y == found["relu"].y == found["tanh"].y


@pytest.mark.parametrize(
    ("layer", "choices"),
    [
        (BatchNorm2d(), ("phases", "passes")),
        (BatchNorm2d(passes="inference"), ("phases",)),
        (Activation(), ("phases", "functions")),
        (Pool2d(), ("phases",)),
    ],
)
def test_what_can_be_compared(layer, choices):
    assert comparable(layer) == choices


@pytest.mark.parametrize(("size", "end"), [(1, 1000), (1000, 1000), (1001, 10_000), (10**9, 10**9)])
def test_decades(size, end):
    assert decade(size) == end


def test_axes_end_at_decades_and_hold_every_curve():
    for scenario in (SCENARIO, Scenario(Pool2d(), A100, FP16, BOTH)):
        chart = sizes(scenario, SizeOptions())
        for end in (*chart.x.domain, *chart.y.domain):
            assert round(log(end, 10), 9) == round(log(end, 10))
        for mark in chart.marks:
            if isinstance(mark, Line | Points):
                assert all(chart.y.domain[0] <= y <= chart.y.domain[1] for y in mark.y)
        assert any(isinstance(mark, Spans) for mark in chart.marks)


class TestFigures:
    """NVIDIA, Memory-Limited Layers: the shape of its four figures, A100."""

    @pytest.mark.parametrize("chosen", FIGURES[:2], ids=lambda f: f.name)
    def test_batch_norm_is_flat_below_64_and_then_in_proportion(self, chosen):
        found = drawn(chosen)
        curves = ("persistent", "two-pass") if chosen.compare == "passes" else BOTH
        for name in curves:
            curve = found[name]
            flat = [y for x, y in zip(curve.x, curve.y, strict=True) if x < 64]
            assert max(flat) < 1.2 * min(flat)
            assert slope(curve, 20_000, 100_000) == pytest.approx(1, abs=0.06)

    def test_figure_1_compares_kernels_and_figure_2_shows_the_persistent_one(self):
        first, second = FIGURES[:2]
        assert (first.scenario.layout, second.scenario.layout) == ("NCHW", "NHWC")
        found = drawn(first)
        for faster, slower in pairwise(("persistent", "two-pass", "three-pass")):
            pairs = zip(found[faster].y, found[slower].y, strict=True)
            assert all(a < b for a, b in pairs)
        assert second.layer.passes == "persistent"
        assert {"two-pass", "three-pass"}.isdisjoint(drawn(second))

    def test_activations_are_longer_backward_and_begin_at_the_floor(self):
        found = drawn(figure("figure 3: activations"))
        ahead, back = found["fprop"], found["dgrad"]
        assert back.y[-1] / ahead.y[-1] == pytest.approx(3 / 2, rel=0.02)  # 3 tensors against 2
        assert back.y[0] == pytest.approx(found["launch floor"].y[0], rel=0.02)
        assert slope(ahead, 10**8, 10**9) == pytest.approx(1, abs=0.01)

    def test_pooling_takes_as_long_for_each_value(self):
        found = drawn(figure("figure 4: pooling"))
        for phase in BOTH:
            late = [y for x, y in zip(found[phase].x, found[phase].y, strict=True) if x >= 1000]
            assert max(late) < 1.05 * min(late)
            assert found[phase].y[0] > 3 * late[-1]
        scenario = figure("figure 4: pooling").scenario
        values = 32 * 64 * 56 * 56
        assert found["now"].y[0] == replace(scenario, phases=(Phase.FPROP,)).time / values

    def test_no_figure_has_the_name_of_none(self):
        assert figure(OWN) is None


def test_curves_do_not_depend_on_the_present_size():
    one, other = (anchored(s, "batch") for s in (SCENARIO, SCENARIO.resized("batch", 500)))
    assert first_curve(one, "batch", 10_000, "phases") is first_curve(other, "batch", 10_000, "phases")
