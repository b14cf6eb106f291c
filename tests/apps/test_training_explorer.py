"""The training explorer: a plan's controls, what fits, and what is refused in a sentence."""

import json
from dataclasses import replace

import ipywidgets as w
import pytest

from dlperf_widgets import gpus
from dlperf_widgets.apps import TrainingExplorer, open_explorer
from dlperf_widgets.charts import TrainingOptions
from dlperf_widgets.charts.training_options import memory
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.parallel import Plan, pipeline_bubble, training_step
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Activation
from dlperf_widgets.models import AlexNet, Gpt2, Gpt3, ResNet50
from dlperf_widgets.ops import TRAINING

A100 = gpus.A100_SXM4_80GB
GPT = Scenario(Gpt2("medium", batch=4), A100, FP16, TRAINING)
PLAN = TrainingOptions(data=2, tensor=1, pipeline=4, microbatches=8)


@pytest.fixture
def explorer():
    made = TrainingExplorer(GPT, PLAN)
    yield made
    made.close()


def number(explorer, key):
    return next(text for each, _, text in explorer.readouts.numbers if each == key)


def chart(explorer, tab):
    explorer.tabs.selected_index = tab
    return explorer.panes[tab].chart


def mark(explorer, tab, name):
    return next(each for each in chart(explorer, tab).marks if each.name == name)


# --- The plan -------------------------------------------------------------------------------------


def test_controls_of_a_plan_are_those_of_its_fields(explorer):
    assert {"data", "tensor", "pipeline", "microbatches", "interleave", "zero", "node"} <= set(
        explorer.choices.sizes
    )
    assert explorer.choices.controls["between"].options[-1][1] == "InfiniBand NDR"
    assert explorer.choices.sizes["pipeline"].label == Plan.__dataclass_fields__["pipeline"].metadata["label"]


def test_more_micro_batches_make_the_bubble_smaller(explorer):
    for many in (4, 8, 64):
        explorer.choices.sizes["microbatches"].value = many
        share = explorer.step.bubble / explorer.step.time
        # (p - 1) / (m + p - 1): 3/7 = 42.9%, 3/11 = 27.3%, 3/67 = 4.5%, and the sends
        assert share == pytest.approx(pipeline_bubble(4, many), abs=0.012)
        assert number(explorer, "bubble") == f"{share:.1%}"


def test_numbers_are_those_of_the_step(explorer):
    one = training_step(GPT, PLAN.plan)
    assert explorer.step.time == pytest.approx(one.time)
    assert number(explorer, "efficiency") == f"{one.scaling_efficiency:.1%}"
    # 1,000,000 / (4 x 8 x 2) = 15,625
    assert number(explorer, "iterations") == "15,625"
    explorer.choices.sizes["epoch"].value = 100
    assert number(explorer, "iterations") == "2"  # 64 samples, then the other 36


def test_a_slower_link_is_waited_for(explorer):
    explorer.choices.controls["inside"].value = "Ethernet 1 Gbit/s"
    assert "Communication costs most" in explorer.words()[0]
    explorer.choices.controls["inside"].value = "the GPU's own"
    assert "The bubble costs most" in explorer.words()[0]


def test_communication_that_may_not_overlap_is_waited_for(explorer):
    before = explorer.step.exposed
    explorer.choices.controls["overlap"].value = False
    assert explorer.step.exposed > before and explorer.step.overlapped == 0
    assert number(explorer, "overlapped") == "0 s"


def test_a_copy_longer_than_the_step_sets_the_pace(explorer):
    # 8 x 4 x 1024 tokens of 8 B
    assert "Copying the next 262 kB from the host takes 8.32 µs and hides" in explorer.words()[2]
    slow = Scenario(AlexNet(batch=64), replace(gpus.H100_SXM5_80GB, name="Far", pcie=1), FP16)
    other = TrainingExplorer(slow, TrainingOptions(data=1, tensor=1, pipeline=1))
    # 8 x 64 x 3 x 224 x 224 x 2 B = 154 MB over PCIe 1 x16, 4 GB/s: 38.5 ms
    assert "the 154 MB of a step from the host takes 38.5 ms" in other.words()[2]
    assert other.words()[2].endswith("longer than the step: it sets the pace.")
    other.close()


