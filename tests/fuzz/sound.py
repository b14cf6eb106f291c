"""What must hold of an explorer whatever was done to it."""

import ast
import re
from dataclasses import fields

from hostile import finite, quickly

from dlperf_widgets.apps import APPS
from dlperf_widgets.apps.state import read_state
from dlperf_widgets.views.pane import ChartPane

NONSENSE = re.compile(r"(?<![\w.-])(-?inf|nan)(?![\w-])")  # as Python writes them; not within words


class Opened(dict):
    """The explorers by their class; short to print, as one with its arrays fills pages."""

    def __repr__(self) -> str:
        return "the explorers"


def opened():
    """Yield every explorer, and close them."""
    made = Opened((app, app()) for app in APPS)
    yield made
    for explorer in made.values():
        explorer.close()


def flat(mark) -> tuple:
    """Return everything that a mark or an axis holds."""
    return tuple(getattr(mark, f.name) for f in fields(mark))


def check_chart(chart) -> None:
    """Assert that every place on a chart is a number, and that its words say numbers."""
    for part in (chart.x, chart.y, *chart.marks):
        assert finite(flat(part)), (chart.title, part)
    for axis in (chart.x, chart.y):
        assert finite(list(axis.ticks)), (chart.title, axis)
        assert axis.domain[0] < axis.domain[1], (chart.title, axis)
    words = [chart.title, chart.alt, chart.remark, *(n for m in chart.marks for n in getattr(m, "notes", ()))]
    assert not [each for each in words if NONSENSE.search(each)], (chart.title, words)


def check(explorer) -> None:
    """Assert that an explorer can draw all its pictures, and that what it tells of itself is true."""
    asked, options = explorer.scenario, explorer.options
    for pane in explorer.panes:
        with quickly():
            pane.draw(asked, options)
        if isinstance(pane, ChartPane):
            check_chart(pane.chart)
        for text in (pane.alt(), re.sub(r"<[^>]*>", " ", pane.html())):
            assert not NONSENSE.search(text), (pane.title, NONSENSE.search(text), text[:300])
    with quickly():
        said = [*explorer.words(), *(text for _, _, text in explorer.numbers())]
    assert not [each for each in said if each and NONSENSE.search(each)], said
    state = read_state(explorer.slug, explorer.options_kind, explorer.state)
    assert (state.scenario, state.options) == (asked, options)
    ast.parse(explorer.python)
