"""Every notebook runs from its first cell to its last, without an error or a warning, and says what it must.

All run in one kernel, emptied in between: each must import what it uses.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from dlperf_widgets import course, glossary

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
CHINESE = NOTEBOOKS / "zh"
LESSONS = {lesson.slug: lesson for lesson in course.LESSONS}
# Set in the kernel once it runs, because starting one warns by itself; the exception is bqscales' own traits.
STRICT = """
import warnings
warnings.simplefilter("error")
warnings.filterwarnings("ignore", "metadata .* was set from the constructor", DeprecationWarning)
"""
EMPTY = """
from ipywidgets.widgets.widget import Widget
Widget.close_all()
from IPython import get_ipython
get_ipython().run_line_magic("reset", "-f")
"""
LANGUAGE = 'dp.set_language("zh_CN")'  # what the Chinese edition says once, and the English one never


def by_name(path):
    return path.stem


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """Yield a client of a kernel that sees nothing of the user's configuration."""
    resources = {"metadata": {"path": str(NOTEBOOKS)}}
    client = NotebookClient(
        nbformat.v4.new_notebook(), timeout=120, kernel_name="python3", resources=resources
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        with client.setup_kernel():
            yield client


def run(notebook, kernel):
    """Run a notebook under strict warnings. It raises CellExecutionError at the first cell with an error."""
    notebook.cells = [*(nbformat.v4.new_code_cell(code) for code in (EMPTY, STRICT)), *notebook.cells]
    kernel.nb = notebook
    kernel.reset_execution_trackers()
    for at, cell in enumerate(notebook.cells):
        kernel.execute_cell(cell, at)
    return notebook


def complaints(notebook):
    """Yield what cells wrote to the standard error stream, and errors in outputs of any kind."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "error" or output.get("name") == "stderr":
                yield output


def read(path):
    return nbformat.read(path, as_version=4)


def code(path):
    """Return the code cells' texts."""
    return [cell.source for cell in read(path).cells if cell.cell_type == "code"]


def prose(path):
    return "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")


@pytest.mark.parametrize("path", PATHS, ids=by_name)
def test_runs(path, kernel):
    done = run(read(path), kernel)
    assert list(complaints(done)) == []
    answers = [cell for cell in done.cells if cell.source.startswith("course.check(")]
    for cell in answers:  # with the dots still there it says what to put in their place
        assert "in place of the dots" in cell.outputs[0]["data"]["text/plain"]
        assert "in place of the dots" in cell.outputs[0]["data"]["text/html"]


def test_a_warning_would_be_noticed(kernel):
    cell = nbformat.v4.new_code_cell("import warnings; warnings.warn('careful')")
    with pytest.raises(CellExecutionError, match="careful"):
        run(nbformat.v4.new_notebook(cells=[cell]), kernel)


def test_a_name_of_another_notebook_is_not_there(kernel):
    run(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("leftover = 1")]), kernel)
    with pytest.raises(CellExecutionError, match="leftover"):
        run(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("leftover")]), kernel)


# --- What a lesson says ---------------------------------------------------------------------------------


def test_there_is_a_notebook_for_every_lesson():
    assert [path.stem for path in PATHS] == list(LESSONS) and len(PATHS) == 17


@pytest.mark.parametrize("path", PATHS, ids=by_name)
def test_the_file_is_clean(path):
    data = json.loads(path.read_text(encoding="utf-8"))
    assert data["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in data["cells"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[a-z-]+-\d+", each) for each in ids)
    for cell in data["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
    assert path.read_text(encoding="utf-8") == json.dumps(data, indent=1, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("path", PATHS, ids=by_name)
def test_it_asks_its_question_predicts_first_and_shows_its_explorers(path):
    lesson, text, cells = LESSONS[path.stem], prose(path), "\n".join(code(path))
    assert text.startswith(f"# {lesson.title}\n")
    assert "you can" in text and re.search(r"predict first", text, re.IGNORECASE)
    for explorer in lesson.explorers:
        assert f"dp.{explorer}(" in cells


@pytest.mark.parametrize("path", PATHS, ids=by_name)
def test_it_has_its_exercises_each_once_with_the_question(path):
    lesson, text, cells = LESSONS[path.stem], prose(path), code(path)
    keys = [match[1] for cell in cells if (match := re.fullmatch(r'course\.check\("(.+)", \.\.\.\)', cell))]
    own = [each.key for each in lesson.exercises]
    assert keys == [*own, "capstone.budget"] if path.stem == "16_capstone" else keys == own
    assert 3 <= len(keys) <= 7
    for number, exercise in enumerate(lesson.exercises, 1):
        assert f"**Exercise {number}.** {exercise.question}" in text


@pytest.mark.parametrize("path", PATHS, ids=by_name)
def test_it_ends_with_public_sources(path):
    last = read(path).cells[-1].source
    assert last.startswith("## Sources\n")
    links = re.findall(r"^- \[(.+)\]\((https://\S+)\)$", last, re.MULTILINE)
    assert len(links) >= 2 and len(links) == last.count("\n- ")
    guides = {term.source.address for term in glossary.TERMS}
    assert any(address in guides for _, address in links)


@pytest.mark.parametrize("path", PATHS, ids=by_name)
def test_links_and_images_exist(path):
    for target in re.findall(r"\]\(([^)]+)\)", prose(path)):
        assert target.startswith("https://") or (path.parent / target).exists(), target


# --- Torch ----------------------------------------------------------------------------------------------

WITHOUT = """
import json, sys
sys.modules["torch"] = None  # as if it were not installed
for cell in json.load(sys.stdin):
    exec(cell, names := globals().setdefault("names", {}))
"""


def test_no_lesson_needs_torch():
    """Not even the one that measures, which says what is missing."""
    cells = [cell for path in PATHS for cell in code(path)]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], input=json.dumps(cells), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("torch is not installed") == 1


def test_only_the_lesson_that_measures_imports_it():
    cells = [cell for path in PATHS if path.stem != "15_measure" for cell in code(path)]
    loaded = "import sys; sys.exit('torch' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT.replace('sys.modules["torch"] = None', "") + loaded],
        input=json.dumps(cells), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert any("dp.measure(" in cell for cell in code(NOTEBOOKS / "15_measure.ipynb"))


# --- The other language ---------------------------------------------------------------------------------


@pytest.mark.skipif(not CHINESE.exists(), reason="there is no Chinese edition yet")
def test_both_editions_have_the_same_lessons():
    assert [path.name for path in sorted(CHINESE.glob("*.ipynb"))] == [path.name for path in PATHS]


@pytest.mark.parametrize("path", PATHS, ids=by_name)
def test_the_chinese_edition_has_the_same_code(path):
    """But for the one line that chooses the language, in the first cell that has dp."""
    other = CHINESE / path.name
    if not other.exists():
        pytest.skip("there is no Chinese edition of it yet")
    plain = ["\n".join(line for line in cell.split("\n") if line != LANGUAGE).strip() for cell in code(other)]
    assert plain == [cell.strip() for cell in code(path)]
    assert sum(cell.count(LANGUAGE) for cell in code(other)) == 1
    assert not any(LANGUAGE in cell for cell in code(path))
