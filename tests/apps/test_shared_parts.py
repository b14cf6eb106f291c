"""What every explorer has: undo, pin, why, a checklist, an editable GPU, a picture without a kernel."""

import asyncio
import xml.etree.ElementTree as ET
from dataclasses import replace
from types import SimpleNamespace

import ipywidgets as w
import pytest
from IPython.core.events import EventManager
from traitlets import link

from dlperf_widgets import gpus
from dlperf_widgets.apps import APPS, CompareExplorer, GemmExplorer, _lifetime, open_explorer
from dlperf_widgets.apps.code import as_python
from dlperf_widgets.apps.layer import LayerExplorer
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Activation, Conv2d, Linear
from dlperf_widgets.models import Gpt2
from dlperf_widgets.ops import TRAINING

A100 = gpus.A100_SXM4_80GB
SCENARIO = Scenario(Linear(512, 1024, 4096), A100, FP16)
EVERY = pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)


@pytest.fixture
def explorer():
    return LayerExplorer(SCENARIO)


def alive() -> set[str]:
    return set(w.widget._instances)


# --- Undo -----------------------------------------------------------------------------------------


def test_undo_takes_back_one_change_at_a_time_and_redo_brings_it_again(explorer):
    explorer.controls.sizes["batch"].value = 64
    explorer.controls.pickers["gpu"].value = gpus.T4
    changed = explorer.scenario
    explorer.toolbar.press("undo")
    assert explorer.scenario == replace(SCENARIO, layer=Linear(64, 1024, 4096))
    explorer.toolbar.press("undo")
    assert explorer.scenario == SCENARIO
    explorer.toolbar.press("redo")
    explorer.toolbar.press("redo")
    assert explorer.scenario == changed


def test_the_ends_of_the_history_have_no_button(explorer):
    def disabled(key):
        return next(each["disabled"] for each in explorer.toolbar.buttons if each["key"] == key)

    assert disabled("undo") and disabled("redo")
    explorer.controls.sizes["batch"].value = 64
    assert not disabled("undo") and disabled("redo")
    explorer.toolbar.press("undo")
    assert disabled("undo") and not disabled("redo")
    explorer.toolbar.press("undo")
    assert explorer.scenario == SCENARIO


def test_a_drag_is_one_step_of_the_history():
    async def drag() -> LayerExplorer:
        explorer = LayerExplorer(SCENARIO)
        await asyncio.sleep(0.3)
        for batch in range(504, 400, -8):
            explorer.controls.sizes["batch"].value = batch
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        return explorer

    explorer = asyncio.run(drag())
    assert explorer.scenario.layer.batch == 408
    explorer.toolbar.press("undo")
    assert explorer.scenario == SCENARIO


# --- Pin ------------------------------------------------------------------------------------------


def test_pin_keeps_the_curve_and_says_the_difference(explorer):
    explorer.tabs.selected_index = 1
    top = explorer.charts[1].chart.marks[3].top
    explorer.toolbar.press("pin")
    assert "Change something to compare" in explorer.compared.value
    explorer.controls.pickers["gpu"].value = gpus.H100_SXM5_80GB
    ghost = next(mark for mark in explorer.charts[1].chart.marks if mark.name == "pinned: time")
    assert ghost.y == top
    assert "A100 SXM4 80GB → H100 SXM5 80GB" in explorer.compared.value
    explorer.toolbar.press("pin")
    assert explorer.compared.value == ""
    assert all("pinned" not in mark.name for mark in explorer.charts[1].chart.marks)


def test_both_curves_are_inside_the_axes(explorer):
    explorer.tabs.selected_index = 1
    explorer.toolbar.press("pin")
    explorer.controls.sizes["outputs"].value = 512  # a quarter of the time or less
    chart = explorer.charts[1].chart
    ghost = next(mark for mark in chart.marks if mark.name == "pinned: time")
    assert max(ghost.y) <= chart.y.domain[1]


