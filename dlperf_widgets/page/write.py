"""Writes pages: each alone in a file, or beside one folder with what all of them share."""

import json
import os
from base64 import b64encode
from collections.abc import Mapping
from functools import lru_cache
from gzip import compress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from .. import _files
from . import runtime, sources
from .document import Script, document
from .saved import SavedPage

FOLDER = "dlperf-live"  # beside the pages
_STATIC = Path(__file__).parent / "static"


class Contents(NamedTuple):
    """What a page shows, and what Python is asked to open in it."""

    title: str
    language: str
    still: str  # HTML: what is seen until Python has started, or where it cannot
    words: Mapping[str, str]  # what the page says of itself
    module: str  # with ``start(post, request)`` and ``hear(message, buffers)``
    request: Mapping[str, Any]


def write_page(
    contents: Contents,
    path: Path,
    *,
    single_file: bool = False,
    pyodide: str | os.PathLike[str] | None = None,
) -> SavedPage:
    """Write a page to ``path``; see ``Explorer.save_html``."""
    shared = _scripts(runtime.files(pyodide))
    page, style = _built("page.js"), _built("page.css")
    if single_file:
        scripts = (*(Script(text=text) for text in shared.values()), Script(text=page))
        wanted: list[str] = []
        styled = f"<style>{style}</style>"
    else:
        folder = path.parent / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        wanted = [_put(folder, f"{name}.js", text) for name, text in shared.items()]
        scripts = (Script(src=_put(folder, "page.js", page)),)
        styled = f'<link rel="stylesheet" href="{_put(folder, "page.css", style)}">'
    path.parent.mkdir(parents=True, exist_ok=True)
    html = document(
        title=contents.title,
        language=contents.language,
        still=contents.still,
        words=contents.words,
        head=_built("head.js"),
        style=styled,
        scripts=scripts,
        config={"module": contents.module, "request": dict(contents.request), "scripts": wanted},
    )
    _files.write(path, html)
    return SavedPage(path, contents.title)


def _scripts(pyodide: Mapping[str, bytes]) -> dict[str, str]:
    """Return what all pages share: scripts, as from a disk a page may load nothing else."""
    zipped = {name: _zipped(content) for name, content in pyodide.items()}
    front_end = (sources.home("anywidget") / "nbextension" / "index.js").read_text(encoding="utf-8")
    return {
        "pyodide": _leave("pyodide", json.dumps(zipped)),
        "python": _leave("sources", json.dumps(_base64(sources.archive())))
        + _leave("worker", json.dumps(_built("worker.js")))
        + _leave("anywidget", f"function(define){{{front_end}\n}}"),
    }


@lru_cache(maxsize=len(runtime.NAMES))
def _zipped(content: bytes) -> str:
    return _base64(compress(content, 9, mtime=0))


def _leave(name: str, value: str) -> str:
    """Return a script that leaves a value where the page finds it."""
    return f"(globalThis.dlperfAssets??={{}}).{name}={value};\n"


def _put(folder: Path, name: str, text: str) -> str:
    """Write a file under a name of its own, and return its address from beside the folder.

    Pages of another version keep the files that they were written with.
    """
    content = text.encode()
    stem, suffix = name.rsplit(".", 1)
    path = folder / f"{stem}-{sha256(content).hexdigest()[:12]}.{suffix}"
    if not path.exists():
        whole = path.with_name(f"{path.name}.{os.getpid()}")
        whole.write_bytes(content)
        whole.replace(path)
    return f"{folder.name}/{path.name}"


def _built(name: str) -> str:
    path = _STATIC / name
    if not path.exists():
        raise ValueError(f"{path} is missing: build the front end, with `npm run build:prod` in js/")
    return path.read_text(encoding="utf-8")


def _base64(content: bytes) -> str:
    return b64encode(content).decode("ascii")
