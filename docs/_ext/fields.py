"""A class of fields says each field's default, meaning and unit, as its own lines do."""

import inspect
import io
import re
import tokenize
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Add a list of fields to the docstrings of dataclasses and named tuples."""
    app.connect("autodoc-process-docstring", _add)
    app.connect("autodoc-process-docstring", _plain, priority=400)  # before napoleon
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _add(_app: Sphinx, what: str, _name: str, value: Any, _options: Any, lines: list[str]) -> None:
    if what == "class" and (listed := list_of_fields(value)):
        lines.extend(["", *listed, ""])


def _plain(_app: Sphinx, what: str, _name: str, _value: Any, _options: Any, lines: list[str]) -> None:
    """Keep napoleon from reading "type: meaning" into the first line of a property."""
    if what in ("attribute", "property") and lines:
        lines.insert(0, "")


def _skip(_app: Sphinx, _what: str, name: str, value: Any, skip: bool, _options: Any) -> bool | None:
    """Leave out what NamedTuple and dataclass write: it stands among the fields."""
    alias = isinstance(getattr(value, "__doc__", None), str) and value.__doc__.startswith("Alias for field")
    return True if alias or name in ("count", "index") else None


def list_of_fields(kind: Any) -> list[str]:
    """Return field-list lines: name, default, what it is, and the values that it can take."""
    if not inspect.isclass(kind):
        return []
    if is_dataclass(kind):
        remarks = {name: text for base in reversed(kind.__mro__) for name, text in comments(base).items()}
        given = (f for f in fields(kind) if f.init)
        return [_line(f.name, _default(f), _about(f, remarks.get(f.name, ""))) for f in given]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        remarks, given = comments(kind), kind._field_defaults
        default = lambda name: repr(given[name]) if name in given else ""  # noqa: E731
        return [_line(name, default(name), remarks.get(name, "")) for name in kind._fields]
    return []


def _line(name: str, default: str, about: str) -> str:
    start = f" (``{default}``)" if default and len(default) < 60 else ""
    return f":param {name}: {about}{start}".rstrip()


def _default(f: Field[Any]) -> str:
    if f.default is not MISSING:
        return str(f.default) if isinstance(f.default, int) else repr(f.default)
    return "" if f.default_factory is MISSING else f"{f.default_factory.__name__}()"


def _about(f: Field[Any], remark: str) -> str:
    about = f.metadata
    parts = [about.get("label", ""), remark]
    if "choices" in about:
        parts.append("one of " + ", ".join(f"``{each}``" for each in about["choices"]))
    elif "min" in about:
        parts.append(f"at least {about['min']:g}")
    return "; ".join(part for part in parts if part)


def comments(kind: type) -> dict[str, str]:
    """Return the remark behind each field in a class's source: ``bandwidth: float  # bytes/s, DRAM``."""
    try:
        source = inspect.cleandoc("\n" + inspect.getsource(kind))
    except (OSError, TypeError):
        return {}
    found: dict[str, str] = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and (field := re.match(r" +(\w+) *: ", token.line)):
            text = token.string.removeprefix("#").strip()
            if not text.startswith(("noqa", "type:", "fmt:")):
                found.setdefault(field[1], text.replace("`", "").replace("*", r"\*").replace("|", r"\|"))
    return found