def test_what_is_pinned_is_part_of_the_state(explorer):
    explorer.toolbar.press("pin")
    explorer.controls.sizes["batch"].value = 64
    other = open_explorer(explorer.state)
    assert (other.pinned, other.scenario) == (SCENARIO, explorer.scenario)


# --- Why ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layer", [Linear(), Conv2d(), Gpt2()], ids=lambda layer: layer.title)
def test_every_number_answers(layer):
    explorer = LayerExplorer(replace(SCENARIO, layer=layer, phases=TRAINING))
    for key, label, text in explorer.readouts.numbers:
        explorer.readouts.ask(key)
        assert f"<b>{label}: {text}</b>" in explorer.reason.value
        assert "<pre class='dlp-formula'>" in explorer.reason.value


def test_a_time_answers_with_its_terms_and_a_peak_with_its_source(explorer):
    explorer.readouts.ask("fprop")
    assert "tiles of" in explorer.reason.value
    explorer.readouts.ask("peak")
    # 108 SMs x 1410 MHz x 2048 FLOP = 311.9 TFLOPS
    assert "108 SMs x 1,410 MHz x 2050 FLOP" in explorer.reason.value
    assert 'href="https://' in explorer.reason.value


def test_an_unknown_number_is_refused(explorer):
    explorer.readouts.ask("age")
    assert explorer.message.startswith("there is no number 'age' to ask about")


# --- Checklist ------------------------------------------------------------------------------------


def test_a_finding_is_applied_and_taken_back():
    explorer = LayerExplorer(Scenario(Linear(512, 1024, 4096), gpus.V100_SXM2_16GB, FP16))
    before = explorer.scenario
    index, finding = next((i, f) for i, f in enumerate(explorer.checklist.findings) if f.change)
    explorer.checklist._hear(None, {"applied": index}, None)
    assert explorer.scenario == finding.change
    explorer.toolbar.press("undo")
    assert explorer.scenario == before


def test_nonsense_from_the_page_does_nothing(explorer):
    for content in ({"applied": 99}, {"applied": "0"}, {"applied": None}, [], None):
        explorer.checklist._hear(None, content, None)
    for content in ({"pressed": "selfdestruct"}, {"asked": 7}, "x"):
        explorer.toolbar._hear(None, content, None)
    assert explorer.scenario == SCENARIO


# --- A GPU of one's own ---------------------------------------------------------------------------


def test_an_edited_gpu_is_named_as_such_and_goes_back(explorer):
    explorer.toolbar.press("gpu")
    explorer.card.boxes["bandwidth"].value = "4,078"
    gpu = explorer.scenario.gpu
    assert (gpu.name, gpu.bandwidth, gpu.sms) == ("A100 SXM4 80GB (edited)", 4078e9, 108)
    assert gpu.source("bandwidth")[0].title == "changed by hand"
    assert "dlp-changed" in explorer.card.boxes["bandwidth"]._dom_classes
    explorer.card.boxes["tensor_peak FP16"].value = "100"
    assert explorer.scenario.gpu.peak(FP16) == 100e12
    explorer.card.back.click()
    assert explorer.scenario.gpu == A100
    assert "dlp-changed" not in explorer.card.boxes["bandwidth"]._dom_classes


def test_editing_a_number_back_gives_the_original_record(explorer):
    explorer.toolbar.press("gpu")
    explorer.card.boxes["clock"].value = "1000"
    explorer.card.boxes["clock"].value = "1410"
    assert explorer.scenario.gpu is A100


@pytest.mark.parametrize("text", ["fast", "0", "-5", "", "nan", "inf", "1e99"])
def test_nonsense_on_the_card_is_said(explorer, text):
    explorer.toolbar.press("gpu")
    explorer.card.boxes["bandwidth"].value = text
    assert "Bandwidth must be" in explorer.message
    assert explorer.scenario.gpu == A100


# --- Python and state -----------------------------------------------------------------------------


