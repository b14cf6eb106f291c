"""The Python that a page runs: this library and the pure-Python packages it stands on, as one archive."""

from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PACKAGES = ("anywidget", "comm", "ipywidgets", "psygnal", "traitlets", "typing_extensions", "dlperf_widgets")
_DESCRIBED = ("anywidget", "dlperf_widgets")  # ask for their own version
_KINDS = {".py", ".css", ".js", ".mo"}
_LEFT_OUT = {"__pycache__", "labextension", "lessons", "nbextension", "tests"}
_BUILT = Path("dlperf_widgets/page/static")  # is in the page already


@lru_cache(maxsize=1)
def archive() -> bytes:
    """Return the sources as a zip file; the same sources give the same bytes."""
    content = BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as packed:
        for name, path in _files():
            _write(packed, name, path.read_bytes())
        for package in _DESCRIBED:
            described = f"Metadata-Version: 2.1\nName: {package}\nVersion: {version(package)}\n"
            _write(packed, f"{package}-{version(package)}.dist-info/METADATA", described.encode())
    return content.getvalue()


def home(package: str) -> Path:
    """Return a package's folder, or its file where it is a single module."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ValueError(f"a live page needs the package {package}, which is not installed")
    origin = Path(spec.origin)
    return origin.parent if origin.name == "__init__.py" else origin


def _files() -> Iterator[tuple[str, Path]]:
    """Yield the name in the archive and the path of every file."""
    for package in PACKAGES:
        root = home(package)
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            name = path.relative_to(root.parent)
            if path.suffix in _KINDS and not _LEFT_OUT & set(name.parts) and _BUILT not in name.parents:
                yield name.as_posix(), path


def _write(packed: ZipFile, name: str, content: bytes) -> None:
    entry = ZipInfo(name)  # of 1980: a date would make every archive another
    entry.compress_type = ZIP_DEFLATED
    packed.writestr(entry, content)
