"""The recipes of docs/recipes, in a browser that reaches this machine alone.

Those that are quick to build are built here, the others by ``make recipes``, which then runs this file.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest
from conftest import ROOT
from steps import until

from dlperf_widgets.page import runtime

RECIPES = ROOT / "docs" / "recipes"
START = 150_000  # ms: Python starts in a browser in 5 to 15 s on a quiet machine
# Where the marks of the picture stand, whatever draws it, and the sentence that says what limits the layer.
MARKS = """[...document.querySelectorAll(".dlp-explorer :is(.dlp-live-marks, .bqplot) :is(g, path)")]
    .map(mark => `${mark.getAttribute("d")} ${mark.getAttribute("transform")}`).join()"""
VERDICT = "document.querySelector('.dlp-explorer .dlp-verdict').textContent"


@pytest.fixture
def alone(page):
    """Return a page that reaches only this machine, and count what it asked of others: nothing."""
    outside = []

    def only_here(route):
        if urlsplit(route.request.url).hostname == "127.0.0.1":
            route.fallback()
        else:
            outside.append(route.request.url)
            route.abort()

    page.context.route("**/*", only_here)
    page.set_default_timeout(START)
    yield page
    assert outside == []


@pytest.fixture(scope="module")
def site():
    """Return a function that serves a folder as any web server would, and returns its address."""
    with ExitStack() as servers:
        yield lambda folder: servers.enter_context(_served(folder))


@contextmanager
def _served(folder):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def environment():
    """Return this environment with this Python's commands first."""
    return os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}


def copied(recipe, folder):
    """Copy a recipe without what was built of it."""
    return shutil.copytree(RECIPES / recipe, folder / recipe, ignore=shutil.ignore_patterns("_build"))


def built(recipe, folder):
    """Build a copy of a recipe, and return where it built."""
    try:
        runtime.files()
    except OSError as error:
        pytest.skip(str(error))
    done = subprocess.run(
        ["sh", "build.sh"], cwd=copied(recipe, folder), env=environment(), capture_output=True, text=True
    )
    if "npm error network" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])
    assert done.returncode == 0, done.stderr[-3000:]
    return folder / recipe / "_build"


def prebuilt(*place):
    """Return what ``make recipes`` has built."""
    folder = RECIPES.joinpath(*place)
    return folder if folder.exists() else pytest.skip("`make recipes` builds it, and runs this test then")


def live_page(page):
    """Return the frame of the page's live explorer, once Python answers in it."""
    frame = page.locator("iframe")
    frame.scroll_into_view_if_needed()
    inside = frame.element_handle().content_frame()
    inside.wait_for_selector("html[data-live]", state="attached")
    assert inside.get_attribute("html", "data-live") == "yes", inside.inner_text("#dlperf-status")
    return inside


def drag(page, where, name, to):
    """Drag a slider by the mouse, and wait until the picture and the answer have followed."""
    slider = where.locator(f'.dlp-explorer input[type=range][aria-label="{name}"]')
    slider.scroll_into_view_if_needed()
    marks, verdict = where.evaluate(MARKS), where.evaluate(VERDICT)
    box = slider.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * float(slider.evaluate(SHARE)), y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * to, y, steps=5)
    page.mouse.up()
    where.wait_for_function(
        f"([marks, verdict]) => {MARKS} !== marks && {VERDICT} !== verdict", arg=[marks, verdict]
    )


SHARE = "slider => (slider.value - slider.min) / (slider.max - slider.min)"  # where its handle stands


def test_a_notebook_as_a_page(alone, site, tmp_path, shot):
    alone.goto(f"{site(built('nbconvert', tmp_path))}/explorer.html")
    assert alone.locator(".dlp-fallback img").is_visible()
    drag(alone, live_page(alone), "Batch size", 0.3)
    shot(alone, "recipe-nbconvert")
    assert alone.errors == []


