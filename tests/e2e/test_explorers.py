"""Each explorer in a notebook: every tab, both themes, two widths, readable and reachable."""

import pytest
from conftest import JUPYTERLAB
from steps import choose_theme, open_notebook, run_all, violations, write_notebook

from dlperf_widgets.apps import APPS

pytestmark = pytest.mark.e2e

WIDTHS = {"wide": 1500, "narrow": 600}  # of the page: the explorer gets some 100 less
CLASHES = """
() => {
  // Words of one picture that lie on each other, and words that stick out of it.
  const found = [];
  for (const figure of document.querySelectorAll('.dlp-main .bqplot > svg')) {
    if (!figure.getBoundingClientRect().width) continue;
    const frame = figure.getBoundingClientRect();
    const words = [...figure.querySelectorAll('text')]
      .filter(t => t.textContent.trim() && t.getBoundingClientRect().width)
      .filter(t => getComputedStyle(t).opacity !== '0')
      .map(t => [t.textContent, t.getBoundingClientRect()]);
    words.forEach(([text, a], i) => {
      if (a.left < frame.left - 2 || a.right > frame.right + 2) found.push(`${text} sticks out`);
      for (const [other, b] of words.slice(i + 1)) {
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (x > 4 && y > 4) found.push(`${text} on ${other}`);
      }
    });
  }
  return found;
}
"""
WIDER = "() => { const e = document.querySelector('.dlp-explorer'); return e.scrollWidth - e.clientWidth; }"


def show(page, lab, folder, slug, before=""):
    """Run a notebook that shows one explorer, after a line of Python where that is given."""
    code = f"{before}\nfrom dlperf_widgets.apps import open_explorer\nopen_explorer('{slug}')"
    write_notebook(folder / f"{slug}.ipynb", code)
    open_notebook(page, lab, f"{slug}.ipynb")
    run_all(page)
    page.locator(".dlp-explorer .dlp-main").wait_for()
    page.keyboard.press("Control+b")  # the file browser takes room


def settled_clashes(page):
    """Return the clashes that are left once the picture has come to rest in a page of a new width."""
    for _ in range(12):
        page.wait_for_timeout(250)
        clashes = page.evaluate(CLASHES)
        if not clashes:
            break
    return clashes


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("explorers")


@pytest.fixture(scope="module")
def own_lab(folder, serve):
    return serve(folder, *JUPYTERLAB)


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
def test_readable_in_both_themes_at_two_widths(page, own_lab, folder, shot, app):
    show(page, own_lab, folder, app.slug)
    tabs = page.locator(".dlp-explorer .dlp-main .lm-TabBar-tab")
    for theme, menu in (("light", "JupyterLab Light"), ("dark", "JupyterLab Dark")):
        if theme == "dark":
            page.set_viewport_size({"width": 1500, "height": 1300})
            choose_theme(page, menu)
        for name, width in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": 1300 if name == "wide" else 2000})
            # a theme moves no word: in the second one the first tab shows whether colours follow
            for index in range(tabs.count() if theme == "light" else 1):
                tabs.nth(index).click()
                clashes = settled_clashes(page)
                shot(page, f"{app.slug}_{index}_{theme}_{name}")
                assert clashes == [], (theme, name, index)
                assert page.evaluate(WIDER) <= 1
    assert page.errors == []


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
def test_reachable_by_keyboard_and_screen_reader(page, own_lab, folder, app):
    show(page, own_lab, folder, app.slug)
    page.wait_for_timeout(500)
    assert violations(page, ".dlp-explorer") == []
    page.locator(".dlp-toolbar button:enabled").first.focus()
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen |= {page.evaluate("() => document.activeElement.className")}
    assert any("dlp-readout" in each for each in seen), seen
