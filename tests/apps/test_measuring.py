"""The Measure button: in the background, with progress and cancel, over what was predicted."""

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from dlperf_widgets import gpus, set_language
from dlperf_widgets.apps import (
    APPS,
    GemmExplorer,
    LayerExplorer,
    MemoryLimitedExplorer,
    ModelExplorer,
    _measuring,
)
from dlperf_widgets.cost import Scenario, constants
from dlperf_widgets.dtypes import FP32
from dlperf_widgets.layers import Linear
from dlperf_widgets.measure import Device, Measurement, Outcome, Summary
from dlperf_widgets.ops import TRAINING

A100 = gpus.A100_SXM4_80GB
SCENARIO = Scenario(Linear(64, 128, 128), A100, FP32)
DEVICE = Device(
    "NVIDIA A100-SXM4-80GB", "cuda", "2.13.0", compute_capability="8.0", sms=108, memory=A100.memory
)


def timed(scenario, seconds, device=DEVICE):
    summary = Summary(seconds, 0.9 * seconds, 1.2 * seconds, 20)
    return Measurement(device, scenario, Outcome.MEASURED, "2026-12-01T00:00:00+00:00", summary=summary)


@pytest.fixture
def explorer():
    return LayerExplorer(SCENARIO)


def shown(explorer):
    explorer.tabs.selected_index = len(explorer.panes) - 1
    return {mark.name: mark for mark in explorer.panes[-1].chart.marks}


def test_a_sweep_is_measured_on_this_machine_and_drawn(explorer):
    pytest.importorskip("torch")
    explorer.measuring.bar.press("measure")
    explorer.measuring.thread.join(120)
    assert not explorer.measuring.bar.running
    sizes = sorted(m.scenario.layer.batch for m in explorer.measurements)
    assert sizes == [4, 8, 16, 32, 64, 128, 256]  # two to the -4 ... 2 of 64
    assert all(m.summary.median > 0 for m in explorer.measurements)
    (points,) = (mark for name, mark in shown(explorer).items() if name.startswith("measured: "))
    assert sorted(points.x) == sizes
    # a CPU: its name and no error figure
    name = str(explorer.measurements[0].device)
    assert explorer.measuring.bar.result == f"7 measured on {name}. Nothing predicts the time of a CPU."
    assert not explorer.measuring.bar.can_refit


def test_the_kernel_answers_meanwhile_and_a_cancel_keeps_what_was_measured(monkeypatch):
    pytest.importorskip("torch")
    seen = []

    async def work():
        explorer = LayerExplorer(SCENARIO)
        bar = explorer.measuring.bar
        bar.observe(lambda change: seen.append(change.new), "progress")
        bar.press("measure")
        answers = 0
        while bar.running:
            explorer.controls.sizes["inputs"].value = 128 + 8 * (answers % 4)  # another cell, another drag
            answers += 1
            if len(seen) >= 9:  # of 21 steps: each of the seven at least once
                bar.press("cancel")
            await asyncio.sleep(0.01)
        return explorer, answers

    explorer, answers = asyncio.run(asyncio.wait_for(work(), 120))
    assert answers > 20
    assert 0 < max(seen) < 1
    assert len(explorer.measurements) >= 7


def slower(factor, *sizes):
    """Return measurements that took some times as long as predicted."""
    asked = [SCENARIO.resized("batch", size) for size in sizes]
    return [timed(each, factor * each.time) for each in asked]


def test_measurements_from_elsewhere_are_compared_where_that_is_fair(explorer):
    explorer.add_measurements(slower(2, 64, 128, 256))
    # each prediction is half of what was measured
    error = "Predictions are off by 50% on average over 3; predicted over measured 0.50."
    assert explorer.measuring.bar.result == f"3 measured on {DEVICE}. {error}"
    assert explorer.measuring.bar.can_refit
    point = shown(explorer)["measured: NVIDIA A100-SXM4-80GB"]
    assert "The prediction is 0.50 of it." in point.notes[0]
    quartiles = shown(explorer)["quartiles 0"]
    assert quartiles.y[1] / quartiles.y[0] == pytest.approx(1.2 / 0.9)


