"""What a measurement says, and the same as JSON."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from ..cost import Scenario
from ..ops import Phase
from .device import Device
from .protocol import Protocol
from .statistics import Summary

VERSION = 1


class Outcome(StrEnum):
    """How an attempt to measure ended."""

    MEASURED = "measured"
    SKIPPED = "skipped"  # torch or the device lacks something, which the reason names
    NO_MEMORY = "out of memory"
    FAILED = "failed"  # with an error that nobody foresaw; it may be tried again


@dataclass(frozen=True)
class Measurement:
    """A scenario, or one row of it, timed on a device; or the reason why there is no time."""

    device: Device
    scenario: Scenario
    outcome: Outcome
    date: str  # ISO 8601, UTC
    path: str = ""  # of the layer, of a row
    phase: Phase | None = None  # of a row; None: the whole scenario
    warm: bool = False  # whether it was asked to leave the caches alone
    summary: Summary | None = None  # seconds of one run
    protocol: Protocol | None = None
    reason: str = ""  # why there is no summary

    @property
    def seconds(self) -> float:
        """The median time; ValueError says why there is none."""
        if self.summary is None:
            raise ValueError(f"{self.title} has no time: {self.reason}")
        return self.summary.median

    @property
    def title(self) -> str:
        """The layer, the row, the format and the device."""
        row = [self.path, str(self.phase)] if self.phase else list(map(str, self.scenario.phases))
        what = " ".join(part for part in row if part)
        return f"{self.scenario.layer.title} {what} {self.scenario.format} on {self.device}"

    @property
    def asked(self) -> Scenario:
        """The question that was timed: the scenario, or the one layer and phase of a row."""
        if self.phase is None:
            return self.scenario
        leaves = {path: leaf for path, leaf, _ in self.scenario.layer.leaves()}
        return replace(self.scenario, layer=leaves[self.path], phases=(self.phase,))

    @property
    def key(self) -> tuple[Any, ...]:
        """What was asked, of which device, how: two measurements of one key repeat each other."""
        return (self.device, self.scenario, self.path, self.phase, self.warm)


def to_json(measurement: Measurement) -> str:
    """Return a measurement as one line of JSON."""
    m = measurement
    data = {
        "version": VERSION,
        "date": m.date,
        "device": asdict(m.device),
        "scenario": json.loads(m.scenario.to_json()),
        "path": m.path,
        "phase": m.phase and str(m.phase),
        "warm": m.warm,
        "outcome": str(m.outcome),
        "reason": m.reason,
        "summary": m.summary and m.summary._asdict(),
        "protocol": m.protocol and asdict(m.protocol),
    }
    return json.dumps(data)


def from_json(text: str) -> Measurement:
    """Return the measurement of a line; ValueError says what is wrong with other text."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise ValueError(f"not a measurement: {error}") from None
    if not isinstance(data, Mapping) or data.get("version") != VERSION:
        version = data.get("version") if isinstance(data, Mapping) else None
        raise ValueError(f"not a measurement of version {VERSION}: its version is {version!r}")
    try:
        return Measurement(
            Device(**data["device"]),
            Scenario.from_json(json.dumps(data["scenario"])),
            Outcome(data["outcome"]),
            data["date"],
            data["path"],
            Phase(data["phase"]) if data["phase"] else None,
            data["warm"],
            Summary(**data["summary"]) if data["summary"] else None,
            Protocol(**data["protocol"]) if data["protocol"] else None,
            data["reason"],
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"a measurement cannot be read: {error}") from None
