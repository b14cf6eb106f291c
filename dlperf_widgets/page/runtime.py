"""Pyodide, CPython for WebAssembly: fetched once from the npm registry, checked, and kept."""

import os
import tarfile
import urllib.request
from base64 import b64decode
from hashlib import sha512
from io import BytesIO
from pathlib import Path

from platformdirs import user_cache_path

VERSION = "314.0.6"
# SHA-512, as the registry gives it
INTEGRITY = "BKDTJyIqFxC4BExLqeRS3f5xvXZIjOt8C3zGLN/Cc7tFxSwvKVhVkchQQ2AGLOtR4YrVOIFxbV8poyDOOmWwxQ=="
NAMES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")

_REGISTRY = "https://registry.npmjs.org"
_ARCHIVE = f"pyodide-{VERSION}.tgz"
_TIMEOUT = 60  # seconds without a byte


def files(place: str | os.PathLike[str] | None = None) -> dict[str, bytes]:
    """Return the files of Pyodide that a page needs, by name.

    Parameters
    ----------
    place : path, optional
        A folder with Pyodide's files, or the archive that ``npm pack pyodide`` writes. Without one they come
        from the cache, and at first from the npm registry.

    Raises
    ------
    ValueError
        The place lacks a file, or an archive is not the one that was published.
    OSError
        They are not at hand and cannot be fetched.
    """
    if place is None:
        return _unpacked(_archive())
    path = Path(place)
    if not path.is_dir():
        return _unpacked(_checked(path.read_bytes(), path))
    if missing := [name for name in NAMES if not (path / name).is_file()]:
        raise ValueError(f"{path} is no folder of Pyodide's: it has no {', '.join(missing)}")
    return {name: (path / name).read_bytes() for name in NAMES}


def cache() -> Path:
    """Return the folder where Pyodide is kept: DLPERF_CACHE, or the user's cache folder."""
    own = os.environ.get("DLPERF_CACHE")
    return Path(own) if own else user_cache_path("dlperf_widgets", appauthor=False)


def address() -> str:
    """Return where Pyodide is fetched from: the registry that npm would ask, if its variable names one."""
    variables = ("npm_config_registry", "NPM_CONFIG_REGISTRY")
    registry = next((found for name in variables if (found := os.environ.get(name))), _REGISTRY)
    return f"{registry.rstrip('/')}/pyodide/-/{_ARCHIVE}"


def _archive() -> bytes:
    kept = cache() / _ARCHIVE
    try:
        return _checked(kept.read_bytes(), kept)
    except (FileNotFoundError, ValueError):  # one that was cut short is fetched again
        archive = _checked(_fetched(kept), address())
    kept.parent.mkdir(parents=True, exist_ok=True)
    whole = kept.with_name(f"{kept.name}.{os.getpid()}")
    whole.write_bytes(archive)
    whole.replace(kept)  # nobody ever finds half of it
    return archive


def _fetched(kept: Path) -> bytes:
    try:
        with urllib.request.urlopen(address(), timeout=_TIMEOUT) as answer:
            content: bytes = answer.read()
    except OSError as error:
        raise OSError(
            f"a live page needs Pyodide {VERSION}, which is not in {kept.parent} and cannot be fetched from "
            f"{address()}: {error}. Where there is a network, run `npm pack pyodide@{VERSION}`, bring "
            f"{_ARCHIVE} here, and say pyodide='{_ARCHIVE}'"
        ) from error
    return content


def _checked(archive: bytes, origin: object) -> bytes:
    if sha512(archive).digest() != b64decode(INTEGRITY):
        raise ValueError(f"{origin} is not Pyodide {VERSION} as it was published: its SHA-512 differs")
    return archive


def _unpacked(archive: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=BytesIO(archive)) as members:
        return {name: member.read() for name in NAMES if (member := members.extractfile(f"package/{name}"))}
