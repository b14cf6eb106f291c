"""States and messages at the edge of what can be asked: an answer, or a reason and everything as it was."""

import re
from dataclasses import replace

import pytest

from dlperf_widgets import Scenario, gpus
from dlperf_widgets.apps import (
    GemmExplorer,
    LayerExplorer,
    MemoryLimitedExplorer,
    ModelExplorer,
    PrecisionExplorer,
    ServingExplorer,
)
from dlperf_widgets.apps.state import State, write_state
from dlperf_widgets.charts.batches import Curve
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear, Lstm, Repeat, Rnn
from dlperf_widgets.models import Llama
from dlperf_widgets.ops import TRAINING

LARGEST = 2**31 - 1


def test_a_reach_that_no_layer_has_is_refused_by_name():
    explorer = MemoryLimitedExplorer()
    before = explorer.state
    explorer.state = re.sub(r'"reach": \d+', f'"reach": {10**18}', before)
    assert explorer.message == f"Option reach must be a whole number between 1 and {10**14:,}, not {10**18}"
    assert explorer.state == before
    for app in (MemoryLimitedExplorer, LayerExplorer):
        explorer = app()
        explorer.state = re.sub(r'"reach": \d+', f'"reach": {10**14}', explorer.state)
        assert explorer.message == "" and explorer.options.reach == 10**14
        for pane in explorer.panes:
            pane.draw(explorer.scenario, explorer.options)


def test_a_state_that_cannot_be_shown_leaves_what_was_shown():
    explorer = ModelExplorer()
    before, verdict = explorer.state, explorer.sentences.value
    asked = Scenario(Repeat(Lstm(LARGEST, 1, 64, 64), 1), gpus.A100_SXM4_80GB, FP16)
    explorer.state = write_state("model", State(asked, explorer.options))
    assert explorer.message.startswith(
        "Repeat is too large to tell its memory, asked at twice its batch: Lstm"
    )
    assert (explorer.state, explorer.sentences.value) == (before, verdict)


def test_numbers_that_overflow_are_said_to():
    explorer = PrecisionExplorer(options=replace(PrecisionExplorer().options, wider=65_536))
    (pane,) = (pane for pane in explorer.panes if pane.title == "INT8")
    pane.draw(explorer.scenario, explorer.options)
    assert "it overflows" in pane.html() and "inf" not in pane.html()


def test_a_gpu_of_any_memory_serves_no_more_requests_than_can_be_asked():
    asked = Scenario(Llama("3-8B", 1, 4096), replace(gpus.A100_SXM4_80GB, name="vast", memory=2**55), FP16)
    explorer = ServingExplorer(asked)
    for pane in explorer.panes:
        pane.draw(explorer.scenario, explorer.options)
        assert pane.alt()


def test_the_plateau_is_neared_before_it_is_reached_though_rates_fall_after_it():
    curve = Curve((1.0, 2.0, 4.0, 8.0), (1.0, 10.0, 8.0, 5.0), (1.0, 2.0, 4.0, 8.0))
    assert curve.near == pytest.approx(1 + 8 / 9)  # 1 + 9 (x - 1) = 9
    assert Curve((1.0, 2.0), (3.0, 1.0), (1.0, 2.0)).near == 1.0


def test_a_picker_in_which_nothing_is_chosen_goes_back():
    explorer = LayerExplorer()
    for name, picker in explorer.controls.pickers.items():
        before = picker.value
        picker.set_state({"index": None})
        assert picker.value == before, name
    assert explorer.message == ""


@pytest.mark.parametrize("content", [{"pressed": []}, {"pressed": {}}, {}, None, "measure", {"pressed": "x"}])
def test_a_message_that_is_no_button_does_nothing(content):
    explorer = GemmExplorer()
    explorer.measuring.bar._hear(None, content, [])
    assert explorer.measuring.thread is None


def test_equal_operations_of_a_deep_network_are_priced_once():
    def rows(layers):
        return Scenario(Rnn(64, 50, 1024, 1024, layers), gpus.L40S, FP16, TRAINING).costs

    deep, shallow = rows(300), rows(3)
    assert len({id(row) for row in deep}) < 40 < len(deep)
    by_op = {(row.phase, row.op): row.time for row in shallow}
    assert {(row.phase, row.op) for row in deep} == set(by_op)
    assert all(row.time == by_op[row.phase, row.op] for row in deep)


def test_a_linear_layer_has_a_row_of_its_own_for_each_operation():
    rows = Scenario(Linear(64, 64, 64), gpus.L40S, FP16, TRAINING).costs
    assert len({id(row) for row in rows}) == len(rows)
