"""Move a control, read the mark: the explorer of memory-limited layers."""

from dataclasses import replace

import ipywidgets as w
import pytest
from traitlets import link

from dlperf_widgets import gpus
from dlperf_widgets.apps import APPS, LayerExplorer, MemoryLimitedExplorer, open_explorer
from dlperf_widgets.charts import SizeOptions
from dlperf_widgets.charts.guide_figures import FIGURES, OWN
from dlperf_widgets.cost import Launch, Layout, Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import (
    LAYERS,
    Activation,
    Add,
    BatchNorm2d,
    GroupNorm,
    LayerNorm,
    Linear,
    Pool2d,
    Softmax,
)
from dlperf_widgets.models import MODELS
from dlperf_widgets.ops import TRAINING, Phase
from dlperf_widgets.units import si

A100 = gpus.A100_SXM4_80GB
SCENARIO = Scenario(BatchNorm2d(32, 64, 56, 56), A100, FP16, (Phase.FPROP,))


@pytest.fixture
def explorer():
    return MemoryLimitedExplorer(SCENARIO)


def test_it_opens_on_a_batch_norm_of_the_guide():
    # 32 x 64 x 56 x 56 x 2 B, read and written: 25,690,112 B are 12.6 µs at 2039 GB/s
    explorer = MemoryLimitedExplorer(SCENARIO)
    explorer.tabs.selected_index = 1
    assert "reads 12.8 MB and writes 12.8 MB: 12.6 µs at 2.04 TB/s" in explorer.panes[1].widget.value
    assert "Memory limited" in explorer.sentences.value
    assert "up to batch size 6 the launch floor of 2.34 µs decides" in explorer.sentences.value


def test_it_is_among_the_explorers():
    assert MemoryLimitedExplorer in APPS
    assert isinstance(open_explorer("memory-limited"), MemoryLimitedExplorer)


def test_passes_change_the_picture_of_reads(explorer):
    explorer.tabs.selected_index = 1
    persistent = si(explorer.scenario.time, "s")
    assert explorer.panes[1].widget.value.count("x <b>12.8 MB</b>") == 1
    explorer.controls.layer.controls["passes"].value = "three-pass"
    assert explorer.panes[1].widget.value.count("x <b>12.8 MB</b>") == 3
    # 4 against 2 times the input
    assert f"a persistent kernel {persistent}." in explorer.sentences.value
    assert explorer.panes[1].alt() in explorer.sentences.value.replace("&#x27;", "'")


@pytest.mark.parametrize("layout", Layout)
def test_the_layout_moves_no_byte_and_says_where_a_channel_lies(explorer, layout):
    time = explorer.scenario.time
    explorer.controls.pickers["layout"].value = layout
    assert explorer.scenario.time == time
    words = "32 runs of 3,136 neighbours" if layout is Layout.NCHW else "one value of every 64"
    assert words in explorer.sentences.value


def test_a_dragged_point_resizes_the_layer(explorer):
    point = explorer.charts[0].drawn["now"]
    point.x = [641.7]  # as the page does
    assert explorer.scenario.layer.batch == 640
    assert explorer.charts[0].drawn["now"].x[0] == 640


def test_only_the_point_moves_while_a_size_is_dragged(explorer):
    changed = []
    for mark in explorer.charts[0].marks:
        mark.observe(lambda change: changed.append(change.owner), ["x", "y"])
    explorer.controls.sizes["batch"].value = 48
    assert set(changed) == {explorer.charts[0].drawn["now"]}


def test_the_chart_follows_the_size_last_touched(explorer):
    explorer.controls.sizes["channels"].value = 128
    assert explorer.options.field == explorer.vary.value == "channels"
    explorer.vary.value = "height"
    assert explorer.options.field == "height"
    assert explorer.charts[0].chart.x.quantity == "Height"


def test_the_axis_stays_until_the_point_leaves_it(explorer):
    before = explorer.options.reach
    explorer.controls.sizes["batch"].value = 1000
    assert explorer.options.reach == before == 10_000
    explorer.controls.sizes["batch"].type("20000")
    assert explorer.options.reach == 100_000
    explorer.controls.sizes["batch"].type("1")
    assert explorer.options.reach == 100_000
    explorer.toolbar.press("fit")
    assert explorer.options.reach == 1000


@pytest.mark.parametrize("chosen", FIGURES, ids=lambda f: f.name)
def test_a_figure_of_the_guide_sets_the_question(explorer, chosen):
    explorer.choices.controls["figure"].value = chosen.name
    assert explorer.scenario == chosen.scenario
    assert explorer.options == SizeOptions(
        chosen.name, chosen.compare, chosen.per_value, chosen.field, chosen.reach
    )
    assert chosen.shape in explorer.sentences.value
    assert explorer.message == ""


def test_a_changed_figure_is_none_of_the_guides(explorer):
    explorer.choices.controls["figure"].value = FIGURES[0].name
    explorer.controls.sizes["batch"].value = 64  # the point moves along the figure
    assert explorer.options.figure == FIGURES[0].name
    explorer.controls.pickers["gpu"].value = gpus.V100_SXM2_16GB
    assert explorer.options.figure == explorer.choices.controls["figure"].value == OWN
    explorer.choices.controls["figure"].value = FIGURES[3].name
    explorer.choices.controls["per_value"].value = False
    assert explorer.options.figure == OWN


