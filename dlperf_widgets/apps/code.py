"""Values as the Python that makes them, to paste into a cell."""

from dataclasses import MISSING, fields, is_dataclass
from typing import Any

from .. import dtypes, gpus
from ..cost import Scenario
from ..dtypes import DType
from ..gpus import Gpu
from ..widgets.gpu_card import original

_PACKAGES = ("charts", "dtypes", "gpus", "layers", "models")


def as_python(scenario: Scenario, explorer: str = "", options: Any = None) -> str:
    """Return lines that ask a scenario's question, or open an explorer on it."""
    lines = [f"s = {_question(scenario)}", "s.time"]
    if explorer:
        changed = options is not None and _changed(options, _differs)
        lines[1] = f"dp.{explorer}(s, {_expression(options)})" if changed else f"dp.{explorer}(s)"
    text = "\n".join(lines)
    used = [name for name in _PACKAGES if f"{name}." in text]
    imports = ["import dlperf_widgets as dp"]
    imports += [f"from dlperf_widgets import {', '.join(used)}"] if used else []
    head = ["from dataclasses import replace", ""] if "replace(" in text else []
    return "\n".join([*head, *imports, "", text])


def _question(scenario: Scenario) -> str:
    """A GPU that was made from no record takes too many words: the question is then its JSON text."""
    try:
        first = [_expression(getattr(scenario, name)) for name in ("layer", "gpu", "dtype")]
    except LookupError:
        return f"dp.Scenario.from_json({scenario.to_json()!r})"
    rest = [each for each in _changed(scenario, _differs) if each.split("=")[0] not in _FIRST]
    body = ",\n    ".join([*first, *rest])
    return f"dp.Scenario(\n    {body},\n)"


_FIRST = ("layer", "gpu", "dtype")


def _expression(value: Any) -> str:
    """Return Python for a value: records by their public name, others field by field."""
    match value:
        case Gpu():
            return _gpu(value)
        case DType():
            return f"dtypes.{_name(dtypes, value)}"
        case tuple():
            return f"({', '.join(map(_expression, value))}{',' if len(value) == 1 else ''})"
        case str():
            return repr(str(value))
    if is_dataclass(value):
        kind = type(value)
        package = kind.__module__.split(".")[1]
        home = package if package in _PACKAGES else "dp"
        return f"{home}.{kind.__name__}({', '.join(_changed(value, _differs_or_is_a_size))})"
    return repr(value)


def _gpu(gpu: Gpu) -> str:
    """Return a record's name, or the record that a changed one was made from with the changes."""
    first = original(gpu)
    if first not in gpus.GPUS:
        raise LookupError(f"{gpu.name} was made from no record")
    name = f"gpus.{_name(gpus, first)}"
    if gpu == first:
        return name
    changes = [
        f"{f.name}={_expression(now)}"
        for f in fields(gpu)
        if f.name != "sources" and (now := getattr(gpu, f.name)) != getattr(first, f.name)
    ]
    return f"replace({name}, {', '.join(changes)})"


def _name(module: Any, thing: object) -> str:
    return next(name for name, value in vars(module).items() if name.isupper() and value == thing)


def _changed(value: Any, shown: Any) -> list[str]:
    """Return the fields to write, as keyword arguments."""
    return [
        f"{f.name}={_expression(getattr(value, f.name))}"
        for f in fields(value)
        if f.init and shown(f, getattr(value, f.name))
    ]


def _differs(field: Any, now: object) -> bool:
    return field.default is MISSING or now != field.default


def _differs_or_is_a_size(field: Any, now: object) -> bool:
    return field.metadata.get("kind") == "dim" or _differs(field, now)
