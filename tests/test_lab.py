"""``dlperf lab`` opens one notebook and has it run, on a server that answers at once."""

import os
from pathlib import Path

import pytest

from dlperf_widgets import lab
from dlperf_widgets.nodelay import NoDelayConnection

START = Path(__file__).parents[1] / "notebooks" / "00_start.ipynb"


@pytest.fixture
def started(monkeypatch):
    """Return the list of command lines that this process would have been replaced by."""
    commands = []
    monkeypatch.setattr(os, "execv", lambda path, arguments: commands.append(arguments))
    return commands


def test_it_opens_the_start_notebook_of_the_checkout_wherever_it_is_called(tmp_path, monkeypatch, started):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00_start.ipynb").write_text("somebody else's")
    monkeypatch.chdir(tmp_path)
    lab.start(0, browser=False)
    assert f"--ServerApp.root_dir={START.parents[1]}" in started[0]
    assert "--LabApp.default_url=/lab/tree/notebooks/00_start.ipynb" in started[0]


def test_it_opens_and_runs_the_notebook_that_is_named(tmp_path, monkeypatch, started):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.ipynb").write_text("{}")
    lab.start(0, False, Path("mine.ipynb"))
    assert "--LabApp.default_url=/lab/tree/mine.ipynb" in started[0]
    (settings,) = [a for a in started[0] if "tornado_settings" in a]
    assert "{'dlperfRunOnOpen': 'mine.ipynb'}" in settings
    with pytest.raises(ValueError, match="there is no notebook .*other.ipynb"):
        lab.start(0, False, Path("other.ipynb"))


def test_outside_a_checkout_it_opens_the_launcher(monkeypatch, started):
    monkeypatch.setattr(lab, "_START", Path("/nowhere/00_start.ipynb"))
    lab.start(0, browser=False)
    assert not any("default_url" in argument for argument in started[0])


def test_its_server_does_not_hold_messages_back(started):
    lab.start(0, browser=True)
    name = f"{NoDelayConnection.__module__}.{NoDelayConnection.__qualname__}"
    assert f"--ServerApp.kernel_websocket_connection_class={name}" in started[0]


def test_the_socket_is_told_before_the_kernel_is_connected(monkeypatch):
    calls = []

    class Handler:
        def set_nodelay(self, value):
            calls.append(("set_nodelay", value))

    class Connection(NoDelayConnection):
        websocket_handler = Handler()

        def __init__(self):
            pass

    (usual,) = NoDelayConnection.__bases__
    monkeypatch.setattr(usual, "connect", lambda self: calls.append("connect"))
    Connection().connect()
    assert calls == [("set_nodelay", True), "connect"]
