"""From what was noted to a model: every path once, every parameter once."""

from collections import Counter
from typing import Any

from torch import nn

from ..layers import Layer, Tied
from ._meta import tensors
from ._trace import Record, Trace
from .model import TorchModel, Unplaced


def model(trace: Trace, taken: Any, result: Any) -> TorchModel:
    """Return the model of a trace."""
    return TorchModel(
        layers=_layers(trace.records),
        parameters=sum(p.numel() for p in trace.module.parameters()),
        takes=_shape(taken),
        gives=_shape(result),
        unplaced=_unplaced(trace.records),
        name=_name(trace.module),
    )


def _name(module: nn.Module) -> str:
    return type(module).__name__


def _shape(value: Any) -> tuple[int, ...]:
    first = next(tensors(value), None)
    return () if first is None else tuple(first.shape)


def _layers(records: list[Record]) -> tuple[tuple[str, Layer], ...]:
    claimed: set[int] = set()
    seen: Counter[str] = Counter()
    named = []
    for record in records:
        for path, layer in _owned(record, claimed):
            seen[path] += 1
            named.append((f"{path}#{seen[path]}" if seen[path] > 1 else path, layer))
    return tuple(named)


def _owned(record: Record, claimed: set[int]) -> list[tuple[str, Layer]]:
    """Return the layers of an operation with their paths.

    They have parameters of their own only if those are just the parameters it uses for the first time:
    not if weights were used before, or are computed from others.
    """
    new = {key: size for key, size in record.parameters.items() if key not in claimed}
    own = sum(new.values()) == sum(layer.params for layer in record.layers.values())
    if own:
        claimed |= set(new)
    return [
        (_path(record, name), layer if own or not layer.params else Tied(layer))
        for name, layer in record.layers.items()
    ]


def _path(record: Record, name: str) -> str:
    if record.whole and len(record.layers) == 1:
        return record.path
    return f"{record.path}.{name}" if record.path else name


def _unplaced(records: list[Record]) -> tuple[Unplaced, ...]:
    total = sum(record.elements for record in records)
    counts: Counter[tuple[str, str]] = Counter()
    elements: Counter[tuple[str, str]] = Counter()
    for record in records:
        if not record.layers:
            counts[record.name, record.path] += 1
            elements[record.name, record.path] += record.elements
    return tuple(Unplaced(*key, counts[key], size, size / total) for key, size in elements.items())
