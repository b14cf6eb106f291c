"""What a layer's field is: a description that draws a control and a check that refuses nonsense."""

from collections.abc import Callable
from dataclasses import field
from typing import Any

from .. import _given
from .._given import shown

LARGEST = 2**31 - 1  # the largest size a 32-bit BLAS call can be given


def dim(
    default: int, label: str, most: int = 16384, log: bool = True, least: int = 1, limit: int = LARGEST
) -> Any:
    """Describe a size: its default, what a slider needs, and the values it can take at all."""
    about = {"kind": "dim", "label": label, "min": least, "max": most, "log": log, "limit": limit}
    return field(default=default, metadata=about)


def axes(default: int | str, label: str, most: int = 16, least: int = 1, words: tuple[str, ...] = ()) -> Any:
    """Describe a number for every axis alike, one for each axis, or one of some words."""
    about = {"kind": "axes", "label": label, "min": least, "max": most, "log": False, "limit": LARGEST}
    return field(default=default, metadata={**about, "words": words})


def flag(default: bool, label: str) -> Any:
    """Describe a yes-or-no option."""
    return field(default=default, metadata={"kind": "flag", "label": label})


def choice(default: str, label: str, choices: tuple[str, ...]) -> Any:
    """Describe a choice of a few words."""
    return field(default=default, metadata={"kind": "choice", "label": label, "choices": choices})


def real(default: float, label: str, least: float, most: float) -> Any:
    """Describe a quantity that need not be whole."""
    return field(default=default, metadata={"kind": "real", "label": label, "min": least, "max": most})


def several(default: tuple[str, ...], label: str, choices: tuple[str, ...]) -> Any:
    """Describe a choice of any number of some words."""
    return field(default=default, metadata={"kind": "several", "label": label, "choices": choices})


def hidden(default: int | str, most: int = LARGEST) -> Any:
    """Describe what no control of its own shows; a number is at most ``most``."""
    return field(default=default, metadata={"kind": "hidden", "type": type(default), "limit": most})


def parts(label: str, **default: Any) -> Any:
    """Describe the layers, or the one layer, that a composite consists of."""
    return field(metadata={"kind": "parts", "label": label}, **default)


def checked(owner: str, name: str, about: Any, value: object) -> object:
    """Return a field's value, or raise ValueError saying what is wrong with it."""
    try:
        return _CHECKS[about["kind"]](name, about, value)
    except ValueError as error:
        raise ValueError(f"{owner} {error}") from None


def whole(name: str, about: Any, value: object) -> int:
    """Return a whole number within the field's limits."""
    return _given.whole(name, value, about["min"], about["limit"])


def _axes(name: str, about: Any, value: object) -> object:
    if isinstance(value, str):
        if value not in about["words"]:
            known = " or ".join(repr(word) for word in about["words"]) or "no word"
            raise ValueError(f"{name} must be a number, or {known}, not {shown(value)}")
        return value
    if isinstance(value, tuple | list):
        return tuple(whole(name, about, each) for each in value)
    return whole(name, about, value)


def _flag(name: str, _about: Any, value: object) -> bool:
    return _given.flag(name, value)


def _choice(name: str, about: Any, value: object) -> str:
    return str(_given.choice(name, value, about["choices"]))


def _real(name: str, about: Any, value: object) -> float:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    if not plain or not about["min"] <= value <= about["max"]:
        raise ValueError(f"{name} must be between {about['min']:g} and {about['max']:g}, not {shown(value)}")
    return float(value)  # type: ignore[arg-type]


def _several(name: str, about: Any, value: object) -> tuple[str, ...]:
    chosen = tuple(value) if isinstance(value, tuple | list) else (value,)
    for each in chosen:
        if not isinstance(each, str) or each not in about["choices"]:
            raise ValueError(f"{name} must be some of {', '.join(about['choices'])}, not {shown(each)}")
    return tuple(each for each in about["choices"] if each in chosen)


def _hidden(name: str, about: Any, value: object) -> object:
    kind, most = about["type"], about["limit"]
    if type(value) is not kind or (kind is int and not 1 <= value <= most):  # type: ignore[operator]
        wanted = f"a whole number between 1 and {most:,}" if kind is int else "text"
        raise ValueError(f"{name} must be {wanted}, not {shown(value)}")
    return value


def _parts(_name: str, _about: Any, value: object) -> object:
    return value  # checked by the composite


_CHECKS: dict[str, Callable[[str, Any, object], object]] = {
    "dim": whole, "axes": _axes, "flag": _flag, "choice": _choice, "parts": _parts,
    "real": _real, "several": _several, "hidden": _hidden,
}  # fmt: skip
