"""From a click on the launcher's card to a roofline that follows the hand: ``make bench-start``.

A JupyterLab is started afresh; each time its page is loaded anew and the card clicked. Times count in the
page from the click: to a kernel, to the drawn line, and to the first mark that moves under a dragged slider,
which is dragged as soon as it is there. The load of the machine is printed, because it decides.
"""

import argparse
import os
import shutil
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "e2e"))
from conftest import FLAGS, JUPYTERLAB, serving
from steps import card

STAGES = {"kernel": "a kernel", "drawn": "the line is drawn", "moved": "a mark has moved under the hand"}
# Notes when each stage is reached; a panel says that it is opening once it has a kernel.
WATCH = """
() => {
  const times = (window.times = {});
  const reached = {
    kernel: () => document.querySelector('.dlp-ExplorerPanel .dlp-Status')?.textContent.startsWith('Opening'),
    drawn: () => document.querySelector('.dlp-ExplorerPanel .dlp-explorer .bqplot path.line')
  };
  addEventListener('click', () => (times.click = performance.now()), { capture: true, once: true });
  new MutationObserver(() => {
    for (const [stage, isReached] of Object.entries(reached)) {
      if (!times[stage] && isReached()) times[stage] = performance.now();
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
"""
MOVED = """
() => {
  const picture = document.querySelector('.dlp-main .widget-tab-contents');
  const watch = { subtree: true, attributeFilter: ['d', 'transform'] };
  new MutationObserver(() => (window.times.moved ??= performance.now())).observe(picture, watch);
}
"""


def main() -> None:
    """Print the median and the range of each stage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder), JUPYTERLAB) as lab,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(executable_path=driver_path(), args=FLAGS)
        runs = []
        for _ in range(options.repeats):
            runs.append(opened(browser.new_page(viewport={"width": 1400, "height": 950}), lab))
            print(", ".join(f"{stage} {runs[-1][stage]:.2f} s" for stage in STAGES), load(), flush=True)
    for stage, words in STAGES.items():
        times = sorted(run[stage] for run in runs)
        print(f"{words}: median {median(times):.2f} s, {times[0]:.2f} to {times[-1]:.2f} s")


def driver_path() -> str:
    """Return the path of Chromium."""
    return shutil.which("chromium") or shutil.which("google-chrome")


def load() -> str:
    """Return the machine's load of the last minute, in words."""
    return f"(load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors)"


def opened(page: Page, lab: str) -> dict[str, float]:
    """Open the layer explorer on an empty workspace; return the seconds from the click to each stage."""
    page.set_default_timeout(120_000)
    page.goto(f"{lab}/lab?reset")
    card(page, "Layer explorer").wait_for()
    page.wait_for_timeout(2000)
    page.evaluate(WATCH)
    card(page, "Layer explorer").click()
    page.wait_for_function("window.times.drawn")
    page.evaluate(MOVED)
    slider = page.get_by_label("Batch size", exact=True)
    box = slider.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    while not page.evaluate("window.times.moved"):
        x -= 8
        page.mouse.move(x, y)
        page.wait_for_timeout(50)
    page.mouse.up()
    times = page.evaluate("window.times")
    page.close()
    return {stage: (times[stage] - times["click"]) / 1000 for stage in STAGES}


if __name__ == "__main__":
    main()
