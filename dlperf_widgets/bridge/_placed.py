"""The layers that stand for one operation."""

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

from ..layers import Layer


class Placed(NamedTuple):
    """Named layers, and if the operation need not run to know its shapes, its result."""

    layers: dict[str, Layer]
    result: Callable[[], Any] | None = None


def one(layer: Layer) -> Placed:
    """Return the one layer, under its own name."""
    name = str(getattr(layer, "kind", "")) if type(layer).__name__ == "Activation" else type(layer).__name__
    return Placed({name.lower(): layer})


def rows(shape: Any, axes: int = 1) -> int:
    """Return the leading dimensions, multiplied: all but the last so many."""
    return prod(shape[: len(shape) - axes])


def alike(values: Any, axes: int = 2) -> int | tuple[int, ...]:
    """Return a value for each axis, or one where all have the same, as one would write it."""
    given = (values,) if isinstance(values, int) else tuple(values)
    each = given if len(given) == axes else given * axes
    return int(each[0]) if len(set(each)) == 1 else each


def image(shape: Any) -> tuple[int, int, int, int]:
    """Return any (N, C, ...) as (N, C, H, W)."""
    batch, channels, *size = shape
    if len(size) == 2:
        return batch, channels, size[0], size[1]
    return batch, channels, prod(size), 1
