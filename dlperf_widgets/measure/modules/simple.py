"""Torch's modules and functions for layers over vectors, rows and elements."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from ...layers import (
    Activation,
    Add,
    ClassToken,
    CrossEntropy,
    Dropout,
    Embedding,
    LayerNorm,
    Linear,
    Matmul,
    MseLoss,
    Multiply,
    RmsNorm,
    Softmax,
    Take,
)
from ._how import How, Leaf

_GATES: dict[str, Callable[[Tensor], Tensor]] = {
    "geglu": lambda x: F.gelu(x, approximate="tanh"),
    "swiglu": F.silu,
}
_FUNCTIONS: dict[str, Callable[[Tensor, bool], Tensor]] = {
    "relu": lambda x, inplace: F.relu(x, inplace),
    "relu6": lambda x, inplace: F.relu6(x, inplace),
    "leaky_relu": lambda x, inplace: F.leaky_relu(x, inplace=inplace),
    "sigmoid": lambda x, inplace: x.sigmoid_() if inplace else x.sigmoid(),
    "tanh": lambda x, inplace: x.tanh_() if inplace else x.tanh(),
    "gelu": lambda x, _: F.gelu(x, approximate="tanh"),
    "silu": lambda x, _: F.silu(x),
    "hardswish": lambda x, _: F.hardswish(x),
    "glu": lambda x, _: F.glu(x),
    "geglu": lambda x, _: _gated("geglu", x),
    "swiglu": lambda x, _: _gated("swiglu", x),
}


def _gated(kind: str, x: Tensor) -> Tensor:
    gate, value = x.chunk(2, dim=-1)
    return _GATES[kind](gate) * value


def linear(layer: Linear, how: How) -> Leaf:
    """Return a fully-connected layer."""
    return Leaf(layer, nn.Linear(layer.inputs, layer.outputs, layer.bias, **how.made))


def matmul(layer: Matmul, how: How) -> Leaf:
    """Return a batched product."""
    return Leaf(layer, torch.bmm, how.tensor(layer.batch, layer.k, layer.n))


def activation(layer: Activation, how: How) -> Leaf:
    """Return an activation; geglu and swiglu are two kernels in torch."""
    function = _FUNCTIONS[layer.kind]
    return Leaf(layer, lambda x: function(x, layer.inplace))


def add(layer: Add, how: How) -> Leaf:
    """Return a sum of two tensors."""
    return Leaf(layer, torch.add, how.tensor(layer.elements))


def multiply(layer: Multiply, how: How) -> Leaf:
    """Return a product of two tensors, element by element."""
    return Leaf(layer, torch.mul, how.tensor(layer.elements))


def dropout(layer: Dropout, how: How) -> Leaf:
    """Return a dropout, in training."""
    return Leaf(layer, lambda x: F.dropout(x, 0.5))


def softmax(layer: Softmax, how: How) -> Leaf:
    """Return a softmax along rows."""
    return Leaf(layer, lambda x: x.softmax(-1))


def layer_norm(layer: LayerNorm, how: How) -> Leaf:
    """Return a normalization of rows."""
    return Leaf(layer, nn.LayerNorm(layer.columns, **how.made))


def rms_norm(layer: RmsNorm, how: How) -> Leaf:
    """Return a normalization of rows by their root mean square."""
    return Leaf(layer, nn.RMSNorm(layer.columns, **how.made))


def cross_entropy(layer: CrossEntropy, how: How) -> Leaf:
    """Return a cross entropy with random targets."""
    target = how.indices(layer.columns, layer.rows)
    return Leaf(layer, lambda x: F.cross_entropy(x, target))


def mse_loss(layer: MseLoss, how: How) -> Leaf:
    """Return a mean squared error; its target has no gradient."""
    target = how.tensor(layer.elements)
    return Leaf(layer, lambda x: F.mse_loss(x.reshape(-1), target))


def embedding(layer: Embedding, how: How) -> Leaf:
    """Return a table, read at random rows of its own, as tables of one input differ in their length."""
    tokens = how.indices(layer.rows, layer.tokens)
    table = nn.Embedding(layer.rows, layer.width, sparse=layer.sparse, **how.made)
    return _WithOwn(layer, table, tokens)


class _WithOwn(Leaf):
    """A module given tokens of its own, whatever comes in."""

    def __init__(self, layer: Embedding, table: nn.Module, tokens: Tensor) -> None:
        super().__init__(layer, table)
        self.tokens = tokens

    def forward(self, x: Tensor, *more: Tensor) -> Tensor:
        """Return the rows."""
        return self.call(self.tokens)


class _Tokens(nn.Module):
    """A learned token in front, and learned positions added."""

    def __init__(self, layer: ClassToken, how: How) -> None:
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, 1, layer.width, **how.made))
        self.positions = nn.Parameter(torch.zeros(1, layer.tokens + 1, layer.width, **how.made))

    def forward(self, x: Tensor) -> Tensor:
        """Return the tokens with one more in front."""
        token = self.token.to(x.dtype).expand(len(x), -1, -1)
        return torch.cat([token, x], dim=1) + self.positions


def class_token(layer: ClassToken, how: How) -> Leaf:
    """Return a learned token in front of others, which may come as an image."""
    return _Flattened(layer, _Tokens(layer, how))


class _Flattened(Leaf):
    """A module of tokens that turns an image's pixels into them."""

    def forward(self, x: Tensor, *more: Tensor) -> Tensor:
        """Return the module's output."""
        return super().forward(x.flatten(2).transpose(1, 2) if x.dim() == 4 else x)


def take(layer: Take, how: How) -> Leaf:
    """Return the first token of each row."""
    return Leaf(layer, lambda x: x[:, 0])
