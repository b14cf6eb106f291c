"""Move a control, read the bars, the table and the words: the model explorer without a browser."""

import asyncio
import json
import re
import time
from dataclasses import replace

import ipywidgets as w
import pytest
from traitlets import link

from dlperf_widgets import gpus, language, models
from dlperf_widgets.apps import LayerExplorer, ModelExplorer
from dlperf_widgets.charts import ModelOptions
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import Conv2d, Embedding, Linear
from dlperf_widgets.models import MODELS
from dlperf_widgets.ops import TRAINING

A100, V100 = gpus.A100_SXM4_80GB, gpus.V100_SXM2_16GB
SCENARIO = Scenario(models.AlexNet(batch=8), A100, FP16, TRAINING)


@pytest.fixture
def explorer():
    explorer = ModelExplorer(SCENARIO)
    yield explorer
    explorer.close()


def bars(explorer):
    return explorer.panes[0].widget


def table(explorer):
    explorer.tabs.selected_index = 1
    return explorer.panes[1].widget


def column(explorer, name) -> dict:
    """Return a column's values by row."""
    shown = table(explorer)
    at = [each["key"] for each in json.loads(shown.data)["columns"]].index(name)
    return {row.key: row.cells[at].value for row in shown.rows}


def test_bars_and_table_are_alexnets_layers(explorer):
    names = [path for path, _, _ in SCENARIO.layer.leaves()]
    assert [note.split(" ")[0] for note in bars(explorer).notes] == names
    params = column(explorer, "params")
    # facts of the network: conv1 3 x 64 x 11 x 11 + 64, fc6 9216 x 4096 + 4096
    assert params["conv1"] == 23_296
    assert params["fc6"] == 37_752_832
    assert sum(params.values()) == 61_100_840
    # a multiply-add is two FLOP, and a training step has three products but in the first layer: two
    flops = column(explorer, "flops")
    assert flops["conv1"] == 2 * 2 * 8 * 70_276_800
    assert flops["conv2"] == 3 * 2 * 8 * 223_948_800


def test_forward_and_backward_stand_apart_and_add_up(explorer):
    forward, backward, whole = (column(explorer, name) for name in ("forward", "backward", "time"))
    costs = [cost for cost in SCENARIO.costs if cost.path == "fc7"]
    assert forward["fc7"] == pytest.approx(costs[0].time)
    assert all(forward[name] + backward[name] == pytest.approx(whole[name]) for name in whole)
    assert sum(column(explorer, "share").values()) == pytest.approx(1)


def test_the_share_of_each_limit_is_said_first(explorer):
    seconds: dict = {}
    for cost in SCENARIO.costs:
        seconds[cost.limiter] = seconds.get(cost.limiter, 0) + cost.time * cost.count
    memory = round(100 * seconds["memory"] / SCENARIO.time)
    assert re.search(rf"memory( limited: such operations take)? {memory}%", explorer.words()[0])
    most = max(seconds, key=lambda each: seconds[each])
    assert explorer.sentences.value.startswith(f"<p class='dlp-verdict'>Mostly {most} limited")
    assert "Linear: 96% of the parameters, 8.2% of the multiply-adds" in explorer.sentences.value


def test_the_longest_layer_is_named_with_its_share(explorer):
    times = {path: 0.0 for path, _, _ in SCENARIO.layer.leaves()}
    for cost in SCENARIO.costs:
        times[cost.path] += cost.time
    longest = max(times, key=lambda path: times[path])
    share = f"{100 * times[longest] / SCENARIO.time:.0f}%"
    assert re.search(rf"Longest: {longest} \(\w+\), {share} of the time\.", explorer.sentences.value)


def test_passes_and_collapsed_repeats(explorer):
    explorer.controls.pickers["kind"].value = models.ResNet
    assert len(bars(explorer).notes) == 174
    explorer.choices.controls["collapse"].value = True
    assert len(bars(explorer).notes) == 77
    assert "conv4_2.conv2 (Conv2d) × 5: " in "".join(bars(explorer).notes)
    before = column(explorer, "time")
    explorer.choices.controls["passes"].value = "backward"
    assert set(column(explorer, "forward").values()) == {0}
    assert column(explorer, "time")["conv1"] < before["conv1"]


