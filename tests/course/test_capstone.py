"""The capstone cannot be passed by asking for less, and can be passed by its checklist."""

from dataclasses import replace

import pytest

from dlperf_widgets import TRAINING, Launch, Layout, Library, Scenario, advise, course, gpus, layers
from dlperf_widgets.course import Verdict
from dlperf_widgets.dtypes import FP8, FP16, INT8
from dlperf_widgets.ops import Phase

START = course.start()
DONE = replace(
    START, layer=course.classifier(128, 4, 64, 33_728), dtype=FP16, launch=Launch.GRAPH, layout=Layout.NHWC,
    library=Library.CURRENT,
)  # fmt: skip


@pytest.fixture(autouse=True)
def fresh():
    course.reset()
    yield
    course.reset()


def check(scenario):
    return course.check("capstone.budget", scenario)


def test_the_start_is_far_over_budget():
    found = check(START)
    assert found.verdict is Verdict.WRONG and "Next on the checklist" in found.message
    assert course.a_picture(START) > 5 * course.budget()


def test_following_the_checklists_reaches_the_budget():
    assert check(DONE).right
    assert course.grades()[-1] == {
        "lesson": "16_capstone", "exercise": "capstone.budget", "tries": 1, "right": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"layer": START.layer},
        {"library": START.library, "layer": START.layer},
        {"dtype": START.dtype},
        {"dtype": START.dtype, "layer": START.layer},
    ],
)  # fmt: skip
def test_a_part_of_it_is_not_enough(change):
    assert check(replace(DONE, **change)).verdict is Verdict.WRONG


def test_each_hint_is_a_finding_that_gains_until_the_budget_is_reached():
    """Follow the hints as a learner would: the costliest finding that is not of fusion, one after another."""
    fixes = (
        {"dtype": FP16}, {"launch": Launch.GRAPH}, {"library": Library.CURRENT}, {"layout": Layout.NHWC},
        {"layer": DONE.layer},
    )  # fmt: skip
    now, before = START, course.a_picture(START)
    for fix in fixes:
        assert any(not finding.passed for finding in advise(now))
        now = replace(now, **fix)
        after = course.a_picture(now)
        assert after < before * 1.02  # not every change shows in the time of this network
        before = after
    assert check(now).right


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"gpu": gpus.H100_SXM5_80GB}, "keep the GPU"),
        ({"phases": (Phase.FPROP,)}, "all phases"),
        ({"sparse": True}, "sparsity"),
        ({"dtype": INT8}, "16 bits"),
        ({"layer": course.classifier(128, 4, 56, 33_728)}, "channels must stay"),
        ({"layer": course.classifier(128, 4, 64, 1000)}, "classes must stay at 33,708"),
        ({"layer": layers.Linear(128, 64, 33_728)}, "course.classifier"),
        ({"layer": course.classifier(20_000, 4, 64, 33_728)}, "does not fit"),
    ],
)  # fmt: skip
def test_asking_for_less_is_noticed(change, words):
    found = check(replace(DONE, **change))
    assert found.verdict is Verdict.WRONG and words in found.message


def test_a_network_with_a_layer_left_out_is_another_one():
    parts = [(name, layer) for name, layer in DONE.layer.parts if name != "bn3"]
    found = check(replace(DONE, layer=layers.Sequence(tuple(parts))))
    assert found.verdict is Verdict.WRONG and "another network" in found.message


def test_eight_bits_on_a_gpu_that_has_them_are_no_way_round():
    h100 = Scenario(DONE.layer, gpus.H100_SXM5_80GB, FP8, TRAINING)
    assert not check(h100).right


def test_what_is_no_scenario():
    assert check(...).verdict is Verdict.NO_ANSWER
    assert "give a scenario" in check(3).message
    assert course.grades()[-1]["tries"] == 0
