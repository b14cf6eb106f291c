"""``dlperf lab`` opens one notebook and has it run, on a server that answers at once."""

import os
import subprocess
import sys
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


ROUTES = """
import sys
from jupyterlab.labapp import LabApp

def patterns(router):
    for rule in router.rules:
        inner = hasattr(rule.target, "rules")
        yield from patterns(rule.target) if inner else [getattr(rule.matcher, "regex", rule.matcher)]

server = LabApp.initialize_server(argv=sys.argv[1:])
for pattern in sorted(map(str, patterns(server.web_app.default_router))):
    print(pattern)
print("listens on", server.ip)
"""


def test_its_server_has_the_routes_of_a_bare_one_and_listens_to_this_machine_alone(tmp_path, started):
    """The package brings no server extension either: there would be routes in the bare one."""
    lab.start(0, browser=False)
    given = [argument for argument in started[0][3:] if argument.startswith("--")]
    bare = ["--ServerApp.open_browser=False", "--ServerApp.allow_root=True"]
    own, others = (
        subprocess.run(
            [sys.executable, "-c", ROUTES, *arguments],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for arguments in (given, bare)
    )
    assert own[:-1] == others[:-1]
    assert len(own) > 40
    assert not any("dlp" in route for route in own)
    assert own[-1] == "listens on 127.0.0.1"


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
