"""From the movement of a mouse to a changed picture, in a real JupyterLab: ``make bench-ui``.

Each explorer stands in a notebook beside a bare slider that is linked to one bqplot line, on a server as
JupyterLab starts it and on one with the quick websocket of ``dlperf lab``. All four are dragged in turn, one
step at a time, so that a noisy machine slows all. Times count from the browser's own mouse event to the first
changed mark, and to the last one before the page is quiet.
"""

import argparse
import json
import os
import shutil
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))
from conftest import FLAGS, JUPYTERLAB, serving
from steps import open_notebook, run_all, write_notebook

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
QUICK = "--ServerApp.kernel_websocket_connection_class=dlperf_widgets.nodelay.NoDelayConnection"
SERVERS = {"stock": [], "quick": [QUICK]}
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
    """Print lines for each explorer and write all of it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=40, help="mouse movements of each")
    parser.add_argument("--only", help="the slug of one explorer")
    options = parser.parse_args()
    apps = [app for app in APPS if options.only in (None, app.slug)]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        labs = {
            name: stack.enter_context(serving(_folder(folder, name), [*JUPYTERLAB, *arguments]))
            for name, arguments in SERVERS.items()
        }
        playwright = stack.enter_context(sync_playwright())
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        report = []
        for app in apps:
            report.append(measured(browser.new_page, folder, labs, app.slug, options.steps))
            print(_words(report[-1]), flush=True)
    Path(__file__).with_name("ui.json").write_text(json.dumps(report, indent=1) + "\n")


def _folder(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder


def measured(new_page, folder: Path, labs: dict[str, str], slug: str, steps: int) -> dict:
    """Return the times of one explorer and of the bare slider beside it: quick, and under a name, stock."""
    pages = {name: new_page(viewport={"width": 1400, "height": 1400}) for name in labs}
    for name, page in pages.items():
        show(page, folder / name, labs[name], slug)
    times = {name: {"bare": [], "explorer": []} for name in labs}
    for step in range(steps):
        for name, page in pages.items():
            page.bring_to_front()
            for what, handle, root in (("bare", BARE_HANDLE, ".bare .bqplot"), ("explorer", HANDLE, PICTURE)):
                times[name][what].append(_one_step(page, handle, root, 24 if step % 2 else -24))
    for page in pages.values():
        page.close()
    summaries = {name: {what: _summary(each) for what, each in both.items()} for name, both in times.items()}
    return {"slug": slug, "load": os.getloadavg()[0], **summaries["quick"], "stock": summaries["stock"]}


def show(page: Page, folder: Path, lab: str, slug: str) -> None:
    """Run a notebook with the bare slider and the explorer."""
    write_notebook(folder / f"{slug}.ipynb", BARE, EXPLORER.format(slug=slug))
    open_notebook(page, lab, f"{slug}.ipynb")
    run_all(page)
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
    stock = line["stock"]
    return "\n".join(
        [
            f"{line['slug']} (load {line['load']:.1f})",
            f"  stock server, explorer/bare slider{_ratios(stock['explorer'], stock['bare'])}",
            f"  quick server, explorer/bare slider{_ratios(line['explorer'], line['bare'])}",
            f"  explorer, quick/stock{_ratios(line['explorer'], stock['explorer'])}",
            f"  bare slider, quick/stock{_ratios(line['bare'], stock['bare'])}",
        ]
    )


def _ratios(one: dict, other: dict) -> str:
    if not one["n"] or not other["n"]:
        return ": nothing changed"
    keys = ("first", "first p95", "settled")
    return "".join(
        f"  {key} {one[key]:.0f}/{other[key]:.0f} ms = {one[key] / other[key]:.2f}" for key in keys
    )


if __name__ == "__main__":
    main()
