"""The checklist: what every rule that applies has to say of a scenario."""

from .._given import thing
from ..cost import Scenario
from ._case import Case
from ._rule import Finding, Note, Rule


def advise(scenario: Scenario) -> tuple[Finding, ...]:
    """Return a finding for every rule that applies: failing ones by cost, then passing ones in order.

    A finding says what it costs in seconds and as a share of the scenario's time, and where there is one, the
    scenario without it. The rules are those of published guides: ``RULES`` has them with their sources.
    """
    scenario = thing("scenario", Scenario, scenario)
    from . import RULES

    case = Case(scenario)
    found = [_finding(case, rule, note) for rule in RULES if (note := rule.check(case))]
    return tuple(sorted(found, key=lambda each: (each.passed, -each.cost)))


def _finding(case: Case, rule: Rule, note: Note) -> Finding:
    share = note.cost / case.time if note.cost else 0.0
    return Finding(
        rule, case.scenario, note.path, note.passed, note.sentence, note.cost, share, note.change,
        note.change_words,
    )  # fmt: skip
