"""The pictures of a network: bars, shares, depthwise separable convolutions, and accuracy."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from dlperf_widgets import gpus, models
from dlperf_widgets.charts import (
    Area,
    ModelOptions,
    bubbles,
    layers_bars,
    layers_roofline,
    lower,
    separable,
    shares,
    svg,
)
from dlperf_widgets.charts.bubbles import published
from dlperf_widgets.charts.separable import share
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import Linear
from dlperf_widgets.models import MODELS
from dlperf_widgets.ops import TRAINING
from dlperf_widgets.views.bqplot_traits import style, traits
from dlperf_widgets.views.legend import legend

A100 = gpus.A100_SXM4_80GB
ALEXNET = Scenario(models.AlexNet(), A100, FP16)
OPTIONS = ModelOptions()
CHARTS = (layers_roofline, shares, separable, bubbles)


def marks(chart) -> dict:
    return {mark.name: mark for mark in chart.marks}


@pytest.mark.parametrize("phases", [("fprop",), TRAINING], ids=["inference", "training"])
@pytest.mark.parametrize("kind", [*MODELS, Linear], ids=lambda kind: kind.__name__)
def test_every_picture_describes_every_network(kind, phases):
    scenario = Scenario(kind(), A100, FP16, phases)
    for chart in (*layers_bars(scenario, OPTIONS), *(chart(scenario, OPTIONS) for chart in CHARTS)):
        assert len(chart.alt) > 40
        root = ET.fromstring(svg(chart))
        assert root.get("aria-label") == chart.alt
        for axis in (chart.x, chart.y):
            assert len(set(axis.ticks.values())) == len(axis.ticks) <= 9
        for shape in lower(chart).values():
            assert style(shape) and traits(shape)
        assert all(f"{m.name}</li>" in legend(chart) for m in chart.marks if getattr(m, "x", ()))


def test_bars_are_the_layers_and_their_stack_is_the_time():
    scenario = Scenario(models.ResNet50(batch=8), A100, FP16, TRAINING)
    time, work, traffic, params = layers_bars(scenario, OPTIONS)
    tops = [mark.top[1::4] for mark in time.marks]
    assert len(tops[0]) == 174
    # no operation of this network is sped up by a cache below its ideal time but a few: the sum is the time
    assert sum(tops[-1]) == pytest.approx(scenario.time, rel=1e-3)
    assert sum(work.marks[0].top[1::4]) == pytest.approx(scenario.flops)
    assert sum(traffic.marks[0].top[1::4]) == pytest.approx(scenario.bytes)
    assert sum(params.marks[0].top[1::4]) == 25_557_032
    assert [mark.role for mark in time.marks] == ["launch", "memory", "math", "waste"]


def test_bars_of_a_pass_and_of_collapsed_repeats():
    scenario = Scenario(models.ResNet50(batch=8), A100, FP16, TRAINING)
    whole, forward, backward = (
        layers_bars(scenario, ModelOptions(passes=passes, collapse=True))[0]
        for passes in ("all", "forward", "backward")
    )
    heights = [[sum(chart.marks[-1].top[1::4])] for chart in (whole, forward, backward)]
    assert len(whole.marks[0].top) == 4 * 77
    assert heights[0][0] == pytest.approx(heights[1][0] + heights[2][0])


def test_bars_have_a_gap_and_one_outline():
    (time, *_) = layers_bars(ALEXNET, OPTIONS)
    area = time.marks[1]
    assert isinstance(area, Area)
    assert area.x[:8] == (0.1, 0.1, 0.9, 0.9, 1.1, 1.1, 1.9, 1.9)
    assert area.top[0] == area.top[3] == area.base[0] == 0


def test_alexnets_parameters_are_in_one_place_and_its_work_in_another():
    chart = shares(ALEXNET, OPTIONS)
    names = list(chart.x.ticks.values())
    params, macs = (marks(chart)[name].top[1::4] for name in ("parameters", "multiply-adds"))
    # 58,631,144 of 61,100,840 parameters are fully connected, and 655,566,528 of 714,188,480
    # multiply-adds are not
    assert params[names.index("Linear")] == pytest.approx(0.9596, abs=5e-5)
    assert params[names.index("Conv")] == pytest.approx(0.0404, abs=5e-5)
    assert macs[names.index("Conv")] == pytest.approx(0.9179, abs=5e-5)
    assert macs[names.index("Linear")] == pytest.approx(0.0821, abs=5e-5)
    assert "Linear: 96% of the parameters, 8.2% of the multiply-adds" in chart.alt


@pytest.mark.parametrize(
    ("channels", "left"), [(64, 0.12674), (128, 0.11892), (256, 0.11502), (512, 0.11306), (1024, 0.11209)]
)
def test_a_separable_convolution_leaves_one_over_k_and_one_over_nine(channels, left):
    assert share(channels) == pytest.approx(left, abs=5e-6)
    work = marks(separable(ALEXNET, OPTIONS))["multiply-adds and parameters"]
    assert work.y[work.x.index(channels)] == share(channels)


def test_its_time_falls_less_than_its_work():
    chart = marks(separable(Scenario(models.MobileNetV1(batch=32), A100, FP16), OPTIONS))
    time, work = chart["time"], chart["multiply-adds and parameters"]
    assert all(spent > left for spent, left in zip(time.y, work.y, strict=True))
    told = chart["time at one width"]
    assert told.notes[1].startswith(
        "256 channels: 1/256 + 1/9 = 0.1150 of the multiply-adds, 8.69 times fewer"
    )


def test_the_roof_has_every_distinct_operation_once():
    scenario = Scenario(models.ResNet50(batch=8), A100, FP16, TRAINING)
    chart = marks(layers_roofline(scenario, OPTIONS))
    assert len(chart["fprop"].x) == 77
    assert 0 < len(chart["wgrad"].x) < len(chart["dgrad"].x) <= 77
    assert all(mark.small and not mark.drag for mark in (chart["fprop"], chart["dgrad"], chart["wgrad"]))
    forward = marks(layers_roofline(scenario, replace(OPTIONS, passes="forward")))
    assert len(forward["fprop"].x) == 77 and not forward["dgrad"].x


def test_bubbles_are_the_published_networks():
    chart = marks(bubbles(ALEXNET, OPTIONS))
    points = chart["a network; the area is its parameters"]
    at = dict(zip(points.labels, zip(points.x, points.y, points.sizes, strict=True), strict=True))
    # multiply-adds and parameters as torchvision's metadata has them; areas against VGG16's
    assert at["ResNet-50"] == (4_089_184_256, 0.7613, 25_557_032 / 138_357_544)
    assert at["AlexNet"] == (714_188_480, 0.56522, 61_100_840 / 138_357_544)
    assert at["VGG16"][1:] == (0.71592, 1.0)
    assert set(at) == {each.name for each in published()}
    assert all(each.source.startswith("https://") for each in published())
    assert (chart["now"].x, chart["now"].y) == ((714_188_480,), (0.56522,))


def test_the_present_network_is_ringed_at_any_batch_and_others_are_not():
    ringed = Scenario(models.ResNet(depth="34", batch=64), A100, FP32)
    assert marks(bubbles(ringed, OPTIONS))["now"].y == pytest.approx((0.73314,))
    assert "now" not in marks(bubbles(Scenario(models.Gpt2(), A100, FP16), OPTIONS))
    assert "now" not in marks(bubbles(Scenario(models.AlexNet(grouped=True), A100, FP16), OPTIONS))


def test_bubbles_and_words_are_drawn_by_area_and_side():
    picture = svg(bubbles(ALEXNET, OPTIONS))
    radii = [float(part.split('"')[1]) for part in picture.split(" r=")[1:]]
    # an area in proportion to the parameters: AlexNet's 61.1 M against VGG16's 138.4 M
    assert radii[0] / radii[1] == pytest.approx((61_100_840 / 138_357_544) ** 0.5, rel=0.01)
    assert all(f">{each.name}</text>" in picture for each in published())
    shapes = lower(bubbles(ALEXNET, OPTIONS))
    words = {name: shape.text for name, shape in shapes.items() if "text" in name}
    assert words["a network; the area is its parameters, text left"] == ("ResNet-50",)
