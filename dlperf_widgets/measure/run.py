"""Several scenarios on the clock, in turns, in a way that can be watched and stopped."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from threading import Event
from time import perf_counter
from typing import Any, NamedTuple

from ..cost import Scenario
from ..ops import Phase
from .device import choose, describe
from .record import Measurement
from .session import Session
from .statistics import seconds_left
from .timer import stopwatch

ROUNDS = 3  # in which scenarios that are compared take turns, so that a change of clocks meets all of them
Progress = Callable[[int, int, float], object]  # steps done, steps in all, seconds left


class Row(NamedTuple):
    """What is timed: a whole scenario, or one layer and phase of it."""

    scenario: Scenario
    path: str = ""
    phase: Phase | None = None

    @property
    def asked(self) -> Scenario:
        """The question by itself."""
        if self.phase is None:
            return self.scenario
        leaf = next(leaf for path, leaf, _ in self.scenario.layer.leaves() if path == self.path)
        return replace(self.scenario, layer=leaf, phases=(self.phase,))


def rows(scenario: Scenario) -> tuple[Row, ...]:
    """Return each layer and phase of a scenario once, in the order of its costs."""
    return tuple(dict.fromkeys(Row(scenario, cost.path, cost.phase) for cost in scenario.costs))


def run(
    wanted: Iterable[Row],
    device: Any,
    seconds: float,
    warm: bool,
    progress: Progress | None,
    cancel: Event | None,
) -> tuple[Measurement, ...]:
    """Time all rows in turns, and return those that were reached before ``cancel`` was set."""
    if not seconds > 0:
        raise ValueError(f"seconds must be positive, not {seconds!r}")
    chosen = choose(device)
    asked = [(row, row.asked) for row in wanted]
    watch = stopwatch(chosen)
    sessions = {question: Session(question, chosen, watch, warm) for _, question in asked}
    _turns(list(sessions.values()), seconds, progress, cancel or Event())
    about, now = describe(chosen), datetime.now(UTC).isoformat(timespec="seconds")
    return tuple(
        Measurement(
            about, row.scenario, session.outcome, now, row.path, row.phase, warm,
            session.summary, session.protocol, session.reason,
        )
        for row, question in asked
        if (session := sessions[question]).outcome
    )  # fmt: skip


def _turns(sessions: list[Session], seconds: float, progress: Progress | None, cancel: Event) -> None:
    rounds = ROUNDS if len(sessions) > 1 else 1
    began, total = perf_counter(), rounds * len(sessions)

    def tell(done: int) -> None:
        if progress:
            progress(done, total, seconds_left(done, total, perf_counter() - began, seconds / rounds))

    tell(0)
    for turn in range(total):
        if cancel.is_set():
            return
        there, place = divmod(turn, len(sessions))
        # there and back, so that no scenario is always the first after a pause
        session = sessions[-1 - place if there % 2 else place]
        if not session.reason:
            session.take(seconds / rounds, cancel.is_set)
        tell(turn + 1)
