"""A learner opens a lesson, predicts, types a wrong answer and a right one, in both themes."""

import pytest
from steps import choose_theme, open_notebook, run_all

from dlperf_widgets import course

pytestmark = pytest.mark.e2e

LESSONS = [
    ("01_math_or_memory", "light", "limits.ratio", "306", "2:4 sparsity", "153"),
    ("05_waves", "dark", "waves.efficiency", "8.33", "how full the second wave is", "54.2"),
    ("16_capstone", "light", "capstone.budget", "start", "Next on the checklist", None),
]
FAST = (
    "replace(start, layer=course.classifier(128, 4, 64, 33_728), dtype=dtypes.FP16, "
    "launch=dp.Launch.GRAPH, library=dp.Library.CURRENT, layout=dp.Layout.NHWC)"
)


def open_lesson(page, lab, name, theme):
    open_notebook(page, lab, f"notebooks/{name}.ipynb")
    choose_theme(page, f"JupyterLab {theme.title()}")
    run_all(page)
    page.wait_for_selector(".dlp-answer")


def answer(page, key, text):
    """Type an answer into the cell that asks for it, run the cell, and return what it says."""
    cell = page.locator(".jp-CodeCell", has_text=f'course.check("{key}"')
    cell.scroll_into_view_if_needed()
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(f'course.check("{key}", {text})')
    before = cell.locator(".jp-InputPrompt").inner_text()
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        "([cell, before]) => !cell.querySelector('.jp-InputPrompt').innerText.includes('*') "
        "&& cell.querySelector('.jp-InputPrompt').innerText !== before",
        arg=[cell.element_handle(), before],
    )
    return cell.locator(".dlp-answer").inner_text()


@pytest.mark.parametrize(("name", "theme", "key", "wrong", "words", "right"), LESSONS)
def test_a_wrong_answer_is_helped_and_a_right_one_accepted(
    page, lab, shot, name, theme, key, wrong, words, right
):
    open_lesson(page, lab, name, theme)
    assert any(lesson.slug == name for lesson in course.LESSONS)
    found = answer(page, key, wrong)
    assert found.startswith("✗") and words in found
    shot(page, f"{theme}_{name}_wrong")
    assert answer(page, key, right or FAST).startswith("✓ Right.")
    shot(page, f"{theme}_{name}_right")
    assert page.errors == []


def test_a_prediction_uncovers_the_picture(page, lab):
    open_lesson(page, lab, "01_math_or_memory", "light")
    explorer = page.locator(".dlp-explorer").first
    explorer.scroll_into_view_if_needed()
    assert (
        explorer.locator(".bqplot path.line").count() == 0
        or not explorer.locator(".dlp-chart").first.is_visible()
    )
    explorer.get_by_label("memory", exact=True).check()
    explorer.get_by_role("button", name="Commit").click()
    explorer.locator(".bqplot path.line").first.wait_for()
    assert "Right: memory" in explorer.inner_text()
    assert page.errors == []
