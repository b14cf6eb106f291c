"""Charts drawn by this package itself: pointing, dragging, keys, hidden tabs, words for screen readers."""

import pytest
from conftest import JUPYTERLAB
from steps import violations
from test_explorers import CLASHES, show

pytestmark = pytest.mark.e2e

DOT = ".dlp-live:visible .dlp-live-drag"
HATCHED = """
() => [...document.querySelectorAll('.dlp-live-marks [data-name=waste]')]
  .filter(area => area.checkVisibility())
  .map(area => document.getElementById(area.style.fill.match(/#([\\w-]+)/)[1]))
  .map(pattern => pattern.ownerSVGElement.checkVisibility())
"""


@pytest.fixture(scope="module")
def explorer(browser, tmp_path_factory, serve):
    """Return a page with the layer explorer, whose second tab is in view."""
    folder = tmp_path_factory.mktemp("svg")
    page = browser.new_page(viewport={"width": 1400, "height": 1300})
    page.set_default_timeout(60_000)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    renderer = "import dlperf_widgets as dp; dp.set_renderer('svg')"
    show(page, serve(folder, *JUPYTERLAB), folder, "layer", renderer)
    page.locator(".dlp-main .lm-TabBar-tab", has_text="Duration").click()
    page.locator(DOT).wait_for()
    page.wait_for_timeout(500)
    yield page
    page.close()


def batch(page):
    return int(page.get_by_label("Batch size, exactly").input_value())


def middle(page):
    """Return where the dot that can be dragged is."""
    box = page.locator(DOT).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def place(page):
    """Return where the dot belongs: at the batch size that is shown, on an axis from 0 to 1024."""
    axis = page.locator(".dlp-live:visible .dlp-live-grid").bounding_box()
    return pytest.approx(axis["x"] + batch(page) / 1024 * axis["width"], abs=2)


def test_pointing_at_a_dot_says_beside_it_and_below_what_it_is(explorer):
    x, y = middle(explorer)
    explorer.mouse.move(x + 3, y)
    tip = explorer.locator(".dlp-live:visible .dlp-live-tip:visible")
    note = tip.text_content()
    assert "56.7 µs in all" in note
    explorer.locator(".dlp-why", has_text=note).wait_for()
    explorer.mouse.move(x, y + 200)
    tip.wait_for(state="hidden")


def test_a_dragged_dot_stays_under_the_hand_and_lands_on_a_size(explorer):
    x, y = middle(explorer)
    explorer.mouse.move(x, y)
    explorer.mouse.down()
    for step in range(1, 31):
        explorer.mouse.move(x + 4 * step, y + step % 3)
    explorer.wait_for_timeout(100)
    assert middle(explorer)[0] == pytest.approx(x + 120, abs=2)
    explorer.mouse.up()
    explorer.wait_for_function("() => +document.querySelector('.dlp-size input').value > 600")
    explorer.wait_for_timeout(600)
    assert batch(explorer) % 8 == 0
    assert middle(explorer)[0] == place(explorer)


@pytest.mark.parametrize("key, way", [("ArrowRight", 1), ("ArrowDown", -1), ("PageUp", 1)])
def test_keys_move_the_dot_that_has_the_focus(explorer, key, way):
    dot = explorer.locator(DOT)
    before, said = batch(explorer), dot.get_attribute("aria-valuetext")
    dot.focus()
    explorer.keyboard.press(key)
    explorer.wait_for_function(
        "was => document.querySelector('.dlp-size input').value !== was", arg=str(before)
    )
    explorer.wait_for_timeout(400)
    assert (batch(explorer) - before) * way > 0
    assert dot.get_attribute("aria-valuetext") != said
    assert middle(explorer)[0] == place(explorer)


def test_it_has_names_and_values_for_who_cannot_see_it(explorer):
    assert violations(explorer, ".dlp-explorer") == []
    dot = explorer.locator(DOT)
    assert dot.get_attribute("role") == "slider"
    assert dot.get_attribute("aria-label") == "now: Batch size"
    assert "Time against" in explorer.locator(".dlp-live:visible > svg").get_attribute("aria-label")


def test_waste_stays_hatched_after_its_tab_was_away(explorer):
    tabs = explorer.locator(".dlp-main .lm-TabBar-tab")
    tabs.nth(4).click()
    tabs.nth(1).click()
    explorer.locator(DOT).wait_for()
    # a pattern paints nothing where the picture that holds it is hidden
    assert explorer.evaluate(HATCHED) == [True]


@pytest.mark.parametrize("width", [1500, 620])
def test_no_word_lies_on_another_at_either_width(explorer, shot, width):
    explorer.set_viewport_size({"width": width, "height": 1900})
    clashes = CLASHES.replace(".bqplot > svg", ".dlp-live > svg")
    tabs = explorer.locator(".dlp-main .lm-TabBar-tab")
    for index in range(tabs.count()):
        tabs.nth(index).click()
        explorer.wait_for_timeout(300)
        shot(explorer, f"svg_{index}_{width}")
        assert explorer.evaluate(clashes) == [], index
    assert explorer.errors == []
