"""No text that comes from outside is ever run: the package has nothing that could run one."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import dlperf_widgets as dp
from dlperf_widgets import gpus
from dlperf_widgets.apps.code import as_python
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear

PACKAGE = Path(dp.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
# Calls that run or load what a text or a file says.
NAMES = {"eval", "exec", "compile", "__import__", "breakpoint", "input"}
MODULES = {"pickle", "marshal", "shelve", "dill", "yaml", "ctypes", "code", "codeop", "runpy"}
METHODS = {"system", "popen", "execv", "execve", "spawnv", "Popen", "run", "check_output", "literal_eval"}
BASES = ("os", "subprocess", "ast", "runpy")
# What is allowed, with the reason.
ALLOWED = {
    ("__main__.py", "input"): "asks before a learner's file is overwritten",
    ("_quick.py", "exec"): "writes the constructor of a class of ours from the names of its fields",
    ("lab.py", "execv"): "becomes the JupyterLab that the user's command starts, with arguments of our own",
}


def called(node: ast.Call) -> str:
    """Return the last name of what is called: ``os.system`` is system."""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def offences(path: Path, tree: ast.AST):
    """Yield what a file has that could run a text."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = called(node)
            plain = isinstance(node.func, ast.Name)
            base = getattr(getattr(node.func, "value", None), "id", "")
            dangerous = (plain and name in NAMES) or (name in METHODS and base in BASES)
            if dangerous and (path.name, name) not in ALLOWED:
                yield f"{path.name}:{node.lineno} calls {name}"
        elif isinstance(node, ast.Import | ast.ImportFrom):
            module = getattr(node, "module", None)
            for each in [module] if module else [alias.name for alias in node.names]:
                if each in MODULES and not getattr(node, "level", 0):
                    yield f"{path.name}:{node.lineno} imports {each}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_file_can_run_a_text(path):
    assert list(offences(path, ast.parse(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    "code",
    ["eval('1')", "exec(x)", "import pickle", "from marshal import loads", "os.system('x')", "__import__(x)",
     "subprocess.run(x)", "compile(x, '', 'exec')"],
)  # fmt: skip
def test_what_could_would_be_found(code):
    assert list(offences(Path("x.py"), ast.parse(code)))


def test_modules_are_named_by_a_text_only_from_a_list():
    """``import_module`` gets names of our own: a scenario's layer names one of three packages."""
    for text in (
        "os.system",
        "layers.__init__.Linear",
        "..os.x",
        "models._model.Model",
        "models.Model",
        "bridge.torch",
    ):
        asked = json.loads(dp.Scenario(Linear(), gpus.T4, FP16).to_json())
        asked["layer"] = {"type": text}
        with pytest.raises(ValueError, match="unknown layer"):
            dp.Scenario.from_json(json.dumps(asked))


@pytest.mark.parametrize(
    "name",
    [
        "'); import os; os.system('touch pwned') #",
        "\\'); pwned() #",
        '""" + pwned() + """',
        "{pwned()}",
        "\n pwned()",
        "%s",
    ],
)
def test_code_that_is_copied_makes_the_same_question_and_runs_nothing_else(name):
    from dataclasses import replace

    asked = dp.Scenario(Linear(), replace(gpus.T4, name=name), FP16)
    code = as_python(asked, "LayerExplorer")
    calls = {called(node) for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)}
    assert calls <= {"Scenario", "from_json", "replace", "Linear", "LayerExplorer"}
    space: dict = {}
    exec(code.replace("dp.LayerExplorer(s)", "s"), space)  # a test may
    assert space["s"] == asked


def test_a_notebook_that_is_read_runs_nothing(tmp_path):
    """Lessons and grades are read as JSON: what stands in their cells stays text."""
    evil = {"cells": [{"cell_type": "code", "source": ["open('pwned', 'w')"], "outputs": []}], "version": 1}
    (tmp_path / "grades.json").write_text(json.dumps(evil))
    done = subprocess.run(
        [sys.executable, "-c", "from dlperf_widgets import course; course.load('grades.json')"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "no grades can be read" in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["grades.json"]
