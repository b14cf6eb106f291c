"""Move a control, read the mark: the memory explorer."""

from dataclasses import replace

import ipywidgets as w
import pytest
from traitlets import link

import dlperf_widgets as dp
from dlperf_widgets import gpus, models
from dlperf_widgets.apps import APPS, LayerExplorer, MemoryExplorer, open_explorer
from dlperf_widgets.charts import MemoryOptions
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import LAYERS, Linear, OptimizerStep, Sequence
from dlperf_widgets.models import MODELS
from dlperf_widgets.ops import TRAINING
from dlperf_widgets.units import GIB

A100, V100 = gpus.A100_SXM4_80GB, gpus.V100_SXM2_16GB
SCENARIO = Scenario(models.Vgg16(batch=32), A100, FP32, TRAINING)
WHOLE = {"zero": "3: and weights", "ranks": 64, "checkpoint": True}  # lets GPT-3 fit


@pytest.fixture
def explorer():
    return MemoryExplorer(SCENARIO)


def text(explorer):
    return explorer.sentences.value


def test_it_says_what_fits(explorer):
    most = dp.largest_batch(models.Vgg16(), A100, FP32, reserve=0.6 * GIB)
    total = dp.footprint(models.Vgg16(), FP32).total(32)
    assert f"Batch 32 fits A100 SXM4 80GB: {total / 1e9:.4g} GB" in text(explorer)
    assert f"The largest batch that fits is {most:,}" in text(explorer)
    # weights, gradients and two states of 138,357,544 parameters in FP32: 2.214 GB
    assert "2.21 GB whatever the batch" in text(explorer)


def test_it_is_among_the_explorers():
    assert MemoryExplorer in APPS
    assert isinstance(open_explorer("memory"), MemoryExplorer)


def test_the_pickers_that_matter(explorer):
    assert explorer.kinds()[: len(MODELS)] == MODELS
    assert set(explorer.kinds()) == {*MODELS, *LAYERS} - {OptimizerStep}
    explorer.controls.pickers["gpu"].value = V100
    most = dp.largest_batch(models.Vgg16(), V100, FP32, reserve=0.6 * GIB)
    assert explorer.largest_batch == most
    assert f"is {most:,}" in text(explorer)
    explorer.controls.pickers["dtype"].value = FP16
    assert explorer.largest_batch > most


@pytest.mark.parametrize(
    ("field", "value", "how"),
    [
        ("optimizer", "sgd", {"optimizer": "sgd"}),
        ("optimizer", "momentum", {"optimizer": "momentum"}),
        ("precision", "amp", {"mixed_precision": "amp"}),
        ("precision", "master", {"mixed_precision": "master"}),
        ("checkpoint", True, {"checkpoint": True}),
        ("zero", "1: state", {"zero": 1, "ranks": 8}),
        ("zero", "2: and gradients", {"zero": 2, "ranks": 8}),
        ("zero", "3: and weights", {"zero": 3, "ranks": 8}),
    ],
)
def test_every_switch_asks_the_core(field, value, how):
    layer = models.Gpt2(batch=4)
    explorer = MemoryExplorer(Scenario(layer, A100, FP16, TRAINING))
    explorer.choices.controls[field].value = value
    assert explorer.message == ""
    assert explorer.footprint.total(4) == dp.footprint(layer, FP16, **how).total(4)
    assert explorer.charts[0].drawn["now"].y[0] == pytest.approx(
        dp.footprint(layer, FP16, **how).total(4) / GIB + 0.6
    )


def test_the_reserve_is_editable_and_shown(explorer):
    before = explorer.largest_batch
    explorer.choices.controls["reserve"].value = 10.0
    assert explorer.largest_batch < before
    assert explorer.largest_batch == dp.largest_batch(models.Vgg16(), A100, FP32, reserve=10 * GIB)
    explorer.readouts.ask("room")
    assert "85.9 GB = 80 GiB of A100 SXM4 80GB less 10.74 GB = 10 GiB" in explorer.reason.value
    explorer.choices.controls["reserve"].value = -1.0
    assert explorer.message == "Option reserve must be between 0 and 256, not -1.0"
    assert explorer.choices.controls["reserve"].value == 10.0


