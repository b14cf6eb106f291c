"""Files that are written whole or not at all: whatever goes wrong, what was there before stays."""

import os
from pathlib import Path
from tempfile import NamedTemporaryFile


def write(path: str | Path, content: str | bytes) -> Path:
    """Write a file beside its place, then put it there; ValueError says what kept it from being written."""
    target = Path(path)
    data = content.encode() if isinstance(content, str) else content
    beside = None
    try:
        with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            beside = file.name
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, _mode(target))
        os.replace(beside, target)
    except OSError as error:
        if beside and os.path.exists(beside):
            os.unlink(beside)
        kept = "; the file there is as it was" if target.exists() else ""
        raise ValueError(f"{target} could not be written: {error.strerror}{kept}") from None
    return target


def _mode(target: Path) -> int:
    """Return the rights of the file that is replaced, or those that a new one gets."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
