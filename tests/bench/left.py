"""What stays in the page when a cell is run again and again: ``make bench-ui``.

Chromium counts the page's nodes and listeners and the heap of its scripts, after collecting garbage, once the
cell was run a few times and again after many runs. A slider in a box, closed before the next, is what
JupyterLab keeps of any widget. Kernels are counted by ``leaks``.
"""

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import CDPSession, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))
from conftest import FLAGS, JUPYTERLAB, serving
from start import driver_path
from steps import open_notebook, run_all, write_notebook

from dlperf_widgets.apps import APPS

EXPLORER = "from dlperf_widgets.apps import open_explorer\nopen_explorer('{slug}')"
SLIDER = """
import ipywidgets as w
w.Widget.close_all()
shown = w.VBox([w.IntSlider()])
shown.add_class("dlp-main")
shown
"""
SET = """
code => window.jupyterapp.shell.currentWidget.content.widgets[0].model.sharedModel.setSource(code)
"""
WARM = 5  # what is loaded once is no leak


def main() -> None:
    """Print what each explorer leaves by run, and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--only", help="the slug of one explorer")
    options = parser.parse_args()
    slugs = [slug for slug in ("slider", *(app.slug for app in APPS)) if options.only in (None, slug)]
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder), [*JUPYTERLAB, "--LabApp.expose_app_in_browser=True"]) as lab,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=driver_path(), args=FLAGS)
        found = []
        for slug in slugs:
            write_notebook(Path(folder) / f"{slug}.ipynb", "")
            page = browser.new_page(viewport={"width": 1400, "height": 950})
            found.append({"slug": slug, **left(page, lab, slug, options.runs)})
            page.close()
            print(", ".join(f"{name} {value}" for name, value in found[-1].items()), flush=True)
    Path(__file__).with_name("left.json").write_text(json.dumps(found, indent=1) + "\n")


def left(page: Page, lab: str, slug: str, runs: int) -> dict[str, float]:
    """Return what each run of a cell adds to the page."""
    page.set_default_timeout(120_000)
    open_notebook(page, lab, f"{slug}.ipynb")
    chromium = page.context.new_cdp_session(page)
    for run in range(WARM):
        show(page, slug, run)
    before = counted(chromium)
    for run in range(WARM, WARM + runs):
        show(page, slug, run)
    return {name: round((value - before[name]) / runs, 1) for name, value in counted(chromium).items()}


def show(page: Page, slug: str, run: int) -> None:
    """Run the cell, and wait until its explorer is there."""
    source = SLIDER if slug == "slider" else EXPLORER.format(slug=slug)
    page.evaluate(SET, f"print('run', {run})\n{source}")
    run_all(page)
    page.locator(".jp-OutputArea-output", has_text=f"run {run}").wait_for()
    page.locator(".dlp-main").wait_for()
    page.wait_for_timeout(1500)


def counted(chromium: CDPSession) -> dict[str, float]:
    """Return the page's nodes and listeners and the kilobytes of its scripts' heap, without garbage."""
    for _ in range(3):
        chromium.send("HeapProfiler.collectGarbage")
    counters = chromium.send("Memory.getDOMCounters")
    heap = chromium.send("Runtime.getHeapUsage")["usedSize"]
    return {"nodes": counters["nodes"], "listeners": counters["jsEventListeners"], "kB": heap / 1000}


if __name__ == "__main__":
    main()
