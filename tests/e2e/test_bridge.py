"""An explorer goes from a panel to a notebook and back, and travels as Python and as a link."""

import json

import pytest
from conftest import JUPYTERLAB
from steps import DRAWN, ask, card, open_panel, tab, until, wait_for_batch

pytestmark = pytest.mark.e2e

CELL = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None}
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
NOTEBOOK = {"cells": [], "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}
SHOWN = ".jp-Notebook .dlp-explorer .bqplot path.line"


@pytest.fixture(scope="module")
def bridge(tmp_path_factory, serve):
    """Return the address of a JupyterLab with a notebook that shows an explorer when it is run."""
    folder = tmp_path_factory.mktemp("bridge")
    source = "import dlperf_widgets as dp\ne = dp.LayerExplorer()\ne.controls.resize('batch', 904)\ne"
    cells = [{**CELL, "source": source}, {**CELL, "id": "b", "source": "1 + 1"}]
    (folder / "mine.ipynb").write_text(json.dumps({**NOTEBOOK, "cells": cells}))
    (folder / "empty.ipynb").write_text(json.dumps({**NOTEBOOK, "cells": [{**CELL, "source": ""}]}))
    return serve(folder, *JUPYTERLAB)


def ready(page):
    """Wait until the notebook in front has a kernel that waits for work."""
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.get_by_text("| Idle").wait_for()


def test_a_panel_is_inserted_into_a_notebook_as_python_that_runs(page, bridge, shot):
    open_panel(page, bridge)
    insert = page.get_by_role("button", name="Insert into notebook")
    assert insert.get_attribute("aria-disabled") == "true" or insert.is_disabled()
    ask(page, 904)
    page.locator(".jp-DirListing-item", has_text="empty.ipynb").dblclick()
    ready(page)
    tab(page, "Layer explorer").click()
    insert.click()
    page.wait_for_function("document.querySelectorAll('.jp-Notebook .jp-Cell').length === 2")
    code = page.locator(".jp-Notebook .jp-Cell").nth(1).locator(".cm-content").inner_text()
    assert "batch=904" in code and "dp." in code
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(SHOWN)
    wait_for_batch(page, 904)
    shot(page, "inserted")


def test_a_notebooks_explorer_opens_in_a_panel(page, bridge, shot):
    page.goto(f"{bridge}/lab/tree/mine.ipynb?reset")
    ready(page)
    page.locator(".jp-Notebook .jp-Cell").nth(1).locator(".cm-content").click()
    button = page.locator(".jp-cell-toolbar").get_by_title("Open this explorer in a panel")
    assert button.locator("visible=true").count() == 0, "offered where there is no explorer"
    page.locator(".jp-Notebook .jp-Cell").nth(0).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(SHOWN)
    shot(page, "cell_toolbar")
    button.locator("visible=true").first.click()
    page.wait_for_selector(DRAWN)
    wait_for_batch(page, 904)
    assert tab(page, "Layer explorer").count() == 1

    # And by the menu of the cell.
    tab(page, "mine.ipynb").click()
    page.locator(".jp-Notebook .dlp-explorer .dlp-verdict").click(button="right")
    page.locator(".lm-Menu-item", has_text="Open in panel").click()
    until(lambda: tab(page, "Layer explorer").count() == 2, "the menu opens no panel")


def test_it_is_copied_as_python_and_as_a_link_that_opens_it(page, bridge):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_panel(page, bridge)
    ask(page, 904)
    page.get_by_role("button", name="Copy as Python").click()
    assert "batch=904" in page.evaluate("navigator.clipboard.readText()")
    page.get_by_role("button", name="Copy link").click()
    address = page.evaluate("navigator.clipboard.readText()")
    assert address.startswith(f"{bridge}/lab?dlperf=")

    page.goto(f"{bridge}/lab?reset")
    card(page, "Layer explorer").wait_for()
    page.goto(address)
    page.wait_for_selector(DRAWN)
    wait_for_batch(page, 904)
    until(lambda: "dlperf=" not in page.url, "the address would open the explorer again and again")
    page.goto(f"{bridge}/lab?dlperf=gemm&dlperf-gpu=T4")  # written by hand
    page.wait_for_function(
        """[...document.querySelectorAll('.dlp-explorer select')].some(
            select => select.selectedOptions[0]?.text === 'T4')"""
    )
    assert tab(page, "GEMM explorer").count() == 1
    page.get_by_role("button", name="Copy link", disabled=False).locator("visible=true").wait_for()
    page.goto(address[:-20])
    page.get_by_text("This link to an explorer is damaged").wait_for()
    assert page.errors == []
