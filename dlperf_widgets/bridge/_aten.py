"""What ATen operations are as layers. To add one: a function of result and arguments, a line in the table."""

from collections.abc import Callable
from math import prod
from typing import Any

from ..layers import (
    Activation,
    Add,
    Embedding,
    GroupNorm,
    Layer,
    LayerNorm,
    Linear,
    Matmul,
    MseLoss,
    Multiply,
    Softmax,
)
from ._convolution import convolution
from ._functions import is_weight
from ._placed import Placed, image, one, rows
from ._pooling import POOLS

Find = Callable[..., Placed | None]

# allocations, and what is a view in all but name
_FREE = {
    "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "_unsafe_view",
    "unsafe_split", "unsafe_split_with_sizes", "unsafe_chunk", "lift_fresh",
    "t_", "transpose_", "squeeze_", "unsqueeze_", "detach_",
}  # fmt: skip


def is_free(operation: Any) -> bool:
    """Return whether an operation moves nothing: it allocates, or all that it returns is a view."""
    returned = operation._schema.returns
    views = (each.alias_info is not None and not each.alias_info.is_write for each in returned)
    return operation.overloadpacket.__name__ in _FREE or (bool(returned) and all(views))


def mm(out: Any, a: Any, b: Any) -> Placed:
    """Return a product, with a weight on either side or none."""
    (m, k), n = a.shape[-2:], b.shape[-1]
    if is_weight(b):
        return one(Linear(m, k, n, bias=False))
    return one(Linear(n, k, m, bias=False) if is_weight(a) else Matmul(1, m, n, k))


def addmm(out: Any, bias: Any, a: Any, b: Any, **_: Any) -> Placed:
    """Return a linear layer with its bias; of activations, a product and a sum."""
    (m, k), n = a.shape, b.shape[1]
    if is_weight(b) and is_weight(bias):
        return one(Linear(m, k, n))
    return Placed({**mm(out, a, b).layers, "add": Add(out.numel())})


def bmm(out: Any, a: Any, b: Any) -> Placed:
    """Return products at once, or one with a weight."""
    (batch, m, k), n = a.shape, b.shape[2]
    return mm(out, a, b) if batch == 1 else one(Matmul(batch, m, n, k))


def baddbmm(out: Any, added: Any, a: Any, b: Any, **_: Any) -> Placed:
    """Return products at once and a sum."""
    return Placed({**bmm(out, a, b).layers, "add": Add(out.numel())})


def matrix_vector(out: Any, a: Any, b: Any) -> Placed:
    """Return a product with a vector, of a matrix or of another vector."""
    m, k = rows(a.shape), a.shape[-1]
    if is_weight(a):
        return one(Linear(1, k, m, bias=False))
    return one(Linear(m, k, 1, bias=False) if is_weight(b) else Matmul(1, m, 1, k))


def activation(kind: str, inplace: bool = False) -> Find:
    """Return what finds an activation."""
    return lambda out, *_, **__: one(Activation(out.numel(), kind=kind, inplace=inplace))


def elementwise(kind: type[Add | Multiply | MseLoss]) -> Find:
    """Return what finds an elementwise layer; numbers that are no floats (indices, masks) have none."""

    def find(out: Any, first: Any, *_: Any, **__: Any) -> Placed | None:
        size = first.numel() if kind is MseLoss else out.numel()
        layer: Layer = kind(size)
        return one(layer) if out.is_floating_point() or out.is_complex() else None

    return find


def softmax(out: Any, input: Any, dim: int, *_: Any, **__: Any) -> Placed:
    """Return a softmax along any axis."""
    columns = input.shape[dim] if input.dim() else 1
    return one(Softmax(input.numel() // columns, columns))


def layer_norm(out: Any, input: Any, normalized_shape: Any, *_: Any) -> Placed:
    """Return the normalization."""
    return one(LayerNorm(rows(input.shape, len(normalized_shape)), prod(normalized_shape)))


def group_norm(
    out: Any, input: Any, weight: Any, bias: Any, n: int, c: int, hw: int, group: int, *_: Any
) -> Placed:
    """Return the normalization."""
    return one(GroupNorm(*image(input.shape), group))


def embedding(out: Any, weight: Any, indices: Any, padding: int = -1, scale: bool = False,
              sparse: bool = False) -> Placed:  # fmt: skip
    """Return the look-up."""
    return one(Embedding(indices.numel(), weight.shape[1], weight.shape[0], sparse))


_KINDS = ("relu", "gelu", "silu", "sigmoid", "tanh", "hardswish", "leaky_relu", "glu")
_IN_PLACE = ("relu", "sigmoid", "tanh", "leaky_relu")  # the backward pass of others reads the input

OPERATIONS: dict[str, Find] = {
    "aten.mm": mm,
    "aten.addmm": addmm,
    "aten.bmm": bmm,
    "aten.baddbmm": baddbmm,
    "aten.mv": matrix_vector,
    "aten.dot": matrix_vector,
    "aten.vdot": matrix_vector,
    "aten.convolution": convolution,
    **{f"aten.{kind}": activation(kind) for kind in _KINDS},
    **{f"aten.{kind}_": activation(kind, kind in _IN_PLACE) for kind in _KINDS},
    "aten.hardtanh": activation("relu6"),  # whatever the two bounds
    "aten.hardtanh_": activation("relu6", inplace=True),
    **{f"aten.{name}{tail}": elementwise(Add) for name in ("add", "sub", "rsub") for tail in ("", "_")},
    **{f"aten.{name}{tail}": elementwise(Multiply) for name in ("mul", "div") for tail in ("", "_")},
    "aten.mse_loss": elementwise(MseLoss),
    "aten._softmax": softmax,
    "aten._safe_softmax": softmax,
    "aten._log_softmax": softmax,
    "aten.native_layer_norm": layer_norm,
    "aten.native_group_norm": group_norm,
    "aten.embedding": embedding,
    **POOLS,
}