@EVERY
def test_the_code_of_an_explorer_makes_it_again(app):
    explorer = app()
    names: dict = {}
    exec(explorer.python, names)
    assert names["s"] == explorer.scenario
    again = open_explorer(explorer.state)
    assert type(again) is app
    assert (again.scenario, again.options) == (explorer.scenario, explorer.options)


def test_an_edited_gpu_is_written_as_its_changes():
    gpu = replace(A100, name="A100 SXM4 80GB (edited)", bandwidth=1e12)
    code = as_python(replace(SCENARIO, gpu=gpu))
    assert "replace(gpus.A100_SXM4_80GB, name='A100 SXM4 80GB (edited)', bandwidth=1000000000000.0)" in code
    names: dict = {}
    exec(code, names)
    assert names["s"].gpu.bandwidth == 1e12


def test_a_gpu_from_nothing_is_written_as_json():
    gpu = replace(A100, name="Mine")
    names: dict = {}
    exec(as_python(replace(SCENARIO, gpu=gpu)), names)
    assert names["s"].gpu == gpu


def test_networks_and_composites_are_written_too():
    for layer in (Gpt2(batch=2), Conv2d(padding="same")):
        names: dict = {}
        exec(as_python(replace(SCENARIO, layer=layer)), names)
        assert names["s"].layer == layer


def test_an_unknown_explorer_is_named():
    with pytest.raises(ValueError, match="there is no explorer 'chess': choose from layer"):
        open_explorer('{"version": 1, "explorer": "chess"}')
    with pytest.raises(ValueError, match="not an explorer's state"):
        open_explorer("chess")


# --- Without a kernel -----------------------------------------------------------------------------


@EVERY
def test_the_picture_without_a_kernel_says_what_the_explorer_says(app):
    explorer = app()
    html = explorer._repr_mimebundle_()["text/html"]
    assert explorer.words()[0].split(":")[0] in html
    assert "<script" not in html
    for _, label, text in explorer.readouts.numbers:
        assert label in html and text in html
    ET.fromstring(html.replace("&nbsp;", " "))


def test_names_are_text_and_never_markup():
    hostile = "<img src=x onerror=alert(1)>"
    explorer = LayerExplorer(replace(SCENARIO, gpu=replace(A100, name=hostile)))
    explorer.toolbar.press("gpu")
    explorer.readouts.ask("peak")
    explorer.controls.sizes["batch"].type("<b>0")
    html = explorer._repr_mimebundle_()["text/html"]
    for text in (html, explorer.sentences.value, explorer.reason.value, explorer.card.words.value,
                 explorer.status.value):  # fmt: skip
        assert hostile not in text and "<b>0" not in text


# --- Linked -----------------------------------------------------------------------------------------------


def test_three_linked_explorers_agree_whichever_is_moved():
    explorers = LayerExplorer(SCENARIO), GemmExplorer(SCENARIO), CompareExplorer(SCENARIO)
    layer, gemm, compare = explorers
    link((layer, "scenario"), (gemm, "scenario"))
    link((layer, "scenario"), (compare, "scenario"))
    moves = (
        lambda: setattr(layer.controls.sizes["batch"], "value", 72),
        lambda: setattr(compare.controls.pickers["gpu"], "value", gpus.T4),
        lambda: setattr(gemm.controls.sizes["outputs"], "value", 640),
        lambda: compare.toolbar.press("undo"),
    )
    for move in moves:
        before = layer.scenario
        move()
        assert layer.scenario == gemm.scenario == compare.scenario != before
    assert all(each.controls.sizes["batch"].value == 72 for each in explorers)


