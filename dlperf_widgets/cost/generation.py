"""The layers that a language model runs to read prompts, and those of a step that gives one token more."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..layers import Attention, Layer, MultiheadAttention, Repeat, Residual, Sequence, Tied
from ..layers._composite import Composite


class Prompts(NamedTuple):
    """What a model that generates is asked: ``batch`` sequences of so many tokens, some of them cached."""

    batch: int
    tokens: int
    cached: int


def prompts(layer: Layer) -> Prompts:
    """Return what a model reads at once; ValueError says why it generates no tokens."""
    if not (hasattr(layer, "batch") and hasattr(layer, "sequence")):
        raise ValueError(f"{layer.title} has no sequence of tokens: serving needs a language model")
    attention = [leaf for _, leaf, _ in layer.leaves() if isinstance(leaf, Attention)]
    if not attention or not all(each.causal for each in attention):
        raise ValueError(f"{layer.title} generates no tokens: each of them would see those after it")
    return Prompts(layer.batch, layer.sequence, getattr(layer, "context", 0))


def longest(layer: Layer) -> int | None:
    """Return how many tokens a model has positions for; None if it does not say."""
    limit = layer.__dataclass_fields__["sequence"].metadata
    return int(limit["limit"]) if limit["limit"] == limit["max"] else None


def decoding(layer: Layer, keys: int, kv_heads: int | None = None) -> Sequence:
    """Return the layers of a decode step: one new token a sequence, which attends to ``keys`` with itself.

    ``kv_heads`` key-value heads in place of the model's: all heads share them in groups (0: none shares).
    """
    tokens = prompts(layer).tokens
    return _Rewrite(tokens, keys - 1, kv_heads).network(layer)


def prefilling(layer: Layer, kv_heads: int | None = None) -> Sequence:
    """Return the layers that read the prompts: the output layer sees the last token of each alone."""
    asked = prompts(layer)
    whole = _Rewrite(1, None, kv_heads).network(layer)
    *body, (name, head) = whole.layers
    last = _Rewrite(asked.tokens, None, None).leaf(head)
    return _Reading((*body, (name, last)))


class _Reading(Sequence):
    """A sequence whose last layer takes the last token of each row: fewer than the one before gives."""

    def check(self) -> None:
        """The parts come from a model that was checked."""


@dataclass(frozen=True)
class _Rewrite:
    """A model with fewer tokens, more context or other key-value heads, layer by layer."""

    divisor: int  # of the tokens of each sequence
    context: int | None  # None: as it is
    kv_heads: int | None  # None: as they are

    def network(self, layer: Layer) -> Sequence:
        """Return a network's parts, rewritten."""
        assert isinstance(layer, Composite)
        return Sequence(tuple((name, self.part(part)) for name, part in layer.parts))

    def part(self, layer: Layer) -> Layer:
        """Return a layer, rewritten inside out."""
        match layer:
            case MultiheadAttention():
                return self.attention(layer)
            case Sequence():
                return replace(layer, layers=tuple((name, self.part(part)) for name, part in layer.layers))
            case Residual():
                other = layer.shortcut and self.part(layer.shortcut)
                return replace(layer, body=self.part(layer.body), shortcut=other)
            case Repeat():
                return replace(layer, layer=self.part(layer.layer))
        return self.leaf(layer)

    def leaf(self, layer: Layer) -> Layer:
        """Return a simple layer with its leading dimension, in which tokens are counted, divided."""
        if self.divisor == 1:
            return layer
        if isinstance(layer, Tied):
            return Tied(self.leaf(layer.layer))
        change: dict[str, Any] = {layer.scale: getattr(layer, layer.scale) // self.divisor}
        return replace(layer, **change)

    def attention(self, layer: MultiheadAttention) -> MultiheadAttention:
        """Return attention of fewer new tokens, to more of the cache."""
        return replace(
            layer,
            sequence=layer.sequence // self.divisor,
            context=layer.context if self.context is None else self.context,
            kv_heads=layer.kv_heads if self.kv_heads is None else self.kv_heads,
        )
