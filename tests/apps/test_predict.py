"""Predict first: nothing gives the answer away until a guess is committed."""

import json
from dataclasses import replace

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.advice.questions import FLOPS, LIMITER, TIME, WAVES, judge, quantity
from dlperf_widgets.apps import APPS, LayerExplorer
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Activation, Linear

SCENARIO = Scenario(Linear(512, 1024, 4096), gpus.V100_SXM2_16GB, FP16)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [("20 µs", "s", 20e-6), ("20us", "s", 20e-6), ("0.02 ms", "s", 20e-6), ("2e-5", "s", 2e-5),
     ("1,024", "", 1024), ("4.29 GFLOP", "FLOP", 4.29e9), ("4.29G", "FLOP", 4.29e9), ("75 %", "%", 75)],
)  # fmt: skip
def test_a_quantity_is_read_as_people_write_it(text, unit, value):
    assert quantity(text, unit) == pytest.approx(value)


@pytest.mark.parametrize("text", ["", "long", "µs", "-3", "nan", "inf", "20 apples"])
def test_what_is_no_quantity_is_refused(text):
    with pytest.raises(ValueError, match="is no answer: say a number, such as 20 µs"):
        quantity(text, "s")


def test_a_guess_is_judged_by_its_factor():
    # 2 x 512 x 1024 x 4096 = 4.29 GFLOP
    right = judge(FLOPS, "4.3 GFLOP", SCENARIO, None)
    assert right.right and right.sentence == "Right: 4.29 GFLOP; you said 4.3 GFLOP."
    half = judge(FLOPS, "2147483648", SCENARIO, None)  # multiply-adds in place of flops
    assert not half.right and half.factor == 0.5
    assert half.sentence == "You said 2.15 GFLOP; it is 4.29 GFLOP: 2 times too little."
    assert "times too much" in judge(TIME, "1 s", SCENARIO, None).sentence


def test_whole_numbers_must_be_exact_and_choices_known():
    assert judge(WAVES, "1", SCENARIO, None).right
    assert not judge(WAVES, "2", SCENARIO, None).right
    assert judge(LIMITER, "math", SCENARIO, None).right
    assert judge(LIMITER, "memory", SCENARIO, None).sentence == "You said memory; it is math."
    with pytest.raises(ValueError, match="choose one of launch, math, memory"):
        judge(LIMITER, "fate", SCENARIO, None)


def test_the_answer_is_covered_until_a_guess_is_committed():
    explorer = LayerExplorer(SCENARIO)
    explorer.predict_first("limiter", "time")
    assert "dlp-predicting" in explorer._dom_classes
    assert explorer.prediction.quiz.question == "What limits the longest operation?"
    explorer.prediction.quiz.guess("memory")
    assert "dlp-predicting" not in explorer._dom_classes
    assert explorer.prediction.quiz.result == "You said memory; it is math."
    explorer.controls.sizes["batch"].value = 64  # another scenario: the next question
    assert "dlp-predicting" in explorer._dom_classes
    assert explorer.prediction.quiz.question == "How long does it take?"
    assert explorer.prediction.quiz.result == ""


def test_a_guess_that_is_none_keeps_the_cover_and_says_so():
    explorer = LayerExplorer(SCENARIO)
    explorer.predict_first("time")
    explorer.prediction.quiz.guess("soon")
    assert "'soon' is no answer" in explorer.message
    assert "dlp-predicting" in explorer._dom_classes
    assert explorer.answers == []


def test_answers_stay_in_a_table():
    explorer = LayerExplorer(SCENARIO)
    explorer.predict_first("limiter", "flops")
    explorer.prediction.quiz.guess("math")
    explorer.prediction.quiz._hear(None, {"next": True}, None)
    explorer.prediction.quiz._hear(None, {"guess": "2.15 GFLOP"}, None)
    explorer.toolbar.press("predict")
    assert "dlp-predicting" not in explorer._dom_classes
    assert [each.right for each in explorer.answers] == [True, False]
    html = explorer.answers._repr_html_()
    assert "1 of 2 right" in html and "4.29 GFLOP" in html and "0.501" in html
    assert json.loads(explorer.answers.to_json())[1]["answer"] == "4.29 GFLOP"


def test_a_question_that_makes_no_sense_is_passed_over():
    explorer = LayerExplorer(replace(SCENARIO, layer=Activation()))
    explorer.predict_first("waves", "time")  # a pass over memory has no waves
    assert explorer.prediction.quiz.question == "How long does it take?"


def test_an_unknown_question_is_named():
    with pytest.raises(ValueError, match="there is no question 'colour': choose from limiter, time"):
        LayerExplorer(SCENARIO).predict_first("colour")


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
def test_every_explorer_has_questions_and_answers_them(app):
    explorer = app()
    explorer.predict_first()
    for _ in explorer.prediction.keys:
        question = explorer.prediction._question()
        explorer.prediction.quiz.guess(question.choices[0] if question.choices else "1")
        assert explorer.message == ""
        explorer.prediction._next()
    assert len(explorer.answers) == len(explorer.prediction.keys)