def test_a_linked_explorer_that_cannot_follow_says_so_and_keeps_its_picture():
    layer, gemm = LayerExplorer(SCENARIO), GemmExplorer(SCENARIO)
    link((layer, "scenario"), (gemm, "scenario"))
    layer.controls.pickers["kind"].value = Activation
    assert gemm.scenario == SCENARIO
    assert "needs a product" in gemm.message and "needs a product" in layer.message
    layer.controls.pickers["kind"].value = Conv2d
    assert gemm.scenario == layer.scenario
    assert gemm.message == layer.message == ""


# --- The end --------------------------------------------------------------------------------------


@EVERY
def test_closing_leaves_nothing_alive(app):
    before = alive()
    explorer = app()
    for index in range(len(explorer.panes)):
        explorer.tabs.selected_index = index
    explorer.toolbar.press("gpu")
    explorer.toolbar.press("pin")
    explorer.close()
    explorer.close()
    assert alive() == before


class Shell:
    """What a notebook's kernel tells of the cell that runs."""

    def __init__(self):
        self.events = EventManager(self, {"post_run_cell": lambda result: None})
        self.runs = 0

    def get_parent(self):
        return {"header": {"msg_id": f"message {self.runs}"}, "metadata": {"cellId": self.cell}}

    def run(self, cell, *explorers):
        """Run a cell that displays explorers."""
        self.cell, self.runs = cell, self.runs + 1
        for explorer in explorers:
            explorer._repr_mimebundle_()
        self.events.trigger("post_run_cell", None)


@pytest.fixture
def shell(monkeypatch):
    shell = Shell()
    monkeypatch.setattr(_lifetime, "_shell", lambda: shell)
    return shell


def is_open(*explorers):
    return [explorer.comm is not None for explorer in explorers]


def test_running_a_cell_again_closes_what_it_showed(shell):
    before = alive()
    for _ in range(5):
        explorer = LayerExplorer()
        shell.run("a cell", explorer)
    once = len(alive() - before)
    shell.run("a cell", explorer)  # the same one again is no reason to close it
    assert is_open(explorer) == [True]
    explorer.close()
    assert once < 200
    assert alive() == before


def test_what_another_cell_shows_stays(shell):
    explorer = LayerExplorer()
    shell.run("first", explorer)
    shell.run("second", explorer)
    shell.run("second", LayerExplorer())
    assert is_open(explorer) == [True]


def test_one_cell_may_show_several_explorers(shell):
    first, second, third, fourth = (LayerExplorer() for _ in range(4))
    shell.run("a cell", first, second)
    assert is_open(first, second) == [True, True]
    shell.run("a cell", third, second)
    assert is_open(first, second, third) == [False, True, True]
    shell.run("a cell", fourth)
    assert is_open(second, third, fourth) == [False, False, True]


def test_outside_a_notebook_nothing_is_closed(monkeypatch):
    explorers = LayerExplorer(), LayerExplorer()
    for shell in (None, SimpleNamespace(get_parent=lambda: {}), SimpleNamespace()):
        monkeypatch.setattr(_lifetime, "_shell", lambda shell=shell: shell)
        for explorer in explorers:
            explorer._repr_mimebundle_()
    assert is_open(*explorers) == [True, True]


# --- Dragging along a roof ------------------------------------------------------------------------


def test_a_point_dragged_along_its_roof_finds_the_batch(explorer):
    points = explorer.charts[0].drawn["fprop"]
    # 2*b*1024*4096 / (2*(1024b + 4096b + 1024*4096)) = 100  ->  b = 100*4194304/(4194304 - 100*5120) = 114
    points.x = [100.0]  # as the page does
    assert explorer.scenario.layer.batch == 112  # of the step of 8
    assert explorer.scenario.costs[0].arithmetic_intensity == pytest.approx(100, rel=0.03)


def test_an_intensity_that_no_batch_reaches_is_said(explorer):
    points = explorer.charts[0].drawn["fprop"]
    # the limit for large batches is 1024*4096/(1024+4096) = 819
    points.x = [900.0]  # as the page does
    assert explorer.message == "No batch size gives 900 FLOPS/byte."
    assert explorer.scenario == SCENARIO