def test_another_device_than_the_scenarios_has_no_error(explorer):
    explorer.controls.pickers["gpu"].value = gpus.T4
    explorer.add_measurements([timed(explorer.scenario, 1e-3)])
    said = explorer.measuring.bar.result
    assert said.startswith("Measured on NVIDIA A100-SXM4-80GB: 1 ms, half of 20 readings between 900 µs")
    assert said.endswith("No error is given: the question is about T4.") and "The prediction" not in said
    assert not explorer.measuring.bar.can_refit
    (note,) = shown(explorer)["measured: NVIDIA A100-SXM4-80GB"].notes
    assert "The prediction" not in note
    explorer.controls.pickers["gpu"].value = A100  # its own GPU again, whatever GPU it was asked about
    assert "The prediction is" in explorer.measuring.bar.result


def test_points_of_another_question_are_kept_and_not_shown(explorer):
    explorer.add_measurements([*slower(2, 64, 128), timed(replace(SCENARIO, phases=TRAINING), 1e-3)])
    assert explorer.measuring.bar.result.startswith("2 measured on")
    assert explorer.measuring.bar.result.endswith("1 of other questions are kept.")
    assert shown(explorer)["measured: NVIDIA A100-SXM4-80GB"].x == (64, 128)
    explorer.scenario = replace(SCENARIO, layer=Linear(64, 128, 256))
    assert explorer.measuring.bar.result == "3 of other questions are kept."
    assert not any(name.startswith("measured") for name in shown(explorer))
    assert len(explorer.measurements) == 3


def test_a_refit_is_a_gpu_with_a_name_of_its_own_and_undo_goes_back(explorer):
    shipped = Path(constants.__file__).read_text()
    explorer.add_measurements(slower(1.5, *(2**n for n in range(4, 13))))
    before = explorer.scenario.time
    assert "off by 33% on average over 9" in explorer.measuring.bar.result
    explorer.measuring.bar.press("refit")
    gpu = explorer.scenario.gpu
    assert gpu.name == "A100 SXM4 80GB, refitted" and gpu.calibration
    error = int(re.search(r"off by (\d+)%", explorer.measuring.bar.result)[1])  # of the refitted prediction
    assert error < 25 and explorer.scenario.time > before
    assert A100 in gpus.GPUS and A100.calibration is None and Path(constants.__file__).read_text() == shipped
    explorer.toolbar.press("undo")
    assert explorer.scenario.gpu == A100 and explorer.scenario.time == before
    assert "off by 33% on average over 9" in explorer.measuring.bar.result


def test_a_refit_that_is_impossible_is_a_message(explorer, monkeypatch):
    def broken(*_):
        raise ValueError("nothing to fit")

    monkeypatch.setattr("dlperf_widgets.cost.fit.refit", broken)
    explorer.measuring.bar.press("refit")
    assert explorer.message == "nothing to fit" and explorer.scenario == SCENARIO


def test_what_a_device_lacks_is_listed_once_for_each_reason(explorer):
    def lacking(size, outcome, reason):
        asked = SCENARIO.resized("batch", size)
        return replace(timed(asked, 1), outcome=outcome, summary=None, reason=reason)

    explorer.add_measurements([
        lacking(64, Outcome.SKIPPED, "no TF32 here"), lacking(128, Outcome.SKIPPED, "no TF32 here"),
        lacking(256, Outcome.NO_MEMORY, "Linear needs 1 TB by prediction"), *slower(2, 512),
    ])  # fmt: skip
    said = explorer.measuring.bar.result
    assert said.count("FP32 is skipped: no TF32 here.") == 1
    assert "FP32 ran out of memory: Linear needs 1 TB by prediction." in said


