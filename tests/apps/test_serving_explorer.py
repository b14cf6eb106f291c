"""The serving explorer: what decodes how fast, what fits, and what is refused in a sentence."""

import json
from dataclasses import replace

import ipywidgets as w
import pytest

from dlperf_widgets import gpus
from dlperf_widgets.apps import ServingExplorer, open_explorer
from dlperf_widgets.charts import ServingOptions
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.serving import Serving
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.models import Bert, Gpt2, Gpt3, Llama
from dlperf_widgets.ops import TRAINING
from dlperf_widgets.units import si

A100 = gpus.A100_SXM4_80GB
LLAMA = Scenario(Llama("3-8B", batch=32, sequence=2048), A100, FP16)


@pytest.fixture
def explorer():
    made = ServingExplorer(LLAMA)
    yield made
    made.close()


def number(explorer, key):
    return next(text for each, _, text in explorer.readouts.numbers if each == key)


def chart(explorer, tab):
    explorer.tabs.selected_index = tab
    return explorer.panes[tab].chart


def mark(explorer, tab, name):
    return next(each for each in chart(explorer, tab).marks if each.name == name)


# --- What is shown --------------------------------------------------------------------------------


def test_numbers_are_those_of_serving(explorer):
    one = Serving(LLAMA)
    assert explorer.serving == one
    assert number(explorer, "each") == f"{one.decode.time * 1e3:.1f} ms"
    assert number(explorer, "largest") == "228" and explorer.largest_batch == 228
    assert number(explorer, "cache") == "131 kB"  # 32 x 2 x 8 x 128 x 2 B
    assert number(explorer, "turn") == "161"  # 153 FLOPS/byte, and a little for activations


def test_more_requests_give_more_tokens_and_longer_waits(explorer):
    rates, waits = [], []
    for batch in (1, 8, 64, 200):
        explorer.controls.sizes["batch"].value = batch
        rates.append(explorer.serving.tokens_per_second)
        waits.append(explorer.serving.decode.time)
        assert mark(explorer, 0, "now").x == (batch,) == mark(explorer, 1, "now").x
    assert rates == sorted(rates) and waits == sorted(waits)


def test_grouped_heads_are_a_switch(explorer):
    explorer.controls.sizes["batch"].value = 16
    explorer.choices.controls["sharing"].value = "each head"
    assert number(explorer, "cache") == "524 kB"
    assert explorer.largest_batch == pytest.approx(228 / 4, abs=2)
    explorer.choices.controls["sharing"].value = "one for all"
    assert number(explorer, "cache") == "16.4 kB"  # an eighth
    assert "As built, 228 requests fit" in explorer.words()[3]


def test_stored_weights_are_a_switch(explorer):
    explorer.choices.controls["stored"].value = "INT4"
    assert number(explorer, "weights") == "4.02 GB"  # 8.03e9 x half a byte
    assert number(explorer, "turn") == "41"
    assert explorer.largest_batch > 228
    assert explorer.scenario.format.weights is FP16  # an option, no part of the question


def test_verdicts_name_what_takes_longest(explorer):
    explorer.controls.sizes["sequence"].value = 8192  # four times the cache, the same weights
    assert "attention to the cache takes" in explorer.words()[0]
    explorer.choices.controls["sharing"].value = "one for all"
    explorer.choices.sizes["generated"].value = 8
    explorer.controls.sizes["sequence"].value = 64
    assert "memory limited at batch 32: its products need" in explorer.words()[0]
    explorer.controls.sizes["batch"].value = 512
    assert "math limited at batch 512" in explorer.words()[0]


def test_the_point_can_be_dragged(explorer):
    for tab in range(4):
        chart(explorer, tab)
        explorer.panes[tab].figure.drawn["now"].x = [48.0 + 8 * tab]  # as the page does
        assert explorer.scenario.layer.batch == 48 + 8 * tab


# --- Bad input ------------------------------------------------------------------------------------


def test_a_batch_that_does_not_fit_is_refused_and_the_picture_stays(explorer):
    drawn = chart(explorer, 0)
    explorer.controls.sizes["batch"].type("229")
    assert explorer.message == "229 requests take 85.5 GB: A100 SXM4 80GB has 85.3 GB for them and fits 228"
    assert explorer.scenario == LLAMA and chart(explorer, 0) == drawn
    explorer.controls.sizes["batch"].type("228")
    assert explorer.message == "" and explorer.scenario.layer.batch == 228


