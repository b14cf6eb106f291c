"""From the movement of a mouse to a changed picture, in a real JupyterLab: ``make bench-ui``.

Each explorer stands in a notebook beside a bare slider that is linked to one bqplot line. Both are dragged in
turn, one step at a time, so that a noisy machine slows both. Times count from the browser's own mouse event
to the first changed mark, and to the last one before the page is quiet.
"""

import argparse
import json
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))
from conftest import FLAGS, JUPYTERLAB, _serving

from dlperf_widgets.apps import APPS

BARE = """
import bqplot as bq, ipywidgets as w
slider = w.IntSlider(value=500, min=1, max=1000)
line = bq.Lines(x=[0, 1], y=[0, 1], scales={"x": bq.LinearScale(), "y": bq.LinearScale(min=0, max=1000)})
slider.observe(lambda change: setattr(line, "y", [0, change.new]), "value")
box = w.VBox([slider, bq.Figure(marks=[line])])
box.add_class("bare")
box
"""
EXPLORER = "from dlperf_widgets.apps import open_explorer\nopen_explorer('{slug}')"
BARE_HANDLE = ".bare .noUi-handle"
HANDLE = ".dlp-explorer .dlp-size input[type=range]:visible"
PICTURE = ".dlp-main .widget-tab-contents"  # of the tab in view: chart, table or canvas with its words
# Counts from the mouse event that moves the handle to changed marks or words.
WATCH = """
root => {
  const seen = { start: 0, first: 0, last: 0 };
  window.seen = seen;
  const start = () => (seen.start = seen.start || performance.now());
  addEventListener("pointermove", start, { capture: true });
  new MutationObserver(() => {
    seen.last = performance.now();
    if (seen.start && !seen.first) seen.first = seen.last;
  }).observe(root, {
    subtree: true, characterData: true, childList: true, attributeFilter: ["d", "transform", "points"]
  });
}
"""


def main() -> None:
    """Print a line for each explorer and write all of it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=40, help="mouse movements of each")
    parser.add_argument("--only", help="the slug of one explorer")
    parser.add_argument("--stock", action="store_true", help="without the server's quick websocket")
    options = parser.parse_args()
    apps = [app for app in APPS if options.only in (None, app.slug)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        lab = stack.enter_context(_serving(folder, _server(options.stock)))
        playwright = stack.enter_context(sync_playwright())
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        report = [measured(browser.new_page, folder, lab, app.slug, options.steps) for app in apps]
    for line in report:
        print(_words(line))
    Path(__file__).with_name("ui.json").write_text(json.dumps(report, indent=1) + "\n")


def _server(stock: bool) -> list[str]:
    quick = "--ServerApp.kernel_websocket_connection_class=dlperf_widgets.nodelay.NoDelayConnection"
    return JUPYTERLAB if stock else [*JUPYTERLAB, quick]


def measured(new_page, folder: Path, lab: str, slug: str, steps: int) -> dict:
    """Return the times of one explorer and of the bare slider beside it."""
    page = new_page(viewport={"width": 1400, "height": 1400})
    open_notebook(page, folder, lab, slug)
    times: dict[str, list[tuple[float, float]]] = {"bare": [], "explorer": []}
    for step in range(steps):
        for name, handle, root in (("bare", BARE_HANDLE, ".bare .bqplot"), ("explorer", HANDLE, PICTURE)):
            times[name].append(_one_step(page, handle, root, 24 if step % 2 else -24))
    page.close()
    return {"slug": slug, **{name: _summary(each) for name, each in times.items()}}


def open_notebook(page: Page, folder: Path, lab: str, slug: str) -> None:
    """Run a notebook with the bare slider and the explorer."""
    cells = [
        {
            "cell_type": "code",
            "id": name,
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": code,
        }
        for name, code in (("bare", BARE), ("explorer", EXPLORER.format(slug=slug)))
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (folder / f"{slug}.ipynb").write_text(json.dumps(notebook))
    page.goto(f"{lab}/lab/tree/{slug}.ipynb?reset")
    page.get_by_text("| Idle").wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.wait_for_selector(".bare path.line")
    page.wait_for_selector(HANDLE)
    page.wait_for_timeout(2000)


def _one_step(page: Page, handle: str, root: str, pixels: int) -> tuple[float, float]:
    """Drag a handle by some pixels; return the milliseconds to the first change and to the last."""
    place = page.locator(handle).first
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    x = box["x"] + box["width"] / 2
    if "range" in handle:
        x = box["x"] + 8 + int(place.input_value()) / 1000 * (box["width"] - 16)
    y = box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.locator(root).first.evaluate(WATCH)
    page.mouse.move(x + pixels, y)
    page.wait_for_timeout(400)
    page.mouse.up()
    seen = page.evaluate("seen")
    if not seen["first"]:
        return float("nan"), float("nan")
    return seen["first"] - seen["start"], seen["last"] - seen["start"]


def _summary(times: list[tuple[float, float]]) -> dict:
    changed = [pair for pair in times if pair[0] == pair[0]]
    if not changed:
        return {"n": 0}
    firsts, lasts = (sorted(each) for each in zip(*changed, strict=True))
    high = int(0.95 * (len(firsts) - 1))
    return {"n": len(firsts), "first": median(firsts), "first p95": firsts[high], "settled": median(lasts)}


def _words(line: dict) -> str:
    ratios = (_ratio(line["bare"], line["explorer"], key) for key in ("first", "first p95", "settled"))
    return f"{line['slug']:<16}{''.join(ratios)}"


def _ratio(bare: dict, own: dict, key: str) -> str:
    if not bare["n"] or not own["n"]:
        return f"{'nothing changed':>24}"
    return f"  {key} {own[key]:5.0f}/{bare[key]:3.0f} ms = {own[key] / bare[key]:.2f}"


if __name__ == "__main__":
    main()
