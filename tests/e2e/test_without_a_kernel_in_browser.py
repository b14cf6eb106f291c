"""Saved notebooks where nothing answers: as pages with scripts blocked, as slides, and in JupyterLab."""

import json

import pytest
from conftest import JUPYTERLAB
from steps import end, kernels, run_all, until

nbformat = pytest.importorskip("nbformat")
sign = pytest.importorskip("nbformat.sign")
nbclient = pytest.importorskip("nbclient")
nbconvert = pytest.importorskip("nbconvert")

pytestmark = pytest.mark.e2e

CELLS = (
    "import asyncio\nimport dlperf_widgets as dp\nshown = dp.LayerExplorer()\nshown",
    "dp.set_renderer('svg')\ndp.GemmExplorer()",
    # a hand at work, and the rest after which the file's picture is renewed
    "shown.tabs.selected_index = 1\nshown.controls.sizes['batch'].value = 640\nawait asyncio.sleep(2)",
)
AFTER = "The text after the explorers."
BROKEN = {
    "application/vnd.jupyter.widget-view+json": {"model_id": "00", "version_major": 2, "version_minor": 0}
}
WIDGETS = "application/vnd.jupyter.widget-state+json"
STILL = ".dlp-fallback:visible"


@pytest.fixture(scope="module")
def notebook():
    """Return a notebook as it was saved: two explorers, one of them used, and a widget that nobody knows."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    made = nbformat.v4.new_notebook(cells=[*cells, nbformat.v4.new_markdown_cell(AFTER)])
    done = nbclient.NotebookClient(made, timeout=120, kernel_name="python3").execute()
    broken = nbformat.v4.new_output("display_data", {**BROKEN, "text/plain": "SomebodysWidget()"})
    done.cells[2].outputs.append(broken)
    return done


@pytest.fixture(scope="module")
def stateless(notebook):
    """Return the notebook without the state of its widgets, as JupyterLab saves it by default."""
    bare = nbformat.from_dict(json.loads(json.dumps(notebook)))
    bare.metadata.pop("widgets", None)
    return bare


def opened(browser, path, scripts):
    """Open a page; with scripts it may run its own, and nothing comes from outside."""
    page = browser.new_page(java_script_enabled=scripts, viewport={"width": 1000, "height": 1200})
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.route(lambda url: not url.startswith("file:"), lambda route: route.abort())
    page.goto(path.as_uri())
    return page


def assert_all_there(page, count=2):
    """Check that every explorer shows its last picture and numbers, and that the page goes on after them."""
    stills = page.locator(STILL)
    assert stills.count() == count
    first = stills.first
    assert "359 FLOPS/byte" in first.text_content()  # of a batch of 640
    assert "57 µs" in first.locator("table").text_content()
    for still in stills.all():
        picture = still.locator("img").first
        assert picture.bounding_box()["height"] > 200
        assert picture.evaluate("image => image.naturalWidth") > 0
    shown = page.locator("body").inner_text()
    assert AFTER in shown
    assert "model not found" not in shown and "children=" not in shown


def test_the_file_holds_the_last_picture_in_few_bytes(notebook, stateless):
    first, second = ([output.data for output in cell.outputs] for cell in stateless.cells[:2])
    for live, still in (first, second):
        assert set(live) == {"application/vnd.jupyter.widget-view+json", "text/plain"}
        assert {"text/html", "text/plain"} <= set(still)
        assert len(json.dumps(still)) < 40_000 + len(still.get("image/png", ""))
    assert first[0]["text/plain"] == "LayerExplorer: Layer explorer"  # nothing that a hand would change
    assert first[1]["text/plain"].startswith("Math limited: 359")
    assert len(notebook.metadata.widgets[WIDGETS].state) > 50


@pytest.mark.parametrize("kept", ["notebook", "stateless"])
def test_a_page_whose_scripts_are_blocked_shows_it(request, browser, tmp_path, shot, kept):
    page_file = tmp_path / "saved.html"
    page_file.write_text(nbconvert.HTMLExporter().from_notebook_node(request.getfixturevalue(kept))[0])
    page = opened(browser, page_file, scripts=False)
    assert_all_there(page)
    shot(page, f"saved_{kept}")
    page.close()


def test_so_does_a_page_that_cannot_fetch_what_draws_widgets(browser, notebook, tmp_path):
    page_file = tmp_path / "saved.html"
    page_file.write_text(nbconvert.HTMLExporter().from_notebook_node(notebook)[0])
    page = opened(browser, page_file, scripts=True)
    page.wait_for_timeout(500)
    assert_all_there(page)
    page.close()


def test_and_slides(browser, notebook, tmp_path):
    page_file = tmp_path / "slides.html"
    page_file.write_text(nbconvert.SlidesExporter().from_notebook_node(notebook)[0])
    page = opened(browser, page_file, scripts=False)
    assert_all_there(page)
    page.close()


def test_a_paper_gets_words_where_nothing_makes_pixels(stateless):
    code = nbformat.v4.new_notebook(cells=stateless.cells[:2])  # prose would need Pandoc
    text = nbconvert.LatexExporter().from_notebook_node(code)[0]
    assert "Math limited: 359" in text or "includegraphics" in text
    assert "children=" not in text


@pytest.fixture(scope="module")
def lab_page(browser, stateless, tmp_path_factory, serve):
    """Return a page with a JupyterLab whose folder holds the notebook, twice: one is not trusted."""
    folder = tmp_path_factory.mktemp("saved")
    address = serve(folder, *JUPYTERLAB)
    stranger = nbformat.from_dict(json.loads(json.dumps(stateless)))
    stranger.cells[-1].source += " "  # a signature is of the content
    nbformat.write(stranger, folder / "stranger.ipynb")
    nbformat.write(stateless, folder / "own.ipynb")
    sign.NotebookNotary(data_dir=str(folder / "data")).sign(stateless)
    page = browser.new_page(viewport={"width": 1400, "height": 1300})
    page.set_default_timeout(60_000)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.address, page.folder = address, folder
    yield page
    page.close()


def open_notebook(page, name):
    page.goto(f"{page.address}/lab/tree/{name}?reset")
    page.get_by_text("| Idle").wait_for()
    page.locator(STILL).first.wait_for()


def test_jupyterlab_shows_it_to_who_does_not_trust_the_file(lab_page, shot):
    open_notebook(lab_page, "stranger.ipynb")
    assert_all_there(lab_page)
    shot(lab_page, "saved_untrusted")


def test_jupyterlab_shows_it_in_place_of_views_that_are_lost_and_swaps_it_for_live_ones(lab_page, shot):
    page = lab_page
    open_notebook(page, "own.ipynb")
    page.get_by_text("model not found").last.wait_for(state="attached")
    lost = page.get_by_text("model not found")
    assert [each.is_visible() for each in lost.all()] == [False, False, True]  # the last is somebody's
    shot(page, "saved_lost")
    run_all(page)
    page.locator(".dlp-explorer .dlp-main").nth(1).wait_for()
    page.locator(STILL).first.wait_for(state="hidden")
    # the picture in the file follows, and the live view does not notice
    page.evaluate("() => { window.view = document.querySelector('.dlp-explorer') }")
    entry = page.get_by_label("Batch size, exactly").locator("visible=true").first
    entry.fill("768")
    entry.press("Enter")
    page.wait_for_timeout(2500)
    assert page.evaluate("() => window.view === document.querySelector('.dlp-explorer')")
    assert entry.evaluate("entry => entry === document.activeElement")
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.get_by_text("Save Notebook", exact=True).click()
    saved = page.folder / "own.ipynb"
    until(lambda: "396 FLOPS/byte" in _texts(saved), "the file holds the last picture")
    for kernel in kernels(page.address):
        end(page, kernel)


def _texts(path):
    """Return the picture in a file, or nothing while the server is in the middle of writing it."""
    try:
        cells = json.loads(path.read_text())["cells"]
    except json.JSONDecodeError:
        return ""
    return "".join(cells[0]["outputs"][-1]["data"]["text/html"])
