"""An explorer's state: which one it is, its scenario and its options, as one JSON text with a version."""

import json
from dataclasses import asdict
from typing import NamedTuple

from .._given import cut, shown
from .._json import read
from ..charts import Described
from ..cost import Scenario
from ..cost.text import from_data

VERSION = 1
_KEYS = {"version", "explorer", "scenario", "options", "pinned"}


class State(NamedTuple):
    """What an explorer is asked."""

    scenario: Scenario
    options: Described
    pinned: Scenario | None = None  # kept to compare with


def write_state(explorer: str, state: State) -> str:
    """Return a state as JSON text."""
    data = {
        "version": VERSION,
        "explorer": explorer,
        "scenario": json.loads(state.scenario.to_json()),
        "options": asdict(state.options),
    }
    if state.pinned:
        data["pinned"] = json.loads(state.pinned.to_json())
    return json.dumps(data)


def read_state(explorer: str, options: type[Described], text: str) -> State:
    """Return what ``write_state`` wrote; ValueError says what is wrong with other text."""
    data = parsed(text)
    if data["explorer"] != explorer:
        raise ValueError(f"a state of the {shown(data['explorer'])} explorer, not of {explorer!r}")
    pinned = data.get("pinned")
    return State(
        from_data(data.get("scenario")),
        options.from_data(data.get("options", {})),
        None if pinned is None else from_data(pinned),
    )


def parsed(text: str) -> dict[str, object]:
    """Return the JSON object of a state, checked as far as it does not depend on the explorer."""
    data = read("an explorer's state", text)
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise ValueError(f"not an explorer's state of version {VERSION}")
    if unknown := sorted(set(data) - _KEYS):
        raise ValueError(f"an explorer's state has no {cut(', '.join(unknown))}")
    return {"explorer": "layer", **data}
