"""Torch's modules for what runs along time or tokens: recurrent layers and attention."""

from contextlib import AbstractContextManager, nullcontext
from functools import cached_property

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.bias import causal_lower_right

from ...layers import Attention, Gru, Lstm, Rnn
from ..formats import UnsupportedError
from ._how import How, Leaf

_RECURRENT = {Rnn: nn.RNN, Lstm: nn.LSTM, Gru: nn.GRU}
_FUSED = [SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]


def recurrent(layer: Rnn | Lstm | Gru, how: How) -> Leaf:
    """Return a recurrent layer, of which the outputs of all steps count."""
    if layer.persistent:
        raise UnsupportedError("torch cannot ask for persistent recurrent kernels: cuDNN chooses them itself")
    narrow = {"proj_size": layer.projection} if isinstance(layer, Lstm) and layer.projection else {}
    module = _RECURRENT[type(layer)](
        layer.inputs, layer.hidden, layer.layers,
        bias=layer.bias, bidirectional=layer.bidirectional, **narrow, **how.made,
    )  # fmt: skip
    return Leaf(layer, _Outputs(module))


class _Outputs(nn.Module):
    """A recurrent module without its last state."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor) -> Tensor:
        """Return the outputs of all steps."""
        return self.inner(x)[0]


def attention(layer: Attention, how: How) -> Leaf:
    """Return attention over queries, keys and values, given side by side or as three tensors."""
    return Leaf(layer, _Attention(layer, how))


class _Attention(nn.Module):
    """Attention; keys and values of earlier tokens are in a cache of its own."""

    def __init__(self, layer: Attention, how: How) -> None:
        super().__init__()
        self.layer, self.how = layer, how
        self.bias = _bias(layer, how) if layer.causal and not layer.fused else None

    def forward(self, x: Tensor, *more: Tensor) -> Tensor:
        """Return (batch, queries, heads x head_dim)."""
        q, k, v = (x, *more) if more else self._split(x)
        mixed = self._fused(q, k, v) if self.layer.fused else self._products(q, k, v)
        return mixed.transpose(1, 2).flatten(2)

    def _split(self, x: Tensor) -> tuple[Tensor, ...]:
        layer, d = self.layer, self.layer.head_dim
        widths = [layer.heads * d, layer.kv_heads * d, layer.kv_heads * d]
        q, *new = (each.unflatten(-1, (-1, d)).transpose(1, 2) for each in x.split(widths, dim=-1))
        if layer.keys <= layer.queries:
            return (q, *new)
        for cache, tokens in zip(self.cached, new, strict=True):
            cache[:, :, -layer.queries :] = tokens.detach()
        return (q, *self.cached)

    @cached_property
    def cached(self) -> tuple[Tensor, Tensor]:
        layer = self.layer
        shape = (layer.batch, layer.kv_heads, layer.keys, layer.head_dim)
        return self.how.tensor(*shape), self.how.tensor(*shape)

    def _fused(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        layer = self.layer
        square = layer.queries == layer.keys
        mask = None
        if layer.causal and not square and layer.queries > 1:
            mask = causal_lower_right(layer.queries, layer.keys)
        with _only_fused(q):
            return F.scaled_dot_product_attention(
                q, k, v, mask,
                is_causal=layer.causal and square, enable_gqa=layer.kv_heads < layer.heads,
            )  # fmt: skip

    def _products(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Return the same by two products, each over the queries of all heads that share keys."""
        layer = self.layer
        group = layer.heads // layer.kv_heads
        rows = q.reshape(layer.batch, layer.kv_heads, group * layer.queries, layer.head_dim)
        scores = rows @ (k.transpose(-1, -2) * layer.head_dim**-0.5)
        if self.bias is not None:
            scores = (scores.unflatten(2, (group, -1)) + self.bias).flatten(2, 3)
        return (scores.softmax(-1) @ v).reshape(q.shape)


def _only_fused(q: Tensor) -> AbstractContextManager[None]:
    """Let a GPU run no unfused attention under this name."""
    return sdpa_kernel(_FUSED) if q.is_cuda else nullcontext()


def _bias(layer: Attention, how: How) -> Tensor:
    """Return minus infinity where a query must not look, the last query aligned with the last key."""
    full = torch.full((layer.queries, layer.keys), float("-inf"), device=how.device, dtype=how.activations)
    return full.triu(1 + layer.keys - layer.queries)
