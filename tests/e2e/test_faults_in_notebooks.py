"""Faults on purpose in a notebook: names that are scripts, two browsers, another version's file."""

from pathlib import Path

import pytest
from conftest import JUPYTERLAB
from steps import (
    CORPUS,
    FLOOD,
    ask,
    batch,
    kernels,
    open_notebook,
    run_all,
    state_of,
    until,
    wait_for_batch,
    watched,
    write_notebook,
)

from dlperf_widgets.apps import APPS

pytestmark = pytest.mark.e2e

HOSTILE = """
import sys
sys.path.append({folder!r})
from named import hostile, measured
import dlperf_widgets as dp
from dlperf_widgets.apps import APPS
TEXT = {text!r}
explorers = []
for app in APPS[{start}::4]:
    explorer = app(hostile(app, TEXT))
    explorer.pinned = explorer.scenario
    explorer.add_measurements([measured(explorer.scenario, TEXT)])
    explorer.predict_first()
    explorer.message = TEXT
    explorers.append(explorer)
    display(explorer)
"""
TOUCH = """
import asyncio
for turn in range(7):
    for explorer in explorers:
        if turn < len(explorer.panes):
            explorer.tabs.selected_index = turn
        for key, _, _ in explorer.numbers()[turn:turn + 1]:
            explorer._ask(key)
    await asyncio.sleep(0.5)
for explorer in explorers:
    explorer.toggle_card()
    explorer.show_python()
print("ALL TOUCHED")
"""
REFUSED = "not an explorer's state of version 1"
SOURCE = "import dlperf_widgets as dp\nexplorer = dp.LayerExplorer()\nexplorer"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("notebooks")


@pytest.fixture(scope="module")
def server(folder, serve):
    return serve(folder, *JUPYTERLAB)


@pytest.mark.parametrize("start", range(4))
def test_names_that_are_scripts_run_nothing_in_any_explorer(page, server, folder, shot, start):
    faults = str(Path(__file__).parents[1] / "faults")
    write_notebook(
        folder / "hostile.ipynb", HOSTILE.format(folder=faults, text=" ".join(CORPUS), start=start), TOUCH
    )
    watched(page)
    page.set_default_timeout(180_000)  # hundreds of widgets, and another browser beside
    many = len(APPS[start::4])
    open_notebook(page, server, "hostile.ipynb")
    run_all(page)
    page.locator(".jp-OutputArea-output", has_text="ALL TOUCHED").wait_for()
    page.locator(".dlp-explorer .dlp-main").nth(many - 1).wait_for()
    page.wait_for_timeout(2000)
    assert page.locator(".dlp-explorer", has_text="<script>").count() == many  # the names did get there
    assert page.evaluate("window.__pwned") is None
    assert page.alarms == []
    # Dozens of scripts at once may come late, which they survive.
    assert [error for error in page.errors if "Failed to initialize model" not in error] == []
    shot(page, "hostile")


def shown(page):
    """Return the batch size that a page shows."""
    return int(batch(page).input_value())


def test_two_browsers_on_one_kernel_show_the_same(browser, server, folder, page):
    frames = []
    before = kernels(server)
    write_notebook(folder / "shared.ipynb", SOURCE, "explorer.scenario.layer.batch")
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(frame)))
    open_notebook(page, server, "shared.ipynb")
    (kernel,) = kernels(server) - before
    run_all(page)
    page.locator(".dlp-explorer .dlp-main").wait_for()
    page.keyboard.press("Control+s")
    until(lambda: "widget-view" in (folder / "shared.ipynb").read_text(), "the notebook was not saved")
    other = browser.new_page(viewport={"width": 1200, "height": 950})
    other.set_default_timeout(60_000)
    other.on("websocket", lambda socket: socket.on("framesent", lambda frame: frames.append(frame)))
    open_notebook(other, server, "shared.ipynb")
    other.locator(".dlp-explorer .dlp-main").wait_for()
    for mover, watcher, size in ((page, other, 904), (other, page, 16)):
        ask(mover, size)
        wait_for_batch(watcher, size)
        watcher.locator(".dlp-verdict", has_text=mover.locator(".dlp-verdict").inner_text()).wait_for()
    # Both at once: they come to rest, and on the same.
    for each in (page, other):
        each.evaluate(f"window.flood = ({FLOOD})(['.dlp-size input[type=range]', 3, 50])")
    for each in (page, other):
        each.evaluate("window.flood")
    until(lambda: state_of(server, kernel) == "idle" and shown(page) == shown(other), "the browsers differ")
    page.wait_for_timeout(1000)
    said = len(frames)
    page.wait_for_timeout(2000)
    assert len(frames) == said, "the browsers answer each other without end"
    assert shown(page) == shown(other)
    assert page.errors == []
    other.close()


def test_a_notebook_of_another_version_opens_and_says_what_it_cannot_read(page, server, folder):
    """Its widgets were saved by a package whose scripts and traits were others."""
    nbformat, nbclient = (pytest.importorskip(name) for name in ("nbformat", "nbclient"))
    old_state = "from dlperf_widgets.apps import open_explorer\nopen_explorer('{\"version\": 0}')"
    cells = [nbformat.v4.new_code_cell(source) for source in (SOURCE, old_state)]
    made = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(made, timeout=120, kernel_name="python3", allow_errors=True).execute()
    models = made.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    ours = [model["state"] for model in models.values() if model["model_module"] == "anywidget"]
    assert len(ours) > 5
    for state in ours:
        state.update(_esm="export default { render() { throw new Error('of another version') } }", gone=1)
    nbformat.write(made, folder / "older.ipynb")
    open_notebook(page, server, "older.ipynb")
    page.get_by_text(REFUSED).last.wait_for()
    page.locator(".jp-OutputArea").first.get_by_text("Math limited").first.wait_for()
    run_all(page)
    page.locator(".dlp-explorer .dlp-toolbar button").first.wait_for()
    ask(page, 512)
    assert page.get_by_text(REFUSED).count() > 0
