"""What users of other widgets reported, tried on ours: one page, one cell that shows one after another."""

import json
import re
import time

import pytest
from conftest import JUPYTERLAB
from steps import open_notebook, write_notebook

pytestmark = pytest.mark.e2e

SETUP = """
import json, time
import ipywidgets as w
from dlperf_widgets.apps import GemmExplorer, LayerExplorer, open_explorer

def tell(name, *values):
    with open(name, "a") as file:
        file.write(json.dumps(values) + "\\n")
"""
SLOW = """
slow = LayerExplorer()
slow.tabs.selected_index = 1
def slowly(change):
    tell({log!r}, time.time(), change.new.layer.batch, slow.options.reach)
    time.sleep(0.1)
slow.observe(slowly, "scenario")
slow
"""
RUN = """
async code => {
  const app = window.jupyterapp, notebook = app.shell.currentWidget.content;
  notebook.activeCellIndex = 0;
  notebook.activeCell.model.sharedModel.setSource(code);
  await app.commands.execute('notebook:run-cell');
}
"""
QUIET = """
async code => {  // beside the cell, so that its output stays
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  await kernel.requestExecute({ code, silent: true }).done;
}
"""
THEME = "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
MODELS = """
async () => {  // of the page's widget manager, which a renderer of the notebook knows
  const type = 'application/vnd.jupyter.widget-view+json';
  const renderer = window.jupyterapp.shell.currentWidget.content.rendermime.createRenderer(type);
  return (await renderer._manager.promise)._models.size;
}
"""
DOT = ".dlp-explorer .bqplot .dot:visible >> nth=-1"
# One move a frame, as a browser tells a mouse's: of a point, or of a range as its input events.
MOVES = """
async ([x, y, farX, farY]) => {
  const range = document.activeElement.type === 'range' ? document.activeElement : null;
  for (let step = 0; step < 150; step++) {
    const share = Math.abs(((step / 50 + 1) % 2) - 1);
    const clientX = x + share * (farX - x), clientY = y + share * (farY - y);
    if (range) {
      const box = range.getBoundingClientRect();
      range.value = 1000 * (clientX - box.left) / box.width;
      range.dispatchEvent(new Event('input', { bubbles: true }));
    } else {
      dispatchEvent(new MouseEvent('mousemove', { clientX, clientY, view: window, bubbles: true }));
    }
    await new Promise(resolve => requestAnimationFrame(resolve));
  }
}
"""
# Where a point stands on the x axis, from the places of the first and the last tick.
PLACE = """
() => {
  const figure = [...document.querySelectorAll('.dlp-explorer .bqplot')].find(f => f.checkVisibility());
  const middle = node => { const box = node.getBoundingClientRect(); return (box.left + box.right) / 2; };
  const ticks = [...figure.querySelectorAll('.axis')[0].querySelectorAll('.tick')];
  const places = ticks.map(tick => middle(tick.querySelector('line'))).sort((one, other) => one - other);
  const [first, last] = [places[0], places.at(-1)];
  const dot = [...figure.querySelectorAll('.dot')].at(-1);
  return (middle(dot) - first) / (last - first);
}
"""
FILLED = """
() => {  // a chart leaves 64 + 18 pixels beside what is drawn
  const shown = [...document.querySelectorAll('.dlp-explorer :is(.bqplot, .dlp-tiles-stage)')]
    .filter(node => node.checkVisibility());
  const width = node => node.getBoundingClientRect().width;
  return shown.length > 0 && shown.every(node => {
    const picture = node.querySelector('svg, canvas'), plot = node.querySelector('.plotarea_background');
    return Math.abs(width(picture) - width(node)) <= 2
      && (!plot || Math.abs(width(node) - 82 - width(plot)) <= 4);
  });
}
"""
# Words and marks of the explorer that stand out too little from what is behind them.
PALE = """
() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour, ground = [255, 255, 255]) => {
    canvas.fillStyle = `rgb(${ground})`;
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = colour => colour
    .map(part => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + [0.2126, 0.7152, 0.0722][at] * part, 0);
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = node => {
    for (let each = node; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (colour !== 'rgba(0, 0, 0, 0)') return rgb(colour);
    }
    return [255, 255, 255];
  };
  const found = [];
  let seen = 0;
  for (const node of document.querySelectorAll('.dlp-explorer *')) {
    const own = [...node.childNodes].some(child => child.nodeType === 3 && child.textContent.trim());
    const box = node.getBoundingClientRect();
    if (!own || !box.width || !node.checkVisibility({ visibilityProperty: true })) continue;
    if (['STYLE', 'OPTION'].includes(node.tagName) || node.disabled) continue;
    seen += 1;
    const style = getComputedStyle(node), behind = ground(node);
    const colour = rgb(node instanceof SVGElement ? style.fill : style.color, behind);
    if (contrast(colour, behind) < 4.5) found.push(`${node.textContent.trim()}: ${contrast(colour, behind)}`);
  }
  for (const node of document.querySelectorAll('.dlp-explorer .bqplot .mark path')) {
    if (!node.checkVisibility()) continue;
    const style = getComputedStyle(node), behind = ground(node);
    const seenThrough = Number(style.fillOpacity) < 0.3 || Number(style.opacity) < 0.3;
    const paints = [style.stroke, seenThrough ? 'none' : style.fill].filter(each => each.startsWith('rgb('));
    if (!paints.length) continue;
    seen += 1;
    const best = Math.max(...paints.map(paint => contrast(rgb(paint, behind), behind)));
    if (best < 3) found.push(`${node.parentElement.getAttribute('class')} ${paints}: ${best}`);
  }
  return [found, seen];
}
"""
# The height and the width of what is drawn in the picture in sight.
PLOT = {
    side: "() => [...document.querySelectorAll('.dlp-main .bqplot .plotarea_background')]"
    f".find(node => node.checkVisibility()).getBoundingClientRect().{side}"
    for side in ("height", "width")
}
AWAY = "document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 1e6)"
# A notebook keeps a cell that is far away in the page, with neither height nor opacity.
GONE = "!document.querySelector('.dlp-explorer')?.checkVisibility({ opacityProperty: true })"
PATHS = "() => [...document.querySelectorAll('.dlp-main .bqplot path')].map(n => n.getAttribute('d')).join()"
HEARD = "size => document.querySelector('.dlp-size input[type=range]').ariaValueText === size"
CONTROL = ("button", "slider", "textbox", "combobox", "checkbox", "tab", "listbox", "spinbutton", "radio")


