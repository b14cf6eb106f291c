"""What a rule is, what its check says, and the finding that comes of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ..cost import Scenario
from ..language import tr
from ._case import Case


class Source(NamedTuple):
    """A published page that gives a rule."""

    title: str
    address: str


class Note(NamedTuple):
    """What a check says of a case. Where it passes, nothing is lost."""

    passed: bool
    sentence: str
    path: str = ""  # of the layer where it bites most
    cost: float = 0.0  # seconds lost
    change: Scenario | None = None
    change_words: str = ""


@dataclass(frozen=True)
class Rule:
    """One line of a checklist. ``check`` returns None where the rule does not apply."""

    title: str  # English; shown as ``heading``
    source: Source
    check: Callable[[Case], Note | None]

    @property
    def heading(self) -> str:
        """The title in the chosen language."""
        return tr(self.title)


@dataclass(frozen=True)
class Finding:
    """What a rule found in a scenario, what that costs, and the scenario without it.

    ``change`` is None where the question has no field that would show it. Where the change does more
    work, such as a larger batch, ``cost`` is what as much work would take less.
    """

    rule: Rule
    scenario: Scenario
    path: str  # of the layer where it bites most; "" for the layer asked about, or for all of it
    passed: bool
    sentence: str
    cost: float  # seconds
    share: float  # of the scenario's time
    change: Scenario | None
    change_words: str

    def __str__(self) -> str:
        where = f" ({self.path})" if self.path else ""
        return f"{'✓' if self.passed else '✗'} {self.rule.heading}{where}: {self.sentence}"
