"""The wheel with the lowest, middle and highest versions, and the core in Pyodide's Python: ``make compat``.

Each list of constraints beside this file gets a new environment. There the tests of the core, the explorers
and their charts run on the wheel, and then JupyterLab and Jupyter Notebook in a real browser. Tests that look
into a checkout, compare with PyTorch or build documents stay with ``make test``.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CORE = [
    "tests/advice", "tests/charts", "tests/cost", "tests/layers", "tests/test_cases.py", "tests/test_cost.py",
    "tests/test_glossary.py", "tests/test_gpus.py", "tests/test_links.py", "tests/test_models.py",
    "tests/test_scenario.py", "tests/test_table.py",
]  # fmt: skip
WIDGETS = ["tests/apps", "tests/course", "tests/views"]
# Without a limit to what an example of a property may take: Pyodide is slow.
QUIET = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile", "ci"]
PIP = ["-m", "pip", "--disable-pip-version-check", "--quiet"]
TOLD = ["jupyterlab", "notebook", "jupyter_server", "ipywidgets", "anywidget", "bqplot", "traitlets", "numpy"]
NAMES = [path.stem for path in sorted(HERE.glob("*.txt"))] + ["pyodide"]


def main() -> int:
    """Run what is asked for, say what each part came to, and return 1 if any of them failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"some of: {', '.join(NAMES)}; all by default")
    parser.add_argument("--folder", type=Path, default=ROOT / ".compat", help="for the environments")
    parser.add_argument("--wheel", type=Path, help="one that is built already")
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"there is no {', '.join(unknown)}: choose from {', '.join(NAMES)}")
    folder = options.folder.resolve()
    wheel = options.wheel.resolve() if options.wheel else built(folder / "wheel")
    failed = []
    for name in options.names or NAMES:
        parts = in_pyodide(folder / name, wheel) if name == "pyodide" else in_venv(folder, name, wheel)
        for part, command, environment in parts:
            if not passes(f"{name}, {part}", command, environment):
                failed.append(f"{name}, {part}")
    print(f"\nFailed: {'; '.join(failed)}" if failed else "\nAll passed.")
    return bool(failed)


def passes(part: str, command: list, environment: dict[str, str]) -> bool:
    """Run a command, say how it ended and after how long, and return whether it succeeded."""
    start = time.monotonic()
    print(f"\n{part}", flush=True)
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment})
    print(f"{part}: exit status {done.returncode}, {time.monotonic() - start:.0f} s", flush=True)
    return done.returncode == 0


def built(folder: Path) -> Path:
    """Build the wheel into an empty folder and return its path."""
    shutil.rmtree(folder, ignore_errors=True)
    run(sys.executable, *PIP, "wheel", "--no-deps", "--wheel-dir", folder, ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def in_venv(folder: Path, name: str, wheel: Path):
    """Make an environment with the wheel under constraints; yield what to run, each a name and a command."""
    venv = folder / name
    run(sys.executable, "-m", "venv", "--clear", venv)
    python, constraints = venv / "bin" / "python", HERE / f"{name}.txt"
    wanted = [f"{wheel}[lab]", "notebook", "pandas", "pytest", "hypothesis"]
    run(python, *PIP, "install", "--constraint", constraints, *wanted)
    print(f"\n{name}:", *(f"{each} {version(python, each)}" for each in TOLD), sep="\n  ", flush=True)
    # Not `python -m pytest`, which would find the checkout before the wheel. What libraries of then say of
    # what is deprecated now is no error of this package.
    core = [venv / "bin" / "pytest", *QUIET, "-o", "filterwarnings=", *CORE, *WIDGETS]
    yield "core and explorers", core, {}
    browser = [sys.executable, "-m", "pytest", "-p", "conftest", HERE / "check_browser.py"]
    yield "browser", browser, {"DLPERF_PYTHON": str(python), "PYTHONPATH": str(ROOT / "tests" / "e2e")}


def in_pyodide(folder: Path, wheel: Path):
    """Install Pyodide from npm, and pytest and the wheel beside it; yield what to run."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"private": true, "dependencies": {"pyodide": "314.0.6"}}')
    run("npm", "install", "--silent", "--no-audit", "--no-fund", cwd=folder)
    into = [sys.executable, *PIP, "install", "--target", folder / "site"]
    pure = ["--platform", "any", "--implementation", "py", "--python-version", "3.14"]
    run(*into, *pure, "--only-binary", ":all:", "pytest", "hypothesis")
    run(*into, "--no-deps", wheel)
    yield "core", ["node", HERE / "pyodide.mjs", folder, ROOT, *QUIET, *CORE], {}


def run(*command, cwd: Path = ROOT) -> None:
    """Run a command that has to succeed."""
    subprocess.run(command, cwd=cwd, check=True)


def version(python: Path, package: str) -> str:
    """Return the version of a package in an environment."""
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