def test_slides_stand_still_while_their_explorer_is_touched(alone, site, tmp_path, shot):
    alone.goto(f"{site(built('slides', tmp_path))}/explorer.slides.html")
    place = "JSON.stringify(Reveal.getIndices())"
    while not alone.locator("section.present iframe").count():
        alone.keyboard.press("ArrowRight")
    here, explorer = alone.evaluate(place), live_page(alone)
    drag(alone, explorer, "Batch size", 0.3)
    slider = explorer.locator('input[type=range][aria-label="Inputs"]')
    before = slider.get_attribute("aria-valuetext")
    swipe(alone, slider.bounding_box())
    explorer.wait_for_function(
        "before => document.querySelector('input[aria-label=\"Inputs\"]').ariaValueText !== before",
        arg=before,
    )
    assert alone.evaluate(place) == here
    shot(alone, "recipe-slides")
    alone.locator("section.present h2").click()
    alone.keyboard.press("ArrowRight")
    assert alone.evaluate(place) != here
    assert alone.errors == []


def swipe(page, box):
    """Swipe with a finger over the middle of a box, from right to left."""
    session = page.context.new_cdp_session(page)
    y = box["y"] + box["height"] / 2
    for kind, share in (("Start", 0.7), *(("Move", 0.7 - step / 10) for step in range(1, 6)), ("End", None)):
        points = [] if share is None else [{"x": box["x"] + box["width"] * share, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})


@pytest.mark.skipif(find_spec("voila") is None, reason="Voila is not installed: `make recipes` has it")
def test_voila_shows_the_explorer_without_code_and_ends_its_kernel(alone, tmp_path, shot):
    with serving_voila(copied("voila", tmp_path)) as (address, server):
        alone.goto(address)
        alone.wait_for_selector(".dlp-explorer .bqplot path.line")
        assert "import dlperf_widgets" not in alone.content()
        drag(alone, alone, "Batch size", 0.3)
        shot(alone, "recipe-voila")
        assert alone.errors == []
        (kernel,) = children(server)
        alone.reload()
        until(lambda: kernel not in children(server), "the kernel of a page that was left still runs")


@contextmanager
def serving_voila(folder):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        host, port = probe.getsockname()
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(
            ["sh", "serve.sh", f"--port={port}", f"--Voila.ip={host}"],
            cwd=folder, env=environment(), stdout=log, stderr=log,
        )  # fmt: skip
    try:
        deadline = time.monotonic() + 90
        while not listens(host, port):
            assert server.poll() is None and time.monotonic() < deadline, (folder / "server.log").read_text()
            time.sleep(0.2)
        yield f"http://{host}:{port}/", server.pid
    finally:
        server.terminate()
        server.wait(30)


def listens(host, port):
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


def children(pid):
    """Return the processes that a process has started: of a Jupyter server, its kernels."""
    return subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()


def test_a_book(alone, site, shot):
    alone.goto(f"{site(prebuilt('book', '_build', 'html'))}/roofline.html")
    drag(alone, live_page(alone), "Batch size", 0.3)
    assert alone.locator("iframe").count() == 1
    shot(alone, "recipe-book")


def test_jupyterlite_runs_the_notebook(alone, site, shot):
    address = site(prebuilt("jupyterlite", "_build", "site"))
    alone.goto(f"{address}/lab/index.html?path=explorer.ipynb")
    alone.locator(".jp-CodeCell .cm-content").first.click()
    alone.keyboard.press("Shift+Enter")
    alone.wait_for_selector(".jp-OutputArea .dlp-explorer .dlp-live-dot")
    drag(alone, alone, "Batch size", 0.3)
    shot(alone, "recipe-jupyterlite")


def test_jupyterlite_opens_a_panel_from_the_launcher_and_has_the_sidebar(alone, site, shot):
    alone.goto(f"{site(prebuilt('jupyterlite', '_build', 'site'))}/lab/index.html")
    cards = alone.locator(".jp-Launcher-section", has_text="GPU performance")
    cards.get_by_text("Layer explorer", exact=True).click()
    alone.wait_for_selector(".dlp-ExplorerPanel .dlp-live-dot")
    drag(alone, alone, "Batch size", 0.3)
    alone.locator('.lm-TabBar-tab[data-id="dlperf-sidebar"]').click()
    for title, entry in (("GPUs", "A100 SXM4 80GB"), ("Glossary", "ops:byte ratio")):
        heading = alone.get_by_role("heading", name=title, exact=True)
        heading.click()
        alone.locator("details[open]", has=heading).get_by_text(entry).first.wait_for()
    shot(alone, "recipe-jupyterlite-panel")