def test_options_that_leave_no_room_are_refused(explorer):
    explorer.controls.sizes["batch"].value = 200
    before = explorer.options
    explorer.choices.controls["sharing"].value = "each head"
    assert "200 requests take" in explorer.message
    assert explorer.options == before and explorer.choices.controls["sharing"].value == "as built"


def test_weights_that_do_not_fit_are_named(explorer):
    explorer.controls.pickers["kind"].value = Gpt3
    assert "Gpt3 takes" in explorer.message and "fewer bits or take a larger GPU" in explorer.message
    assert explorer.scenario == LLAMA
    # 70.6e9 parameters x 2 B = 141 GB, and 1.4 GB of cache for 4,352 tokens
    with pytest.raises(ValueError, match="Llama takes 143 GB for one request and A100"):
        ServingExplorer(replace(LLAMA, layer=Llama("3-70B", 1)))
    quantized = ServingExplorer(replace(LLAMA, layer=Llama("3-70B", 1)), ServingOptions(stored="INT4"))
    assert quantized.largest_batch > 1
    quantized.close()


def test_models_that_generate_nothing_or_no_more_are_refused(explorer):
    with pytest.raises(ValueError, match="Bert generates no tokens"):
        explorer.scenario = replace(LLAMA, layer=Bert())
    assert explorer.scenario == LLAMA
    with pytest.raises(ValueError, match="Gpt2 has positions for 1,024 tokens"):
        ServingExplorer(replace(LLAMA, layer=Gpt2(batch=1)))


def test_sharing_that_does_not_divide_the_heads_is_refused():
    explorer = ServingExplorer(Scenario(Gpt2("small", 1, 256), A100, FP16))  # 12 heads
    explorer.choices.controls["sharing"].value = "8 groups"
    assert "heads 12 must be a multiple of kv_heads 8" in explorer.message
    assert explorer.options.sharing == "as built"
    explorer.close()


def test_a_newly_chosen_model_gets_a_prompt_that_leaves_room(explorer):
    explorer.controls.pickers["kind"].value = Gpt2  # 1,024 positions, 256 of them for what is generated
    assert explorer.message == "" and explorer.scenario.layer == Gpt2(sequence=768)
    explorer.controls.sizes["sequence"].type("769")
    assert "a prompt of 769 and 256 generated are 1,025" in explorer.message


# --- State ----------------------------------------------------------------------------------------


def test_serving_knows_the_forward_phase_alone():
    explorer = ServingExplorer(replace(LLAMA, phases=TRAINING))
    assert explorer.scenario == LLAMA
    explorer.close()


def test_the_state_goes_round(explorer):
    explorer.choices.controls["stored"].value = "INT8"
    explorer.controls.sizes["batch"].value = 64
    other = open_explorer(explorer.state)
    assert (other.scenario, other.options) == (explorer.scenario, explorer.options)
    bad = json.loads(explorer.state)
    bad["scenario"]["layer"]["batch"] = 5000
    before = explorer.state
    explorer.state = json.dumps(bad)
    assert "5,000 requests take" in explorer.message and explorer.state == before
    other.close()


def test_a_pinned_question_is_compared_as_served(explorer):
    explorer.toolbar.press("pin")
    before = explorer.serving.decode.time
    explorer.controls.move_to(gpus.H100_SXM5_80GB)
    now = explorer.serving.decode.time
    assert now < before
    assert f"at {si(before, 's')} a step; now" in explorer.compared.value
    assert f"at {si(now, 's')}." in explorer.compared.value


def test_questions_have_the_answers_on_screen(explorer):
    answers = {each.key: each.answer(explorer.scenario, explorer.options) for each in explorer.questions()}
    assert (answers["limiter"], answers["fits"], answers["turn"]) == ("memory", 228, 161)
    assert answers["rate"] == explorer.serving.tokens_per_second


def test_every_number_says_why(explorer):
    for key, label, text in explorer.readouts.numbers:
        explorer.readouts.ask(key)
        assert f"<b>{label}: {text}</b>" in explorer.reason.value
    explorer.readouts.ask("cache")
    assert "32 x 2 x 8 x 128 x 2 B = 131,072 B" in explorer.reason.value


def test_closing_leaves_nothing():
    before = set(w.widget._instances)
    explorer = ServingExplorer()
    for tab in range(len(explorer.panes)):
        explorer.tabs.selected_index = tab
    explorer.close()
    assert set(w.widget._instances) == before
