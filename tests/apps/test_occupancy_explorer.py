"""Move the occupancy explorer's controls, and read what it says and draws."""

import json
from dataclasses import replace

import ipywidgets as w
import pytest

from dlperf_widgets import gpus
from dlperf_widgets.apps import OccupancyExplorer, open_explorer
from dlperf_widgets.apps.occupancy import DEFAULT
from dlperf_widgets.charts import OccupancyOptions

CARDS = {
    "7.0": gpus.V100_SXM2_16GB,
    "7.5": gpus.T4,
    "8.0": gpus.A100_SXM4_80GB,
    "9.0": gpus.H100_SXM5_80GB,
}


@pytest.fixture
def explorer():
    return OccupancyExplorer()


def drag(explorer, chart, name, x):
    """Do what a hand on a point does."""
    explorer.moved(name, explorer.charts[chart].lowered[name], 0, x)


def numbers(explorer):
    return {key: text for key, _, text in explorer.readouts.numbers}


@pytest.mark.parametrize(
    ("capability", "threads", "registers", "shared", "blocks", "share", "limiters"),
    [
        # floor(64 / 8 warps) = 8; 1,024 registers a warp: 64 warps / 8 = 8
        ("8.0", 256, 32, 0, 8, "100%", "threads, registers"),
        # 33 registers: 1,280 a warp, 51 warps rounded down to 48, / 8 = 6
        ("8.0", 256, 33, 0, 6, "75%", "registers"),
        ("8.0", 256, 64, 0, 4, "50%", "registers"),
        ("8.0", 32, 32, 0, 32, "50%", "block cap"),
        ("8.0", 96, 20, 0, 21, "98.4%", "threads"),  # floor(64 / 3) = 21, 63 / 64
        ("8.0", 128, 32, 49_152, 3, "18.8%", "shared memory"),  # 164 KiB / (48 + 1) KiB = 3.3
        ("7.5", 128, 40, 0, 8, "100%", "threads"),
        ("7.0", 1024, 64, 0, 1, "50%", "registers"),
        ("9.0", 384, 168, 232_448, 1, "18.8%", "registers, shared memory"),
        ("9.0", 128, 255, 0, 2, "12.5%", "registers"),
    ],
)
def test_blocks_and_limiters_of_the_occupancy_calculator(
    capability, threads, registers, shared, blocks, share, limiters
):
    gpu = CARDS[capability]
    assert gpu.compute_capability == capability
    explorer = OccupancyExplorer(replace(DEFAULT, gpu=gpu), OccupancyOptions(threads, registers, shared))
    assert numbers(explorer)["blocks"] == str(blocks)
    assert numbers(explorer)["occupancy"] == share
    assert f": {blocks}, limited by {limiters}." in explorer.sentences.value


def test_a_slider_moves_the_point_and_leaves_the_curve(explorer):
    chart = explorer.charts[0].chart
    explorer.choices.sizes["threads"].value = 512
    now = explorer.charts[0].chart
    marks = {mark.name: mark for mark in now.marks}
    assert marks["this kernel"].x == (512,)
    # 40 registers: 1,280 a warp, 48 warps / 16 = 3
    assert marks["this kernel"].y == (3,)
    assert [m for m in now.marks if m.name != "this kernel"] == [
        m for m in chart.marks if m.name != "this kernel"
    ]


def test_a_dragged_point_moves_the_kernel(explorer):
    drag(explorer, 0, "this kernel", 389.3)
    assert explorer.options.threads == 392  # in steps of 8
    drag(explorer, 1, "this kernel", 900.0)
    assert explorer.options.registers == 255  # no further than there is
    drag(explorer, 2, "this kernel", 800e-9)
    assert explorer.options.latency == 800  # nanoseconds


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("threads", "1025", "threads must be between 1 and 1,024, not 1,025"),
        ("threads", "0", "threads must be between 1 and 1,024, not 0"),
        ("registers", "256", "registers must be between 1 and 255, not 256"),
        ("shared_memory", "200000", "compute capability 8.0: shared_memory must be between 0 and 166,912"),
        ("stride", "many", "stride must be a whole number"),
        ("bank_stride", "-1", "bank_stride must be between 0 and"),
    ],
)
def test_what_no_kernel_can_have_is_said_and_the_picture_stays(explorer, field, text, sentence):
    before, chart, words = explorer.options, explorer.charts[0].chart, explorer.sentences.value
    explorer.choices.sizes[field].type(text)
    assert sentence in explorer.message
    assert explorer.message.count(".") <= 1 + ("8.0" in explorer.message)
    assert explorer.options == before
    assert explorer.charts[0].chart == chart
    assert explorer.sentences.value == words
    explorer.choices.sizes["threads"].type("128")
    assert explorer.message == ""


def test_a_gpu_that_cannot_launch_the_kernel_is_refused(explorer):
    explorer.choices.sizes["shared_memory"].type("131072")
    assert explorer.message == ""
    explorer.controls.pickers["gpu"].value = gpus.T4  # 64 KiB at most
    assert "compute capability 7.5: shared_memory must be between 0 and 65,536" in explorer.message
    assert explorer.scenario.gpu == gpus.A100_SXM4_80GB
    assert explorer.controls.pickers["gpu"].value == gpus.A100_SXM4_80GB


