"""The Measure button in a browser, on this machine's CPU: progress, cancel, points over the prediction."""

import pytest
from steps import ask, choose_theme, open_panel

pytest.importorskip("torch")
pytestmark = pytest.mark.e2e


def said(page):
    return page.locator(".dlp-measure span").inner_text()


def button(page, name):
    return page.locator(".dlp-measure").get_by_role("button", name=name, exact=True)


def test_measure_watch_cancel_and_look(lab, page, shot):
    page.set_default_timeout(90_000)  # the first measurement loads torch
    open_panel(page, lab)
    ask(page, 16)  # sizes that a CPU runs in moments, in whatever format
    assert not button(page, "Cancel").is_visible() and not button(page, "Clear").is_visible()
    button(page, "Measure").click()
    button(page, "Cancel").wait_for()
    page.wait_for_function("document.querySelector('.dlp-measure progress').value > 0.3")  # all seven once
    done, _, left = said(page).partition(" of 21, ")
    assert int(done) >= 7 and left.endswith("left")
    ask(page, 32)  # the kernel answers meanwhile
    button(page, "Cancel").click()
    button(page, "Clear").wait_for()
    assert said(page).startswith("7 measured on ") and said(page).endswith("predicts the time of a CPU.")
    assert page.get_by_role("tab", name="Measured", selected=True).is_visible()
    shot(page, "measured")
    choose_theme(page, "JupyterLab Dark")
    shot(page, "measured-dark")
    choose_theme(page, "JupyterLab Light")
    button(page, "Clear").click()
    button(page, "Clear").wait_for(state="hidden")
    assert said(page) == "" and page.errors == []