# --- Pictures -------------------------------------------------------------------------------------


def test_a_moved_batch_moves_the_point_of_every_chart(explorer):
    curve = mark(explorer, 1, "throughput")
    explorer.controls.sizes["batch"].value = 16
    assert mark(explorer, 1, "now").x == (16,)
    assert mark(explorer, 1, "throughput") == curve
    assert mark(explorer, 2, "now").y == (3907,)  # 1,000,000 / (16 x 8 x 2) = 3,906.25
    assert mark(explorer, 3, "now").y == (explorer.step.scaling_efficiency,)


def test_gpus_dragged_along_the_scaling_chart_are_data_ranks(explorer):
    chart(explorer, 3)
    explorer.panes[3].figure.drawn["now"].x = [40.0]  # as the page does
    assert explorer.options.data == 8  # 40 GPUs / 4 stages = 10, down to a doubling
    assert mark(explorer, 3, "now").x == (32,)


def test_a_batch_dragged_along_the_throughput_is_a_size(explorer):
    chart(explorer, 1)
    explorer.panes[1].figure.drawn["now"].x = [24.3]  # as the page does
    assert explorer.scenario.layer.batch == 24


def test_the_timeline_has_a_lane_a_stage(explorer):
    assert list(chart(explorer, 0).y.ticks.values())[:4] == ["1", "2", "3", "4"]
    explorer.choices.sizes["pipeline"].value = 2
    assert list(chart(explorer, 0).y.ticks.values())[:3] == ["1", "2", "sends"]


# --- Memory ---------------------------------------------------------------------------------------


def test_a_batch_that_does_not_fit_is_refused_with_the_largest():
    explorer = TrainingExplorer(GPT, replace(PLAN, pipeline=1))
    full = int(number(explorer, "largest"))
    explorer.controls.sizes["batch"].type(str(full))
    assert explorer.message == "" and explorer.fits
    explorer.controls.sizes["batch"].type(str(full + 1))
    assert explorer.message.startswith("It does not fit: ") and f"batch {full} would" in explorer.message
    assert explorer.scenario.layer.batch == full
    explorer.close()


def test_a_network_that_does_not_fit_says_so_first_and_how_much(explorer):
    explorer.controls.pickers["kind"].value = Gpt3
    assert not explorer.fits and explorer.message == ""
    # 174.6e9 parameters x 18 bytes / 4 stages = 786 GB
    needs = memory(explorer.scenario, explorer.options)
    assert needs.constant == pytest.approx(explorer.scenario.layer.params * 18 / 4)
    assert "It does not fit" in explorer.words()[1] and "786 GB of it whatever" in explorer.words()[1]
    explorer.choices.sizes["pipeline"].value = 16
    explorer.choices.sizes["tensor"].value = 8
    explorer.choices.sizes["zero"].value = 1
    assert explorer.fits


