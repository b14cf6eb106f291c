"""Pooling, and reductions, which are a pooling with one window."""

from collections.abc import Callable
from typing import Any

from ..layers import GlobalPool2d, Pool2d
from ._placed import Placed, alike, one


def _images(shape: Any) -> tuple[int, int, int, int]:
    """Return (C, H, W) or (N, C, H, W) as the latter."""
    batch, channels, height, width = (1, *shape) if len(shape) == 3 else shape
    return batch, channels, height, width


def _pair(value: Any) -> tuple[int, int]:
    values = (value,) if isinstance(value, int) else tuple(value)
    return (values[0], values[-1])


def _pool(kind: str, input: Any, kernel: Any, stride: Any, how: dict[str, Any]) -> Placed:
    height, width = _pair(kernel)
    moves = alike(stride) if stride else "kernel"
    return one(Pool2d(*_images(input.shape), height, width, moves, kind=kind, **how))


def max_pool2d(
    out: Any, input: Any, kernel: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1,
    ceil_mode: bool = False,
) -> Placed:  # fmt: skip
    """Return the pooling."""
    how = {"padding": alike(padding), "dilation": alike(dilation), "ceil_mode": ceil_mode}
    return _pool("max", input, kernel, stride, how)


def avg_pool2d(
    out: Any, input: Any, kernel: Any, stride: Any = (), padding: Any = 0, ceil_mode: bool = False, *_: Any
) -> Placed:
    """Return the pooling."""
    return _pool("average", input, kernel, stride, {"padding": alike(padding), "ceil_mode": ceil_mode})


def adaptive(kind: str) -> Callable[..., Placed | None]:
    """Return what finds a pooling to a given size, which must divide the input's."""

    def find(out: Any, input: Any, output_size: Any, *_: Any) -> Placed | None:
        shape, (height, width) = _images(input.shape), _pair(output_size)
        if (height, width) == (1, 1):
            return one(GlobalPool2d(*shape, kind=kind))
        if shape[2] % height or shape[3] % width:
            return None  # windows of several sizes
        return one(Pool2d(*shape, shape[2] // height, shape[3] // width, kind=kind))

    return find


def reduction(kind: str) -> Callable[..., Placed | None]:
    """Return what finds a sum, a mean or a maximum over some axes: every output is a window of its own."""

    def find(out: Any, input: Any, dim: Any = None, *_: Any, **__: Any) -> Placed | None:
        kept = (out[0] if isinstance(out, tuple | list) else out).numel()
        if not input.is_floating_point() or isinstance(dim, type(input)):
            return None
        axes = (
            [] if dim is None else [axis % input.dim() for axis in ([dim] if isinstance(dim, int) else dim)]
        )
        if input.dim() == 4 and sorted(axes) == [2, 3]:
            return one(GlobalPool2d(*_images(input.shape), kind=kind))
        return one(GlobalPool2d(1, kept, input.numel() // kept, 1, kind=kind))

    return find


POOLS: dict[str, Callable[..., Placed | None]] = {
    "aten.max_pool2d_with_indices": max_pool2d,
    "aten.avg_pool2d": avg_pool2d,
    "aten._adaptive_avg_pool2d": adaptive("average"),
    "aten.adaptive_max_pool2d": adaptive("max"),
    "aten.mean": reduction("average"),
    "aten.sum": reduction("average"),
    "aten.max": reduction("max"),
    "aten.min": reduction("max"),
    "aten.amax": reduction("max"),
    "aten.amin": reduction("max"),
}
