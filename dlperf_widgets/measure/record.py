"""What a measurement says, and the same as JSON."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from .._given import choice, flag, shown
from .._given import text as given_text
from .._json import read
from ..cost import Scenario
from ..cost.text import from_data
from ..ops import Phase
from .checked import made
from .device import Device
from .need import need, predicted_saved, trains
from .protocol import Protocol
from .statistics import Summary

VERSION = 1
_BYTES = ("allocated", "reserved", "saved")


class _Bytes(NamedTuple):
    allocated: int | None
    reserved: int | None
    saved: int | None


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


@dataclass(frozen=True)
class MemoryUse:
    """The bytes that a scenario takes on a device; None is what the device cannot tell."""

    device: Device
    scenario: Scenario
    outcome: Outcome
    date: str  # ISO 8601, UTC
    allocated: int | None = None  # most at once, by tensors: of a GPU
    reserved: int | None = None  # most at once, by torch's allocator: of a GPU
    saved: int | None = None  # by autograd for backward, without parameters
    reason: str = ""  # why there are none

    @property
    def predicted(self) -> float:
        """The footprint without an optimizer's state, to be compared with what is allocated."""
        return need(self.scenario)

    @property
    def predicted_saved(self) -> float | None:
        """What backward is predicted to keep, to be compared with what is saved."""
        return predicted_saved(self.scenario) if trains(self.scenario) else None

    @property
    def key(self) -> tuple[Any, ...]:
        """What was asked, of which device: two measurements of one key repeat each other."""
        return (self.device, self.scenario)


def to_json(measurement: Measurement | MemoryUse) -> str:
    """Return a measurement, of time or of memory, as one line of JSON."""
    m = measurement
    data: dict[str, Any] = {
        "version": VERSION,
        "date": m.date,
        "device": asdict(m.device),
        "scenario": json.loads(m.scenario.to_json()),
        "outcome": str(m.outcome),
        "reason": m.reason,
    }
    if isinstance(m, MemoryUse):
        data["memory"] = {name: getattr(m, name) for name in _BYTES}
    else:
        data |= {
            "path": m.path,
            "phase": m.phase and str(m.phase),
            "warm": m.warm,
            "summary": m.summary and m.summary._asdict(),
            "protocol": m.protocol and asdict(m.protocol),
        }
    return json.dumps(data)


def from_json(text: str) -> Measurement | MemoryUse:
    """Return the measurement of a line; ValueError says what is wrong with other text."""
    data = read("a measurement", text)
    if not isinstance(data, Mapping) or data.get("version") != VERSION:
        version = data.get("version") if isinstance(data, Mapping) else None
        raise ValueError(f"not a measurement of version {VERSION}: its version is {shown(version)}")
    try:
        return _read(data)
    except (KeyError, TypeError) as error:
        raise ValueError(f"a measurement cannot be read: {error}") from None


def _read(data: Mapping[str, Any]) -> Measurement | MemoryUse:
    for name in ("date", "reason"):
        given_text(f"a measurement's {name}", data[name])
    outcome = Outcome(choice("a measurement's outcome", data["outcome"], Outcome))
    common = made(Device, data["device"]), from_data(data["scenario"]), outcome, data["date"]
    if "memory" in data:
        return MemoryUse(*common, *made(_Bytes, data["memory"]), data["reason"])
    phase = data["phase"] and Phase(choice("a measurement's phase", data["phase"], Phase))
    known = {path for path, _, _ in common[1].layer.leaves()} if phase else {""}
    if data["path"] not in known:
        raise ValueError(f"a measurement's path is of no layer of its scenario: {shown(data['path'])}")
    return Measurement(
        *common,
        data["path"],
        phase or None,
        flag("a measurement's warm", data["warm"]),
        _summary(data["summary"]) if data["summary"] else None,
        made(Protocol, data["protocol"]) if data["protocol"] else None,
        data["reason"],
    )


def _summary(data: object) -> Summary:
    found = made(Summary, data)
    if not 0 < found.lower <= found.median <= found.upper:
        raise ValueError(f"a measurement's quartiles and median do not follow each other: {found}")
    return found
