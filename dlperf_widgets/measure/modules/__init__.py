"""Layers as torch modules. To add one: a function here that returns its ``Leaf``, and a line in the table."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ... import layers
from ...layers import Attention, Composite, Embedding, Layer
from ..formats import UnsupportedError
from . import images, simple, steps
from ._how import How as How
from ._how import Leaf as Leaf
from .composites import composite, share


def tied(layer: layers.Tied, how: How) -> Leaf:
    """Return the layer inside, with weights of its own until ``share`` finds the other's."""
    leaf = BUILDERS[type(layer.layer)](layer.layer, how)
    leaf.layer = layer
    return leaf


BUILDERS: dict[type[Layer], Callable[[Any, How], Leaf]] = {
    layers.Linear: simple.linear,
    layers.Conv1d: images.convolution,
    layers.Conv2d: images.convolution,
    layers.Conv3d: images.convolution,
    layers.ConvTranspose1d: images.transposed,
    layers.ConvTranspose2d: images.transposed,
    layers.ConvTranspose3d: images.transposed,
    layers.Rnn: steps.recurrent,
    layers.Lstm: steps.recurrent,
    layers.Gru: steps.recurrent,
    layers.Attention: steps.attention,
    layers.Matmul: simple.matmul,
    layers.BatchNorm2d: images.batch_norm,
    layers.LayerNorm: simple.layer_norm,
    layers.RmsNorm: simple.rms_norm,
    layers.GroupNorm: images.group_norm,
    layers.InstanceNorm2d: images.instance_norm,
    layers.Activation: simple.activation,
    layers.Add: simple.add,
    layers.Multiply: simple.multiply,
    layers.Softmax: simple.softmax,
    layers.Pool2d: images.pool,
    layers.GlobalPool2d: images.global_pool,
    layers.Dropout: simple.dropout,
    layers.CrossEntropy: simple.cross_entropy,
    layers.MseLoss: simple.mse_loss,
    layers.Embedding: simple.embedding,
    layers.ClassToken: simple.class_token,
    layers.Take: simple.take,
    layers.Tied: tied,
}


def module(layer: Layer, how: How) -> nn.Module:
    """Return a layer or a network as a torch module, in training mode."""
    return share(_built(layer, how))


def _built(layer: Layer, how: How) -> nn.Module:
    if builder := BUILDERS.get(type(layer)):
        return builder(layer, how)
    made = composite(layer, how, _built)
    if made is None:
        raise UnsupportedError(f"there is no torch module for {layer.title}: its rows may have one each")
    return made


def inputs(layer: Layer, how: How) -> tuple[torch.Tensor, ...]:
    """Return random inputs of a layer's module: attention by itself takes queries, keys and values."""
    _, first, _ = next(layer.leaves())
    if isinstance(first, Embedding):
        return (how.indices(first.rows, first.tokens),)
    if isinstance(first, Attention) and not isinstance(layer, Composite):
        return tuple(_heads(first, how))
    return (how.tensor(*first.input_shape),)


def _heads(layer: Attention, how: How) -> list[torch.Tensor]:
    """Return queries, keys and values as projections give them: the heads of a token side by side."""
    sizes = ((layer.queries, layer.heads), (layer.keys, layer.kv_heads), (layer.keys, layer.kv_heads))
    return [how.tensor(layer.batch, many, heads, layer.head_dim).transpose(1, 2) for many, heads in sizes]
