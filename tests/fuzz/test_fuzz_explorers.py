"""Explorers: whatever state, control or message comes, they answer or say why not, and stay whole."""

import json

import pytest
from hostile import cases, quickly, tried
from hypothesis import given
from hypothesis import strategies as st
from sound import check, opened
from ways import scenario, sizes, spoiled

from dlperf_widgets.apps import APPS
from dlperf_widgets.apps.state import State, read_state, write_state


def _first(app):
    explorer = app()
    try:
        return explorer.state, tuple(explorer.kinds())
    finally:
        explorer.close()


FIRST, KINDS = ({app: _first(app)[i] for app in APPS} for i in range(2))


@pytest.fixture(scope="module")
def explorers():
    yield from opened()


@st.composite
def states(draw, app):
    """Draw a state of an explorer: another question, other options or both, or one that is spoiled."""
    kinds, options = KINDS[app], app.options_kind
    if draw(st.booleans()):
        return json.dumps(draw(spoiled(json.loads(FIRST[app]))))
    asked = (
        draw(scenario(kinds)) if draw(st.booleans()) else read_state(app.slug, options, FIRST[app]).scenario
    )
    try:
        return write_state(app.slug, State(asked, options(**draw(sizes(options)))))
    except (ValueError, AttributeError):  # what was drawn does not fit together
        return FIRST[app]


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
@cases(short=12, long=2400)
@given(data=st.data())
def test_any_state(app, explorers, data):
    explorer, text = explorers[app], data.draw(states(app))
    explorer.state = FIRST[app]
    before = explorer.state
    tried["inputs"] += 1
    with quickly():
        explorer.state = text
    if explorer.message:
        assert explorer.state == before
    check(explorer)