class Cell:
    """The cell of the page: runs code, and reads what the kernel told."""

    def __init__(self, page, folder):
        self.page, self.folder = page, folder

    def run(self, code):
        """Run code in place of what was there, and wait for the end."""
        self.page.evaluate(RUN, code)
        self.page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 0)")

    def told(self, name):
        """Return the lines that the kernel has written to a file."""
        path = self.folder / name
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def settled(self, name, rest=1.5):
        """Return the lines once no more have come for some seconds."""
        lines, since = self.told(name), time.monotonic()
        while time.monotonic() - since < rest:
            self.page.wait_for_timeout(100)
            if (now := self.told(name)) != lines:
                lines, since = now, time.monotonic()
        return lines


@pytest.fixture(scope="module")
def cell(tmp_path_factory, serve, browser):
    folder = tmp_path_factory.mktemp("cases")
    settings = folder / "settings" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "full"}')
    write_notebook(folder / "cases.ipynb", "", prose=60)
    address = serve(folder, *JUPYTERLAB, "--LabApp.expose_app_in_browser=True")
    page = browser.new_page(viewport={"width": 1500, "height": 1300})
    page.set_default_timeout(60_000)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    open_notebook(page, address, "cases.ipynb")
    page.keyboard.press("Control+b")  # the file browser takes room
    cell = Cell(page, folder)
    cell.run(SETUP)
    yield cell
    assert page.errors == []
    page.close()


def drag(page, start, end):
    """Drag the mouse there and back and there, and return when it was released."""
    page.mouse.move(*start)
    page.mouse.down()
    page.evaluate(MOVES, [*start, *end])
    page.mouse.move(*end)
    page.mouse.up()
    return page.evaluate("Date.now() / 1000")


def middle(box, across=0.5):
    return box["x"] + across * box["width"], box["y"] + box["height"] / 2


@pytest.mark.parametrize("held", ["slider", "point"])
def test_a_drag_faster_than_the_answers_leaves_no_queue(cell, held):
    page, log = cell.page, f"{held}.txt"
    cell.run(SLOW.format(log=log))
    if held == "slider":
        box = page.get_by_label("Batch size", exact=True).bounding_box()
        ends = middle(box, 0.6), middle(box, 0.2)
    else:
        x, y = middle(page.locator(DOT).bounding_box())
        ends = (x, y), (x - 150, y)
    released = drag(page, *ends)
    lines = cell.settled(log)
    after = [line for line in lines if line[0] > released]
    assert 2 <= len(lines) < 100  # moves were left out
    assert len(after) <= 2  # the answer under way, and that to the last move
    _, batch, reach = lines[-1]
    assert batch < 512
    page.wait_for_function(HEARD, arg=str(batch))
    page.wait_for_function(f"place => Math.abs(({PLACE})() - place) < 0.01", arg=batch / reach)


