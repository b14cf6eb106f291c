"""An exercise: its answer is computed, never typed in, and so are the wrong answers it recognises."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

Answer = float | str


class Mistake(NamedTuple):
    """A wrong answer that many give: what it is, given the right one, and a message that helps."""

    wrong: Callable[[float], Answer]
    message: str  # English: shown through ``tr``


@dataclass(frozen=True)
class Exercise:
    """One question with one answer: a quantity in ``unit``, a count, or a word of ``choices``.

    The question is asked in full by the lesson; ``question`` is what the table of grades says of it.
    """

    key: str
    question: str
    answer: Callable[[], Answer]
    hint: str
    unit: str = ""
    tolerance: float = 0.01  # of the answer; 0 where only the exact number counts
    mistakes: tuple[Mistake, ...] = ()
    choices: tuple[str, ...] = ()

    def texts(self) -> tuple[str, ...]:
        """Return what a translation must cover."""
        return (self.question, self.hint, *(m.message for m in self.mistakes), *self.choices)


@dataclass(frozen=True)
class Lesson:
    """One notebook: its question, the explorers it shows, and its exercises."""

    slug: str
    title: str
    minutes: int
    explorers: tuple[str, ...]
    exercises: tuple[Exercise, ...]


def times(factor: float, message: str) -> Mistake:
    """Return the mistake of an answer that is so many times the right one."""
    return Mistake(lambda right: factor * right, message)


def instead(wrong: Callable[[], Answer], message: str) -> Mistake:
    """Return the mistake of answering another question, whose answer is computed too."""
    return Mistake(lambda _: wrong(), message)


def word(chosen: str, message: str) -> Mistake:
    """Return the mistake of choosing another word."""
    return Mistake(lambda _: chosen, message)


HALF_FLOPS = times(
    0.5, "That is half of it: a multiply-add is two floating-point operations here, as on data sheets."
)
BITS = times(
    8, "That is eight times too much: those are bits. Formats are named in bits, memory counts bytes."
)
SHARE = times(0.01, "That is the share itself: the answer is asked in percent.")
SPARSE = times(
    2,
    "That is the rate with 2:4 sparsity, as data sheets like to print: half of it holds for dense numbers.",
)
MILLI = times(
    0.001, "The digits are right, the prefix is not: a thousandth is missing. Look at the unit asked for."
)
KILO = times(
    1000, "The digits are right, the prefix is not: it is a thousand times too much. Look at the unit."
)
GIB_FOR_GB = times(
    1e9 / 2**30, "Those are GiB, of 1024 x 1024 x 1024 bytes: asked for is GB, of a billion bytes."
)
GB_FOR_GIB = times(
    2**30 / 1e9, "Those are GB, of a billion bytes: asked for is GiB, of 1024 x 1024 x 1024 bytes."
)
MIB_FOR_MB = times(1e6 / 2**20, "Those are MiB, of 1024 x 1024 bytes: asked for is MB, of a million bytes.")
MB_FOR_MIB = times(2**20 / 1e6, "Those are MB, of a million bytes: asked for is MiB, of 1024 x 1024 bytes.")
