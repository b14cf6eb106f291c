"""What a file says, held against the types of the class that it is to become."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from .._given import flag, real, shown, text, whole

_Made = TypeVar("_Made")
_MOST = 2**63


def made(kind: type[_Made], data: object) -> _Made:
    """Return a dataclass or a named tuple of a JSON object; ValueError names the member that is wrong."""
    owner = kind.__name__.lower()
    if not isinstance(data, Mapping):
        raise ValueError(f"a {owner} is a JSON object, not {shown(data)}")
    hints = get_type_hints(kind)
    if unknown := sorted(map(str, set(data) - set(hints))):
        raise ValueError(f"a {owner} has no {shown(', '.join(unknown))}")
    if missing := sorted(set(hints) - set(data) - _optional(kind)):
        raise ValueError(f"a {owner} needs {', '.join(missing)}")
    return kind(**{name: _value(f"{owner} {name}", hints[name], value) for name, value in data.items()})


def _optional(kind: Any) -> set[str]:
    if not is_dataclass(kind):
        return set(kind._field_defaults)
    return {f.name for f in fields(kind) if f.default is not MISSING}


def _value(name: str, hint: Any, value: object) -> object:
    kinds = get_args(hint) or (hint,)
    if value is None and NoneType in kinds:
        return None
    if bool in kinds:
        return flag(name, value)
    if str in kinds:
        return text(name, value)
    return whole(name, value, 0, _MOST) if int in kinds else real(name, value)
