"""A person opens the start notebook, drags the batch size and sees it cross the ridge."""

import time

import pytest
from steps import open_notebook, run_all

from dlperf_widgets import gpus
from dlperf_widgets.advice import verdict
from dlperf_widgets.charts import Options, duration
from dlperf_widgets.charts.duration import fitting
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear

pytestmark = pytest.mark.e2e


def open_start(page, lab):
    open_notebook(page, lab, "notebooks/00_start.ipynb")
    run_all(page)
    page.wait_for_selector(".dlp-explorer .bqplot path.line")
    page.locator(".dlp-explorer").scroll_into_view_if_needed()


def expected(batch):
    return verdict(Scenario(Linear(batch, 1024, 4096), gpus.V100_SXM2_16GB, FP16))


def marks(page):
    """Return every path and place of the chart in view."""
    return page.eval_on_selector_all(
        ".dlp-chart path.line, .dlp-chart .object_grp",
        "nodes => nodes.map(n => [n.getAttribute('d'), n.getAttribute('transform')].join())",
    )


def batch(page):
    return int(page.get_by_label("Batch size, exactly").input_value())


def drag(page, share):
    """Drag the batch slider's handle with the mouse to a share of its length."""
    slider = page.get_by_label("Batch size", exact=True)
    box = slider.bounding_box()
    at = int(slider.input_value()) / 1000
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8 + at * (box["width"] - 16), middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), middle, steps=12)
    page.mouse.up()


def settle(page):
    """Wait until the verdict is what Python computes for the batch shown: a drag may still be arriving."""
    deadline = time.monotonic() + 30
    while True:
        shown = page.locator(".dlp-verdict").inner_text().strip()
        if shown == expected(batch(page)):
            return
        assert time.monotonic() < deadline, f"{shown!r} for batch {batch(page)}"
        page.wait_for_timeout(50)


def test_dragging_the_batch_size_crosses_from_math_to_memory(page, lab, shot):
    open_start(page, lab)
    settle(page)
    before = marks(page)
    shot(page, "light_roofline")
    drag(page, 0.25)
    page.wait_for_function("document.querySelector('.dlp-verdict').textContent.includes('Memory limited')")
    assert batch(page) < 168
    settle(page)
    assert marks(page) != before
    assert page.errors == []


def test_every_chart_in_both_themes(page, lab, shot):
    open_start(page, lab)
    for theme in ("light", "dark"):
        if theme == "dark":
            page.get_by_role("menuitem", name="Settings", exact=True).click()
            page.get_by_text("Theme", exact=True).hover()
            page.get_by_text("JupyterLab Dark", exact=True).click()
            page.wait_for_selector('body[data-jp-theme-light="false"]', state="attached")
        for chart in ("Roofline", "Duration", "Alignment"):
            page.locator(".dlp-explorer .lm-TabBar-tab", has_text=chart).click()
            page.wait_for_selector(".dlp-explorer .bqplot path.dot >> visible=true")
            page.wait_for_timeout(500)
            shot(page, f"{theme}_{chart.lower()}")
    assert page.errors == []


def test_typing_and_keys(page, lab):
    open_start(page, lab)
    entry = page.get_by_label("Batch size, exactly")
    entry.fill("0")
    entry.press("Enter")
    page.wait_for_function(
        "document.querySelector('.dlp-status').textContent.includes('Linear batch must be between 1')"
    )
    assert entry.input_value() == "0"
    entry.fill("901")
    entry.press("Enter")
    settle(page)
    assert page.locator(".dlp-status").inner_text().strip() == ""
    slider = page.get_by_label("Batch size", exact=True)
    slider.press("ArrowRight")  # to the next multiple of 8
    page.wait_for_function("document.querySelector('.dlp-size input').value === '904'")
    assert slider.get_attribute("aria-valuetext") == "904"
    assert page.errors == []


def test_new_axes_have_the_labels_that_python_gives(page, lab):
    open_start(page, lab)
    page.locator(".dlp-explorer .lm-TabBar-tab", has_text="Duration").click()
    entry = page.get_by_label("Batch size, exactly")
    for size in (12000, 40):
        entry.fill(str(size))
        entry.press("Enter")
        settle(page)
        page.get_by_role("button", name="Fit").click()
        scenario = Scenario(Linear(size, 1024, 4096), gpus.V100_SXM2_16GB, FP16)
        chart = duration(scenario, Options("batch", fitting(size)))
        expected = [*chart.x.ticks.values(), *chart.y.ticks.values()]
        page.wait_for_timeout(1000)
        ticks = page.locator(".dlp-chart:visible .axis .tick text").all_text_contents()
        assert ticks == expected


def test_dragging_a_point_and_asking_why(page, lab):
    open_start(page, lab)
    page.locator(".dlp-explorer .lm-TabBar-tab", has_text="Duration").click()
    point = page.locator(".dlp-chart:visible .object_grp path.dot").last
    point.hover(force=True)
    page.wait_for_function("document.querySelector('.dlp-why').textContent.includes('in all: launch')")
    box = point.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = batch(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 150, y, steps=12)
    page.mouse.up()
    page.wait_for_function(
        "before => Number(document.querySelector('.dlp-size input').value) < before", arg=before
    )
    settle(page)
    assert batch(page) % 8 == 0
    assert page.errors == []
