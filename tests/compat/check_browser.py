"""JupyterLab and Jupyter Notebook of an environment in a real browser; run by ``run.py``, not by itself."""

import json
import re
import urllib.request

import pytest
from conftest import JUPYTERLAB
from steps import DRAWN, ask, close, kernels, open_panel, until, wait_for_batch

NOTEBOOK = ["-m", "notebook", *JUPYTERLAB[2:]]
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
SHOWN = ".jp-Notebook .dlp-explorer .bqplot path.line"


@pytest.fixture
def page(page):
    """Return a page with patience: a new environment compiles much on its first day."""
    page.context.set_default_timeout(120_000)
    page.set_default_timeout(120_000)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    return page


@pytest.fixture(scope="module")
def lab(tmp_path_factory, serve):
    """Return the address of the environment's JupyterLab."""
    return serve(with_notebook(tmp_path_factory.mktemp("lab")), *JUPYTERLAB)


@pytest.fixture(scope="module")
def notebook(tmp_path_factory, serve):
    """Return the address of the environment's Jupyter Notebook."""
    return serve(with_notebook(tmp_path_factory.mktemp("notebook")), *NOTEBOOK)


def with_notebook(folder):
    """Write a notebook that shows an explorer into a folder, and return the folder."""
    source = "import dlperf_widgets as dp\ndp.LayerExplorer()"
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**cell, "source": source}]
    notebook = {"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}
    (folder / "mine.ipynb").write_text(json.dumps(notebook))
    return folder


def drag(page):
    """Drag the batch size to a third, and wait until the picture says so."""
    slider = page.get_by_label("Batch size", exact=True).locator("visible=true")
    width, middle = slider.bounding_box()["width"], slider.bounding_box()["height"] / 2
    place = [{"x": share * width, "y": middle} for share in (0.6, 0.2)]
    before = page.locator(".dlp-verdict").locator("visible=true").text_content()
    assert "Math limited" in before
    slider.drag_to(slider, source_position=place[0], target_position=place[1])
    page.wait_for_function("document.querySelector('.dlp-verdict').textContent.includes('Memory limited')")


def run_notebook(page, server, path):
    """Run the notebook once its kernel is connected, and wait until its explorer is drawn."""
    before = kernels(server)
    page.goto(f"{server}/{path}")
    until(lambda: any(connected(server, each) for each in kernels(server) - before), "no kernel is ready")
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.wait_for_selector(SHOWN)


def connected(server, kernel):
    """Return whether a page talks with a kernel that waits for work. What a page shows says so too early."""
    with urllib.request.urlopen(f"{server}/api/kernels/{kernel}") as reply:
        told = json.load(reply)
    return told["execution_state"] == "idle" and told["connections"] > 0


def in_panel(page):
    """Return the button that opens the explorer of the active cell in a panel."""
    buttons = page.locator(".jp-cell-toolbar").get_by_title("Open this explorer in a panel")
    return buttons.locator("visible=true").first


def test_in_lab_a_panel_opens_from_the_launcher_and_follows_the_hand(page, lab, shot):
    before = kernels(lab)
    open_panel(page, lab)
    drag(page)
    shot(page, "compat_panel")
    close(page, "Layer explorer")
    until(lambda: kernels(lab) == before, "the kernel of a closed panel still runs")
    page.locator('.lm-TabBar-tab[data-id="dlperf-sidebar"]').click()
    page.locator(".dlp-Sidebar").get_by_role("heading", name="GPUs", exact=True).click()
    page.locator(".dlp-Sidebar tbody tr", has_text="H100").first.wait_for()
    shot(page, "compat_sidebar")
    assert page.errors == []
    wanted = {match for said in page.said for match in re.findall(r"\(required (\S+)\)", said)}
    assert not wanted & {"^4.4.0", "^4.5.0", "^6.4.0", "^7.4.0"}, "JupyterLab calls itself too old for this"


def test_in_lab_a_notebook_shows_an_explorer_that_opens_in_a_panel(page, lab):
    run_notebook(page, lab, "lab/tree/mine.ipynb?reset")
    drag(page)
    in_panel(page).click()
    page.wait_for_selector(DRAWN)
    assert page.errors == []


def choose_explorer(page):
    """Choose the layer explorer in the menu of Jupyter Notebook; return the page that it opens on."""
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.locator(".lm-Menu-item", has_text="New").first.hover()
    page.locator(".lm-Menu-item", has_text="GPU performance").hover()
    with page.expect_popup() as opened:
        page.locator(".lm-Menu-item", has_text="Layer explorer").click()
    opened.value.wait_for_selector(DRAWN)
    return opened.value


def test_in_notebook_an_explorer_gets_a_page_that_can_be_loaded_again(page, notebook, shot):
    before = kernels(notebook)
    page.goto(f"{notebook}/tree")
    page.locator(".jp-DirListing-item", has_text="mine.ipynb").wait_for()
    own = choose_explorer(page)
    assert own.title() == "Layer explorer"
    assert own.get_by_role("button", name="Insert into notebook").count() == 0
    drag(own)
    ask(own, 904)
    shot(own, "compat_own_page")
    (kernel,) = kernels(notebook) - before
    own.reload()
    own.wait_for_selector(DRAWN)
    wait_for_batch(own, 904)
    assert kernels(notebook) - before == {kernel}, "a page that is loaded again starts another kernel"

    own.get_by_role("button", name="Copy link").click()
    link = own.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{notebook}/edit?dlperf=") and "session" not in link
    with own.expect_popup() as opened:
        own.get_by_role("button", name="Save as file").click()
    saved = opened.value
    saved.wait_for_selector(DRAWN)
    wait_for_batch(saved, 904)
    assert saved.url == f"{notebook}/edit/untitled.dlperf.json"


def test_in_notebook_the_sidebar_is_on_the_left_and_explains_what_a_notebook_shows(page, notebook, shot):
    run_notebook(page, notebook, "notebooks/mine.ipynb")
    drag(page)
    page.get_by_role("menuitem", name="View", exact=True).click()
    page.locator(".lm-Menu-item", has_text="Left Sidebar").hover()
    page.locator(".lm-Menu-item", has_text="GPU performance").click()
    page.locator("#jp-left-stack .dlp-Sidebar").get_by_role("heading", name="Explorers").wait_for()
    shot(page, "compat_left")
    before = kernels(notebook)
    with page.expect_popup() as opened:
        in_panel(page).click()
    opened.value.wait_for_selector(DRAWN)
    assert len(kernels(notebook) - before) == 1, "what opens on its own page has left a kernel on this one"
