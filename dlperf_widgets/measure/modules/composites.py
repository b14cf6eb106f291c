"""Layers of layers as modules, and networks with them."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from ...layers import Branches, Embedding, Layer, Linear, Repeat, Residual, Tied
from ...layers._composite import Series
from ._how import How, Leaf

Build = Callable[[Layer, How], nn.Module]


class Chain(nn.Module):
    """Modules one after another, the first of which may take its input in parts."""

    def __init__(self, *modules: nn.Module) -> None:
        super().__init__()
        self.inner = nn.ModuleList(modules)

    def forward(self, x: Tensor) -> Tensor:
        """Return the output of the last."""
        for module in self.inner:
            x = module(x)
        return x


class Added(nn.Module):
    """Two modules on one input, their outputs added; without a second, the input itself."""

    def __init__(self, body: nn.Module, shortcut: nn.Module | None) -> None:
        super().__init__()
        self.body, self.shortcut = body, shortcut

    def forward(self, x: Tensor) -> Tensor:
        """Return the sum."""
        y = self.body(x)
        other = self.shortcut(x) if self.shortcut else x
        return y + (other if other.shape == y.shape else other.reshape(y.shape))


class Joined(nn.Module):
    """Modules on one input, their outputs joined along the channels."""

    def __init__(self, *modules: nn.Module) -> None:
        super().__init__()
        self.inner = nn.ModuleList(modules)

    def forward(self, x: Tensor) -> Tensor:
        """Return the outputs side by side."""
        return torch.cat([module(x) for module in self.inner], dim=1)


def share(module: nn.Module) -> nn.Module:
    """Give every tied linear layer the weights of an embedding of its size, if there is one."""
    leaves = [each for each in module.modules() if isinstance(each, Leaf)]
    tables = {leaf.call.weight.shape: leaf.call for leaf in leaves if isinstance(leaf.layer, Embedding)}
    for leaf in leaves:
        if isinstance(leaf.layer, Tied) and isinstance(leaf.layer.layer, Linear):
            table = tables.get(leaf.call.weight.shape)
            if table is not None:
                leaf.call.weight = table.weight
    return module


def composite(layer: Layer, how: How, build: Build) -> nn.Module | None:
    """Return a composite of what ``build`` makes of its parts; None for one whose parts need not chain."""
    match layer:
        case Residual():
            return Added(build(layer.body, how), build(layer.shortcut, how) if layer.shortcut else None)
        case Branches():
            return Joined(*(build(part, how) for _, part in layer.parts))
        case Repeat():
            return Chain(*(build(layer.layer, how) for _ in range(layer.times)))
        case Series():
            return Chain(*(build(part, how) for _, part in layer.parts))
    return None
