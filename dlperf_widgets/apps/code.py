"""A scenario as the Python that asks it."""

from dataclasses import fields

from .. import dtypes, gpus
from ..cost import Scenario
from ..dtypes import DType


def as_python(scenario: Scenario) -> str:
    """Return lines to paste into a cell. A GPU or format of the user's own is written out in full."""
    layer = ", ".join(f"{f.name}={getattr(scenario.layer, f.name)!r}" for f in fields(scenario.layer))
    defaults = {f.name: f.default for f in fields(Scenario)}
    rest = [
        f"{name}={_value(getattr(scenario, name))}"
        for name in ("phases", "launch", "layout", "library", "sparse")
        if getattr(scenario, name) != defaults[name]
    ]
    arguments = [
        f"layers.{type(scenario.layer).__name__}({layer})",
        _name(gpus, scenario.gpu),
        _name(dtypes, scenario.dtype),
        *rest,
    ]
    body = ",\n    ".join(arguments)
    return (
        "import dlperf_widgets as dp\n"
        "from dlperf_widgets import dtypes, gpus, layers\n\n"
        f"s = dp.Scenario(\n    {body},\n)\ns.time"
    )


def _name(module: object, thing: object) -> str:
    """Return the public name of a record in its module, or its repr."""
    kind = DType if module is dtypes else gpus.Gpu
    for name, value in vars(module).items():
        if isinstance(value, kind) and value == thing and name.isupper():
            return f"{module.__name__.rsplit('.', 1)[-1]}.{name}"  # type: ignore[attr-defined]
    return f"dp.Scenario.from_json({thing!r})"


def _value(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_value, value))},)"
    return repr(str(value)) if isinstance(value, str) else repr(value)