# --- Bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("pipeline", "48", "48 stages of 1 need 48 blocks: Gpt2 has 24"),
        ("tensor", "3", "3 tensor ranks cannot share 16 heads evenly"),
        ("data", "3", "12 GPUs do not fill nodes of 8"),
        ("zero", "3", "ZeRO stage 3 exchanges after every micro-batch"),
        ("zero", "4", "Option zero must be between 0 and 3, not 4"),
        ("microbatches", "many", "Option microbatches must be a whole number, not 'many'"),
        ("interleave", "3", "chunks of a stage take turns in groups of 4"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_and_the_picture_stays(explorer, field, text, words):
    if field == "interleave":
        explorer.choices.sizes["microbatches"].value = 6
    before, drawn = explorer.options, chart(explorer, 0)
    explorer.choices.sizes[field].type(text)
    assert words in explorer.message and explorer.message in explorer.status.value.replace("&#x27;", "'")
    assert explorer.options == before and chart(explorer, 0) == drawn
    explorer.choices.sizes["microbatches"].value = 16
    assert explorer.message == ""


def test_a_link_that_is_not_there_is_named(explorer):
    bare = replace(A100, name="Bare", nvlink=None, pcie=None)
    before = explorer.scenario
    explorer.edit(bare)
    assert explorer.message == "Bare states neither NVLink nor PCIe"
    assert explorer.scenario == before
    explorer.choices.controls["inside"].value = "PCIe 4 x16"
    explorer.edit(bare)
    assert explorer.message == "" and explorer.scenario.gpu == bare


def test_a_network_too_short_for_the_stages_is_refused():
    explorer = TrainingExplorer(GPT, replace(PLAN, pipeline=24, data=1))
    explorer.controls.pickers["kind"].value = AlexNet
    assert "24 stages of 1 need 24 blocks: AlexNet has" in explorer.message
    assert isinstance(explorer.scenario.layer, Gpt2)
    explorer.close()


def test_what_has_nothing_to_train_is_refused():
    with pytest.raises(ValueError, match="Activation has no parameters to train"):
        TrainingExplorer(Scenario(Activation(1024), A100, FP16), replace(PLAN, pipeline=1))


# --- State ----------------------------------------------------------------------------------------


def test_a_network_without_heads_opens_data_parallel():
    explorer = TrainingExplorer(Scenario(ResNet50(batch=32), A100, FP16))
    assert explorer.options.plan == Plan(data=8, microbatches=8)
    assert explorer.scenario.phases == TRAINING
    explorer.close()


def test_the_state_goes_round(explorer):
    explorer.choices.sizes["microbatches"].value = 32
    other = open_explorer(explorer.state)
    assert (other.scenario, other.options) == (explorer.scenario, explorer.options)
    bad = json.loads(explorer.state)
    bad["options"]["pipeline"] = 999
    explorer.state = json.dumps(bad)
    assert "pipeline" in explorer.message or "999 stages" in explorer.message
    assert explorer.options.pipeline == 4
    other.close()


def test_undo_takes_a_plan_back(explorer):
    explorer.choices.sizes["pipeline"].value = 8
    explorer.toolbar.press("undo")
    assert explorer.options.pipeline == 4


def test_a_pinned_step_is_compared_as_a_step(explorer):
    explorer.toolbar.press("pin")
    explorer.controls.move_to(gpus.H100_SXM5_80GB)
    before = training_step(GPT, PLAN.plan)
    assert f"Pinned: {before.time * 1e3:.3g} ms a step" in explorer.compared.value


def test_questions_have_the_answers_on_screen(explorer):
    answers = {each.key: each.answer(explorer.scenario, explorer.options) for each in explorer.questions()}
    assert answers["fits"] == "yes" and answers["costs"] == "bubble"
    assert f"{answers['bubble']:.1f}%" == number(explorer, "bubble")
    assert f"{answers['iterations']:,}" == number(explorer, "iterations")


def test_every_number_says_why(explorer):
    for key, label, text in explorer.readouts.numbers:
        explorer.readouts.ask(key)
        assert f"<b>{label}: {text}</b>" in explorer.reason.value
    explorer.readouts.ask("bubble")
    assert "(4 - 1) / (1 x 8 + 4 - 1) = 27.27%" in explorer.reason.value


def test_closing_leaves_nothing():
    before = set(w.widget._instances)
    explorer = TrainingExplorer()
    for tab in range(len(explorer.panes)):
        explorer.tabs.selected_index = tab
    explorer.close()
    assert set(w.widget._instances) == before
