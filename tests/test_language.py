"""What users read can be Chinese: all of it, in every explorer, and back again."""

import gc
import re
import weakref
from dataclasses import replace
from html import unescape

import ipywidgets as w
import pytest

from dlperf_widgets import Scenario, language, layers, models
from dlperf_widgets.apps import APPS, LayerExplorer
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.gpus import A100_SXM4_80GB, GPUS
from dlperf_widgets.layers import Linear
from dlperf_widgets.measure import Device, Measurement, Outcome, Summary
from tests.catalogue import catalogue, compiled, path, sentences

CHINESE = "zh_CN"
SCENARIO = Scenario(Linear(64, 128, 128), A100_SXM4_80GB, FP16)
FIELD = re.compile(r"{[^}]*}")


@pytest.fixture(autouse=True)
def english():
    w.Widget.close_all()  # what other tests left would hear every change of language
    yield
    language.set_language("en")


@pytest.fixture
def chinese():
    language.set_language(CHINESE)


# --- The catalogue -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found():
    return sentences()


def translations():
    return {message.id: message.string for message in catalogue(CHINESE) if message.id}


def test_every_sentence_has_a_translation(found):
    known = translations()
    missing = sorted(text for text in found if not known.get(text))
    assert not missing, "add them: python -m tests.catalogue"


def test_a_sentence_is_found_also_where_it_reaches_tr_by_a_name(found):
    assert "Right: {answer}." in found  # text = "..." if ... else "..."; tr(text)
    assert "How long does it take?" in found  # a field of a question
    assert "Batch size" in found  # a label
    assert not any("<" in text for text in found)
    assert not any(gpu.name in found for gpu in GPUS)


def test_a_translation_has_the_same_fields():
    differ = {t: s for t, s in translations().items() if sorted(FIELD.findall(t)) != sorted(FIELD.findall(s))}
    assert not differ


def test_punctuation_between_chinese_words_is_full_width():
    half = re.compile(r"[\u4e00-\u9fff][,;:?!.]|[,;?!][\u4e00-\u9fff]")
    assert not {text: said for text, said in translations().items() if half.search(said)}


def test_the_terms_are_those_of_the_glossary():
    said = translations()
    assert said["Arithmetic intensity"] == "算术强度" and said["Tile"] == "瓦片"
    assert said["math limited"] == "受算力限制" and said["memory limited"] == "受带宽限制"
    assert not [each for each in said.values() if re.search("分块|平铺|受内存限制|受计算限制|操作强度", each)]


def test_what_the_machine_reads_is_the_catalogue():
    assert path(CHINESE).with_suffix(".mo").read_bytes() == compiled(CHINESE)


# --- Choosing ----------------------------------------------------------------------------------------------


def test_values_are_put_into_the_translation(chinese):
    assert language.language() == CHINESE
    assert language.tr("{count} parameters", count="61.1 M") == "61.1 M 个参数"
    assert language.tr("no such sentence {n}", n=1) == "no such sentence 1"


def test_an_unknown_language_changes_nothing(chinese):
    with pytest.raises(ValueError, match="the language must be one of en, zh_CN, not 'fr'"):
        language.set_language("fr")
    assert language.language() == CHINESE


def test_what_was_remembered_is_said_again_in_another_language():
    @language.remembered(8)
    def said(name):
        return language.tr(name)

    assert said("Batch size") == "Batch size"
    language.set_language(CHINESE)
    assert said("Batch size") == "批大小"
    language.set_language("en")
    assert said("Batch size") == "Batch size"


# --- Explorers ---------------------------------------------------------------------------------------------


def words(explorer):
    titles = [button["title"] for button in explorer.toolbar.buttons]
    return (explorer.toolbar.name, explorer.tabs.titles, titles, explorer.sentences.value)


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
def test_an_explorer_that_is_shown_follows_and_goes_back(app):
    explorer = app()
    kept = explorer.scenario, explorer.options, explorer.answers, explorer.state
    english = words(explorer)
    language.set_language(CHINESE)
    chinese = words(explorer)
    for here, there in zip(english, chinese, strict=True):
        assert here != there
    assert (explorer.scenario, explorer.options, explorer.answers, explorer.state) == kept
    language.set_language("en")
    assert words(explorer) == english
    assert (explorer.scenario, explorer.options, explorer.answers, explorer.state) == kept
    explorer.close()


def test_what_a_user_chose_measured_and_answered_stays():
    explorer = LayerExplorer(SCENARIO)
    explorer.controls.resize("batch", 128)
    explorer.options = replace(explorer.options, field="inputs")
    device = Device("NVIDIA A100-SXM4-80GB", "cuda", "2.13.0")
    timed = Measurement(device, SCENARIO, Outcome.MEASURED, "2026-12-01T00:00:00+00:00",
                        summary=Summary(1e-3, 0.9e-3, 1.2e-3, 20))  # fmt: skip
    explorer.add_measurements([timed])
    explorer.predict_first("limiter")
    explorer.prediction.quiz.guess("math")
    explorer.pinned = SCENARIO
    options, (answer,) = explorer.options, explorer.answers
    language.set_language(CHINESE)
    assert explorer.scenario.layer == Linear(128, 128, 128)
    assert explorer.options == options and explorer.pinned == SCENARIO
    assert explorer.measurements == (timed,)
    assert list(explorer.answers) == [answer]
    explorer.close()