def test_a_size_moves_the_bars_in_view_alone(explorer):
    bars_before, stale = bars(explorer).data, explorer.charts[0].chart
    explorer.controls.sizes["batch"].value = 64
    assert bars(explorer).data != bars_before
    assert explorer.panes[2].figure.chart is stale
    explorer.tabs.selected_index = 2
    assert explorer.panes[2].figure.chart is not stale


def test_a_layer_opens_below_and_follows_the_network(explorer):
    bars(explorer).choose([path for path, _, _ in SCENARIO.layer.leaves()].index("conv2"))
    opened = explorer.opened
    assert isinstance(opened, LayerExplorer)
    assert opened in explorer.below.children
    assert opened.scenario == replace(SCENARIO, layer=dict(SCENARIO.layer.parts)["conv2"])
    assert isinstance(opened.scenario.layer, Conv2d)
    explorer.controls.pickers["gpu"].value = V100
    explorer.controls.sizes["batch"].value = 64
    assert (opened.scenario.gpu, opened.scenario.layer.batch) == (V100, 64)
    assert explorer.opened is opened
    opened.controls.sizes["out_channels"].value = 512
    assert explorer.scenario.layer == models.AlexNet(batch=64)


def test_another_row_opens_instead_and_the_same_one_closes(explorer):
    before = set(w.widget._instances)
    table(explorer).choose("fc6")
    table(explorer).choose("fc8")
    assert explorer.opened.scenario.layer == Linear(8, 4096, 1000)
    assert table(explorer).chosen == explorer.options.opened == "fc8"
    close = explorer.below.children[0].children[1]
    close.click()
    assert explorer.opened is None and not explorer.below.children
    assert set(w.widget._instances) - before <= set(_of(explorer.panes[1].widget))


def _of(widget):
    return (widget.model_id, widget.layout.model_id)


def test_an_opened_layer_that_another_network_lacks_is_closed(explorer):
    table(explorer).choose("fc6")
    explorer.controls.pickers["kind"].value = models.Gpt2
    assert explorer.opened is None and explorer.options.opened == ""
    # the head's weights are the embedding's: it opens as the layer that it runs
    table(explorer).choose("head")
    assert isinstance(explorer.opened.scenario.layer, Linear)
    table(explorer).choose("embedding[0]" if "embedding[0]" in column(explorer, "time") else "embedding.body")
    assert explorer.opened is None or isinstance(explorer.opened.scenario.layer, Linear | Embedding)


def test_undo_opens_and_closes(explorer):
    table(explorer).choose("fc6")
    explorer.toolbar.press("undo")
    assert explorer.opened is None
    explorer.toolbar.press("redo")
    assert explorer.opened.scenario.layer == Linear(8, 9216, 4096)


def test_the_tables_order_and_filter_are_part_of_the_state(explorer):
    table(explorer).sort = "-params"
    table(explorer).filter = "fc"
    assert (explorer.options.sort, explorer.options.filter) == ("-params", "fc")
    other = ModelExplorer(SCENARIO)
    other.state = explorer.state
    assert other.options == explorer.options
    assert (table(other).sort, table(other).filter) == ("-params", "fc")
    other.close()


def test_why_tells_counts_by_kind(explorer):
    explorer.readouts.ask("params")
    assert "Linear × 3: 58,631,144" in explorer.reason.value
    explorer.readouts.ask("macs")
    # 8 pictures of 655,566,528 multiply-adds
    assert "Conv2d × 5: 5,244,532,224" in explorer.reason.value
    explorer.readouts.ask("step")
    assert "fprop" in explorer.reason.value


def test_a_network_that_does_not_fit_is_shown_and_said(explorer):
    explorer.controls.pickers["kind"].value = models.Gpt3
    assert explorer.message == ""
    assert "It does not fit: training with Adam takes" in explorer.sentences.value
    assert "85.9 GB" in explorer.sentences.value


@pytest.mark.parametrize("text", ["0", "many", ""])
def test_nonsense_is_said_and_the_last_picture_stays(explorer, text):
    before = bars(explorer).data
    explorer.controls.sizes["batch"].type(text)
    assert explorer.message.startswith("AlexNet batch must be")
    assert explorer.scenario is SCENARIO
    assert bars(explorer).data is before


