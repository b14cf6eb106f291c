"""JSON that somebody else may have written: bounded in size and depth, and nothing but numbers in it."""

import json
from typing import Any, NoReturn

from ._given import shown

LARGEST = 4 * 2**20  # characters of one text


def read(what: str, text: object) -> Any:
    """Return what a JSON text holds; ValueError says why ``what`` cannot be read from another."""
    if not isinstance(text, str):
        raise ValueError(f"not {what}: JSON text is expected, not {shown(text)}")
    if len(text) > LARGEST:
        raise ValueError(
            f"not {what}: {len(text):,} characters are more than the {LARGEST:,} that one can have"
        )
    try:
        return json.loads(text, parse_constant=_refused)
    except RecursionError:
        raise ValueError(f"not {what}: too many lists within lists") from None
    except ValueError as error:
        raise ValueError(f"not {what}: {error}") from None


def _refused(name: str) -> NoReturn:
    raise ValueError(f"JSON has no {name}")