def test_a_closed_explorer_is_left_alone():
    explorer = LayerExplorer(SCENARIO)
    explorer.close()
    children = explorer.children
    language.set_language(CHINESE)
    assert explorer.children is children


def test_who_listens_is_called_and_not_kept_alive():
    class Listener:
        def again(self):
            heard.append(language.language())

    heard, listener = [], Listener()
    language.hear(listener.again)
    language.set_language(CHINESE)
    assert heard == [CHINESE]
    gone = weakref.ref(listener)
    del listener
    gc.collect()
    assert gone() is None
    language.set_language("en")
    assert heard == [CHINESE]


# --- No English is left ------------------------------------------------------------------------------------

UNITS = "FLOP MFLOP GFLOP TFLOP FLOPS GFLOPS TFLOPS byte KiB MiB GiB MHz Gbit tokens min USD"
TERMS = "GPU CUDA Tensor Core NVIDIA NVLink PCIe InfiniBand EDR HDR NDR NHWC NCHW fprop dgrad wgrad ZeRO DRAM"
LIBRARIES = "cuBLAS cuDNN Python Ctrl Shift"
NETWORKS = "ResNet AlexNet VGG MobileNet BERT GPT ViT Llama Multibox SSD ImageNet top Conv BatchNorm"
OPTIONS = "SGD sgd adam adamw amp small medium large base Softmax Sigmoid ReLU tanh relu gelu sigmoid"
NAMES = {
    *" ".join((UNITS, TERMS, LIBRARIES, NETWORKS, OPTIONS)).split(),
    *(word for gpu in GPUS for word in re.findall("[A-Za-z]+", gpu.name)),
    *(kind.__name__ for kind in (*layers.LAYERS, *models.MODELS)),
}
WORD = re.compile(
    r"(?<![A-Za-z0-9_.{])[A-Za-z]{3,}(?![A-Za-z0-9_}])"
)  # no identifiers such as conv2_1, no {fields}
MARKUP = re.compile(r"<(style|a)\b.*?</\1>|<[^>]*>", re.DOTALL)  # titles of sources stay as published

# Of widgets that also hold what nobody reads: the traits, and the keys within them, that are read.
READ = {
    "Aria": (),
    "Axis": ("label", "tick_labels"),
    "Checklist": ("title", "summary", "items.title", "items.sentence", "items.cost", "items.apply"),
    "ChartFigure": ("title",),
    "DataTable": ("words",),
    "Dropdown": ("description", "_options_labels"),
    "Label": ("text",),
    "LayerBars": ("words", "alt"),
    "Lines": (),
    "Readouts": ("hint",),
    "Scatter": (),
    "SelectMultiple": ("description",),
    "Toolbar": ("name", "buttons.label", "buttons.title"),
}
UNREAD = ("layout", "style", "state", "python", "tick_style", "address", "keys", "choices", "data", "plan")


def texts(value, place=""):
    """Yield each text within a trait, and where it stands."""
    if isinstance(value, str):
        yield place, unescape(MARKUP.sub(" ", value))
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from texts(each, f"{place}.{key}")
    elif isinstance(value, list | tuple):
        for each in value:
            yield from texts(each, place)


def below(widget, seen):
    """Yield a widget and all that are in it."""
    if widget in seen:
        return
    seen.add(widget)
    yield widget
    for name in set(widget.keys) - {"layout", "style"}:
        value = getattr(widget, name)
        for each in value if isinstance(value, list | tuple) else [value]:
            if isinstance(each, w.Widget):
                yield from below(each, seen)


def read(explorer):
    """Yield what a user reads in an explorer, each text with its place."""
    for index in range(len(explorer.panes)):
        explorer.tabs.selected_index = index
    for pane in explorer.panes:
        yield f"the picture {pane.title} for who cannot see it", pane.alt()
    seen = set()
    for widget in (
        each for top in (explorer, *(p.widget for p in explorer.panes)) for each in below(top, seen)
    ):
        kind = type(widget).__name__
        for name in widget.keys:
            if name in UNREAD or name.startswith("_") and name != "_options_labels":
                continue
            for place, text in texts(getattr(widget, name), name):
                if any(f"{place}.".startswith(f"{part}.") for part in READ.get(kind, (place,))):
                    yield f"{kind}.{place}", text
    yield from (("number", text) for _, *both in explorer.readouts.numbers for text in both)


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
def test_no_english_is_left_in_an_explorer(app, chinese):
    explorer = app()
    left = {
        (place, text): strange
        for place, text in read(explorer)
        if (strange := [word for word in WORD.findall(text) if word not in NAMES])
    }
    explorer.close()
    assert not left


def test_english_would_be_found(chinese):
    """The search above sees tabs, buttons, labels, sentences, legends, axes and numbers."""
    language.set_language("en")
    explorer = LayerExplorer(SCENARIO)
    found = " ".join(text for _, text in read(explorer))
    seen = (
        "Roofline", "Reset", "Batch size", "Checklist", "Arithmetic intensity (FLOPS/byte)", "math roof",
        "traffic", " limited", "Undo (Ctrl+Z)", "Layer explorer", "Full waves of tiles", "Format",
        "Batch size, multiples of",
    )  # fmt: skip
    assert not [text for text in seen if text not in found]
    explorer.close()
