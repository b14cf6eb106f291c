"""Findings of the rules, with a button that applies what each proposes."""

from collections.abc import Callable, Sequence
from typing import Any

import anywidget
from traitlets import Dict, List, Unicode

from ..advice import Finding
from ..cost import Scenario
from ..language import tr
from ..units import si
from .script import script


class Checklist(anywidget.AnyWidget):
    """A list of findings: ``on_apply(scenario)`` gets what the button of one proposes."""

    _esm = script("checklist.js")

    items = List(Dict()).tag(sync=True)
    title = Unicode().tag(sync=True)
    summary = Unicode().tag(sync=True)

    def __init__(self, on_apply: Callable[[Scenario], None]) -> None:
        super().__init__(title=tr("Checklist") + tr(": "))
        self.findings: tuple[Finding, ...] = ()
        self._on_apply = on_apply
        self.on_msg(self._hear)

    def show(self, findings: Sequence[Finding]) -> None:
        """Show other findings."""
        self.findings = tuple(findings)
        failing = sum(not finding.passed for finding in self.findings)
        with self.hold_sync():
            self.items = [_item(finding) for finding in self.findings]
            self.summary = tr("{failing} of {all} to improve", failing=failing, all=len(self.findings))

    def apply(self, index: int) -> None:
        """Apply what a finding proposes, as its button does."""
        finding = self.findings[index]
        if finding.change is not None:
            self._on_apply(finding.change)

    def _hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
        index = content.get("applied") if isinstance(content, dict) else None
        if isinstance(index, int) and 0 <= index < len(self.findings):
            self.apply(index)


def _item(finding: Finding) -> dict[str, Any]:
    """Return what the page shows of a finding."""
    source = finding.rule.source
    cost = "" if finding.passed else f"{si(finding.cost, 's')}, {finding.share:.0%}"
    return {
        "passed": finding.passed,
        "title": tr(finding.rule.title),
        "sentence": finding.sentence,
        "cost": cost,
        "apply": finding.change_words if finding.change is not None and not finding.passed else "",
        "source": source.title,
        "address": source.address,
    }
