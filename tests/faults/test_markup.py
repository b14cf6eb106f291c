"""Whatever a GPU, a layer, a device or a learner is called, it reaches a page as text."""

from dataclasses import fields, replace

import ipywidgets as w
import pytest
from markup import CORPUS, EVERYTHING, executable

import dlperf_widgets as dp
from dlperf_widgets import course, gpus, layers
from dlperf_widgets.apps import APPS
from dlperf_widgets.bridge.model import TorchModel, Unplaced
from dlperf_widgets.course._grades import Grades
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.measure import Device, Measurement, Outcome, Protocol, Summary
from dlperf_widgets.views.pane import ChartPane


def named(text: str) -> gpus.Gpu:
    """Return a GPU whose every text is a given one."""
    source = gpus.Source(fields=tuple(f.name for f in fields(gpus.Gpu)), title=text, address=text)
    price = gpus.Price(1.0, text, "hour", text, text, text)
    return replace(
        gpus.A100_SXM4_80GB,
        name=text,
        architecture="Ampere",
        memory_type=text,
        prices=(price,),
        sources=(source,),
    )


def model(text: str) -> TorchModel:
    """Return a traced module whose every name is a given text."""
    parts = ((text, layers.Linear(32, 64, 64)), (f"{text}.{text}", layers.Activation(2048)))
    return TorchModel(parts, 4160, (32, 64), (32, 64), (Unplaced(text, text, 1, 5, 0.1),), text)


def widgets(widget):
    """Yield a widget and all that it holds."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from widgets(child)


def texts_of(explorer):
    """Yield every HTML that an explorer shows or leaves in a notebook."""
    for pane in explorer.panes:
        pane.draw(explorer.scenario, explorer.options)
        yield pane.html()
        if isinstance(pane, ChartPane):
            yield pane.legend.value
    for key, _, _ in explorer.numbers():
        explorer._ask(key)
        yield explorer.reason.value
    explorer._note(EVERYTHING)
    explorer.toggle_card()
    explorer.show_python()
    yield explorer._repr_mimebundle_()["text/html"]
    for widget in widgets(explorer):
        if isinstance(widget, w.HTML):
            yield widget.value
    for pane in explorer.panes:
        for widget in widgets(pane.widget):
            if isinstance(widget, w.HTML):
                yield widget.value
    explorer.toggle_card()


def hostile(app, text):
    """Return the first question of an explorer, with every name that it can have replaced."""
    explorer = app()
    asked = explorer.scenario
    explorer.close()
    layer = asked.layer
    if app.slug in ("layer", "model", "memory", "compare", "gemm"):
        layer = model(text) if app.slug in ("model", "memory", "compare") else layers.Linear()
    return replace(asked, layer=layer, gpu=named(text))


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
def test_explorers_show_names_as_text(app):
    explorer = app(hostile(app, EVERYTHING))
    explorer.pinned = explorer.scenario
    explorer.add_measurements([measured(explorer.scenario)])
    found = list(texts_of(explorer))
    explorer.close()
    assert len(found) > 8
    assert any("&lt;pwn" in html for html in found)  # the name did get there
    assert {each for html in found for each in executable(html)} == set()


def measured(scenario):
    device = Device(EVERYTHING, "cuda", EVERYTHING, compute_capability="8.0", sms=108, memory=80 * 2**30)
    protocol = Protocol(EVERYTHING, "graph", "cold", 1, 1, 80, 0.3, True)
    summary = Summary(2e-5, 1e-5, 3e-5, 40)
    return Measurement(device, scenario, Outcome.MEASURED, EVERYTHING, summary=summary, protocol=protocol)


@pytest.mark.parametrize("name", ["a\0b", "\x1b[31m", "\ud800", "\uffff"])
def test_names_that_no_page_can_show_are_refused(name):
    with pytest.raises(ValueError, match="must be a text that can be shown: it has"):
        named(name)
    with pytest.raises(ValueError, match="must be a text that can be shown: it has"):
        model(name)


def test_tables_grades_and_answers_show_text():
    asked = dp.Scenario(model(EVERYTHING), named(EVERYTHING), FP16)
    rows = [{"lesson": EVERYTHING, "exercise": EVERYTHING, "tries": 1, "right": True}]
    found = [
        dp.summary(asked.layer)._repr_html_(),
        dp.tabulate(asked)._repr_html_(),
        dp.tabulate(asked, by="layer")._repr_html_(),
        Grades(rows)._repr_html_(),
        course.check("intensity.relu", EVERYTHING)._repr_html_(),
    ]
    course.reset()
    assert all("&lt;pwn" in html for html in found)
    assert [executable(html) for html in found] == [[]] * len(found)


def test_guesses_are_shown_as_text():
    explorer = dp.LayerExplorer()
    explorer.predict_first("limiter", "time")
    for text in (EVERYTHING, "math", EVERYTHING, "20 µs"):
        explorer.prediction.quiz.guess(text)
    answers = explorer.answers
    html = answers._repr_html_() if hasattr(answers, "_repr_html_") else str(answers)
    explorer.close()
    assert executable(html) == []


def test_each_name_of_the_corpus_would_be_found_unescaped():
    harmless = {
        "x onpwn=1 y",
        "&#60;pwn&#62;",
        "`onpwn=1`",
        "' onpwn='1",
        '" onpwn="1',
        "javascript:pwn()",
        "<![CDATA[<pwn>]]>",
    }
    for name in set(CORPUS) - harmless:
        assert executable(f"<p>{name}</p>") or executable(f"<style>{name}</style>"), name
    assert executable('<p title="" onpwn="1">')
    assert executable("<a href='javascript:pwn()'>")