def test_a_launch_that_fails_for_want_of_registers_is_an_answer():
    explorer = OccupancyExplorer(replace(DEFAULT, gpu=gpus.V100_SXM2_16GB), OccupancyOptions(1024, 65))
    assert "The launch fails: a block of 1,024 threads at 65 registers takes" in explorer.sentences.value
    assert explorer.message == ""
    assert numbers(explorer)["blocks"] == "0"
    assert numbers(explorer)["in_flight"] == "0 B"


def test_each_tab_shows_its_own_controls_and_says_its_answer_first(explorer):
    def shown():
        return {name for name, each in explorer.choices.controls.items() if each.layout.display != "none"}

    assert shown() == {"threads", "registers", "shared_memory", "show"}
    assert explorer.controls.layer.box.layout.display == "none"
    explorer.tabs.selected_index = 2
    assert shown() == {"threads", "stride", "element", "offset", "bank_stride"}
    assert explorer.words()[0].startswith("32 lanes read 4 B each")
    explorer.tabs.selected_index = 3
    assert "in_flight" in shown()
    assert "of latency needs" in explorer.sentences.value.split("</p>")[0]
    assert explorer.shown_pickers() == ("gpu",)
    assert explorer.checklist.findings == ()


def test_lanes_follow_stride_size_and_address(explorer):
    explorer.tabs.selected_index = 2
    picture = explorer.panes[2].widget.value
    explorer.choices.sizes["stride"].value = 2
    assert numbers(explorer)["sectors"] == "8"
    assert explorer.panes[2].widget.value != picture
    explorer.choices.sizes["stride"].value = 1
    explorer.choices.sizes["offset"].value = 4
    assert (numbers(explorer)["sectors"], numbers(explorer)["used"]) == ("5", "80%")
    explorer.choices.sizes["bank_stride"].value = 32
    assert numbers(explorer)["rounds"] == "32"
    explorer.choices.sizes["threads"].value = 33
    assert numbers(explorer)["lanes"] == "51.6%"


def test_every_number_answers_with_its_arithmetic(explorer):
    answers = {key: explorer.why(key) for key in numbers(explorer)}
    assert "registers: floor(65,536 / 1,280 per warp), a multiple of 4, / 8 = 6" in answers["blocks"].lines
    assert any("CUDA" in title for title, _ in answers["blocks"].sources)
    assert answers["needed"].lines == ("Little's law: 2.04 TB/s x 500 ns = 1.02 MB",)
    assert answers["needed"].sources
    assert answers["lanes"].lines == ("256 / (32 x 8) = 100%",)
    explorer.choices.sizes["registers"].value = 33  # 32 x 33 = 1,056, given in units of 256
    assert (
        "registers: floor(65,536 / 1,280 per warp), a multiple of 4, / 8 = 6" in explorer.why("blocks").lines
    )
    with pytest.raises(ValueError, match="there is no number 'age'"):
        explorer.why("age")


def test_a_pinned_gpu_is_a_ghost_and_a_sentence(explorer):
    explorer.toolbar.press("pin")
    explorer.controls.pickers["gpu"].value = gpus.T4
    names = [mark.name for mark in explorer.charts[0].chart.marks]
    assert "pinned: blocks that fit" in names
    assert explorer.compared.value.startswith("Pinned: Blocks on an SM of A100 SXM4 80GB: 6")
    explorer.choices.sizes["shared_memory"].type("65536")
    explorer.pinned = replace(DEFAULT, gpu=gpus.A100_SXM4_80GB)
    assert explorer.message == ""


def test_the_state_goes_round_and_nonsense_in_it_changes_nothing(explorer):
    explorer.choices.sizes["threads"].value = 96
    explorer.choices.sizes["shared_memory"].type("100000")
    again = open_explorer(explorer.state)
    assert (again.scenario, again.options) == (explorer.scenario, explorer.options)
    state = json.loads(explorer.state)
    state["options"]["shared_memory"] = 200_000
    again.state = json.dumps(state)
    assert "shared_memory must be between 0 and 166,912" in again.message
    assert again.options == explorer.options
    with pytest.raises(ValueError, match="between 0 and 65,536"):
        OccupancyExplorer(replace(DEFAULT, gpu=gpus.T4), OccupancyOptions(shared_memory=100_000))


def test_questions_have_the_answers_of_the_picture(explorer):
    answers = {q.key: q.answer(explorer.scenario, explorer.options) for q in explorer.questions()}
    assert answers["limiter"] == "registers"
    assert (answers["blocks"], answers["occupancy"], answers["sectors"], answers["rounds"]) == (6, 75, 4, 1)


def test_no_widget_outlives_the_explorer():
    before = set(w.widget._instances)
    explorer = OccupancyExplorer()
    for index in range(4):
        explorer.tabs.selected_index = index
    explorer.close()
    assert set(w.widget._instances) == before
