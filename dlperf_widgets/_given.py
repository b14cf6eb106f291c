"""Checks of what a caller gives: each refusal is a sentence that names the argument and shows the value."""

import re
from collections.abc import Iterable
from math import isfinite
from operator import index
from typing import Any, TypeVar

LARGEST_REAL = (
    1e30  # bytes, seconds or flops: more than any machine has, and two of them multiply to a number
)
SMALLEST_REAL = 1e-30
_LONGEST = 80  # characters of a value that a sentence shows

# What neither XML nor UTF-8 can hold: control characters and halves of characters.
_UNSHOWABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_Thing = TypeVar("_Thing")


def shown(value: object) -> str:
    """Return a value as a sentence shows it: the beginning of a long one."""
    return cut(repr(value))


def cut(words: str) -> str:
    """Return the beginning of a text that is too long for a sentence."""
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}..."


def thing(name: str, kind: type[_Thing] | tuple[type[_Thing], ...], value: object) -> _Thing:
    """Return a value of a class, or raise ValueError saying which class was expected."""
    if isinstance(value, kind):
        return value
    kinds = kind if isinstance(kind, tuple) else (kind,)
    raise ValueError(f"{name} must be a {' or '.join(each.__name__ for each in kinds)}, not {shown(value)}")


def text(name: str, value: object) -> str:
    """Return a text, or raise ValueError."""
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text, not {shown(value)}")
    if bad := _UNSHOWABLE.search(value):
        raise ValueError(f"{name} must be a text that can be shown: it has {bad[0]!r}")
    return value


def choice(name: str, value: object, choices: Iterable[str]) -> str:
    """Return one of some words, or raise ValueError that lists them."""
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, not {shown(value)}")
    return value


def flag(name: str, value: object) -> bool:
    """Return True or False, or raise ValueError."""
    if value is not True and value is not False:
        raise ValueError(f"{name} must be True or False, not {shown(value)}")
    return value


def many(name: str, values: Any) -> tuple[Any, ...]:
    """Return the members of anything but a text that can be gone through, or raise ValueError."""
    try:
        if isinstance(values, str | bytes):
            raise TypeError
        return tuple(values)
    except TypeError:
        raise ValueError(f"{name} must be several values, not {shown(values)}") from None


def real(name: str, value: Any, least: float = 0.0, most: float = LARGEST_REAL) -> float:
    """Return a finite number from ``least`` to ``most``, or raise ValueError."""
    number = _finite(name, value)
    if number < least:
        raise ValueError(f"{name} must be at least {least:g}, not {shown(value)}")
    if number > most:
        raise ValueError(f"{name} must be at most {most:g}, not {shown(value)}")
    return number


def positive(name: str, value: Any, most: float = LARGEST_REAL) -> float:
    """Return a finite number above zero, or raise ValueError."""
    if not _finite(name, value) > 0:
        raise ValueError(f"{name} must be positive, not {shown(value)}")
    return real(name, value, SMALLEST_REAL, most)


def whole(name: str, value: object, least: int, most: int) -> int:
    """Return a whole number within limits, or raise ValueError."""
    if type(value) is int and least <= value <= most:  # as nearly all are
        return value
    try:
        if isinstance(value, bool):
            raise TypeError
        size = index(value)  # type: ignore[arg-type]
    except TypeError:
        if not (isinstance(value, float) and value.is_integer()):
            raise ValueError(f"{name} must be a whole number, not {shown(value)}") from None
        size = int(value)
    if not least <= size <= most:
        raise ValueError(f"{name} must be between {least} and {most:,}, not {_grouped(size)}")
    return size


def _grouped(size: int) -> str:
    return f"{size:,}" if abs(size) < 10**30 else shown(size)


def _finite(name: str, value: Any) -> float:
    try:
        if isinstance(value, bool | str | bytes):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be a number, not {shown(value)}") from None
    if not isfinite(number):
        raise ValueError(f"{name} must be a finite number, not {shown(value)}")
    return number