def test_curves_to_compare_suit_the_layer(explorer):
    explorer.choices.controls["compare"].value = "passes"
    assert {"persistent", "two-pass", "three-pass"} <= set(explorer.charts[0].drawn)
    explorer.choices.controls["compare"].value = "functions"
    assert explorer.options.compare == explorer.choices.controls["compare"].value == "phases"
    explorer.controls.pickers["kind"].value = Activation
    explorer.choices.controls["compare"].value = "functions"
    assert explorer.options.compare == "functions"
    assert "Sigmoid, tanh and ReLU take as long" in explorer.sentences.value
    explorer.controls.pickers["kind"].value = Softmax
    assert explorer.options.compare == "phases"


def test_every_kind_on_offer_can_be_shown(explorer):
    for kind in explorer.kinds():
        explorer.controls.pickers["kind"].value = kind
        for index in (1, 0):
            explorer.tabs.selected_index = index
        assert explorer.message == ""
        assert type(explorer.scenario.layer) is kind
        assert explorer.panes[0].alt() and explorer.panes[1].alt()


@pytest.mark.parametrize("kind", [Linear, *MODELS[:1]], ids=str)
def test_a_product_is_refused_and_the_last_picture_stays(explorer, kind):
    before = explorer.charts[0].chart
    assert kind not in explorer.kinds()
    with pytest.raises(ValueError, match=f"{kind().title} is no memory-limited layer: this explorer shows"):
        explorer.scenario = replace(SCENARIO, layer=kind())
    assert explorer.scenario == SCENARIO
    assert explorer.charts[0].chart is before


@pytest.mark.parametrize(
    ("layer", "phases"),
    [(BatchNorm2d(passes="folded"), TRAINING), (Add(), (Phase.DGRAD,)), (Pool2d(), (Phase.WGRAD,))],
)
def test_nothing_to_run_is_said(layer, phases):
    with pytest.raises(ValueError, match=f"{layer.title} moves nothing in .*: it takes no time"):
        MemoryLimitedExplorer(Scenario(layer, A100, FP16, phases))


def test_a_folded_norm_keeps_the_last_picture(explorer):
    before = explorer.charts[0].chart
    explorer.controls.layer.controls["passes"].value = "folded"
    assert explorer.message.startswith("BatchNorm2d moves nothing in fprop")
    assert explorer.charts[0].chart is before
    assert explorer.controls.layer.controls["passes"].value == "persistent"


def test_groups_that_do_not_divide_are_said():
    explorer = MemoryLimitedExplorer(Scenario(GroupNorm(8, 64, 8, 8, 32), A100, FP16))
    explorer.controls.sizes["channels"].type("65")
    assert explorer.message == "GroupNorm: 32 groups do not divide 65 channels equally"
    assert explorer.scenario.layer.channels == 64


def test_state_carries_scenario_and_options(explorer):
    explorer.controls.sizes["channels"].value = 128
    explorer.choices.controls["per_value"].value = True
    other = MemoryLimitedExplorer()
    other.state = explorer.state
    assert (other.scenario, other.options) == (explorer.scenario, explorer.options)
    assert other.state == explorer.state


@pytest.mark.parametrize(("old", "new"), [('"batch"', '"rows"'), ('"phases", "per', '"depth", "per')])
def test_broken_options_change_nothing(explorer, old, new):
    head, tail = explorer.state.split('"options"')
    assert old in tail
    before = explorer.state
    explorer.state = f'{head}"options"{tail.replace(old, new)}'
    assert explorer.message
    assert explorer.state == before


def test_it_links_with_a_layer_explorer(explorer):
    other = LayerExplorer(SCENARIO)
    link((explorer, "scenario"), (other, "scenario"))
    other.controls.sizes["batch"].value = 72
    assert explorer.scenario.layer.batch == 72
    explorer.controls.pickers["kind"].value = LayerNorm
    assert other.scenario == explorer.scenario


def test_the_shown_python_opens_the_same(explorer):
    explorer.choices.controls["figure"].value = FIGURES[1].name
    names: dict = {}
    exec(explorer.python or explorer._code(), names)
    assert "charts.SizeOptions(" in explorer._code()
    assert names["s"] == explorer.scenario


def test_a_pinned_question_stays_as_a_ghost(explorer):
    explorer.toolbar.press("pin")
    explorer.controls.layer.controls["passes"].value = "two-pass"
    assert "pinned: fprop" in explorer.charts[0].drawn
    explorer.controls.pickers["launch"].value = Launch.KERNEL
    assert explorer.message == ""


def test_undo(explorer):
    explorer.controls.sizes["batch"].value = 64
    explorer.choices.controls["figure"].value = FIGURES[3].name
    explorer.toolbar.press("undo")
    assert explorer.scenario.layer == BatchNorm2d(64, 64, 56, 56)


def test_a_page_without_a_kernel_shows_the_table(explorer):
    from dlperf_widgets.apps._fallback import fallback

    explorer.tabs.selected_index = 1
    assert "Reads from memory" in fallback(explorer)


def test_closing_leaves_no_widget():
    before = set(w.widget._instances)
    explorer = MemoryLimitedExplorer(SCENARIO)
    explorer.tabs.selected_index = 1
    explorer.controls.pickers["kind"].value = Pool2d
    explorer.close()
    assert set(w.widget._instances) == before


def test_kinds_are_layers():
    assert set(MemoryLimitedExplorer(SCENARIO).kinds()) <= set(LAYERS)
