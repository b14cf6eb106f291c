"""What holds for the advice on any scenario: it applies, it helps, it is said in a sentence, it is sorted."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dlperf_widgets as dp
from dlperf_widgets import advice, gpus, models
from dlperf_widgets.advice import RULES, Finding, Rule, Source, advise
from dlperf_widgets.advice._case import WORTH, Case
from dlperf_widgets.advice._rule import Note
from dlperf_widgets.cost import Launch, Layout, Library, Scenario
from dlperf_widgets.dtypes import BF16, FP16, FP32, TF32, Format
from dlperf_widgets.layers import (
    LAYERS,
    Activation,
    Attention,
    BatchNorm2d,
    Conv2d,
    DepthwiseSeparable,
    Linear,
    Lstm,
    Matmul,
    MultiheadAttention,
    Passes,
    Repeat,
    Residual,
    Sequence,
    Softmax,
    Take,
)
from dlperf_widgets.models import MODELS
from dlperf_widgets.ops import TRAINING, Phase

P100, V100, T4, A100 = gpus.P100_SXM2_16GB, gpus.V100_SXM2_16GB, gpus.T4, gpus.A100_SXM4_80GB
ON = [P100, V100, T4, A100, gpus.H100_SXM5_80GB, gpus.RTX_4090]
FORMATS = (FP16, BF16, FP32, TF32)

SIZE, BATCH, CHANNELS = st.integers(1, 5000), st.integers(1, 3000), st.integers(1, 300)
FEW, MANY = st.integers(1, 16), st.integers(1, 64)
PIXELS, FLAG = st.just(28), st.booleans()
layers = st.one_of(
    st.builds(Linear, BATCH, SIZE, st.one_of(SIZE, st.integers(8000, 60000))),
    st.builds(Conv2d, MANY, CHANNELS, CHANNELS, PIXELS, PIXELS, stride=st.integers(1, 2)),
    st.builds(Lstm, st.integers(1, 300), MANY, SIZE, SIZE, persistent=FLAG),
    st.builds(Matmul, MANY, SIZE, SIZE, SIZE),
    st.builds(Attention, FEW, SIZE, SIZE, FEW, st.integers(1, 256), fused=FLAG),
    st.builds(Activation, st.integers(1, 2**26)),
    st.builds(Softmax, SIZE, SIZE),
    st.builds(BatchNorm2d, MANY, CHANNELS, PIXELS, PIXELS, passes=st.sampled_from(tuple(Passes))),
    st.builds(DepthwiseSeparable, MANY, CHANNELS, CHANNELS, PIXELS, PIXELS),
    st.builds(models.Gpt2, batch=st.integers(1, 4), sequence=st.integers(1, 300)),
)


@st.composite
def scenarios(draw):
    gpu = draw(st.sampled_from(ON))
    return Scenario(
        draw(layers),
        gpu,
        draw(st.sampled_from([each for each in gpu.dtypes if each in FORMATS])),
        draw(st.sampled_from([(Phase.FPROP,), (Phase.DGRAD, Phase.WGRAD), TRAINING])),
        draw(st.sampled_from(list(Launch))),
        draw(st.sampled_from(list(Layout))),
        draw(st.sampled_from(list(Library))),
    )


def work(scenario: Scenario) -> float:
    """Return samples, or elements or rows."""
    return getattr(scenario.layer, scenario.layer.scale)


def findings(scenario: Scenario) -> dict[str, Finding]:
    return {finding.rule.title: finding for finding in advise(scenario)}


@settings(max_examples=200, deadline=None)
@given(scenarios())
def test_a_change_mends_what_its_rule_found(scenario):
    for finding in advise(scenario):
        if finding.change:
            after = findings(finding.change).get(finding.rule.title)
            assert after is None or after.passed, (finding, after)


@settings(max_examples=200, deadline=None)
@given(scenarios())
def test_a_change_is_no_slower_for_the_same_work(scenario):
    for finding in advise(scenario):
        if change := finding.change:
            now, then = (each.time / work(each) for each in (scenario, change))
            if then > now * (1 + 1e-9):  # not for each sample, but then for each flop
                assert change.time / change.flops < scenario.time / scenario.flops, finding


@settings(max_examples=200, deadline=None)
@given(scenarios())
def test_what_a_finding_says(scenario):
    found = advise(scenario)
    for each in found:
        assert each.sentence.endswith(".") and "{" not in each.sentence and "  " not in each.sentence
        assert each.sentence[0].isupper() or each.sentence[0].isdigit()
        assert each.scenario is scenario
        assert each.share == pytest.approx(each.cost / scenario.time if each.cost else 0)
        if each.passed:
            assert each.cost == 0 and each.change is None and not each.change_words
        elif each.cost:
            assert each.share > WORTH and each.change_words and "{" not in each.change_words


@given(scenarios())
@settings(deadline=None)
def test_failing_first_by_cost_then_passing_in_the_order_of_rules(scenario):
    found = advise(scenario)
    failing = [each for each in found if not each.passed]
    assert list(found[: len(failing)]) == failing
    assert [each.cost for each in failing] == sorted((each.cost for each in failing), reverse=True)
    order = [RULES.index(each.rule) for each in found[len(failing) :]]
    assert order == sorted(order)


@given(scenarios())
@settings(deadline=None)
def test_layers_that_are_alike_are_priced_once_and_counted_all(scenario):
    case = Case(scenario)
    assert case.time == pytest.approx(scenario.time)
    assert case.flops == scenario.flops


@pytest.mark.parametrize("launch", [Launch.GRAPH, Launch.EAGER])
@pytest.mark.parametrize("model", [kind() for kind in MODELS], ids=lambda model: model.title)
def test_models_are_counted_whole(model, launch):
    scenario = Scenario(model, A100, FP16, TRAINING, launch)
    assert Case(scenario).time == pytest.approx(scenario.time)
    assert Case(scenario).flops == scenario.flops


@pytest.mark.parametrize("gpu", ON, ids=str)
@pytest.mark.parametrize("kind", (*LAYERS, *MODELS), ids=lambda kind: kind.__name__)
def test_every_layer_and_model_gets_advice(kind, gpu):
    for dtype in gpu.dtypes:
        for finding in advise(Scenario(kind(), gpu, dtype)):
            assert finding.sentence


@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("dtype", [FP32, FP16], ids=str)
def test_a_change_of_a_model_mends_what_was_found(kind, dtype):
    scenario = Scenario(kind(), A100, dtype, launch=Launch.EAGER)
    for finding in advise(scenario):
        if change := finding.change:
            after = findings(change).get(finding.rule.title)
            assert after is None or after.passed
            assert change.time / change.layer.batch < scenario.time / scenario.layer.batch


def test_nothing_to_run_is_nothing_to_advise():
    scenario = Scenario(Take(), T4, FP16)  # a view
    assert all(finding.passed and not finding.cost for finding in advise(scenario))


def test_a_format_for_each_role():
    mixed = Format(weights=FP16, activations=FP16, gradients=FP32)
    found = advise(Scenario(Linear(512, 1025, 4096), A100, mixed, TRAINING))
    assert "16 bytes in FP16/FP16/FP32" in found[0].sentence


def test_paths_of_nested_layers():
    heads = MultiheadAttention(2, 2048, 1025, 25)
    block = Repeat(Residual(Sequence.of(fc=Linear(4096, 1025, 1025), heads=heads)), 3)
    found = findings(Scenario(block, A100, FP16))
    assert found["Inputs and outputs in multiples of 16 bytes"].path.startswith("[0..2]")


def test_public_names():
    assert dp.advise is advise and dp.RULES == RULES and dp.Finding is Finding and dp.Rule is Rule
    with pytest.raises(AttributeError):
        _ = advice.nonsense


def test_a_finding_in_a_line():
    found = advise(Scenario(Linear(1, 1024, 4096), V100, FP16))
    assert str(found[0]).startswith("✗ A batch large enough for the GPU's math: Batch size 1 ")
    assert str(found[-1]).startswith("✓ ")


def test_a_rule_of_ones_own(monkeypatch):
    """A rule is data and a check: nothing else knows of it."""

    def check(case: Case) -> Note | None:
        if not isinstance(case.scenario.layer, Linear):
            return None
        return Note(False, "It takes time.", cost=case.time)

    rule = Rule("Time", Source("A page", "https://example.org"), check)
    monkeypatch.setattr(advice, "RULES", (*RULES, rule), raising=False)
    first = advise(Scenario(Linear(), T4, FP16))[0]
    assert first.rule is rule and first.share == 1
    assert rule not in [each.rule for each in advise(Scenario(Activation(), T4, FP16))]


def test_every_rule_is_in_the_list():
    folder = Path(advice.__file__).parent
    made = [
        (path.stem, node.targets[0].id)
        for path in folder.glob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if getattr(node.value.func, "id", "") == "Rule"
    ]
    assert sorted(made) == sorted(advice._RULES)


def test_an_equal_question_has_equal_advice():
    scenario = Scenario(Linear(100, 1000, 1001), T4, FP16)
    again = replace(scenario)
    assert [str(each) for each in advise(scenario)] == [str(each) for each in advise(again)]
