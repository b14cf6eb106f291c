"""A person types ``dlperf lab`` and has the explorer in front of them, without a click."""

import json
import re
import shutil
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
DRAWN = ".dlp-explorer .bqplot path.line"
COUNTS = "nodes => nodes.map(node => node.textContent).join('')"


@pytest.fixture(scope="module")
def started(tmp_path_factory, serve):
    """Return the folder and the address that the command would open in the user's browser."""
    folder = tmp_path_factory.mktemp("command")
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    serve(
        folder, "-m", "dlperf_widgets", "lab", "notebooks/00_start.ipynb", "--no-browser", "--port", "{port}"
    )
    log = (folder / "server.log").read_text()
    return folder, re.search(r"http://127\.0\.0\.1:\d+/lab\S*token=\w+", log)[0]


CELLS = json.loads((ROOT / "notebooks" / "00_start.ipynb").read_text(encoding="utf-8"))["cells"]
CODE = range(1, 1 + sum(cell["cell_type"] == "code" for cell in CELLS))
RUN, NOT_RUN = "".join(f"[{n}]:" for n in CODE), "[ ]:" * len(CODE)


def prompts(page):
    return page.eval_on_selector_all(".jp-CodeCell .jp-InputPrompt", COUNTS)


def test_the_start_notebook_opens_and_runs_by_itself(page, started, shot):
    _, address = started
    page.goto(address)
    page.wait_for_selector(DRAWN)
    assert page.url.endswith("/lab/tree/notebooks/00_start.ipynb")
    page.get_by_text("| Idle").wait_for()
    page.get_by_text(f"[{CODE[-1]}]:", exact=True).wait_for()
    assert prompts(page) == RUN
    shot(page, "command")
    assert page.locator(".dlp-verdict").is_visible()

    # What is saved and still runs is the user's work: reloading the page runs nothing again.
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1000)
    page.reload()
    page.wait_for_selector(DRAWN)
    page.get_by_text("| Idle").wait_for()
    page.wait_for_timeout(2000)
    assert prompts(page) == RUN
    assert page.errors == []


@pytest.mark.parametrize(
    "path", ["api/contents", "api/kernels", "lab", "lab/api/settings", "files/server.log"]
)
def test_without_the_token_nothing_answers(started, path):
    bare = started[1].split("/lab", 1)[0]
    try:
        with urllib.request.urlopen(f"{bare}/{path}") as reply:
            assert reply.url.startswith(f"{bare}/login")
    except HTTPError as error:
        assert error.code == 403


def test_any_other_notebook_stays_as_it_is(page, started):
    folder, address = started
    shutil.copy(ROOT / "notebooks" / "00_start.ipynb", folder / "notebooks" / "other.ipynb")
    page.goto(address.replace("00_start", "other") + "&reset")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell")
    page.get_by_text("| Idle").wait_for()
    page.wait_for_timeout(2000)
    assert page.locator(DRAWN).count() == 0
    assert prompts(page) == NOT_RUN