def scroll_to_top(page):
    page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTo(0, 0)")


def test_running_the_cell_again_lets_nothing_pile_up(cell):
    code = "again = open_explorer('{slug}')\nagain.tabs.selected_index = 1\nagain"
    for slug in ("layer", "gemm"):
        alive = []
        for _ in range(5):
            cell.run(code.format(slug=slug))
            cell.page.locator(f".dlp-app-{slug} .bqplot:visible").wait_for()
            cell.page.wait_for_timeout(200)
            cell.page.evaluate(QUIET, f"tell('{slug}.txt', len(w.widget._instances))")
            alive.append((cell.settled(f"{slug}.txt", 0.2)[-1][0], cell.page.evaluate(MODELS)))
        assert alive[0] == alive[-1], alive
        assert 20 < alive[0][0] < 300


def test_what_was_hidden_has_the_right_size_when_it_is_shown(cell, shot):
    page = cell.page
    cell.run(
        "boxes = w.Accordion([w.HTML('elsewhere'), w.Tab([w.HTML('elsewhere'), LayerExplorer()], "
        "titles=['Elsewhere', 'Hidden'])], titles=['Elsewhere', 'Folded'])\nboxes"
    )
    page.get_by_text("Folded", exact=True).click()
    page.get_by_text("Hidden", exact=True).click()
    page.wait_for_function(FILLED)
    page.wait_for_timeout(300)
    shot(page, "case_unfolded")
    width = page.locator(".dlp-main .bqplot:visible").bounding_box()["width"]
    assert width > 500
    tall, wide = PLOT.values()
    assert page.evaluate(wide) > 0.75 * width and page.evaluate(tall) > 250


@pytest.mark.parametrize("slug", ["layer", "gemm"])
def test_it_fills_what_it_is_given(cell, shot, slug):
    page = cell.page
    cell.run(f"shown = open_explorer('{slug}')\nbox = w.Box([shown])\nbox")
    tabs = page.locator(f".dlp-app-{slug} .dlp-main .lm-TabBar-tab")
    for index in range(tabs.count()):
        tabs.nth(index).click()
        for width in (480, 700, 1000, 1600):
            page.set_viewport_size({"width": width + 260, "height": 1300})
            page.evaluate(
                "width => { const box = document.querySelector('.dlp-explorer').parentElement;"
                " box.style.width = `${width}px`; }",
                width,
            )
            page.wait_for_function(FILLED)
            page.wait_for_timeout(150)
            explorer = page.locator(".dlp-explorer").bounding_box()["width"]
            assert explorer == pytest.approx(min(width, 1200), abs=40)
            main = page.locator(".dlp-main").bounding_box()["width"]
            assert main > (0.6 if explorer > 710 else 0.9) * explorer
            labels = page.locator(".dlp-main .bqplot .tick text").all_text_contents()
            assert not any(re.search(r"\de[+-]?\d", label) for label in labels)
            if width == 480:
                shot(page, f"case_{slug}_{index}_{width}")
    page.set_viewport_size({"width": 1500, "height": 1300})


@pytest.mark.parametrize("slug", ["layer", "gemm"])
def test_the_theme_changes_without_running_again(cell, shot, slug):
    page = cell.page
    cell.run(f"shown = open_explorer('{slug}')\nshown.toolbar.press('gpu')\nshown")
    tabs = page.locator(f".dlp-app-{slug} .dlp-main .lm-TabBar-tab")
    page.locator(f".dlp-app-{slug} .dlp-readout").first.click()
    try:
        for theme in ("JupyterLab Dark", "JupyterLab Light"):
            page.evaluate(THEME, theme)
            page.wait_for_selector(
                f'body[data-jp-theme-light="{str("Light" in theme).lower()}"]', state="attached"
            )
            for index in range(tabs.count()):
                tabs.nth(index).click()
                page.wait_for_timeout(300)
                shot(page, f"case_{slug}_{index}_{theme.split()[1]}")
                pale, seen = page.evaluate(PALE)
                assert seen > 40
                assert pale == [], (theme, index)
    finally:
        page.evaluate(THEME, "JupyterLab Light")


