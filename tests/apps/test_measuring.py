"""The Measure button: in the background, with progress and cancel, over what was predicted."""

import asyncio
from dataclasses import replace

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.apps import APPS, LayerExplorer, _measuring
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP32
from dlperf_widgets.layers import Linear
from dlperf_widgets.measure import Device, Measurement, Outcome, Summary

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
    assert "nothing predicts the time of a CPU" in explorer.measuring.bar.result
    assert "times" not in explorer.measuring.bar.result and not explorer.measuring.bar.can_refit


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


def test_measurements_from_elsewhere_are_compared_where_that_is_fair(explorer):
    twice = [timed(replace(SCENARIO, layer=Linear(n, 128, 128)), 0) for n in (64, 128, 256)]
    twice = [timed(m.scenario, 2 * m.scenario.time) for m in twice]
    explorer.add_measurements(twice)
    assert "Predicted over measured: 0.50 on average." in explorer.measuring.bar.result
    assert explorer.measuring.bar.can_refit
    point = shown(explorer)["measured: NVIDIA A100-SXM4-80GB"]
    assert "The prediction is 0.50 of it." in point.notes[0]
    quartiles = shown(explorer)["quartiles 0"]
    assert quartiles.y[1] / quartiles.y[0] == pytest.approx(1.2 / 0.9)


def test_another_device_than_the_scenarios_has_no_error(explorer):
    explorer.controls.pickers["gpu"].value = gpus.T4
    explorer.add_measurements([timed(explorer.scenario, 1e-3)])
    assert "measured on NVIDIA A100-SXM4-80GB, asked about T4" in explorer.measuring.bar.result
    assert not explorer.measuring.bar.can_refit


def test_a_point_over_the_roof_says_why(explorer):
    explorer.add_measurements([timed(SCENARIO, 1e-9)])
    assert "is less than the" in shown(explorer)["measured: NVIDIA A100-SXM4-80GB"].notes[0]


def test_without_torch_the_button_says_so(monkeypatch):
    monkeypatch.setattr(_measuring, "unavailable", lambda: "PyTorch is missing")
    explorer = LayerExplorer(SCENARIO)
    assert explorer.measuring.bar.reason == "PyTorch is missing"
    explorer.measuring.bar.press("measure")
    assert explorer.measuring.thread is None


def test_an_error_in_the_thread_is_said(explorer, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError("the driver is gone")

    monkeypatch.setattr(_measuring, "measure", broken)
    explorer.measuring.bar.press("measure")
    explorer.measuring.thread.join(10)
    assert explorer.message == "RuntimeError: the driver is gone"
    assert not explorer.measuring.bar.running


def test_clearing_forgets(explorer):
    explorer.add_measurements([timed(SCENARIO, 1e-3)])
    explorer.measuring.bar.press("clear")
    assert explorer.measurements == () and explorer.measuring.bar.result == ""


def test_what_a_user_made_survives_another_language(explorer):
    from dlperf_widgets import set_language

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
