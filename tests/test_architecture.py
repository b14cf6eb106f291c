"""Imports point down, the core needs the standard library only, and importing costs next to nothing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import dlperf_widgets

PACKAGE = Path(dlperf_widgets.__file__).parent
RANKS = {
    "_files": -1, "_given": -2, "_json": -1, "_lazy": -1, "_quick": -1, "language": -1,
    "units": 0, "dtypes": 0,
    "ops": 1, "gpus": 1, "links": 1,
    "layers": 2,
    "cost": 3,
    "advice": 4, "models": 4, "glossary": 4,
    "charts": 5, "course": 5,
    "views": 6, "widgets": 6, "bridge": 6, "measure": 6, "page": 6,
    "apps": 7,
    "lab": 7, "nodelay": 7, "lessons": 7, "export": 8, "live": 8, "__main__": 9, "__init__": 9,
}  # fmt: skip
OUTSIDE = {
    "views": {"anywidget", "bqplot", "cairosvg", "ipywidgets", "numpy", "traitlets"},
    "widgets": {"ipywidgets", "traitlets", "anywidget"},
    "apps": {"anywidget", "ipywidgets", "traitlets", "IPython"},
    "page": {"comm", "platformdirs", "pyodide"},
    "bridge": {"torch", "pandas"},
    "measure": {"torch", "pynvml"},
    "nodelay": {"jupyter_server"},
    "__main__": {"jupyterlab"},
}
NOTEBOOK = ("anywidget", "bqplot", "ipywidgets", "numpy", "pandas", "torch", "traitlets")
FILES = sorted(path for path in PACKAGE.rglob("*.py"))


def part(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path):
    """Yield the package part or the outside package of every import in a file."""
    package = path.relative_to(PACKAGE.parent).parent.parts
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (("outside", alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            names = [*base, *(node.module or "").split(".")] if node.module else list(base)
            if not node.level:
                yield "outside", names[0]
            elif len(names) > 1:
                yield "inside", names[1]
            else:
                yield from (("inside", alias.name) for alias in node.names)


def offences(path: Path, found) -> list[str]:
    own = part(path)
    return [
        f"{path.name}: {name}"
        for where, name in found
        if (where == "inside" and name != own and RANKS[name] >= RANKS[own])
        or (
            where == "outside" and name not in sys.stdlib_module_names and name not in OUTSIDE.get(own, set())
        )
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down_and_outside_packages_are_allowed_ones(path):
    assert offences(path, imported(path)) == []


def test_an_upward_import_would_be_found():
    path = PACKAGE / "ops" / "_gemm.py"
    assert offences(path, [("inside", "cost")])
    assert offences(path, [("outside", "numpy")])
    assert ("inside", "dtypes") in set(imported(path))


def run(code: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


CORE = "import dlperf_widgets as dp; dp.Scenario, dp.layers.Linear, dp.gpus.GPUS, dp.charts, dp.advice"
LOADED = f"import sys; sys.exit(', '.join(set({NOTEBOOK!r}) & set(sys.modules)) or 0)"


def test_the_core_loads_no_notebook_package():
    done = run(f"{CORE}; {LOADED}")
    assert done.returncode == 0, done.stderr


def test_a_notebook_package_would_be_noticed():
    done = run(f"{CORE}; import traitlets; {LOADED}")
    assert done.returncode == 1
    assert "traitlets" in done.stderr


def test_every_public_name_resolves():
    for name in dlperf_widgets.__all__:
        assert getattr(dlperf_widgets, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = dlperf_widgets.nonsense


def test_files_are_short():
    long = {path.name: n for path in FILES if (n := len(path.read_text().splitlines())) > 300}
    assert long == {}
