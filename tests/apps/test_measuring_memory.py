"""The memory explorer's Measure button: bytes beside the predicted ones, on a CPU what autograd keeps."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus, set_language
from dlperf_widgets.apps import LayerExplorer, MemoryExplorer
from dlperf_widgets.charts import Line
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP32
from dlperf_widgets.layers import Activation, Linear, Sequence
from dlperf_widgets.measure import Device, Measurement, MemoryUse, Outcome
from dlperf_widgets.ops import TRAINING
from dlperf_widgets.units import MIB

A100 = gpus.A100_SXM4_80GB
SCENARIO = Scenario(Linear(64, 1024, 1024), A100, FP32, TRAINING)
GPU = Device("NVIDIA A100-SXM4-80GB", "cuda", "2.13.0", compute_capability="8.0", sms=108)
DATE = "2026-12-01T00:00:00+00:00"


def use(batch=64, **given):
    return MemoryUse(GPU, SCENARIO.resized("batch", batch), Outcome.MEASURED, DATE, **given)


@pytest.fixture
def explorer():
    made = MemoryExplorer(SCENARIO)
    yield made
    made.close()


def shown(explorer):
    explorer.tabs.selected_index = len(explorer.panes) - 1
    return {mark.name: mark for mark in explorer.panes[-1].chart.marks}


def test_on_this_machines_cpu_the_bytes_kept_are_the_predicted_ones(explorer):
    pytest.importorskip("torch")
    seen = []
    explorer.measuring.bar.observe(lambda change: seen.append(change.new), "progress")
    explorer.measuring.bar.press("measure")
    explorer.measuring.thread.join(120)
    assert [found.scenario.layer.batch for found in explorer.measurements] == [8, 16, 32, 64]
    assert seen == [0.25, 0.5, 0.75]
    # the input: 64 x 1024 numbers of four bytes
    assert "kept for backward: 262 kB measured, 262 kB predicted (+0.0%)." in explorer.measuring.bar.result
    marks = shown(explorer)
    assert explorer.tabs.titles[-1] == "Measured"
    points, line = marks["measured: kept for backward"], marks["predicted: kept for backward"]
    assert points.x == (8, 16, 32, 64) and points.y[-1] == 64 * 1024 * 4 / MIB
    assert line.y[0] == 0 and line.y[1] / line.x[1] == pytest.approx(points.y[0] / 8)
    assert "Batch 64 on" in explorer.panes[-1].alt()


def test_a_gpu_tells_what_is_allocated_and_reserved(explorer):
    # 1024 x 1024 weights and biases, as many gradients, and 4 x 64 x 1024 activations and their gradients
    predicted = 4 * (2 * (1024 * 1024 + 1024) + 4 * 64 * 1024)
    explorer.add_measurements([use(allocated=round(0.8 * predicted), reserved=20_000_000, saved=262_144)])
    said = explorer.measuring.bar.result
    assert "allocated: 7.56 MB measured, 9.45 MB predicted (+25.0%)." in said
    assert "reserved: 20 MB measured." in said and "kept for backward: 262 kB measured" in said
    assert said.endswith("without an optimizer and without the switches.")
    marks = shown(explorer)
    assert {name for name, mark in marks.items() if isinstance(mark, Line)} == {
        "predicted: allocated",
        "predicted: kept for backward",
    }
    assert len(marks) == 5 and not explorer.measuring.bar.can_refit


def test_cancelling_keeps_what_was_measured(measurable, explorer, monkeypatch):
    def measured(asked):
        explorer.measuring.bar.press("cancel")
        return use(asked.layer.batch, saved=1)

    monkeypatch.setattr("dlperf_widgets.apps._measuring_memory.measure_memory", measured)
    monkeypatch.setattr("dlperf_widgets.apps._measuring_memory.batches", lambda asked: [1, 2, 4])
    explorer.measuring.bar.press("measure")
    explorer.measuring.thread.join(30)
    assert [found.scenario.layer.batch for found in explorer.measurements] == [1]


def test_what_found_no_room_says_so(explorer):
    lacking = replace(use(), outcome=Outcome.NO_MEMORY, reason="Linear needs 1 TB by prediction")
    explorer.add_measurements([lacking])
    assert explorer.measuring.bar.result == "Batch 64 was not measured: Linear needs 1 TB by prediction."


def test_only_the_present_question_is_shown(explorer):
    explorer.add_measurements([use(saved=1)])
    explorer.scenario = replace(SCENARIO, layer=Linear(128, 1024, 1024))  # another batch of the same
    assert "measured: kept for backward" in shown(explorer)
    explorer.scenario = replace(SCENARIO, layer=Linear(64, 512, 1024))
    assert "measured: kept for backward" not in shown(explorer)
    assert explorer.measuring.bar.result == "1 of other questions are kept."
    assert len(explorer.measurements) == 1


def test_times_and_bytes_of_one_file_go_where_they_belong(explorer):
    time = Measurement(GPU, SCENARIO, Outcome.SKIPPED, DATE, reason="nothing")
    layer = LayerExplorer(SCENARIO)
    for each in (explorer, layer):
        each.add_measurements([time, use(saved=1)])
    assert (explorer.measurements, layer.measurements) == ((use(saved=1),), (time,))
    layer.close()


def test_a_network_without_a_batch_is_measured_as_it_is(measurable, monkeypatch):
    net = Scenario(Sequence.of(a=Linear(4, 8, 8), b=Activation(32)), A100, FP32, TRAINING)
    explorer = MemoryExplorer(net)
    asked = []
    monkeypatch.setattr(
        "dlperf_widgets.apps._measuring_memory.measure_memory",
        lambda each: asked.append(each) or MemoryUse(GPU, each, Outcome.MEASURED, DATE, saved=128),
    )
    explorer.measuring.bar.press("measure")
    explorer.measuring.thread.join(30)
    assert asked == [net]
    assert shown(explorer)["measured: kept for backward"].x == (1,)
    explorer.close()


def test_in_another_language(explorer):
    explorer.add_measurements([use(saved=262_144)])
    try:
        set_language("zh_CN")
        assert "实测 262 kB，预测 262 kB" in explorer.measuring.bar.result
        assert len(explorer.measurements) == 1
    finally:
        set_language("en")