def test_a_point_says_why_where_it_is_now(cell):
    page = cell.page
    cell.run("shown = LayerExplorer()\nshown.tabs.selected_index = 1\nshown")
    why = page.locator(".dlp-why")
    for size in ("512", "96"):
        page.get_by_label("Batch size, exactly").fill(size)
        page.get_by_label("Batch size, exactly").press("Enter")
        page.wait_for_timeout(500)
        page.mouse.move(5, 5)
        page.mouse.move(*middle(page.locator(DOT).bounding_box()))
        words = page.locator(".dlp-chart:visible").get_attribute("aria-label")
        page.locator(".dlp-why", has_text=words.split(". ", 1)[1]).wait_for()
        assert why.bounding_box()["y"] < 1300  # in sight of the pointer


def test_a_size_is_typed_doubled_and_stepped(cell):
    page = cell.page
    cell.run("shown = LayerExplorer()\nshown")
    entry, slider = page.get_by_label("Batch size, exactly"), page.get_by_label("Batch size", exact=True)

    def shows(value):
        page.wait_for_function(HEARD, arg=value)
        assert entry.input_value() == value

    entry.fill("1,000")
    entry.press("Enter")
    shows("1000")
    slider.focus()
    steps = {
        "PageUp": "2000",
        "ArrowRight": "2008",
        "PageDown": "1008",
        "ArrowLeft": "1000",
    }  # multiples of 8
    for key, value in steps.items():
        page.keyboard.press(key)
        shows(value)
    entry.fill("none")
    entry.press("Enter")
    page.wait_for_selector(".dlp-size input[aria-invalid=true]")
    assert entry.input_value() == "none"  # to be mended, not retyped
    page.locator(".dlp-status", has_text="Linear batch must be").wait_for()
    assert slider.get_attribute("aria-valuetext") == "1000"


def test_away_and_back_in_a_windowed_notebook(cell, shot):
    page = cell.page
    cell.run("shown = open_explorer('gemm')\nshown.tabs.selected_index = 1\nshown")
    page.locator(".bqplot path:visible").first.wait_for()
    page.wait_for_timeout(500)
    before = page.evaluate(PATHS)
    for _ in range(2):
        page.evaluate(AWAY)
        page.wait_for_function(GONE)
        scroll_to_top(page)
        page.locator(".dlp-explorer .bqplot:visible").wait_for()
        page.wait_for_function(f"before => ({PATHS})() === before", arg=before)
    page.locator(".dlp-app-gemm .dlp-main .lm-TabBar-tab").first.click()
    page.wait_for_function(FILLED)
    shot(page, "case_back")


@pytest.mark.parametrize("slug", ["layer", "gemm"])
def test_every_control_has_a_name_and_its_value_can_be_heard(cell, slug):
    page = cell.page
    cell.run(f"shown = open_explorer('{slug}')\nshown.toolbar.press('gpu')\nshown")
    tabs = page.locator(f".dlp-app-{slug} .dlp-main .lm-TabBar-tab")
    for index in range(tabs.count()):
        tabs.nth(index).click()
        page.wait_for_timeout(300)
        lines = [line.strip(" -'") for line in page.locator(".dlp-explorer").aria_snapshot().splitlines()]
        controls = [line for line in lines if line.split(" ")[0].rstrip(":") in CONTROL]
        assert len(controls) > 15
        assert [line for line in controls if '"' not in line] == []
        pictures = [line for line in lines if line.startswith("img ")]
        assert pictures and all(len(line) > 60 for line in pictures), lines
    sliders = page.locator(".dlp-size input[type=range]")
    entries = page.locator(".dlp-size input[type=text]")
    for slider, entry in zip(sliders.all(), entries.all(), strict=True):
        assert slider.get_attribute("aria-valuetext") == entry.input_value()


def test_a_picture_opens_alone(cell, shot):
    page = cell.page
    cell.run("from dlperf_widgets.charts import svg\nshown = LayerExplorer()\n"
             "open('alone.svg', 'w').write(svg(shown.charts[1].chart))\nNone")  # fmt: skip
    alone = page.context.browser.new_page(viewport={"width": 900, "height": 600})
    alone.goto((cell.folder / "alone.svg").as_uri())
    paints = alone.evaluate(
        "() => [...document.querySelectorAll('path, text')].map(n => getComputedStyle(n).fill)"
    )
    assert "rgb(0, 114, 178)" in paints and "rgb(213, 94, 0)" in paints
    x, y, width, height = alone.evaluate(
        "() => { const b = document.documentElement.getBBox(); return [b.x, b.y, b.width, b.height]; }"
    )
    assert min(x, y) >= 0 and x + width <= 760 and y + height <= 475
    shot(alone, "case_alone")
    alone.close()
