"""Move a control, read the mark: the layer explorer without a kernel or a browser."""

from dataclasses import fields, replace

import pytest
from traitlets import link

from dlperf_widgets import gpus
from dlperf_widgets.advice import crossing, verdict
from dlperf_widgets.apps import LayerExplorer
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16, INT8
from dlperf_widgets.layers import LAYERS, BatchNorm2d, Conv2d, Linear, Sequence
from dlperf_widgets.models import MODELS
from dlperf_widgets.ops import TRAINING

V100, A100 = gpus.V100_SXM2_16GB, gpus.A100_SXM4_80GB
SCENARIO = Scenario(Linear(512, 1024, 4096), A100, FP16)


@pytest.fixture
def explorer():
    return LayerExplorer(SCENARIO)


def test_it_opens_on_the_guides_example():
    explorer = LayerExplorer()
    assert explorer.scenario == Scenario(Linear(512, 1024, 4096), V100, FP16)
    assert "315 FLOPS/byte against 139" in explorer.sentences.value
    assert "from batch size 168 up" in explorer.sentences.value


def test_typing_is_exact(explorer):
    explorer.controls.sizes["batch"].type("901")
    assert explorer.scenario.layer.batch == explorer.controls.sizes["batch"].value == 901
    explorer.controls.sizes["batch"].type("1,024")
    assert explorer.scenario.layer.batch == 1024


@pytest.mark.parametrize("text", ["0", "-8", "1.5", "many", "", "1e400", str(10**30)])
def test_nonsense_is_said_and_the_last_picture_stays(explorer, text):
    before = explorer.charts[0].chart
    explorer.controls.sizes["batch"].type(text)
    assert explorer.message.startswith("Linear batch must be")
    assert "Linear batch must be" in explorer.status.value
    assert explorer.scenario is SCENARIO
    assert explorer.charts[0].chart is before
    explorer.controls.sizes["batch"].type("64")
    assert explorer.message == explorer.status.value == ""


def test_charts_follow_the_size_last_touched(explorer):
    explorer.controls.sizes["outputs"].value = 2048
    assert explorer.options.field == explorer.vary.value == "outputs"
    explorer.vary.value = "inputs"
    assert explorer.options.field == "inputs"


def test_pickers(explorer):
    explorer.controls.pickers["gpu"].value = V100
    explorer.controls.pickers["phases"].value = TRAINING
    assert explorer.scenario == replace(SCENARIO, gpu=V100, phases=TRAINING)
    assert "dgrad" in explorer.sentences.value


def test_a_gpu_without_the_format_takes_the_nearest_it_has_and_says_so(explorer):
    explorer.controls.pickers["dtype"].value = INT8
    explorer.controls.pickers["gpu"].value = V100
    assert explorer.scenario.dtype is FP16
    assert explorer.message == "V100 SXM2 16GB has no INT8: this is FP16"
    assert [dtype for _, dtype in explorer.controls.pickers["dtype"].options] == list(V100.dtypes)


def test_words_are_those_that_python_computes(explorer):
    explorer.controls.sizes["batch"].value = 64
    assert verdict(explorer.scenario) in explorer.sentences.value
    assert crossing(explorer.scenario, "batch") in explorer.sentences.value


def test_a_dragged_point_resizes_the_layer(explorer):
    explorer.tabs.selected_index = 1
    point = explorer.charts[1].drawn["now"]
    point.x = [641.7]  # as the page does
    assert explorer.scenario.layer.batch == 640
    assert explorer.charts[1].drawn["now"].x[0] == 640


def test_a_drag_may_keep_to_powers_of_two(explorer):
    explorer.tabs.selected_index = 1
    explorer.controls.sizes["batch"].step = 0
    explorer.charts[1].drawn["now"].x = [700.0]
    assert explorer.scenario.layer.batch == 512  # log2 700 = 9.45
    explorer.charts[1].drawn["now"].x = [760.0]
    assert explorer.scenario.layer.batch == 1024  # log2 760 = 9.57


def test_only_the_point_moves_while_a_size_is_dragged(explorer):
    explorer.tabs.selected_index = 1
    changed = []
    for mark in explorer.charts[1].marks:
        mark.observe(lambda change: changed.append(change.owner), ["x", "y"])
    explorer.controls.sizes["batch"].value = 520
    assert set(changed) == {explorer.charts[1].drawn["now"]}


def test_the_axis_stays_until_the_point_leaves_it(explorer):
    assert explorer.options.reach == 1024
    explorer.controls.sizes["batch"].value = 8
    assert explorer.options.reach == 1024
    explorer.controls.sizes["batch"].value = 1500
    assert explorer.options.reach == 4096
    explorer.controls.sizes["batch"].value = 100
    explorer.toolbar.press("fit")
    assert explorer.options.reach == 256


