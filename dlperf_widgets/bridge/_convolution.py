"""Convolutions: one ATen operation for all of them."""

from typing import Any

from ..layers import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
)
from ._placed import Placed, alike, one

_DIRECT = {1: Conv1d, 2: Conv2d, 3: Conv3d}
_TRANSPOSED = {1: ConvTranspose1d, 2: ConvTranspose2d, 3: ConvTranspose3d}


def convolution(
    out: Any, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> Placed:  # fmt: skip
    """Return the convolution, of one to three axes."""
    batch, channels, *size = input.shape
    kernel = weight.shape[2:]
    axes = len(kernel)
    how: dict[str, Any] = {
        name: alike(value, axes)
        for name, value in (("stride", stride), ("padding", padding), ("dilation", dilation))
    }
    how |= {"groups": groups, "bias": bias is not None}
    shape = (batch, channels, out.shape[1], *size, *kernel)
    if transposed:
        return one(_TRANSPOSED[axes](*shape, **how, output_padding=alike(output_padding, axes)))
    return one(_DIRECT[axes](*shape, **how))
