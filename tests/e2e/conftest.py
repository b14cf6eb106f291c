"""A real JupyterLab in a real browser. Without Chromium the tests skip, except under CI, where they fail."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "tests" / "e2e" / "shots"
# The servers are of this environment, or of another that is put to the test.
PYTHON = os.environ.get("DLPERF_PYTHON", sys.executable)
JUPYTERLAB = [
    "-m", "jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1", "--ServerApp.port={port}",
    "--ServerApp.port_retries=0", "--ServerApp.allow_root=True", "--IdentityProvider.token=",
]  # fmt: skip
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def chromium() -> str:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        message = "no Chromium here: install it (on Debian: apt-get install chromium)"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    return path


@pytest.fixture(scope="session")
def serve():
    """Return a function that runs ``python`` with arguments in a folder, as a Jupyter server until the end.

    It returns the server's address, and writes what the server says to the folder's ``server.log``.
    """
    with ExitStack() as servers:
        yield lambda folder, *arguments: servers.enter_context(serving(folder, arguments))


@pytest.fixture(scope="session")
def lab(tmp_path_factory, serve):
    """Return the address of a JupyterLab on a folder with a copy of the notebooks."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    return serve(folder, *JUPYTERLAB)


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(folder: Path, arguments: Sequence[str], port: int | None = None):
    """Run a Jupyter server, on a port where one is asked for, and give its address."""
    port = port or free_port()
    command = [PYTHON, *(argument.format(port=port) for argument in arguments)]
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(command, cwd=folder, env=_private(folder), stdout=log, stderr=log)
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(address, server, folder / "server.log")
            yield address
        finally:
            server.terminate()
            server.wait(30)


def _private(folder: Path) -> dict[str, str]:
    """Return an environment in which Jupyter neither finds nor touches anything of the user's."""
    config = folder / "config" / "labconfig"
    config.mkdir(parents=True, exist_ok=True)
    # Asks whether to fetch news, in front of everything else.
    disabled = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    (config / "page_config.json").write_text(json.dumps(disabled))
    return {
        **os.environ,
        "JUPYTER_CONFIG_DIR": str(config.parent),
        "JUPYTER_DATA_DIR": str(folder / "data"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
    }


def _wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"{address}/api", timeout=2).close()  # the one that needs no token
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")


@pytest.fixture(scope="session")
def browser(chromium):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 1400, "height": 950})
    page.set_default_timeout(60_000)  # two browsers share what cores there are
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    page.close()


@pytest.fixture
def shot():
    """Return a function that saves a screenshot to look at."""
    SHOTS.mkdir(exist_ok=True)
    return lambda page, name: page.screenshot(path=SHOTS / f"{name}.png")
