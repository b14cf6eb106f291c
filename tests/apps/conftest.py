"""What a test displays or makes ends with it: an explorer that stays hears every change of language."""

import ipywidgets as w
import pytest


@pytest.fixture(autouse=True)
def _closed():
    yield
    w.Widget.close_all()


@pytest.fixture
def measurable(monkeypatch):
    """With or without PyTorch, measuring is offered: for tests that replace what measures."""
    monkeypatch.setattr("dlperf_widgets.apps._measuring.unavailable", lambda: "")
