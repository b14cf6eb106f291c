"""The course's notebooks: they travel in this package, and are copied to where a learner works.

In a checkout they lie in ``notebooks``; a wheel has them here, those of other languages in a folder each.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from .._files import write
from ..language import LANGUAGES

_HERE = Path(__file__).parent
_CHECKOUT = _HERE.parents[1] / "notebooks"
_FOLDERS = {"en": "", "zh_CN": "zh"}


class Copied(NamedTuple):
    """What became of the lessons: those written, and those left alone with the reason."""

    written: tuple[Path, ...]
    skipped: tuple[tuple[Path, str], ...]


def folder(language: str = "en") -> Path:
    """Return where the lessons of a language lie; ValueError if there are none."""
    if language not in _FOLDERS:
        raise ValueError(f"there is no {language!r}: choose from {', '.join(LANGUAGES)}")
    root = _HERE if any(_HERE.glob("*.ipynb")) else _CHECKOUT
    found = root / _FOLDERS[language]
    if not any(found.glob("*.ipynb")):
        raise ValueError(f"this installation has no lessons in {language!r}")
    return found


def files(language: str = "en") -> tuple[Path, ...]:
    """Return the lessons of a language in their order."""
    return tuple(sorted(folder(language).glob("*.ipynb")))


def copy(
    target: Path,
    language: str = "en",
    overwrite: Callable[[Path], bool] = lambda _: False,
) -> Copied:
    """Copy the lessons of a language into a folder, which is made if need be.

    Parameters
    ----------
    target
        The folder.
    language
        ``en`` or ``zh_CN``.
    overwrite
        Is asked about a file that is there with other contents: the learner's answers may be in it.
    """
    lessons = files(language)
    if target.exists() and not target.is_dir():
        raise ValueError(f"{target} is no folder")
    target.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    skipped: list[tuple[Path, str]] = []
    for lesson in lessons:
        copied, contents = target / lesson.name, lesson.read_bytes()
        if copied.is_dir():
            skipped.append((copied, "a folder of that name is there"))
        elif copied.exists() and copied.read_bytes() == contents:
            skipped.append((copied, "it is there already"))
        elif copied.exists() and not overwrite(copied):
            skipped.append((copied, "a changed file of that name is there"))
        else:
            write(copied, contents)
            written.append(copied)
    return Copied(tuple(written), tuple(skipped))
