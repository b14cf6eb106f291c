"""Scenario files, states, plans, measurements and grades: what is not one is refused, and says why."""

import json
from dataclasses import replace

import pytest
from hostile import answer, cases, finite
from hypothesis import given
from hypothesis import strategies as st
from public import GENERATES, SCENARIO, TINY_PLAN
from ways import spoiled

from dlperf_widgets import Plan, Scenario, layers, models
from dlperf_widgets.apps import APPS
from dlperf_widgets.apps.state import State, read_state, write_state
from dlperf_widgets.course import _grades
from dlperf_widgets.measure import Device, Measurement, Outcome, Protocol, Summary, record

OWN = replace(SCENARIO, gpu=replace(SCENARIO.gpu, name="mine", calibration=(("tensor_rate", 0.9),)))
NESTED = replace(SCENARIO, layer=layers.Repeat(layers.Residual(layers.Linear(8, 16, 16)), 3))
NETWORK = replace(SCENARIO, layer=models.Gpt2(batch=2))
MEASURED = Measurement(
    Device("A GPU", "cuda", "2.13.0", sms=80),
    SCENARIO,
    Outcome.MEASURED,
    "2026-01-02T03:04:05+00:00",
    summary=Summary(2e-5, 1e-5, 3e-5, 40),
    protocol=Protocol("cuda events", "graph", "cold", 1, 1, 80, 0.3, True),
)
GRADES = {"version": 1, "name": "<b>me</b>", "grades": [{"exercise": "a", "tries": 2, "right": True}]}


def read_all(text: str) -> object:
    asked = Scenario.from_json(text)
    assert Scenario.from_json(asked.to_json()) == asked
    return asked.time, asked.flops, asked.bytes


def measurement(text: str) -> object:
    found = record.from_json(text)
    assert record.from_json(record.to_json(found)) == found
    return hash(found.key), found.asked.time, found.summary


TEXTS = {
    "scenario": (SCENARIO.to_json(), read_all),
    "own GPU": (OWN.to_json(), read_all),
    "nested": (NESTED.to_json(), read_all),
    "network": (NETWORK.to_json(), read_all),
    "plan": (TINY_PLAN.to_json(), lambda text: Plan.from_json(text).check(GENERATES.layer)),
    "measurement": (record.to_json(MEASURED), measurement),
    "grades": (json.dumps(GRADES), lambda text: list(_grades.read(text))),
}


@pytest.mark.parametrize("name", TEXTS)
@cases(short=150, long=6000)
@given(data=st.data())
def test_a_spoiled_text_is_refused_or_answered(name, data):
    text, read = TEXTS[name]
    found = answer(lambda: read(json.dumps(data.draw(spoiled(json.loads(text))))))
    assert finite(found) or name == "plan"


@pytest.mark.parametrize("name", TEXTS)
@cases(short=40, long=2000)
@given(noise=st.text() | st.binary().map(repr), at=st.integers(0, 200), cut=st.integers(0, 200))
def test_noise_in_a_text(name, noise, at, cut):
    text, read = TEXTS[name]
    answer(lambda: read(text[:at] + noise + text[at + cut :]))


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize(
    "text",
    [
        "", "null", "NaN", "[" * 1_000_000, "{}" * 9, '{"version": NaN}', '{"version": 1, "layer": Infinity}',
        '{"a":' * 100_000, "9" * 5000, '"' + "x" * 50_000_000 + '"', "\ud800", '{"version": 1e999}',
    ],
    ids=lambda text: f"{text[:8]!r} {len(text):,}",
)  # fmt: skip
def test_texts_that_are_none(name, text):
    with pytest.raises(ValueError, match=r"not a|no grades|version|JSON|measurement") as caught:
        TEXTS[name][1](text)
    assert len(str(caught.value)) < 400


def test_numbers_that_json_has_not():
    for word in ("NaN", "Infinity", "-Infinity"):
        text = SCENARIO.to_json().replace('"batch": 64', f'"batch": {word}')
        with pytest.raises(ValueError, match=f"JSON has no {word}"):
            Scenario.from_json(text)


def test_layers_within_layers_end_somewhere():
    inner = json.loads(SCENARIO.to_json())["layer"] | {"inputs": 8, "outputs": 8}
    for depth in (10, 60, 70, 300):
        text = SCENARIO.to_json()
        layer = inner
        for _ in range(depth):
            layer = {"type": "Residual", "body": layer, "shortcut": None}
        data = {**json.loads(text), "layer": layer}
        assert (answer(lambda d=data: read_all(json.dumps(d)), "within") is None) == (depth > 64)


def test_times_within_times_end_somewhere():
    layer = layers.Linear(8, 16, 16)
    with pytest.raises(ValueError, match="times within times"):
        for _ in range(40):
            layer = layers.Repeat(layer, 2)


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
@cases(short=60, long=2500)
@given(data=st.data())
def test_a_spoiled_state(app, data):
    text = write_state(app.slug, State(SCENARIO, app.options_kind(), OWN))
    answer(lambda: read_state(app.slug, app.options_kind, json.dumps(data.draw(spoiled(json.loads(text))))))
