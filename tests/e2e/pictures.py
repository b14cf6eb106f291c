"""The README's pictures, taken from a real JupyterLab: ``make pictures``."""

import shutil
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from conftest import FLAGS, JUPYTERLAB, ROOT, serving
from playwright.sync_api import sync_playwright
from test_explorers import show

from dlperf_widgets.apps import APPS

PICTURES = ROOT / "docs" / "pictures"
TABS = {"layer": 1, "occupancy": 2, "precision": 3}  # the tab that shows most, where it is not the first


def main() -> None:
    """Write a picture of each explorer."""
    PICTURES.mkdir(exist_ok=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        lab = stack.enter_context(serving(folder, JUPYTERLAB))
        playwright = stack.enter_context(sync_playwright())
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for app in APPS:
            page = browser.new_page(viewport={"width": 1400, "height": 1400})
            show(page, lab, folder, app.slug)
            page.locator(".dlp-main .lm-TabBar-tab").nth(TABS.get(app.slug, 0)).click()
            page.mouse.move(0, 0)
            page.wait_for_timeout(1500)
            page.locator(".dlp-explorer").screenshot(path=PICTURES / f"{app.slug}.png")
            page.close()


if __name__ == "__main__":
    main()
