"""A real JupyterLab in a real browser. Without Chromium the tests skip, except under CI, where they fail."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "tests" / "e2e" / "shots"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def chromium() -> str:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        message = "no Chromium here: install it (on Debian: apt-get install chromium)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    return path


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """Yield the address of a JupyterLab on a folder with a copy of the start notebook."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=",
        "--ServerApp.allow_root=True", f"--ServerApp.root_dir={folder}",
    ]  # fmt: skip
    settings = {
        "JUPYTER_CONFIG_DIR": str(folder / "config"),
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
    }
    log = (folder / "server.log").open("w")
    server = subprocess.Popen(command, env={**os.environ, **settings}, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, server, folder / "server.log")
        yield address
    finally:
        server.terminate()
        server.wait(30)
        log.close()


def _wait_for(address: str, server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        if server.poll() is not None:
            break
        try:
            urllib.request.urlopen(f"{address}/api/status", timeout=2).close()
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
    page.set_default_timeout(30_000)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    page.close()


@pytest.fixture
def shot():
    """Return a function that saves a screenshot to look at."""
    SHOTS.mkdir(exist_ok=True)
    return lambda page, name: page.screenshot(path=SHOTS / f"{name}.png")
