"""The GEMM explorer: move a size, read the tiles, the waves and the candidates."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.apps import GemmExplorer
from dlperf_widgets.charts.candidates import BEST, GemmOptions, tile_candidates
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Activation, Linear, Lstm
from dlperf_widgets.models import AlexNet
from dlperf_widgets.ops import TRAINING

A100 = gpus.A100_SXM4_80GB
# Outputs lie along m: 1792 = 7 x 256, 14 x 128.
SCENARIO = Scenario(Linear(batch=1792, inputs=4096, outputs=1792), A100, FP16)


def text(explorer, key):
    return next(words for name, _, words in explorer.readouts.numbers if name == key)


def test_one_more_row_starts_another_wave():
    explorer = GemmExplorer(SCENARIO, GemmOptions(tile="256 x 128"))
    # 7 x 14 = 98 tiles on 108 SMs: 1 wave, 98/108 = 90.7%
    assert (text(explorer, "tiles"), text(explorer, "waves"), text(explorer, "wave")) == ("98", "1", "90.7%")
    assert text(explorer, "tile") == "100.0%"
    explorer.controls.sizes["batch"].type("1793")
    # 7 x 15 = 105: still one; with 1793 outputs too 8 x 15 = 120: 2 waves, 120/216 = 55.6%
    assert (text(explorer, "tiles"), text(explorer, "waves")) == ("105", "1")
    explorer.controls.sizes["outputs"].type("1793")
    assert (text(explorer, "tiles"), text(explorer, "waves"), text(explorer, "wave")) == ("120", "2", "55.6%")
    assert text(explorer, "tile") == "81.8%"  # 1793^2 / (120 x 256 x 128)
    assert explorer.panes[0].map.plan.tiles == 120
    assert "2 waves" in explorer.words()[1]


def test_the_map_is_drawn_from_a_few_numbers():
    explorer = GemmExplorer(replace(SCENARIO, layer=Linear(40_000, 64, 40_000)))
    assert explorer.panes[0].map.plan.tiles > 40_000
    assert len(str(explorer.panes[0].map.plan.numbers())) < 1000


def test_the_model_chooses_unless_the_user_does():
    explorer = GemmExplorer(SCENARIO)
    best = explorer.cost.tiling
    explorer.tile.value = "64 x 64"
    assert (explorer.cost.tiling.tile_m, explorer.options.tile) == (64, "64 x 64")
    assert explorer.cost.time > explorer.scenario.time
    assert "it would take" in explorer.words()[3]
    explorer.toolbar.press("undo")
    assert explorer.options.tile == explorer.tile.value == BEST
    assert explorer.cost.tiling == best


def test_every_candidate_stands_at_its_time():
    chart = tile_candidates(SCENARIO, GemmOptions())
    marks = {mark.name: mark for mark in chart.marks}
    assert len(chart.x.ticks) == len(marks["predicted"].y) == 9
    assert list(marks["predicted"].y) == sorted(marks["predicted"].y)
    # a bar's four corners: down, up, up, down
    assert marks["waste"].top[1::4] == pytest.approx(marks["predicted"].y)
    assert marks["now"].y == (SCENARIO.time,)


def test_each_product_of_a_network_can_be_looked_at():
    explorer = GemmExplorer(Scenario(AlexNet(batch=64), A100, FP16, TRAINING))
    names = [value for _, value in explorer.product.options]
    assert len(names) == 23  # 8 layers of 3 products, but no dgrad of the first
    explorer.product.value = names[-1]
    assert explorer.options.product == names[-1]
    explorer.controls.ask(lambda: SCENARIO)
    assert explorer.options.product == "fprop"


def test_a_layer_without_a_product_is_refused_and_the_last_picture_stays():
    explorer = GemmExplorer(SCENARIO)
    before = explorer.panes[0].map.plan
    explorer.controls.pickers["kind"].value = Activation
    assert explorer.message == (
        "the GEMM explorer needs a product that is cut into tiles: Activation has none"
    )
    assert explorer.controls.pickers["kind"].value is Linear
    assert explorer.panes[0].map.plan is before
    with pytest.raises(ValueError, match="needs a product"):
        GemmExplorer(replace(SCENARIO, layer=Activation()))


def test_a_tile_that_another_gpu_has_not_gives_way():
    explorer = GemmExplorer(SCENARIO, GemmOptions(tile="256 x 128"))
    explorer.controls.pickers["gpu"].value = gpus.P100_PCIE_16GB
    assert explorer.options.tile == BEST


def test_time_steps_are_a_product_too():
    explorer = GemmExplorer(replace(SCENARIO, layer=Lstm()))
    assert len(explorer.product.options) >= 2
