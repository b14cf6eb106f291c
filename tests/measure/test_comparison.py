"""A measurement beside its prediction: only on the scenario's own GPU; and why one is above the roof."""

from dataclasses import replace

import pytest
from records import A100, COLD, HOST, SCENARIO, measured

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import Conv2d, Linear, Sequence, Softmax
from dlperf_widgets.measure import Outcome, above_roof, compare, pairs
from dlperf_widgets.measure.comparison import asked_of, mean_error, same_question
from dlperf_widgets.ops import TRAINING, Phase
from dlperf_widgets.units import GIB


def test_on_its_own_gpu():
    found = compare(measured(2 * SCENARIO.time))
    assert found.predicted == SCENARIO.time
    assert found.ratio == pytest.approx(0.5) and found.error == pytest.approx(-0.5)
    assert found.note == ""


def test_a_row_is_compared_with_its_own_prediction():
    net = Scenario(Sequence.of(a=Linear(64, 1024, 1024), b=Softmax(64, 1024)), SCENARIO.gpu, FP16, TRAINING)
    row = measured(1e-5, net, path="a", phase=Phase.WGRAD)
    cost = next(c for c in net.costs if (c.path, c.phase) == ("a", Phase.WGRAD))
    assert compare(row).predicted == pytest.approx(cost.time)


@pytest.mark.parametrize(
    ("record", "note"),
    [
        (measured(device=HOST), "measured on A CPU, 4 of 8 threads: nothing predicts the time of a CPU"),
        (measured(scenario=SCENARIO.on(gpus.V100_SXM2_16GB)), "asked about V100 SXM2 16GB"),
        (measured(scenario=SCENARIO.on(gpus.A100_SXM4_40GB)), "asked about A100 SXM4 40GB"),
        (measured(device=replace(A100, sms=54)), "asked about A100 SXM4 80GB"),  # half of one
    ],
)
def test_elsewhere_there_is_no_error_figure(record, note):
    found = compare(record)
    assert found[:2] == (None, None) and found.error is None
    assert note in found.note and str(record.device) in found.note


def test_what_was_not_measured_says_so():
    record = replace(measured(), outcome=Outcome.NO_MEMORY, summary=None, reason="needs 1 TB")
    assert compare(record) == (None, None, "out of memory: needs 1 TB")
    assert above_roof(record) == "" and pairs([record]) == ()


def test_a_refitted_record_is_still_that_gpu():
    mine = replace(SCENARIO.gpu, name="A100 in room 12", calibration=(("tensor_rate", 0.9),))
    assert compare(measured(scenario=SCENARIO.on(mine))).ratio is not None


def test_a_measurement_is_compared_with_a_refitted_prediction_where_asked():
    mine = replace(SCENARIO.gpu, name="A100 in room 12", calibration=(("tensor_rate", 0.5),))
    record = measured()
    found, before = compare(record, mine), compare(record)
    assert found.predicted == SCENARIO.on(mine).time > before.predicted == SCENARIO.time
    assert compare(record, gpus.T4).note.endswith("asked about T4")
    assert asked_of(record, SCENARIO.gpu) is record


def test_mean_error():
    assert mean_error([0.9, 1.3]) == pytest.approx(0.2)


def test_the_same_question_may_be_about_another_gpu_and_about_nothing_else():
    assert same_question(SCENARIO, SCENARIO.on(gpus.T4))
    assert same_question(SCENARIO, replace(SCENARIO, dtype=SCENARIO.format))
    for change in ({"layer": Softmax(8, 8)}, {"dtype": FP32}, {"phases": TRAINING}, {"launch": Launch.EAGER}):
        assert not same_question(SCENARIO, replace(SCENARIO, **change))


def test_a_record_made_of_an_unknown_device_is_that_device():
    device = replace(A100, name="NVIDIA A700", sms=200, memory=90 * GIB)
    mine = replace(SCENARIO.gpu, name="NVIDIA A700", sms=200, memory=90 * GIB)
    assert compare(measured(scenario=SCENARIO.on(mine), device=device)).ratio is not None
    assert compare(measured(scenario=SCENARIO.on(mine))).ratio is None


def test_pairs_are_questions_and_seconds():
    row = measured(2e-6, path="", phase=Phase.FPROP)
    assert pairs([measured(1e-6), row]) == ((SCENARIO, 1e-6), (SCENARIO, 2e-6))


def test_below_the_roof_nothing_needs_an_explanation():
    assert above_roof(measured(SCENARIO.costs[0].ideal_time * 1.001)) == ""


IDEAL = SCENARIO.costs[0].ideal_time


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (
            {"protocol": replace(COLD, cache="warm")},
            "13.0 MiB were read again and again, and the L2 cache holds 40",
        ),
        ({"protocol": replace(COLD, clock=1.6e9)}, "ran at 1,600 MHz, and the peak is stated for 1,410"),
        ({"device": HOST}, "measured on A CPU, 4 of 8 threads"),
        ({}, "doubt the record"),
    ],
)
def test_above_the_roof(how, words):
    text = above_roof(measured(0.9 * IDEAL, **how))
    assert words in text
    assert ("doubt" in text) == (how == {})
    assert text.startswith("12.4 µs is less than the 13.8 µs that A100 SXM4 80GB can reach: ")


def test_the_wrong_roof():
    asked = Scenario(Linear(4096, 4096, 4096), SCENARIO.gpu, FP32)
    text = above_roof(measured(asked.costs[0].ideal_time / 4, asked, protocol=replace(COLD, tf32=True)))
    assert "TF32, whose roof is higher" in text
    convolved = Scenario(Conv2d(32, 256, 256, 14, 14, 3, 3, padding=1), SCENARIO.gpu, FP32)
    assert "Winograd" in above_roof(measured(convolved.costs[0].ideal_time / 2, convolved))
