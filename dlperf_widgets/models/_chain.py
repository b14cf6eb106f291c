"""Build a chain of image layers, each taking the shape that the one before gives."""

from math import prod
from typing import Any

from ..layers import Activation, BatchNorm2d, Conv2d, Dropout, GlobalPool2d, Layer, Linear, Pool2d, Sequence
from ..layers._layer import Shape


class Chain:
    """Layers appended by name; ``shape`` is what the next one takes: (N, C, H, W), then (N, features)."""

    def __init__(self, *shape: int) -> None:
        self.shape: Shape = shape
        self.layers: dict[str, Layer] = {}

    def add(self, name: str, layer: Layer) -> "Chain":
        """Append any layer."""
        self.layers[name] = layer
        if not isinstance(layer, Activation | Dropout):
            self.shape = layer.output_shape
        return self

    def conv(self, name: str, channels: int, kernel: int, **how: Any) -> "Chain":
        """Append a convolution with a square window."""
        batch, given, height, width = self.shape
        return self.add(name, Conv2d(batch, given, channels, height, width, kernel, kernel, **how))

    def norm(self, name: str) -> "Chain":
        """Append a batch normalization."""
        batch, channels, height, width = self.shape
        return self.add(name, BatchNorm2d(batch, channels, height, width))

    def act(self, name: str, kind: str = "relu", inplace: bool = True) -> "Chain":
        """Append an activation."""
        return self.add(name, Activation(prod(self.shape), kind=kind, inplace=inplace))

    def pool(self, name: str, kernel: int, **how: Any) -> "Chain":
        """Append a pooling with a square window."""
        batch, channels, height, width = self.shape
        return self.add(name, Pool2d(batch, channels, height, width, kernel, kernel, **how))

    def global_pool(self, name: str) -> "Chain":
        """Append an average over each channel."""
        batch, channels, height, width = self.shape
        return self.add(name, GlobalPool2d(batch, channels, height, width))

    def linear(self, name: str, outputs: int) -> "Chain":
        """Append a fully-connected layer over all that is not the batch."""
        batch = self.shape[0]
        return self.add(name, Linear(batch, prod(self.shape[1:]), outputs))

    def dropout(self, name: str) -> "Chain":
        """Append a dropout."""
        return self.add(name, Dropout(prod(self.shape)))

    def done(self) -> Sequence:
        """Return what was appended."""
        return Sequence.of(**self.layers)
