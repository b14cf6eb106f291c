"""The language of what users read: English, or a catalogue of the standard library's gettext.

A sentence goes through ``tr`` where it is made. ``locale/<language>/LC_MESSAGES/dlperf.po`` holds the
translations, ``dlperf.mo`` beside it the same for the machine: ``python -m tests.catalogue`` updates both.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakMethod

from ._given import choice

LANGUAGES = ("en", "zh_CN")
DOMAIN = "dlperf"
FOLDER = Path(__file__).parent / "locale"

_Function = TypeVar("_Function", bound=Callable[..., Any])


class _Current:
    """What is chosen now, and what must hear of a change."""

    language = "en"
    translate: Callable[[str], str] = staticmethod(str)
    caches: tuple[Any, ...] = ()
    listeners: tuple[WeakMethod[Callable[[], None]], ...] = ()


def tr(text: str, /, **values: object) -> str:
    """Return a sentence in the chosen language, with values put into its ``{named}`` fields."""
    translated = _Current.translate(text)
    return translated.format(**values) if values else translated


def language() -> str:
    """Return the language chosen now."""
    return _Current.language


def set_language(name: str) -> None:
    """Choose the language of every sentence made from now on: ``en`` or ``zh_CN``."""
    choice("the language", name, LANGUAGES)
    _Current.language, _Current.translate = name, _catalogue(name)
    for cache in _Current.caches:
        cache.cache_clear()
    for listener in _Current.listeners:
        if again := listener():
            again()


def hear(again: Callable[[], None]) -> None:
    """Call a method whenever another language is chosen, for as long as its object lives."""
    alive = tuple(each for each in _Current.listeners if each())
    _Current.listeners = (*alive, WeakMethod(again))


def _catalogue(name: str) -> Callable[[str], str]:
    if name == "en":
        return str
    from gettext import translation

    return translation(DOMAIN, FOLDER, [name]).gettext


def remembered(size: int) -> Callable[[_Function], _Function]:
    """Return ``lru_cache`` for a function whose result holds sentences: another language empties it."""

    def decorate(function: _Function) -> _Function:
        cached = lru_cache(size)(function)
        _Current.caches += (cached,)
        return cached  # type: ignore[return-value]

    return decorate