def test_a_torch_module_is_a_network(explorer):
    torch = pytest.importorskip("torch")
    module = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
    explorer.trace(module, torch.zeros(32, 64))
    # 64 x 256 + 256 + 256 x 10 + 10 parameters
    assert sum(column(explorer, "params").values()) == 19_210
    explorer.tabs.selected_index = 0
    bars(explorer).choose(0)
    assert explorer.opened.scenario.layer == Linear(32, 64, 256)
    assert ModelExplorer(Scenario(explorer.scenario.layer, V100, FP32)).scenario.gpu is V100


def test_a_torch_module_that_cannot_be_traced_is_said_and_the_last_picture_stays(explorer):
    torch = pytest.importorskip("torch")

    class Bad(torch.nn.Module):
        def forward(self, x):
            return x * 2 if x.sum() > 0 else x

    before = bars(explorer).data
    for module, inputs, words in (
        (Bad(), torch.zeros(2, 3), "Bad fails on these inputs"),
        (torch.nn.Linear(4, 8), torch.zeros(2, 3), "Linear fails on these inputs"),
        ("a text", torch.zeros(1), "from_torch takes a torch.nn.Module, not str"),
    ):
        explorer.trace(module, inputs)
        assert words in explorer.status.value
        assert explorer.scenario is SCENARIO and bars(explorer).data is before


@pytest.mark.parametrize("state", ['{"version": 1, "explorer": "layer"}', "{"])
def test_a_state_of_another_explorer_changes_nothing(explorer, state):
    before = explorer.state
    explorer.state = state
    assert explorer.message
    assert (explorer.scenario, explorer.state) == (SCENARIO, before)


def test_linked_with_a_layer_explorer(explorer):
    other = LayerExplorer(SCENARIO)
    link((explorer, "scenario"), (other, "scenario"))
    other.controls.sizes["batch"].value = 72
    assert explorer.scenario.layer.batch == explorer.controls.sizes["batch"].value == 72
    explorer.controls.pickers["gpu"].value = V100
    assert other.scenario.gpu is V100
    other.controls.pickers["kind"].value = Linear
    assert explorer.scenario.layer == Linear()
    assert [row.key for row in table(explorer).rows] == ["Linear"]
    other.close()


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)
def test_every_network_can_be_explored(kind):
    explorer = ModelExplorer(Scenario(kind(), A100, FP16, TRAINING))
    for index, pane in enumerate(explorer.panes):
        explorer.tabs.selected_index = index
        assert len(pane.alt()) > 20
        assert pane.html().startswith(("<svg", "<table"))
    explorer.close()


def test_an_update_of_no_phase_has_words_and_pictures():
    explorer = ModelExplorer(Scenario(models.AlexNet(), A100, FP16, ("update",)))
    for index in range(len(explorer.panes)):
        explorer.tabs.selected_index = index
    assert explorer.words()[0] == "Nothing to run in these phases."
    explorer.close()


def test_another_language_keeps_the_opened_layer(explorer):
    table(explorer).choose("fc6")
    language.set_language("zh_CN")
    try:
        assert explorer.opened.scenario.layer == Linear(8, 9216, 4096)
        assert explorer.opened in explorer.below.children
    finally:
        language.set_language("en")


def test_closing_leaves_nothing_alive_with_a_layer_open():
    before = set(w.widget._instances)
    explorer = ModelExplorer(SCENARIO, ModelOptions(opened="fc6"))
    assert explorer.opened is not None
    for index in range(len(explorer.panes)):
        explorer.tabs.selected_index = index
    explorer.close()
    assert set(w.widget._instances) == before


def test_an_opened_layer_follows_when_the_hand_rests():
    async def drag():
        explorer = ModelExplorer(SCENARIO, ModelOptions(opened="fc6"))
        explorer.controls.sizes["batch"].value = 64
        moving = explorer.opened.scenario.layer.batch
        deadline = time.monotonic() + 10
        while explorer.opened.scenario.layer.batch != 64 and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        rested = explorer.opened.scenario.layer.batch
        explorer.close()
        return moving, rested

    assert asyncio.run(drag()) == (8, 64)
