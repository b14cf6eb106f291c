"""Predict first: pictures and numbers are covered until the learner has committed a guess."""

from typing import Any, Protocol

from ..advice import Judgement, Question, judge
from ..cost import Scenario
from ..widgets.quiz import Answers, Quiz


class _Asked(Protocol):
    """What a prediction needs of an explorer."""

    scenario: Scenario
    options: Any
    message: str

    def questions(self) -> tuple[Question, ...]: ...
    def cover(self, covered: bool) -> None: ...


class Prediction:
    """Asks an explorer's questions in turn, one for each new scenario, and keeps the answers."""

    def __init__(self, explorer: _Asked, *answers: Judgement) -> None:
        self.explorer = explorer
        self.answers = Answers(answers)
        self.quiz = Quiz(self._guess, self._next)
        self.quiz.layout.display = "none"
        self.keys: tuple[str, ...] = ()  # of the questions to ask; empty: this mode is off
        self._turn = 0
        self._asked: tuple[Scenario, Any] | None = None

    def start(self, keys: tuple[str, ...]) -> None:
        """Ask these questions; all of the explorer's where none are named."""
        known = tuple(question.key for question in self.explorer.questions())
        for key in keys:
            if key not in known:
                raise ValueError(f"there is no question {key!r}: choose from {', '.join(known)}")
        self.keys, self._turn, self._asked = keys or known, 0, None
        self.quiz.layout.display = ""
        self.follow()

    def stop(self) -> None:
        """Ask no more, and show everything. The answers stay."""
        self.keys = ()
        self.quiz.layout.display = "none"
        self.explorer.cover(False)

    def follow(self) -> None:
        """Cover the answers of a scenario that was not asked about yet."""
        asked = (self.explorer.scenario, self.explorer.options)
        if not self.keys or asked == self._asked:
            return
        question = self._question()
        if question is None:  # none of them makes sense here
            self.explorer.cover(False)
            return
        self._asked = asked
        self.explorer.cover(True)
        self.quiz.ask(question)

    def _question(self) -> Question | None:
        """Return the question whose turn it is: the next that has an answer here."""
        by_key = {question.key: question for question in self.explorer.questions()}
        for step in range(len(self.keys)):
            question = by_key[self.keys[(self._turn + step) % len(self.keys)]]
            if question.answer(self.explorer.scenario, self.explorer.options) is not None:
                self._turn += step
                return question
        return None

    def _guess(self, text: str) -> None:
        question = self._question()
        if question is None or self.quiz.result:
            return
        try:
            judgement = judge(question, text, self.explorer.scenario, self.explorer.options)
        except ValueError as error:
            self.explorer.message = str(error)
            return
        self.explorer.message = ""
        self.answers.append(judgement)
        self.quiz.tell(judgement)
        self.explorer.cover(False)
        self._turn += 1

    def _next(self) -> None:
        """Ask the next question about the same scenario."""
        self._asked = None
        self.follow()
