"""What torch's functions are as layers. To add one: a function with its arguments, and a line in the table.

A function that returns None, or raises ValueError, leaves the case to the operations below (``_aten``).
"""

from collections.abc import Callable
from math import prod
from typing import Any

import torch
from torch.nn import functional as F  # noqa: N812

from ..layers import BatchNorm2d, CrossEntropy, Dropout, InstanceNorm2d, Linear, Matmul, Passes, RmsNorm
from ._attention import multi_head_attention, scaled_dot_product_attention
from ._placed import Placed, image, one, rows
from ._recurrent import RECURRENT


def linear(input: Any, weight: Any, bias: Any = None) -> Placed | None:
    """Return the product with a weight."""
    if weight.dim() != 2:
        return None
    outputs, inputs = weight.shape
    return one(Linear(rows(input.shape), inputs, outputs, bias is not None))


def matmul(input: Any, other: Any) -> Placed | None:
    """Return a product, with a weight if one side is a parameter, as torch folds its leading dimensions."""
    a, b = list(input.shape), list(other.shape)
    a, b = [1, *a] if len(a) == 1 else a, [*b, 1] if len(b) == 1 else b
    (m, k), n = a[-2:], b[-1]
    if len(b) == 2 and is_weight(other):
        return one(Linear(rows(a), k, n, bias=False))
    if len(a) == 2 and is_weight(input):
        return one(Linear(rows(b, 2) * n, k, m, bias=False))
    if len(b) == 2:
        return one(Matmul(1, rows(a), n, k))
    many = prod(torch.broadcast_shapes(a[:-2], b[:-2]))  # type: ignore[no-untyped-call]
    return one(Matmul(many, m, n, k))


def is_weight(tensor: Any) -> bool:
    """Return whether a tensor is a parameter or a view of one."""
    return any(isinstance(each, torch.nn.Parameter) for each in (tensor, tensor._base))


def batch_norm(
    input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None,
    training: bool = False, *_: Any, **__: Any,
) -> Placed:  # fmt: skip
    """Return the normalization, with statistics known before if not in training."""
    passes = Passes.PERSISTENT if training else Passes.INFERENCE
    return one(BatchNorm2d(*image(input.shape), passes=passes))


def instance_norm(
    input: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None, *_: Any, **__: Any
) -> Placed:
    """Return the normalization."""
    return one(InstanceNorm2d(*image(input.shape), affine=weight is not None))


def rms_norm(input: Any, normalized_shape: Any, *_: Any, **__: Any) -> Placed:
    """Return the normalization."""
    axes = len(normalized_shape)
    return one(RmsNorm(rows(input.shape, axes), prod(normalized_shape)))


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Placed:
    """Return dropout in training, else nothing."""
    return one(Dropout(input.numel())) if training and p else Placed({})


def cross_entropy(input: Any, target: Any, weight: Any = None, *_: Any, **__: Any) -> Placed | None:
    """Return the fused loss of class indices; probabilities as targets have no layer."""
    if target.is_floating_point():
        return None
    classes = input.shape[0 if input.dim() == 1 else 1]
    return one(CrossEntropy(input.numel() // classes, classes))


FUNCTIONS: dict[Any, Callable[..., Placed | None]] = {
    F.linear: linear,
    torch.matmul: matmul,
    torch.Tensor.matmul: matmul,
    torch.Tensor.__matmul__: matmul,
    F.scaled_dot_product_attention: scaled_dot_product_attention,
    F.multi_head_attention_forward: multi_head_attention,
    F.batch_norm: batch_norm,
    F.instance_norm: instance_norm,
    F.rms_norm: rms_norm,
    torch.rms_norm: rms_norm,
    F.dropout: dropout,
    torch.dropout: lambda input, p, train: dropout(input, p, train),
    F.cross_entropy: cross_entropy,
    **RECURRENT,
}
