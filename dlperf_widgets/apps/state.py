"""An explorer's state: its scenario and options as one JSON text with a version."""

import json
from dataclasses import asdict, fields

from ..charts import Options
from ..cost import Scenario
from ..cost.text import from_data

VERSION = 1


def write_state(scenario: Scenario, options: Options) -> str:
    """Return both as JSON text."""
    return json.dumps(
        {"version": VERSION, "scenario": json.loads(scenario.to_json()), "options": asdict(options)}
    )


def read_state(text: str) -> tuple[Scenario, Options]:
    """Return what ``write_state`` wrote; ValueError says what is wrong with other text."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise ValueError(f"not an explorer's state: {error}") from None
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise ValueError(f"not an explorer's state of version {VERSION}")
    scenario = from_data(data.get("scenario"))
    given = data.get("options", {})
    if not isinstance(given, dict) or set(given) - {f.name for f in fields(Options)}:
        raise ValueError(f"an explorer has no options {given!r}")
    options = Options(**given)
    scenario.resized(options.field, 1)  # says so if there is no such size
    if not isinstance(options.reach, int) or options.reach < 1:
        raise ValueError(f"reach must be a whole number of at least 1, not {options.reach!r}")
    return scenario, options
