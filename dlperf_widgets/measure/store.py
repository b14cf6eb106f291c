"""Measurements in a file, one a line, that several processes may add to and that can be passed on."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

from .record import Measurement, MemoryUse, from_json, to_json

_Any = TypeVar("_Any", Measurement, MemoryUse)


class Loaded(NamedTuple):
    """The measurements of a file, and a sentence for each line that is none."""

    measurements: tuple[Measurement, ...]  # of time
    problems: tuple[str, ...]
    memory: tuple[MemoryUse, ...] = ()


def append(path: str | Path, measurements: Iterable[Measurement | MemoryUse]) -> None:
    """Add measurements, of time or of memory, to a file.

    It is one write at the end of the file: another process may do the same at once.
    """
    text = "".join(f"{to_json(each)}\n" for each in measurements).encode()
    if not text:
        return
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        with _locked(file):
            text = (b"\n" if _is_torn(file) else b"") + text
            if (written := os.write(file, text)) != len(text):
                raise OSError(f"{path}: only {written:,} of {len(text):,} bytes could be written")
    finally:
        os.close(file)


def load(path: str | Path) -> Loaded:
    """Return the measurements of a file. A line cut short is named among the problems."""
    found, problems = list[Measurement | MemoryUse](), list[str]()
    for number, line in enumerate(Path(path).read_bytes().split(b"\n"), 1):
        if line.strip():
            try:
                found.append(from_json(line.decode()))
            except ValueError as error:  # UnicodeDecodeError is one
                problems.append(f"{path}, line {number}: {error}")
    times = tuple(each for each in found if isinstance(each, Measurement))
    memory = tuple(each for each in found if isinstance(each, MemoryUse))
    return Loaded(times, tuple(problems), memory)


def merge(*several: Iterable[_Any]) -> tuple[_Any, ...]:
    """Return all measurements in the order of their dates, each once."""
    every = dict.fromkeys(each for measurements in several for each in measurements)
    return tuple(sorted(every, key=lambda each: each.date))


def _is_torn(file: int) -> bool:
    """Return whether the last line lacks its end, as when a process was stopped while it wrote."""
    size = os.lseek(file, 0, os.SEEK_END)
    if not size:
        return False
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) != b"\n"


@contextmanager
def _locked(file: int) -> Iterator[None]:
    """Keep other processes from writing between a look at the end and the write, where the system can."""
    try:
        import fcntl
    except ImportError:  # Windows: a write at the end of a file is still one
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
