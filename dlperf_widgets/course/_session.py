"""The session of one learner: answers are checked here, and tries counted."""

from pathlib import Path
from typing import Any

from .._files import write
from .._given import text
from ..language import tr
from . import capstone
from ._exercise import Exercise, Lesson
from ._grades import Grades, read
from ._judge import Result, Verdict, judge, shown
from ._lessons import LESSONS

PATIENCE = 3  # tries after which the answer may be asked for


class _Session:
    """What was tried since the kernel started."""

    tries: dict[str, int] = {}  # noqa: RUF012 (one session a kernel)
    right: set[str] = set()  # noqa: RUF012


def exercise(key: str) -> Exercise:
    """Return an exercise by its key; ValueError names those that are like it."""
    key = text("key", key)
    known = {each.key: each for lesson in LESSONS for each in lesson.exercises}
    if key not in known:
        from difflib import get_close_matches

        close = get_close_matches(key, known, cutoff=0.4) or sorted(known)[:3]
        raise ValueError(f"there is no exercise {key!r}: did you mean {', '.join(close)}?")
    return known[key]


def check(key: str, answer: Any = ...) -> Result:
    """Return whether an answer is right, and if not what may help; the try counts in the grades."""
    key = text("key", key)
    result = capstone.judged(answer) if key == capstone.KEY else judge(exercise(key), answer)
    if result.verdict is Verdict.NO_ANSWER:
        return result
    _Session.tries[key] = _Session.tries.get(key, 0) + (key not in _Session.right)
    if result.right:
        _Session.right.add(key)
    elif _Session.tries[key] >= PATIENCE and key != capstone.KEY:
        more = tr("After {tries} tries you may look: course.reveal({key}).", tries=PATIENCE, key=repr(key))
        return result._replace(message=f"{result.message} {more}")
    return result


def reveal(key: str) -> str:
    """Return the answer, after some tries; ValueError before."""
    asked = exercise(key)  # the budget of the capstone is none: there is no one answer to it
    if key not in _Session.right and _Session.tries.get(key, 0) < PATIENCE:
        raise ValueError(f"try {PATIENCE} times first: course.check({key!r}, your answer)")
    return shown(asked)


def grades() -> Grades:
    """Return a row for every exercise of the course, tried or not."""
    pairs = [(lesson, key) for lesson in LESSONS for key in _keys(lesson)]
    return Grades(
        [
            {
                "lesson": lesson.slug, "exercise": key, "tries": _Session.tries.get(key, 0),
                "right": key in _Session.right,
            }
            for lesson, key in pairs
        ]
    )  # fmt: skip


def _keys(lesson: Lesson) -> tuple[str, ...]:
    own = tuple(each.key for each in lesson.exercises)
    return (*own, capstone.KEY) if lesson.slug == capstone.LESSON else own


def save(path: str | Path, name: str = "") -> Path:
    """Write the grades to a JSON file, with the learner's name, and return its path."""
    return write(path, grades().to_json(name) + "\n")


def load(path: str | Path) -> Grades:
    """Go on from a file that ``save`` wrote; exercises that are no more are left out."""
    known = {key for lesson in LESSONS for key in _keys(lesson)}
    rows = [row for row in read(Path(path).read_text(encoding="utf-8")) if row[0] in known]
    reset()
    _Session.tries.update({key: tries for key, tries, _ in rows if tries})
    _Session.right.update(key for key, _, right in rows if right)
    return grades()


def reset() -> None:
    """Forget every try."""
    _Session.tries.clear()
    _Session.right.clear()
