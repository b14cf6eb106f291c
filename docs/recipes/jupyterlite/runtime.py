"""Lay a Python for the browser into ``static/pyodide``: Pyodide from npm, and the wheels that are needed.

Pyodide's npm package has the interpreter alone, and a list of packages that it would fetch from a CDN. The
list written here names only wheels that lie beside it, with their hashes, so that no page asks anyone else.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from email.parser import Parser
from pathlib import Path

HERE = Path(__file__).parent
PYODIDE = HERE / "_build" / "node_modules" / "pyodide"
SITE = HERE / "_build" / "lite"  # what JupyterLite builds from
RUNTIME = SITE / "static" / "pyodide"
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
# The kernel brings these itself, made for a browser; those on PyPI of the same name need sockets or a server.
OWN = re.compile(r"(ipykernel-6|piplite-|pyodide_kernel-|widgetsnbextension-4)")
UNUSED = re.compile(r"(jupyterlab_widgets|widgetsnbextension|pexpect|ptyprocess)-")
CONFIG = "jupyter-lite.json"
SETTINGS = "@jupyterlite/pyodide-kernel-extension:kernel"


def main(wheel: Path) -> None:
    """Write the runtime, with ``wheel`` among its packages, and the site's configuration."""
    shutil.rmtree(RUNTIME, ignore_errors=True)
    RUNTIME.mkdir(parents=True)
    for name in FILES:
        shutil.copy(PYODIDE / name, RUNTIME)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text())
    wheels = [*_kernel_wheels(), *_downloaded(lock), wheel]
    lock["packages"] = {name: entry for name, entry in map(_entry, wheels)}
    (RUNTIME / "pyodide-lock.json").write_text(json.dumps(lock, indent=1))
    for each in wheels:
        shutil.copy(each, RUNTIME)
    _configure(sorted(lock["packages"]))


def _kernel_wheels() -> Iterator[Path]:
    """Return the wheels that the Pyodide kernel's labextension carries."""
    folder = Path(sys.prefix, "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi")
    return (path for path in folder.glob("*.whl") if OWN.match(path.name))


def _downloaded(lock: dict) -> list[Path]:
    """Return pure wheels from PyPI, those that Pyodide knows in the version that it was tested with."""
    folder = Path(tempfile.mkdtemp())
    python = ".".join(lock["info"]["python"].split(".")[:2])
    pins = folder / "pins.txt"
    pins.write_text(
        "".join(
            f"{name}=={package['version']}\n"
            for name, package in lock["packages"].items()
            if package["file_name"].endswith("-none-any.whl")
        )
    )
    subprocess.run(
        [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download",
         "--only-binary=:all:", f"--python-version={python}", "--platform=any", "--implementation=py",
         f"--constraint={pins}", f"--dest={folder}", f"--requirement={HERE / 'packages.txt'}"],
        check=True,
    )  # fmt: skip
    return [path for path in sorted(folder.glob("*.whl")) if not UNUSED.match(path.name)]


def _entry(wheel: Path) -> tuple[str, dict]:
    """Return a wheel's name and what Pyodide's list says of it."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = [name for name in names if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
        about = Parser().parsestr(archive.read(metadata).decode())
    name = re.sub(r"[-_.]+", "-", about["Name"]).lower()
    return name, {
        "name": name,
        "version": about["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(set(_modules(names))),
        "depends": [],
        "unvendored_tests": False,
    }


def _modules(names: Iterable[str]) -> Iterator[str]:
    """Return the modules that can be imported from a wheel with these files."""
    for name in names:
        top, _, rest = name.partition("/")
        if not rest and top.endswith(".py"):
            yield top.removesuffix(".py")
        elif rest == "__init__.py":
            yield top


def _configure(packages: list[str]) -> None:
    """Say in the site's configuration what every kernel loads when it starts."""
    config = json.loads((HERE / CONFIG).read_text())
    settings = config["jupyter-config-data"]["litePluginSettings"][SETTINGS]
    settings["loadPyodideOptions"]["packages"] = packages
    (SITE / CONFIG).write_text(json.dumps(config, indent=2) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
