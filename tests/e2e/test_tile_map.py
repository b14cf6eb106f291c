"""A product's tiles and waves in a notebook: drawn at every size and theme, followed by pointer and keys."""

import pytest
from conftest import JUPYTERLAB
from steps import open_notebook, run_all, write_notebook

pytestmark = pytest.mark.e2e

SETUP = """
import ipywidgets as w
from dlperf_widgets import gpus
from dlperf_widgets.charts.tile_plan import tile_plan
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.candidates import in_tile
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Matmul
from dlperf_widgets.views.tile_map import TileMap

def plan(size, *tile):
    cost = Scenario(Matmul(1, size, size, 1792), gpus.A100_SXM4_80GB, FP16).costs[0]
    return tile_plan(in_tile(cost, *tile))

"""
TABS = """
picture = TileMap(plan(1792, 256, 128))
tabs = w.Tab([w.HTML("elsewhere"), w.VBox([picture])], titles=["Elsewhere", "Tiles"])
size = w.ToggleButtons(options=[1792, 1793, 16384])
size.observe(lambda change: picture.show(plan(change.new, 256, 128)), "value")
told = w.HTML()
picture.observe(lambda _: setattr(told, "value", f"pointed {picture.pointed} chosen {picture.chosen}"))
w.VBox([size, tabs, told])
"""
DRAWN = """() => {
 const canvases = [...document.querySelectorAll('.dlp-tiles-stage canvas:first-child')];
 return canvases.length === 2 && canvases.every(canvas => {
  const fits = Math.abs(canvas.width - canvas.parentElement.clientWidth * devicePixelRatio) <= 1;
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  return fits && canvas.width > 0 && pixels.some(value => value);
 });
}"""
PIXEL = """() => {
  const canvas = document.querySelector('.dlp-tiles-stage canvas');
  return [...canvas.getContext('2d').getImageData(3, 3, 1, 1).data].join();
}"""
# Count how often each picture is drawn.
COUNTED = """() => {
  window.drawn = 0;
  const put = CanvasRenderingContext2D.prototype.putImageData;
  CanvasRenderingContext2D.prototype.putImageData = function (...given) {
    window.drawn += 1;
    return put.apply(this, given);
  };
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory, serve):
    """Return the address of a JupyterLab with two notebooks that show the picture."""
    folder = tmp_path_factory.mktemp("tiles")
    write_notebook(folder / "tabs.ipynb", SETUP + TABS)
    write_notebook(folder / "alone.ipynb", f"{SETUP}TileMap(plan(1793, 256, 128))", prose=60)
    return serve(folder, *JUPYTERLAB)


def run(page, address, name):
    open_notebook(page, address, name)
    run_all(page)


@pytest.fixture
def tiles(page, address):
    """Return the picture, brought up from a hidden tab."""
    run(page, address, "tabs.ipynb")
    page.locator(".jp-OutputArea .lm-TabBar-tab", has_text="Tiles").click()
    page.wait_for_function(DRAWN)
    return page.locator(".dlp-tiles-pictures")


def show(page, size, sentence):
    page.get_by_role("button", name=str(size), exact=True).click()
    page.locator(".dlp-tiles", has_text=sentence).wait_for()
    page.wait_for_timeout(150)


def dark(page):
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    page.get_by_text("Theme", exact=True).hover()
    page.get_by_text("JupyterLab Dark", exact=True).click()
    page.wait_for_selector('body[data-jp-theme-light="false"]', state="attached")


def middle(page, index, across, down):
    """Return a point of one of the two pictures, given as shares of its width and height."""
    box = page.locator(".dlp-tiles-stage").nth(index).bounding_box()
    return box["x"] + across * box["width"], box["y"] + down * box["height"]


def test_both_themes_at_two_widths(page, tiles, shot):
    page.set_viewport_size({"width": 1750, "height": 1000})
    for theme in ("light", "dark"):
        if theme == "dark":
            before = page.evaluate(PIXEL)
            dark(page)
            page.wait_for_function(f"before => ({PIXEL})() !== before", arg=before)
        for width in (480, 1200):
            page.add_style_tag(content=f".dlp-tiles {{ width: {width}px !important }}")
            page.wait_for_function(DRAWN)
            for size, waves in ((1792, "98 tiles run in 1 wave"), (1793, "120 tiles run in 2 waves")):
                show(page, size, waves)
                shot(page.locator(".dlp-tiles"), f"tiles_{theme}_{width}_{size}")
    assert page.errors == []


def test_the_pointer_names_a_tile_and_python_hears_of_it(page, tiles):
    show(page, 1793, "120 tiles run in 2 waves")
    readout = page.locator(".dlp-tiles-readout")
    tiles.scroll_into_view_if_needed()
    page.mouse.move(*middle(page, 0, 0.01, 0.01))
    page.locator(".dlp-tiles-readout", has_text="Rows 0–255, columns 0–127: wave 1 on SM 0").wait_for()
    page.mouse.click(*middle(page, 0, 0.01, 0.2))  # the second of eight tiles in the first column
    page.get_by_text("pointed 1 chosen 1", exact=True).wait_for()
    page.mouse.move(*middle(page, 1, 0.85, 0.6))
    page.locator(".dlp-tiles-readout", has_text="idles in wave 2").wait_for()
    page.get_by_text("pointed -1 chosen 1", exact=True).wait_for()
    page.mouse.move(2, 2)
    assert "Rows 256–511" in readout.inner_text()  # the chosen one stays
    assert page.errors == []


def test_keys_and_names(page, tiles):
    show(page, 1793, "120 tiles run in 2 waves")
    assert tiles.get_attribute("role") == "img"
    assert "18% of their area, hatched, is padding. 120 tiles run" in tiles.get_attribute("aria-label")
    page.locator(".dlp-tiles-readout[role=status]").wait_for()
    tiles.focus()
    for key, told in (
        ("ArrowDown", "pointed 0 chosen -1"),
        ("ArrowDown", "pointed 1 chosen -1"),
        ("ArrowRight", "pointed 9 chosen -1"),
        ("Enter", "pointed 9 chosen 9"),
        ("End", "pointed 119 chosen 9"),
        ("Escape", "pointed -1 chosen 9"),
    ):
        page.keyboard.press(key)
        page.get_by_text(told, exact=True).wait_for()
    assert not tiles.evaluate("node => node === document.activeElement")
    assert page.locator(".jp-Notebook .jp-Cell").count() == 1  # no key was the notebook's
    assert page.errors == []


def test_hovering_draws_no_tile_and_one_change_draws_once(page, tiles):
    show(page, 16384, "8,192 tiles run in 76 waves")
    page.evaluate(COUNTED)
    tiles.scroll_into_view_if_needed()
    x, y = middle(page, 0, 0.1, 0.1)
    page.mouse.move(x, y)
    page.mouse.move(x + 100, y + 100, steps=20)
    page.locator(".dlp-tiles-readout", has_text="on SM").wait_for()
    assert page.evaluate("drawn") == 0
    show(page, 1792, "98 tiles run in 1 wave")
    assert page.evaluate("drawn") == 1
    page.set_viewport_size({"width": 1000, "height": 900})
    page.wait_for_function("drawn > 1")
    page.wait_for_function(DRAWN)
    assert page.errors == []


def test_alone_in_a_cell_and_back_after_scrolling_away(page, address):
    run(page, address, "alone.ipynb")
    notebook = page.locator(".jp-WindowedPanel-outer").first
    for _ in range(2):
        notebook.evaluate("node => node.scrollTo(0, 0)")
        page.wait_for_function(DRAWN)
        assert page.locator(".dlp-tiles").count() == 1
        assert page.locator(".jp-OutputArea svg.dlp-svg").count() == 0  # the live picture, not the still one
        notebook.evaluate("node => node.scrollTo(0, node.scrollHeight)")
        page.wait_for_timeout(800)
        page.wait_for_function(
            "!document.querySelector('.dlp-tiles')?.checkVisibility({ contentVisibilityAuto: true })"
        )
    assert page.errors == []
