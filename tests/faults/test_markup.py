"""Whatever a GPU, a layer, a device or a learner is called, it reaches a page as text."""

import ipywidgets as w
import pytest
from markup import CORPUS, EVERYTHING, executable
from named import hostile, measured, model, named

import dlperf_widgets as dp
from dlperf_widgets import course
from dlperf_widgets.apps import APPS
from dlperf_widgets.course._grades import Grades
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.views.pane import ChartPane


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


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
def test_explorers_show_names_as_text(app):
    explorer = app(hostile(app, EVERYTHING))
    explorer.pinned = explorer.scenario
    explorer.add_measurements([measured(explorer.scenario, EVERYTHING)])
    found = list(texts_of(explorer))
    explorer.close()
    assert len(found) > 8
    assert any("&lt;pwn" in html for html in found)  # the name did get there
    assert {each for html in found for each in executable(html)} == set()


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
