"""Products in formats that torch multiplies but has no modules for: INT8, and FP8 on newer GPUs."""

from collections.abc import Callable
from typing import Any

import torch

from ..dtypes import INT8, DType
from ..layers import Layer, Linear
from ..ops import Phase
from .formats import UnsupportedError

Run = Callable[[], object]


def product(layer: Layer, phases: tuple[Phase, ...], dtype: DType, device: Any) -> tuple[Run, int]:
    """Return the forward product of a linear layer, and the bytes that it holds.

    Torch writes INT8 products as INT32 and FP8 products as BF16; the bias is left out.
    """
    if not isinstance(layer, Linear):
        raise UnsupportedError(f"torch has no {dtype} {layer.title}")
    if phases != (Phase.FPROP,):
        raise UnsupportedError(f"torch has {dtype} products for the forward pass alone")
    x, weight, run = (_int8 if dtype == INT8 else _fp8)(layer, device)
    output = run()
    return run, x.nbytes + weight.nbytes + output.nbytes


def _int8(layer: Linear, device: Any) -> tuple[torch.Tensor, torch.Tensor, Callable[[], torch.Tensor]]:
    x, weight = (
        torch.randint(-128, 128, (rows, layer.inputs), dtype=torch.int8, device=device)
        for rows in (layer.batch, layer.outputs)
    )
    return x, weight, lambda: torch._int_mm(x, weight.t())


def _fp8(layer: Linear, device: Any) -> tuple[torch.Tensor, torch.Tensor, Callable[[], torch.Tensor]]:
    x, weight = (
        torch.randn(rows, layer.inputs, device=device).to(torch.float8_e4m3fn)
        for rows in (layer.batch, layer.outputs)
    )
    one = torch.ones((), device=device)
    return x, weight, lambda: torch._scaled_mm(x, weight.t(), one, one, out_dtype=torch.bfloat16)
