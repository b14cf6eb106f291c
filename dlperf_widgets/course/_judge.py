"""What becomes of an answer: right, close, a mistake that is known, or wrong with a hint."""

from enum import StrEnum
from html import escape
from math import isfinite
from typing import Any, NamedTuple

from ..advice.questions import quantity
from ..language import tr
from ._exercise import Answer, Exercise

NEAR = 0.2  # a near miss is within a fifth


class Verdict(StrEnum):
    """How an answer compares with the right one."""

    RIGHT = "right"
    NEAR = "close"
    MISTAKE = "a known mistake"
    WRONG = "not yet"
    NO_ANSWER = "no answer"


_SIGNS = {
    Verdict.RIGHT: "✓",
    Verdict.NEAR: "≈",
    Verdict.MISTAKE: "✗",
    Verdict.WRONG: "✗",
    Verdict.NO_ANSWER: "…",
}


class Result(NamedTuple):
    """A judgement that a cell shows."""

    key: str
    verdict: Verdict
    message: str

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.verdict is Verdict.RIGHT

    def __str__(self) -> str:
        return f"{_SIGNS[self.verdict]} {self.message}"

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        colour = {Verdict.RIGHT: "success", Verdict.NO_ANSWER: "info", Verdict.NEAR: "warn"}.get(
            self.verdict, "error"
        )
        return (
            f"<div class='dlp-answer' role='status' style='border-left: 4px solid "
            f"var(--jp-{colour}-color1, currentColor); padding: 0.3em 0.8em'>"
            f"<b>{_SIGNS[self.verdict]} {escape(tr(self.verdict.value).capitalize())}.</b> "
            f"{escape(self.message)}</div>"
        )


def judge(exercise: Exercise, given: Any) -> Result:
    """Return what a given answer is: never the right one in words."""
    verdict, message = _judged(exercise, given)
    return Result(exercise.key, verdict, message)


def _judged(exercise: Exercise, given: Any) -> tuple[Verdict, str]:
    if given is ... or given is None or (isinstance(given, str) and not given.strip()):
        return Verdict.NO_ANSWER, tr("Put your answer in place of the dots: {kind}.", kind=_kind(exercise))
    if exercise.choices:
        return _word(exercise, given)
    try:
        value = _number(exercise, given)
    except ValueError:
        text = tr("{given} is no answer: give {kind}.", given=repr(given), kind=_kind(exercise))
        return Verdict.NO_ANSWER, text
    return _value(exercise, value)


def _number(exercise: Exercise, given: Any) -> float:
    if isinstance(given, str):
        return quantity(given, exercise.unit)
    if isinstance(given, bool):
        raise ValueError
    try:
        value = float(given)
    except (TypeError, OverflowError):
        raise ValueError from None
    if not isfinite(value):
        raise ValueError
    return value


def _word(exercise: Exercise, given: Any) -> tuple[Verdict, str]:
    known = {name: each for each in exercise.choices for name in (each.lower(), tr(each).lower())}
    said = known.get(str(given).strip().lower())
    if said is None:
        text = tr("{given} is no answer: give {kind}.", given=repr(given), kind=_kind(exercise))
        return Verdict.NO_ANSWER, text
    answer = exercise.answer()
    if said == answer:
        return Verdict.RIGHT, _right(exercise)
    for mistake in exercise.mistakes:
        if mistake.wrong(0.0) == said:
            return Verdict.MISTAKE, tr(mistake.message)
    return Verdict.WRONG, tr(exercise.hint)


def _value(exercise: Exercise, value: float) -> tuple[Verdict, str]:
    answer = exercise.answer()
    assert not isinstance(answer, str), exercise.key
    if _close(value, answer, exercise.tolerance):
        return Verdict.RIGHT, _right(exercise)
    for mistake in exercise.mistakes:
        if _close(value, mistake.wrong(answer), exercise.tolerance):
            return Verdict.MISTAKE, tr(mistake.message)
    if _close(value, answer, NEAR):
        return Verdict.NEAR, tr(
            "Within 20%: check your rounding, and carry one more digit."
            if exercise.tolerance
            else "Within 20%, but this is a count: only the exact number will do."
        )
    way = tr("too much") if value > answer else tr("too little")
    return Verdict.WRONG, f"{tr('That is {way}.', way=way)} {tr(exercise.hint)}"


def _right(exercise: Exercise) -> str:
    return tr("The answer is {answer}.", answer=shown(exercise))


def shown(exercise: Exercise) -> str:
    """Return the answer with its unit, for those who found it or gave up."""
    answer = exercise.answer()
    return tr(answer) if isinstance(answer, str) else f"{answer:,.6g} {exercise.unit}".strip()


def _close(value: float, to: Answer, tolerance: float) -> bool:
    assert not isinstance(to, str)
    return abs(value - to) <= max(tolerance, 1e-9) * abs(to)


def _kind(exercise: Exercise) -> str:
    if exercise.choices:
        return tr("one of {choices}", choices=", ".join(repr(tr(each)) for each in exercise.choices))
    if not exercise.tolerance:
        return tr("a whole number")
    share = f"{exercise.tolerance:.0%}"
    if not exercise.unit:
        return tr("a number, to within {share}", share=share)
    return tr("a number in {unit}, to within {share}", unit=exercise.unit, share=share)