def test_a_batch_that_does_not_fit_is_said(explorer):
    explorer.controls.sizes["batch"].type(str(explorer.largest_batch + 1))
    assert "does not fit A100 SXM4 80GB" in text(explorer)
    assert explorer.message == ""


def test_a_dragged_point_changes_the_batch(explorer):
    point = explorer.charts[0].drawn["now"]
    point.x = [101.3]  # as the page does
    assert explorer.scenario.layer.batch == 104


def test_only_the_point_moves_while_the_batch_is_dragged(explorer):
    changed = []
    for mark in explorer.charts[0].marks:
        mark.observe(lambda change: changed.append(change.owner), ["x", "y"])
    explorer.controls.sizes["batch"].value = 48
    assert set(changed) == {explorer.charts[0].drawn["now"]}


def test_a_network_that_fits_no_gpu_shown_is_refused_and_the_last_picture_stays(explorer):
    before = explorer.charts[0].chart
    explorer.controls.pickers["kind"].value = models.Gpt3
    # 174,604,259,328 parameters x 16 B are 2.79 TB, and a sample of 2048 tokens 0.16 TB
    assert explorer.message.startswith("Gpt3 takes 2.95 TB for one sample, more than any GPU shown has")
    assert explorer.message in explorer.status.value
    assert explorer.scenario == SCENARIO
    assert explorer.controls.pickers["kind"].value is models.Vgg16
    assert explorer.charts[0].chart is before
    with pytest.raises(ValueError, match="more than any GPU shown has"):
        MemoryExplorer(replace(SCENARIO, layer=models.Gpt3()))


def test_switches_make_room_for_it_and_cannot_be_turned_off_again():
    explorer = MemoryExplorer(replace(SCENARIO, dtype=FP16), MemoryOptions(**WHOLE))
    explorer.controls.pickers["kind"].value = models.Gpt3
    assert explorer.message == ""
    assert type(explorer.scenario.layer) is models.Gpt3
    explorer.choices.controls["zero"].value = "off"
    assert "more than any GPU shown has" in explorer.message
    assert explorer.options.zero == explorer.choices.controls["zero"].value == "3: and weights"


def test_another_gpu_that_is_shown_may_be_the_one_with_room():
    # 4 x 2^31 x 2 B of weights, gradients and states fit an H200 alone
    layer = Linear(1, 65536, 131072, bias=False)
    explorer = MemoryExplorer(Scenario(layer, V100, FP16, TRAINING))
    assert explorer.largest_batch == 0
    assert "Not even one fits V100 SXM2 16GB" in text(explorer)
    explorer.choices.controls["others"].value = ("V100 SXM2 16GB",)
    assert "more than any GPU shown has" in explorer.message
    assert "H200 SXM 141GB" in explorer.options.others


def test_senseless_switches_are_said(explorer):
    explorer.choices.controls["precision"].value = "amp"
    assert explorer.message == "mixed precision computes in 16 bits or fewer, not in FP32"
    assert explorer.options.precision == "off"
    explorer.controls.pickers["phases"].value = ("fprop",)
    explorer.choices.sizes["context"].type("100")
    assert explorer.message.startswith("Vgg16 has no attention")
    assert explorer.options.context == 0


def test_the_cache_counts_without_training():
    explorer = MemoryExplorer(Scenario(models.Llama("2-7B"), A100, FP16), MemoryOptions(context=4096))
    # 2 x 32 layers x 4096 tokens x 32 heads x 128 x 2 B = 2 GiB a sequence
    cache = next(each for each in explorer.numbers() if each.key == "cache")
    assert cache.text == "2.15 GB"
    explorer.controls.pickers["phases"].value = TRAINING
    assert "cache" not in {each.key for each in explorer.numbers()}


def test_numbers_answer_why(explorer):
    for readout in explorer.numbers():
        explorer.readouts.ask(readout.key)
        assert readout.text in explorer.reason.value
    explorer.readouts.ask("weights")
    assert "138,357,544 parameters x 4 B (FP32)" in explorer.reason.value
    with pytest.raises(ValueError, match="there is no number 'speed'"):
        explorer.why("speed")


