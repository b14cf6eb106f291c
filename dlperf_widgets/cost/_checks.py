"""Checks that refuse a number with a sentence that names it."""

from math import inf, isfinite
from typing import Any

from ..layers._fields import LARGEST
from ..layers._fields import whole as _whole


def whole(name: str, value: object, least: int = 0, most: int = LARGEST) -> int:
    """Return a whole number, or raise ValueError where it is none or out of bounds."""
    return _whole(name, {"min": least, "limit": most}, value)


def real(name: str, value: Any, least: float = 0.0, most: float = inf) -> float:
    """Return a finite number from ``least`` to ``most``, or raise ValueError."""
    number = _finite(name, value)
    if number < least:
        raise ValueError(f"{name} must be at least {least:g}, not {value!r}")
    if number > most:
        raise ValueError(f"{name} must be at most {most:g}, not {value!r}")
    return number


def positive(name: str, value: Any, most: float = inf) -> float:
    """Return a finite number above zero, or raise ValueError."""
    number = _finite(name, value)
    if not number > 0:
        raise ValueError(f"{name} must be above 0, not {value!r}")
    return real(name, value, most=most)


def _finite(name: str, value: Any) -> float:
    try:
        if isinstance(value, bool | str):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be a number, not {value!r}") from None
    if not isfinite(number):
        raise ValueError(f"{name} must be a finite number, not {value!r}")
    return number
