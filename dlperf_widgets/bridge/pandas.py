"""Scenarios and layers as pandas tables."""

from importlib import import_module
from typing import Any

from ..cost import Cost, Scenario
from ..layers import Layer


def to_dataframe(what: Scenario | Layer) -> Any:
    """Return a ``pandas.DataFrame``: of a scenario a row for each operation, of a layer one for each leaf.

    Times are in seconds for one run; a row with a ``count`` runs that often.
    """
    if not isinstance(what, Scenario | Layer):
        raise ValueError(f"to_dataframe takes a scenario or a layer, not {type(what).__name__}")
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise ValueError("to_dataframe needs pandas: pip install pandas") from None
    if isinstance(what, Scenario):
        return pandas.DataFrame([_operation(cost) for cost in what.costs], columns=_OPERATION)
    leaves = [_leaf(path, layer, count) for path, layer, count in what.leaves()]
    return pandas.DataFrame(leaves, columns=_LEAF)


_OPERATION = (
    "path", "phase", "kind", "count", "flops", "bytes", "arithmetic_intensity", "math_time", "memory_time",
    "launch_time", "time", "efficiency", "limiter",
)  # fmt: skip
_LEAF = ("path", "kind", "output_shape", "params", "macs", "flops", "other_flops", "count")


def _operation(cost: Cost) -> dict[str, Any]:
    row = {name: getattr(cost, name) for name in _OPERATION if name != "kind"}
    return {**row, "kind": type(cost.op).__name__, "phase": str(cost.phase), "limiter": str(cost.limiter)}


def _leaf(path: str, layer: Layer, count: int) -> dict[str, Any]:
    row = {name: getattr(layer, name) for name in _LEAF if name not in ("path", "kind", "count")}
    return {**row, "path": path, "kind": layer.title, "count": count}
