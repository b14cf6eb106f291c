"""Every control of every explorer: what makes no sense changes nothing, and is said to make none."""

import logging
from itertools import product
from math import inf, nan

import pytest
from hostile import EXTREME_FLOATS, EXTREME_INTS, MARKUP, cases, quickly, tried
from hypothesis import given
from hypothesis import strategies as st
from sound import check, opened
from traitlets import TraitError
from traitlets.log import get_logger

from dlperf_widgets.apps import APPS
from dlperf_widgets.apps._measuring import Measuring
from dlperf_widgets.charts.shapes import Dots, lower
from dlperf_widgets.views.pane import ChartPane

SENT = ("value", "index", "text", "step", "state", "sort", "filter", "selected_index", "pressed", "buttons")
EVENTS = ("typed", "pressed", "opened", "applied", "guess", "next", "asked", "key", "column", "event",
          "index", "x", "name", "point", "drag", "refused", "moved", "dragged")  # fmt: skip
WORDS = ("undo", "redo", "reset", "fit", "pin", "predict", "gpu", "copy", "cancel", "clear", "refit", "time",
         "batch", "0", "math", "memory", "1,024", "64 x 3", "1e999", "nan", "-1", "0x10", "９", "1" * 400,
         *MARKUP)  # fmt: skip
page_value = st.one_of(
    st.sampled_from(WORDS), st.sampled_from(EXTREME_INTS), st.sampled_from(EXTREME_FLOATS), st.none(),
    st.booleans(), st.text(max_size=8), st.lists(st.integers(-1, 3), max_size=3), st.just({}),
    st.just({"x": nan}),
)  # fmt: skip
# Always an object, as comms have it.
content = st.dictionaries(st.sampled_from(EVENTS), page_value, max_size=4)
action = st.tuples(st.integers(0, 10**6), st.sampled_from(SENT), page_value, content)
each_app = pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)


@pytest.fixture(scope="module")
def explorers():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Measuring, "start", lambda self: None)  # which would time layers for minutes
        yield from opened()


def everything(widget, found=None) -> list:
    """Return a widget and all that it holds."""
    found = [] if found is None else found
    if widget not in found:
        found.append(widget)
        for child in getattr(widget, "children", ()):
            everything(child, found)
    return found


class Told(logging.Handler):
    """Keeps what widgets report instead of raising it."""

    def __init__(self):
        super().__init__()
        self.errors = []

    def emit(self, record):
        self.errors += [record.exc_info[1]] if record.exc_info else []


def message(widget, data) -> None:
    """Deliver a message as the page's comm does. A trait refuses what is not of its type, naming itself."""
    tried["inputs"] += 1
    told, log = Told(), get_logger()
    log.addHandler(told)
    log.propagate = False
    try:
        with quickly():
            widget._handle_msg({"content": {"data": data}, "buffers": []})
    except TraitError as error:
        assert str(error)
    finally:
        log.removeHandler(told)
    for error in told.errors:
        if not isinstance(error, TraitError):
            raise error


@each_app
@cases(short=4, long=500)
@given(actions=st.lists(action, min_size=4, max_size=4))
def test_messages_of_a_page(app, explorers, actions):
    explorer = explorers[app]
    explorer._restore(explorer.history.first)
    for which, name, value, said in actions:
        widgets = everything(explorer)
        widget = widgets[which % len(widgets)]
        if name in widget.keys:
            message(widget, {"method": "update", "state": {name: value}, "buffer_paths": []})
        else:
            message(widget, {"method": "custom", "content": said})
    check(explorer)


@each_app
def test_typed_into_every_box(app, explorers):
    explorer = explorers[app]
    explorer._restore(explorer.history.first)
    boxes = {**explorer.controls.layer.controls, **explorer.choices.controls}
    for box in boxes.values():
        for text in WORDS:
            if hasattr(box, "type"):
                message(box, {"method": "custom", "content": {"typed": text}})
    explorer.toggle_card()
    for box in explorer.card.boxes.values():
        for text in WORDS:
            message(box, {"method": "update", "state": {"value": text}, "buffer_paths": []})
    explorer.toggle_card()
    explorer._restore(explorer.history.first)
    check(explorer)


@each_app
def test_points_dragged_out_of_the_world(app, explorers):
    explorer = explorers[app]
    explorer._restore(explorer.history.first)
    for pane in [pane for pane in explorer.panes if isinstance(pane, ChartPane)]:
        pane.draw(explorer.scenario, explorer.options)
        for name, x in product(lower(pane.chart), (nan, inf, -inf, 0.0, -1.0, 1e-300, 1e300, 2.0**40, 1e9)):
            shape = lower(pane.chart).get(name)
            if isinstance(shape, Dots) and shape.drag and shape.x:
                tried["inputs"] += 1
                with quickly():
                    pane._on_move(name, shape, 0, x)
                    pane.draw(explorer.scenario, explorer.options)
    check(explorer)


@each_app
def test_an_explorer_still_works_after_all_that(app, explorers):
    explorer = explorers[app]
    explorer._restore(explorer.history.first)
    assert explorer.message == ""
    assert explorer.state == app().state
