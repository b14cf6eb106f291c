"""The documentation is true: examples run, links lead somewhere, names are documented, how-tos work."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pages import DOCS, PAGES, ROOT, anchors, changes, commands, examples, links

import dlperf_widgets as dp

ADDING = sorted(DOCS.glob("howto/add_*.md"))
# What a page takes for granted: a teacher's example goes on from a learner's notebook.
GIVEN = {"teaching/README.md": "from dlperf_widgets import course"}
# The guides to lessons show answers, which the course's own tests check.
SHOWN = [page for page in PAGES if page.parent.name != "teaching" or page.name == "README.md"]


def name(page: Path) -> str:
    return str(page.relative_to(DOCS))


@pytest.fixture(autouse=True)
def _helpers(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))


@pytest.mark.parametrize("page", [page for page in SHOWN if examples(page)], ids=name)
def test_the_examples_run(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict = {"__name__": "__main__"}
    exec(GIVEN.get(name(page), ""), names)
    for code in examples(page):
        try:
            exec(compile(ast.parse(code), name(page), "exec"), names)
        except OSError as error:
            if "needs Pyodide" not in str(error):
                raise
            pytest.skip(f"npm's registry is out of reach: {error}")


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in links(page):
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), f"{target}: there is no {path}"
        if anchor and found.suffix == ".md":
            assert anchor in anchors(found), f"{target}: no such heading"


def documented() -> set[int]:
    """Return what the reference has: objects by their identity, as one may have several names."""
    import api
    import sections

    found, texts = set(), [page.read_text(encoding="utf-8") for page in DOCS.glob("reference/*.md")]
    texts += [write() for write in sections.PAGES.values()]
    for text in texts:
        blocks = re.findall(r"^```\{members\} (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        for module, body in blocks:
            without = re.findall(r"^:without: (.*)$", body, re.MULTILINE)
            listed = [line for line in body.splitlines() if line.strip() and not line.startswith(":")]
            names = set(listed or api.public(module)) - set(" ".join(without).split())
            found |= {id(getattr(sys.modules[module], each)) for each in names}
    return found


def test_every_public_name_is_in_the_reference():
    import api

    there = documented()
    packages = (*dp._MODULES, "measure", "course", "lessons", "glossary")
    wanted = {each: getattr(dp, each) for each in dp._NAMES if callable(getattr(dp, each))}
    for package in packages:
        module = f"dlperf_widgets.{package}"
        wanted |= {f"{module}.{each}": getattr(sys.modules[module], each) for each in api.public(module)}
    assert [each for each, value in wanted.items() if id(value) not in there] == []
    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCS.glob("reference/*.md"))
    assert [each for each in dp._MODULES if f"`dp.{each}`" not in text] == []


def test_an_explorer_on_a_page_is_a_picture_where_a_live_one_cannot_be_made(tmp_path, monkeypatch):
    import live

    monkeypatch.setenv(live.FOLDER, str(tmp_path / "live"))
    monkeypatch.setenv("DLPERF_CACHE", str(tmp_path))
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    shown = live.show(dp.LayerExplorer()).data
    assert "dlp-fallback" in shown and "<iframe" not in shown
    assert "Pyodide" in (tmp_path / "live" / live.MISSING).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in ADDING if changes(page)], ids=name)
def test_a_how_to_counts_its_files(page):
    said = int(re.search(r"\*\*Files: (\d+)\*\*", page.read_text(encoding="utf-8"))[1])
    assert said == len({change.path for change in changes(page)})


@pytest.fixture(scope="module")
def changed(tmp_path_factory) -> Path:
    """A copy of the project in which every how-to about adding something has been followed."""
    copy = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("__pycache__", "labextension", "dlperf-live", "e2e", "bench")
    for folder in ("dlperf_widgets", "tests", "notebooks"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    for path in ("js/package.json", "js/src/generated.json", "js/schema/settings.json", "pyproject.toml"):
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, copy / path)
    for page in ADDING:
        for change in changes(page):
            change.apply(copy)
    return copy


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python on the copy."""
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=copy, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": str(copy)},
    )  # fmt: skip


# Of the tests that the pages name, those about what was added: the others are run on the project itself.
ABOUT = (
    "X1 or LayerScale or layer_scale or every_layer_is or every_rule or up_to_date or embeddings "
    "or test_efficiency or test_rate_explorer or (test_shared_parts and rate)"
)


def test_following_the_how_tos_adds_what_they_say(changed):
    exported = run(changed, "dlperf_widgets", "export")
    assert exported.returncode == 0, exported.stderr
    assert "generated.json" in exported.stdout and "scenario.schema.json" in exported.stdout
    typed = [line for page in ADDING for line in commands(page)]
    assert {"dlperf export", "python -m tests.catalogue"} < set(typed)
    tests = {word for line in typed for word in line.split() if word.startswith("tests/")}
    tests.remove("tests/test_language.py")  # who translates must know the language: nobody did here
    done = run(changed, "pytest", "-q", "-p", "no:cacheprovider", "-k", ABOUT, *sorted(tests))
    assert done.returncode == 0, done.stdout[-3000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 20
