"""A person saves an explorer as a file, opens it again, and opens files that are none."""

import json

import pytest
from conftest import JUPYTERLAB
from steps import DRAWN, ask, open_panel, until, wait_for_batch

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def files(folder, serve):
    """Return the address of a JupyterLab on a folder of files."""
    return serve(folder, *JUPYTERLAB)


def entry(page, name):
    """Return a file in the file browser."""
    return page.locator(".jp-DirListing-item", has_text=name)


def is_dirty(page):
    return page.locator("#jp-main-dock-panel .lm-mod-current.jp-mod-dirty").count() == 1


def test_it_is_saved_changed_and_opened_again(page, files, folder, shot):
    open_panel(page, files)
    ask(page, 904)
    page.get_by_role("button", name="Save as file").click()
    page.locator("#jp-main-dock-panel .lm-TabBar-tab", has_text="untitled.dlperf.json").wait_for()
    path = folder / "untitled.dlperf.json"
    page.locator(DRAWN).locator("visible=true").first.wait_for()
    wait_for_batch(page, 904)
    saved = json.loads(path.read_text())
    assert saved["scenario"]["layer"]["batch"] == 904
    assert not is_dirty(page), "a file that was only opened is marked as changed"

    ask(page, 1000)
    until(lambda: is_dirty(page), "a change is not marked")
    assert json.loads(path.read_text()) == saved
    shot(page, "file_dirty")
    page.keyboard.press("Control+s")
    until(lambda: not is_dirty(page), "the file is not saved")
    assert json.loads(path.read_text())["scenario"]["layer"]["batch"] == 1000

    page.goto(f"{files}/lab?reset")
    entry(page, "untitled.dlperf.json").dblclick()
    page.wait_for_selector(DRAWN)
    wait_for_batch(page, 1000)
    assert not is_dirty(page)
    assert page.errors == []


REFUSED = {
    "cut.dlperf.json": ('{"version": 1, "scenario": {', "This file is damaged: it is not JSON."),
    "foreign.dlperf.json": ('{"name": "left-pad"}', "This file holds no scenario of an explorer."),
    "later.dlperf.json": ('{"version": 2, "scenario": {}}', "of a version that cannot be read here"),
    "strange.dlperf.json": (
        '{"version": 1, "scenario": {}, "also": 1}',
        "says something that is unknown here",
    ),
    "layer.dlperf.json": (
        '{"version": 1, "scenario": {"version": 1, "layer": {"type": "Linear", "batch": 0}, "gpu": "T4", '
        '"dtype": "FP16"}}',
        "Linear batch must be between 1",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_scenario_is_refused_and_stays_as_it_is(page, files, folder, shot, name):
    text, reason = REFUSED[name]
    (folder / name).write_text(text)
    page.goto(f"{files}/lab/tree/{name}?reset")
    page.locator(".dlp-Status.dlp-mod-error", has_text=reason).locator("visible=true").wait_for()
    shot(page, f"file_{name.split('.')[0]}")
    page.keyboard.press("Control+s")
    page.get_by_role("button", name="Open it in the text editor").locator("visible=true").click()
    page.locator(".jp-FileEditor", has_text=text[:20]).wait_for()
    assert (folder / name).read_text() == text
    assert page.errors == []


def test_a_change_from_outside_is_followed(page, files, folder):
    path = folder / "shared.dlperf.json"
    scenario = {
        "version": 1,
        "layer": {"type": "Linear", "batch": 64, "inputs": 1024, "outputs": 4096},
        "gpu": "A100 SXM4 80GB",
        "dtype": "FP16",
    }
    path.write_text(json.dumps({"version": 1, "scenario": scenario}))
    page.goto(f"{files}/lab/tree/shared.dlperf.json?reset")
    page.wait_for_selector(DRAWN)
    wait_for_batch(page, 64)
    assert not is_dirty(page)
    scenario["layer"]["batch"] = 256
    path.write_text(json.dumps({"version": 1, "scenario": scenario}))
    page.get_by_role("menuitem", name="File", exact=True).click()
    page.get_by_text("Reload JSON from Disk", exact=False).or_(page.get_by_text("from Disk")).first.click()
    wait_for_batch(page, 256)
    assert not is_dirty(page)
