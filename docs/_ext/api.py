"""Which names are public, and how each is documented."""

from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from importlib import import_module
from inspect import isabstract, isclass, isroutine
from types import ModuleType


def public(module: str) -> list[str]:
    """Return a module's public classes and functions, in the order in which it names them.

    Of a package those that it offers; of a module those that are defined in it.
    """
    found = import_module(module)
    names = getattr(found, "__all__", None) or dir(found)
    package = hasattr(found, "__path__")
    if not package:
        names = sorted(names, key=lambda name: _line(getattr(found, name)))
    return [name for name in names if _offered(found, name, package)]


def _offered(found: ModuleType, name: str, package: bool) -> bool:
    value = getattr(found, name)
    if name.startswith("_") or not (isclass(value) or isroutine(value)):
        return False
    home = getattr(value, "__module__", "")
    return home.startswith(found.__name__ if package else "dlperf_widgets") and (
        package or home == found.__name__
    )


def _line(value: object) -> int:
    code = getattr(value, "__code__", None)
    if code is not None:
        return int(code.co_firstlineno)
    return int(getattr(value, "__firstlineno__", 0))


def directive(module: str, name: str) -> str:
    """Return the reStructuredText that documents a name, with what autodoc is to show of it."""
    value = getattr(import_module(module), name)
    place = f"{module}.{name}"
    if not isclass(value):
        return f".. autofunction:: {place}\n" if isinstance(value, Callable) else f".. autodata:: {place}\n"
    lines = [f".. autoclass:: {place}"]
    if not _of_fields_alone(value):
        lines.append("   :members:")
    if issubclass(value, Enum):
        lines.append("   :undoc-members:")
    return "\n".join(lines) + "\n"


def _of_fields_alone(kind: type) -> bool:
    """Whether a class is told by its fields: a layer or a network, whose methods its base explains."""
    return (
        is_dataclass(kind)
        and not isabstract(kind)
        and any(base.__name__ == "Layer" for base in kind.__mro__[1:])
    )