def test_hidden_charts_wait(explorer):
    stale = explorer.charts[2].chart
    explorer.controls.sizes["inputs"].value = 2048
    assert explorer.charts[2].chart is stale
    explorer.tabs.selected_index = 2
    assert explorer.charts[2].chart is not stale


def test_state_carries_scenario_and_options(explorer):
    explorer.controls.sizes["outputs"].value = 2048
    other = LayerExplorer()
    other.state = explorer.state
    assert (other.scenario, other.options, other.state) == (
        explorer.scenario,
        explorer.options,
        explorer.state,
    )


@pytest.mark.parametrize(
    "state",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"version": 1}',
        '{"version": 1, "scenario": 7}',
        '{"version": 2, "scenario": {}}',
    ],
)
def test_a_broken_state_changes_nothing_and_is_said(explorer, state):
    before = explorer.state
    explorer.state = state
    assert explorer.message
    assert (explorer.scenario, explorer.state) == (SCENARIO, before)


@pytest.mark.parametrize(("old", "new"), [('"batch"', '"depth"'), ("1024,", "0,"), ("1024,", '"far",')])
def test_broken_options_change_nothing(explorer, old, new):
    before = explorer.state
    head, tail = before.split('"options"')
    explorer.state = f'{head}"options"{tail.replace(old, new)}'
    assert explorer.message
    assert explorer.state == before


def test_two_explorers_link(explorer):
    other = LayerExplorer()
    link((explorer, "scenario"), (other, "scenario"))
    explorer.controls.sizes["batch"].value = 72
    assert other.scenario == explorer.scenario
    assert other.controls.sizes["batch"].value == 72


def test_reset_and_python(explorer):
    explorer.controls.sizes["batch"].value = 72
    explorer.toolbar.press("copy")
    assert "batch=72" in explorer.reason.value
    explorer.toolbar.press("reset")
    assert explorer.scenario == SCENARIO


def test_the_shown_python_asks_the_same_question(explorer):
    from dlperf_widgets.apps.code import as_python

    scenario = replace(SCENARIO, phases=TRAINING, launch="eager")
    names: dict = {}
    exec(as_python(scenario), names)
    assert names["s"] == scenario


def test_a_gpu_of_ones_own():
    own = replace(A100, name="My GPU", sms=100)
    explorer = LayerExplorer(replace(SCENARIO, gpu=own))
    assert explorer.controls.pickers["gpu"].value == own
    explorer.controls.pickers["gpu"].value = V100
    explorer.controls.pickers["gpu"].value = own
    assert explorer.scenario.gpu == own


def test_a_size_beyond_its_slider_is_kept():
    explorer = LayerExplorer(replace(SCENARIO, layer=Linear(batch=1_000_000)))
    assert explorer.scenario.layer.batch == explorer.controls.sizes["batch"].value == 1_000_000


def test_a_layer_without_a_size_is_refused_and_the_last_picture_stays(explorer):
    chain = replace(SCENARIO, layer=Sequence.of(one=Linear()))
    words = "the layer explorer needs a layer with a size to vary: Sequence has none"
    with pytest.raises(ValueError, match=words):
        LayerExplorer(chain)
    with pytest.raises(ValueError, match=words):
        explorer.scenario = chain
    assert explorer.scenario == SCENARIO


@pytest.mark.parametrize("kind", [*LAYERS, *MODELS], ids=lambda kind: kind.__name__)
def test_every_layer_and_network_can_be_explored(kind):
    explorer = LayerExplorer(Scenario(kind(), A100, FP16, TRAINING))
    for index in range(4):
        explorer.tabs.selected_index = index
    for name, control in explorer.controls.sizes.items():
        control.type(str(getattr(explorer.scenario.layer, name)))
        assert explorer.message == ""
    assert set(explorer.controls.layer.controls) == {f.name for f in fields(kind)}
    assert explorer.sentences.value


def test_words_flags_and_choices_have_controls(explorer):
    explorer.controls.pickers["kind"].value = Conv2d
    padding, bias = explorer.controls.layer.controls["padding"], explorer.controls.layer.controls["bias"]
    padding.type("same")
    assert explorer.scenario.layer.padding == padding.text == "same"
    padding.type("1 x 2")
    assert explorer.scenario.layer.padding == (1, 2)
    padding.type("odd")
    assert "Conv2d padding must be a number, or 'same' or 'valid', not 'odd'" in explorer.message
    bias.value = False
    assert explorer.scenario.layer.bias is False
    explorer.controls.pickers["kind"].value = BatchNorm2d
    explorer.controls.layer.controls["passes"].value = "three-pass"
    assert explorer.scenario.layer.passes == "three-pass"
