"""The wheel works where nothing else is: JupyterLab finds the extension, Python the package, each once."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
VERSION = json.loads((ROOT / "js" / "package.json").read_text())["version"]
# Not the front end's packages: the built labextension is newer than its sources, so that npm need not run.
IGNORED = shutil.ignore_patterns(".*", "node_modules", "lib", "dist", "__pycache__")
INSTALLED = """
import pathlib, dlperf_widgets as dp, dlperf_widgets.nodelay
package = pathlib.Path(dp.__file__).parent
assert package.parent.name == "site-packages", package
assert not (package / "labextension").exists(), "the front end is in the package as well"
dp.LayerExplorer()
for built in ("chart.js", "tile_map.js"):
    assert (package / "views" / "static" / built).exists(), f"the wheel lacks a built widget: {built}"
assert (package / "page" / "static" / "page.js").exists(), "the wheel lacks what live pages load"
print(dp.__version__)
"""


def run(*command, cwd, path=None):
    """Return what a command says, colourless. It finds nothing of this environment but pip's settings."""
    hidden = ("JUPYTER", "PYTHON", "VIRTUAL_ENV")
    env = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    env |= {"NO_COLOR": "1"} | ({"PATH": str(path)} if path else {})
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Return the scripts folder of a new environment with the wheel, installed where no Node can be found.

    The wheel is the one in the folder DLPERF_DIST, or built from a copy of the sources.
    """
    folder = tmp_path_factory.mktemp("wheel")
    pip = ("-m", "pip", "--disable-pip-version-check", "--quiet")
    built = os.environ.get("DLPERF_DIST")
    if not built:
        shutil.copytree(ROOT, folder / "source", ignore=IGNORED)
        run(sys.executable, *pip, "wheel", "--no-deps", "--wheel-dir", ".", "./source", cwd=folder)
    (wheel,) = Path(built or folder).resolve().glob("dlperf_widgets-*.whl")
    run(sys.executable, "-m", "venv", "new", cwd=folder)
    scripts = folder / "new" / "bin"
    assert shutil.which("node", path=str(scripts)) is None
    run(scripts / "python", *pip, "install", "--no-compile", f"{wheel}[lab]", cwd=folder, path=scripts)
    return scripts


def test_jupyterlab_finds_the_extension(installed, tmp_path):
    listed = run(installed / "jupyter", "labextension", "list", cwd=tmp_path).splitlines()
    (line,) = [line for line in listed if "dlperf-widgets" in line]
    assert "enabled" in line and "OK" in line and "(python, dlperf_widgets)" in line


def test_python_finds_the_package(installed, tmp_path):
    assert run(installed / "python", "-c", INSTALLED, cwd=tmp_path).strip() == VERSION


def test_the_course_travels_with_it(installed, tmp_path):
    said = run(installed / "dlperf", "lessons", tmp_path / "course", cwd=tmp_path)
    assert said.count("wrote ") == 17 and "skipped" not in said
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        assert (tmp_path / "course" / path.name).read_bytes() == path.read_bytes()
    again = run(installed / "dlperf", "lessons", tmp_path / "course", cwd=tmp_path)
    assert again.count("it is there already") == 17
    assert "Grades(0 right" in run(
        installed / "python", "-c", "from dlperf_widgets import course; print(course.grades())", cwd=tmp_path
    )


def test_the_command_is_on_the_path(installed, tmp_path):
    assert "A100" in run(installed / "dlperf", "gpus", cwd=tmp_path)