def test_the_largest_batch_is_the_quotient_that_is_shown(explorer):
    words = explorer.why("largest").lines[0]
    asked = dp.footprint(models.Vgg16(), FP32)
    room = A100.memory - 0.6 * GIB
    assert explorer.largest_batch == int((room - asked.constant) // asked.per_sample)
    assert words.startswith("(85.26 GB = 79.4 GiB - 2.214 GB")


def test_the_table_of_switches_follows(explorer):
    explorer.tabs.selected_index = 1
    before = explorer.panes[1].widget.value
    assert "Checkpointing: " in explorer.panes[1].alt()
    explorer.controls.sizes["batch"].value = 64
    assert explorer.panes[1].widget.value != before
    assert "Batch 64 fits" in explorer.panes[1].widget.value


def test_the_axis_follows_what_fits(explorer):
    far = explorer.options.reach
    assert far >= explorer.largest_batch
    explorer.controls.sizes["batch"].value = 16
    assert explorer.options.reach == far
    explorer.choices.controls["reserve"].value = 76.0  # a tenth of the batch fits
    assert explorer.largest_batch <= explorer.options.reach < far
    explorer.toolbar.press("fit")
    assert explorer.options.reach < 2 * explorer.largest_batch


@pytest.mark.parametrize("kind", [k for k in (*MODELS, *LAYERS) if k is not OptimizerStep], ids=str)
def test_everything_on_offer_can_be_shown(kind):
    explorer = MemoryExplorer(
        Scenario(kind(), A100, FP16, TRAINING), MemoryOptions(**WHOLE, others=("H200 SXM 141GB",))
    )
    explorer.tabs.selected_index = 1
    explorer.controls.pickers["phases"].value = ("fprop",)
    assert explorer.message == ""
    assert explorer.sentences.value


def test_a_network_without_a_batch_of_its_own_counts_in_times():
    chain = Sequence.of(up=Linear(8, 64, 256), down=Linear(8, 256, 64))
    explorer = MemoryExplorer(Scenario(chain, A100, FP16, TRAINING))
    assert explorer.charts[0].chart.x.quantity == "Times the layer as given"
    assert explorer.charts[0].lowered["now"].drag == ""


def test_an_optimizer_alone_is_refused(explorer):
    with pytest.raises(ValueError, match="OptimizerStep has no footprint of its own"):
        explorer.scenario = replace(SCENARIO, layer=OptimizerStep())
    assert explorer.scenario == SCENARIO


def test_state_carries_both_even_where_the_present_switches_would_refuse(explorer):
    big = MemoryExplorer(Scenario(models.Gpt3(), A100, FP16, TRAINING), MemoryOptions(**WHOLE))
    explorer.state = big.state
    assert explorer.message == ""
    assert (explorer.scenario, explorer.options) == (big.scenario, big.options)
    assert explorer.state == big.state
    explorer.toolbar.press("undo")
    assert explorer.scenario == SCENARIO


def test_a_state_that_fits_nothing_changes_nothing(explorer):
    big = MemoryExplorer(Scenario(models.Gpt3(), A100, FP16, TRAINING), MemoryOptions(**WHOLE))
    before = explorer.state
    explorer.state = big.state.replace("3: and weights", "off")
    assert "more than any GPU shown has" in explorer.message
    assert explorer.state == before
    assert explorer.scenario == SCENARIO


def test_it_links_with_a_layer_explorer(explorer):
    other = LayerExplorer(SCENARIO)
    link((explorer, "scenario"), (other, "scenario"))
    other.controls.sizes["batch"].value = 72
    assert explorer.scenario.layer.batch == 72
    explorer.controls.sizes["batch"].value = 80
    assert other.scenario.layer.batch == 80


def test_the_shown_python_opens_the_same(explorer):
    explorer.choices.controls["checkpoint"].value = True
    explorer.choices.controls["others"].value = ("T4",)
    code = explorer._code()
    assert "charts.MemoryOptions(checkpoint=True, ranks=8, context=0, others=('T4',)" in code
    names: dict = {}
    exec(code, names)
    assert names["s"] == explorer.scenario


def test_closing_leaves_no_widget():
    before = set(w.widget._instances)
    explorer = MemoryExplorer(SCENARIO)
    explorer.tabs.selected_index = 1
    explorer.controls.pickers["kind"].value = Linear
    explorer.close()
    assert set(w.widget._instances) == before
