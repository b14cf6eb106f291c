"""How the tensors of a module are made, and the shell around one simple layer."""

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from ...layers import Layer
from ...layers.elementwise import Elementwise

_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}


class How(NamedTuple):
    """The device, formats and layout of a module's tensors."""

    device: torch.device
    weights: torch.dtype
    activations: torch.dtype
    last: bool = False  # channels last in memory

    @property
    def made(self) -> dict[str, Any]:
        """What torch's modules take to make their parameters."""
        return {"device": self.device, "dtype": self.weights}

    def tensor(self, *shape: int) -> Tensor:
        """Return random activations: a GPU's power, and so its clock, depends on the numbers."""
        made = torch.randn(shape, device=self.device, dtype=self.activations)
        return self.laid(made)

    def indices(self, most: int, *shape: int) -> Tensor:
        """Return random whole numbers below ``most``."""
        return torch.randint(most, shape, device=self.device)

    def laid(self, tensor: Tensor) -> Tensor:
        """Return a tensor of images or volumes in the layout asked for."""
        last = self.last and tensor.dim() in _LAST
        return tensor.contiguous(memory_format=_LAST[tensor.dim()]) if last else tensor

    def module(self, module: nn.Module) -> nn.Module:
        """Return a module with its weights in the layout asked for."""
        axes = max((p.dim() for p in module.parameters()), default=0)
        return module.to(memory_format=_LAST[axes]) if self.last and axes in _LAST else module


class Leaf(nn.Module):
    """One simple layer: a function of its input, beside what else it reads.

    ``operands`` are other inputs, which have gradients as the first has. An input of another shape, as
    the layer before gives it, is reshaped, unless the layer does the same to every element.
    """

    def __init__(self, layer: Layer, call: Callable[..., Tensor], *operands: Tensor) -> None:
        super().__init__()
        self.layer, self.call, self.operands = layer, call, operands
        self.taken = None if isinstance(layer, Elementwise) else layer.input_shape

    def forward(self, x: Tensor, *more: Tensor) -> Tensor:
        """Return the output; ``more`` are the other parts of an input that comes in parts."""
        fits = self.taken is None or more or x.shape == self.taken or x.numel() != prod(self.taken)
        x = x if fits else x.reshape(self.taken)
        return self.call(x, *more, *self.operands)
