"""Questions to answer before the picture does, and what a guess missed."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

from ..cost import Cost, Limiter, Scenario
from ..language import tr
from ..units import figures, si

_PREFIXES = {"": 1.0, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "k": 1e3, "K": 1e3, "M": 1e6,
             "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}  # fmt: skip
_CLOSE = 0.1  # a quantity is right within a tenth


@dataclass(frozen=True)
class Question:
    """One question about a scenario: a choice of words, a whole number, or a quantity with a unit.

    ``answer(scenario, options)`` is a word of ``choices``, or a number in ``unit``; None where the
    question makes no sense.
    """

    key: str
    text: str  # English: shown through ``tr``
    answer: Callable[[Scenario, Any], Any]
    choices: tuple[str, ...] = ()
    unit: str = ""  # SI, without a prefix; empty for a plain number


class Judgement(NamedTuple):
    """What became of a guess."""

    question: str
    guess: str
    answer: str
    right: bool
    factor: float | None  # guess over answer, of a number
    sentence: str


def judge(question: Question, guess: str, scenario: Scenario, options: Any) -> Judgement:
    """Return whether a guess is right, and by which factor it missed; ValueError if it is no answer."""
    answer = question.answer(scenario, options)
    if question.choices:
        return _chosen(question, guess, str(answer))
    value = quantity(guess, question.unit)
    factor = value / answer if answer else None
    right = abs(value - answer) <= (_CLOSE * abs(answer) if question.unit else 0)
    said, truth = _said(value, question.unit), _said(answer, question.unit)
    return Judgement(tr(question.text), said, truth, right, factor, _missed(said, truth, right, factor))


def _chosen(question: Question, guess: str, answer: str) -> Judgement:
    if guess not in question.choices:
        raise ValueError(tr("choose one of {choices}", choices=", ".join(map(tr, question.choices))))
    right = guess == answer
    text = "Right: {answer}." if right else "You said {guess}; it is {answer}."
    sentence = tr(text, guess=tr(guess), answer=tr(answer))
    return Judgement(tr(question.text), tr(guess), tr(answer), right, None, sentence)


def _missed(said: str, truth: str, right: bool, factor: float | None) -> str:
    if right:
        return tr("Right: {answer}; you said {guess}.", answer=truth, guess=said)
    if not factor:
        return tr("You said {guess}; it is {answer}.", guess=said, answer=truth)
    text = "You said {guess}; it is {answer}: {factor} times too much."
    if factor < 1:
        text = "You said {guess}; it is {answer}: {factor} times too little."
    return tr(text, guess=said, answer=truth, factor=figures(max(factor, 1 / factor)))


def _said(value: float, unit: str) -> str:
    return si(value, tr(unit)) if unit else f"{value:,.10g}"


def quantity(text: str, unit: str = "") -> float:
    """Return the number of a text such as ``20 µs``, ``0.02 ms`` or ``1,024``; ValueError for another."""
    said = tr(unit) if unit else ""
    plain = text.strip().replace(",", "").removesuffix(unit).removesuffix(said).strip()
    prefix = plain[-1:] if plain[-1:] in _PREFIXES and plain[-1:] else ""
    try:
        value = float(plain.removesuffix(prefix)) * _PREFIXES[prefix]
    except ValueError:
        value = float("nan")
    if not isfinite(value) or value < 0:
        example = f"20 µ{unit}" if unit == "s" else f"20 {said}".strip()
        raise ValueError(
            tr("{text} is no answer: say a number, such as {example}", text=repr(text), example=example)
        )
    return value


def _longest(scenario: Scenario) -> Cost | None:
    return max(scenario.costs, key=lambda c: c.time * c.count, default=None)


def _limiter(scenario: Scenario, _options: Any) -> str | None:
    cost = _longest(scenario)
    return str(cost.limiter) if cost else None


def _waves(scenario: Scenario, _options: Any) -> int | None:
    cost = _longest(scenario)
    return cost.tiling.waves if cost and cost.tiling else None


def _share(scenario: Scenario, _options: Any) -> float | None:
    cost = _longest(scenario)
    return 100 * cost.rate / cost.peak if cost and cost.flops else None


LIMITER = Question("limiter", "What limits the longest operation?", _limiter, tuple(map(str, Limiter)))
TIME = Question("time", "How long does it take?", lambda s, _: s.time or None, unit="s")
WAVES = Question("waves", "In how many waves does the longest product run?", _waves)
SHARE = Question("share", "Which share of the peak does the longest operation reach?", _share, unit="%")
FLOPS = Question(
    "flops", "How many floating-point operations is it?", lambda s, _: s.flops or None, unit="FLOP"
)
QUESTIONS = (LIMITER, TIME, WAVES, SHARE, FLOPS)
