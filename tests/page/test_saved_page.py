"""What ``save_html`` writes: one page, or several beside what they share; names in it stay names."""

import json
import os
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import dlperf_widgets as dp
from dlperf_widgets.apps import APPS
from dlperf_widgets.page import runtime, sources

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--"


@pytest.fixture
def pyodide(tmp_path_factory):
    """Return a folder that passes for Pyodide's: what is written does not depend on what is in it."""
    folder = tmp_path_factory.mktemp("pyodide")
    for name in runtime.NAMES:
        (folder / name).write_bytes(b"x" * 1000)
    return folder


class Elements(HTMLParser):
    """The elements of a page, with their attributes, and the texts of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data):
        if self.lasttag == "script":
            self.scripts[-1] += data

    def config(self) -> dict:
        return json.loads(next(text for text in self.scripts if text.startswith('{"module"')))


def read(page) -> Elements:
    return Elements(page.path.read_text(encoding="utf-8"))


def test_pages_of_a_folder_share_what_they_need(tmp_path, pyodide):
    first = dp.LayerExplorer().save_html(tmp_path / "course" / "layer", pyodide=pyodide)
    second = dp.GemmExplorer().save_html(tmp_path / "course", pyodide=pyodide)
    assert [page.path.name for page in (first, second)] == ["layer.html", "gemm.html"]
    shared = {path.name for path in (tmp_path / "course" / "dlperf-live").iterdir()}
    assert {re.sub("-[0-9a-f]{12}", "", name) for name in shared} == {
        "page.css", "page.js", "pyodide.js", "python.js",
    }  # fmt: skip
    assert len(shared) == 4
    for page in (first, second):
        wanted = read(page).config()["scripts"]
        assert all((page.path.parent / each).is_file() for each in wanted)
        assert {os.path.basename(each) for each in wanted} < shared


def test_nothing_in_a_page_lies_anywhere_else(tmp_path, pyodide):
    for page in (
        dp.LayerExplorer().save_html(tmp_path / "a", pyodide=pyodide),
        dp.LayerExplorer().save_html(tmp_path / "b.html", pyodide=pyodide, single_file=True),
    ):
        for tag, attributes in read(page).found:
            address = attributes.get("src") or (attributes.get("href") if tag == "link" else "") or ""
            assert address.startswith(("dlperf-live/", "data:")) or not address


def test_a_single_file_needs_no_other(tmp_path, pyodide):
    page = dp.LayerExplorer().save_html(tmp_path / "alone.html", pyodide=pyodide, single_file=True)
    assert os.listdir(tmp_path) == ["alone.html"]
    elements = read(page)
    assert elements.config()["scripts"] == []
    left = "".join(elements.scripts)
    assert all(
        f"(globalThis.dlperfAssets??={{}}).{name}=" in left for name in ("pyodide", "sources", "worker")
    )


def test_what_is_asked_goes_along(tmp_path, pyodide):
    scenario = dp.Scenario(
        dp.layers.Conv2d(batch=48),
        replace(dp.gpus.A100_SXM4_80GB, bandwidth=3e12, name="mine"),
        dp.dtypes.BF16,
    )
    explorer = dp.LayerExplorer(scenario)
    explorer.pinned = dp.Scenario(dp.layers.Linear(), dp.gpus.V100_SXM2_16GB, dp.dtypes.FP16)
    explorer.tabs.selected_index = 2
    explorer.predict_first("limiter")
    asked = read(explorer.save_html(tmp_path / "x", pyodide=pyodide)).config()["request"]
    again = dp.apps.open_explorer(asked["state"])
    assert (again.scenario, again.pinned) == (scenario, explorer.pinned)
    assert (asked["tab"], asked["predict"], asked["language"]) == (2, ["limiter"], "en")


def test_a_guess_that_is_awaited_is_not_given_away(tmp_path, pyodide):
    explorer = dp.LayerExplorer()
    assert "<svg" in _main(explorer.save_html(tmp_path / "open", pyodide=pyodide))
    explorer.predict_first()
    covered = explorer.save_html(tmp_path / "covered", pyodide=pyodide)
    assert "dlp-predicting" in covered.path.read_text(encoding="utf-8")
    assert "<svg" not in _main(covered)


def _main(page) -> str:
    return (
        page.path.read_text(encoding="utf-8")
        .partition('<ul class="lm-TabBar-content')[2]
        .partition("dlperf-config")[0]
    )


def test_names_are_no_markup(tmp_path, pyodide):
    scenario = dp.Scenario(dp.layers.Linear(), replace(dp.gpus.V100_SXM2_16GB, name=EVIL), dp.dtypes.FP16)
    explorer = dp.LayerExplorer(scenario)
    page = explorer.save_html(tmp_path / "evil", pyodide=pyodide)
    elements = read(page)
    assert not [tag for tag, _ in elements.found if tag == "img"]
    assert sum("onerror" in attributes for _, attributes in elements.found) == 1, "the page's own script's"
    assert len(elements.scripts) == 3
    assert dp.apps.open_explorer(elements.config()["request"]["state"]).scenario.gpu.name == EVIL
    single = read(explorer.save_html(tmp_path / "evil-alone", pyodide=pyodide, single_file=True))
    assert not [tag for tag, _ in single.found if tag == "img"]


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
def test_every_explorer_has_a_picture(app, tmp_path, pyodide):
    page = app().save_html(tmp_path / "page", pyodide=pyodide)
    elements = read(page)
    labels = [attributes["aria-label"] for _, attributes in elements.found if attributes.get("aria-label")]
    assert any(len(label) > 20 for label in labels)
    enabled = [
        attributes for tag, attributes in elements.found
        if tag in ("button", "input", "select") and "disabled" not in attributes
    ]  # fmt: skip
    assert [attributes.get("id") for attributes in enabled] == ["dlperf-theme"]


def test_a_page_speaks_the_language_it_was_saved_in(tmp_path, pyodide):
    dp.set_language("zh_CN")
    try:
        page = dp.LayerExplorer().save_html(tmp_path / "zh", pyodide=pyodide)
    finally:
        dp.set_language("en")
    text = page.path.read_text(encoding="utf-8")
    assert '<html lang="zh-CN">' in text
    config = read(page).config()
    assert config["request"]["language"] == "zh_CN"
    assert all(re.search("[一-鿿]", words) for words in config["words"].values())


def test_what_a_page_could_not_open_is_refused(tmp_path, pyodide):
    class Own(dp.LayerExplorer):
        pass

    with pytest.raises(ValueError, match="not Own"):
        Own().save_html(tmp_path / "own", pyodide=pyodide)
    assert os.listdir(tmp_path) == []


def test_a_saved_page_is_a_path_that_a_notebook_shows(tmp_path, pyodide, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = dp.LayerExplorer().save_html("a course/<layer>", pyodide=pyodide)
    assert Path(page).read_text(encoding="utf-8").startswith("<!doctype html>")
    frame = Elements(page._repr_html_()).found[0]
    assert frame[0] == "iframe"
    assert frame[1]["src"] == "a%20course/%3Clayer%3E.html"
    assert Elements(page.iframe('x" onload="alert(1)', 300)).found[0][1].keys() == frame[1].keys()


def test_the_sources_are_what_runs_here_and_always_the_same_bytes():
    archive = sources.archive()
    sources.archive.cache_clear()
    assert archive == sources.archive()
    assert len(archive) < 1.2e6