@pytest.mark.parametrize(
    ("app", "field", "size"),
    [(GemmExplorer, "batch", 1793), (MemoryLimitedExplorer, "batch", 32), (ModelExplorer, "batch", 32)],
)
def test_other_explorers_measure_a_sweep_too(app, field, size):
    explorer = app()
    asked = explorer.to_measure()
    sizes = [getattr(each.layer, field) for each in asked]
    assert len(sizes) > 2 and size in sizes and sizes == sorted(sizes)
    explorer.add_measurements([timed(each, each.time) for each in asked])
    assert explorer.tabs.titles[explorer.tabs.selected_index] == "Measured"
    assert shown(explorer)["measured: NVIDIA A100-SXM4-80GB"].x == tuple(sizes)
    assert "off by 0% on average" in explorer.measuring.bar.result
    explorer.close()


def test_a_network_without_a_batch_to_vary_is_measured_as_it_is():
    torch = pytest.importorskip("torch")
    explorer = ModelExplorer()
    explorer.trace(torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU()), torch.zeros(4, 8))
    (asked,) = explorer.to_measure()
    explorer.add_measurements([timed(asked, 1e-3)])
    assert shown(explorer)["measured: NVIDIA A100-SXM4-80GB"].x == (1,)
    explorer.close()


def test_a_point_over_the_roof_says_why(explorer):
    explorer.add_measurements([timed(SCENARIO, 1e-9)])
    assert "is less than the" in shown(explorer)["measured: NVIDIA A100-SXM4-80GB"].notes[0]


def test_without_torch_the_button_says_so(monkeypatch):
    monkeypatch.setattr(_measuring, "unavailable", lambda: "PyTorch is missing")
    explorer = LayerExplorer(SCENARIO)
    assert explorer.measuring.bar.reason == "PyTorch is missing"
    explorer.measuring.bar.press("measure")
    assert explorer.measuring.thread is None


def test_an_error_in_the_thread_is_said(measurable, explorer, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("the driver is gone")

    monkeypatch.setattr(_measuring, "measure", broken)
    explorer.measuring.bar.press("measure")
    explorer.measuring.thread.join(10)
    assert explorer.message == "RuntimeError: the driver is gone"
    assert not explorer.measuring.bar.running


def test_another_language_does_not_interrupt(measurable, explorer, monkeypatch):
    going, go_on = Event(), Event()

    def slow(scenarios, progress, cancel):
        progress(1, 2, 3.0)
        going.set()
        assert go_on.wait(30)
        return [timed(SCENARIO, 1e-3)]

    monkeypatch.setattr(_measuring, "measure", slow)
    explorer.measuring.bar.press("measure")
    assert going.wait(30)
    try:
        set_language("zh_CN")
        bar = explorer.measuring.bar
        assert bar.running and bar.progress == 0.5 and bar in explorer.children[-1].children[1].children
        go_on.set()
        explorer.measuring.thread.join(30)
        assert not bar.running and len(explorer.measurements) == 1 and bar.result.startswith("在")
    finally:
        set_language("en")


def test_closing_stops_the_measurement(measurable, explorer, monkeypatch):
    stopped = Event()

    def slow(scenarios, progress, cancel):
        assert cancel.wait(30)
        stopped.set()
        return []

    monkeypatch.setattr(_measuring, "measure", slow)
    explorer.measuring.bar.press("measure")
    explorer.close()
    assert stopped.wait(30)
    explorer.measuring.thread.join(30)


def test_clearing_forgets(explorer):
    explorer.add_measurements([timed(SCENARIO, 1e-3)])
    explorer.measuring.bar.press("clear")
    assert explorer.measurements == () and explorer.measuring.bar.result == ""


def test_what_a_user_made_survives_another_language(explorer):
    explorer.add_measurements([timed(SCENARIO, 1e-3)])
    explorer.predict_first("limiter")
    explorer.prediction.quiz.guess("math")
    try:
        set_language("zh_CN")
        assert len(explorer.measurements) == len(explorer.answers) == 1
    finally:
        set_language("en")


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
def test_every_explorer_can_be_measured_or_hides_the_button(app):
    explorer = app()
    assert (explorer.measuring.bar.layout.display == "none") is not app.measures
    if app.measures:
        assert all(isinstance(each, Scenario) for each in explorer.to_measure())
