"""A question to answer before the picture shows, and the answers so far."""

import json
from collections.abc import Callable
from html import escape
from typing import Any

import anywidget
from traitlets import Bool, Dict, List, Unicode

from ..advice import Judgement, Question
from ..language import tr
from .script import script


class Answers(list[Judgement]):
    """What was guessed, and what was right: a table that stays in a notebook."""

    COLUMNS = ("Question", "Guess", "Answer", "Right", "Guess / answer")

    def _cells(self, each: Judgement) -> tuple[str, ...]:
        factor = "" if each.factor is None else f"{each.factor:.3g}"
        return (each.question, each.guess, each.answer, "✓" if each.right else "✗", factor)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(tr(column))}</th>" for column in self.COLUMNS)
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in self._cells(each))}</tr>" for each in self
        )
        right = sum(each.right for each in self)
        score = tr("{right} of {all} right", right=right, all=len(self))
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><p>{escape(score)}</p>"

    def to_json(self) -> str:
        """Return the answers as JSON text, an object each."""
        return json.dumps([each._asdict() for each in self])


class Quiz(anywidget.AnyWidget):
    """Shows a question; ``on_guess(text)`` hears a guess, ``on_next()`` that the next one is wanted."""

    _esm = script("quiz.js")

    question = Unicode().tag(sync=True)
    choices = List().tag(sync=True)  # value, words
    hint = Unicode().tag(sync=True)
    result = Unicode().tag(sync=True)  # what became of the guess; empty while one is awaited
    right = Bool(False).tag(sync=True)
    words = Dict().tag(sync=True)  # of buttons

    def __init__(self, on_guess: Callable[[str], None], on_next: Callable[[], None]) -> None:
        words = {"title": tr("Predict first"), "commit": tr("Commit"), "next": tr("Next question")}
        super().__init__(words=words)
        self._on_guess, self._on_next = on_guess, on_next
        self.on_msg(self._hear)

    def ask(self, question: Question) -> None:
        """Show a question, without an answer."""
        with self.hold_sync():
            self.question = tr(question.text)
            self.choices = [[choice, tr(choice)] for choice in question.choices]
            self.hint = (
                tr("a number in {unit}, such as 20 {unit}", unit=tr(question.unit)) if question.unit else ""
            )
            self.result = ""

    def tell(self, judgement: Judgement) -> None:
        """Show what became of a guess."""
        with self.hold_sync():
            self.right, self.result = judgement.right, judgement.sentence

    def guess(self, text: str) -> None:
        """Commit a guess, as the page does."""
        self._on_guess(text)

    def _hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if isinstance(content, dict) and "guess" in content:
            self.guess(str(content["guess"]))
        elif isinstance(content, dict) and "next" in content:
            self._on_next()
