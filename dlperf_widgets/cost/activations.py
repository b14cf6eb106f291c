"""What is kept of activations, as lines: bytes that are constant, and bytes that a sample adds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple, TypeVar

from ..dtypes import Format
from ..layers import Attention, Branches, Composite, Layer, Repeat, Residual, Saved, Sequence
from ..layers._layer import Shape
from ..ops import Op, Phase

L = TypeVar("L", bound=Layer)


class Line(NamedTuple):
    """Bytes as a function of the batch."""

    constant: float
    slope: float

    def plus(self, other: "Line") -> "Line":
        """Return the sum."""
        return Line(self.constant + other.constant, self.slope + other.slope)


def has_batch(layer: Layer) -> bool:
    """Return whether a layer has a field for its batch; a sequence of layers leaves that to them."""
    return any(f.name == layer.scale for f in fields(layer))


@lru_cache(16)  # a sweep over GPUs or switches asks for the same pair again
def pair(layer: Layer) -> tuple[Layer, Layer]:
    """Return a layer for one sample and for two; one without a field for its batch as given, and doubled."""
    if has_batch(layer):
        one, two = (replace(layer, **{layer.scale: batch}) for batch in (1, 2))
        return one, two
    try:
        return layer, _doubled(layer)
    except ValueError as error:
        raise ValueError(
            f"{layer.title} is too large to tell its memory, asked at twice its batch: {error}"
        ) from None


def _doubled(layer: L) -> L:
    if has_batch(layer):
        return replace(layer, **{layer.scale: 2 * getattr(layer, layer.scale)})
    parts = (f.name for f in fields(layer) if f.metadata.get("kind") == "parts")
    return replace(layer, **{name: _doubled_parts(getattr(layer, name)) for name in parts})


def _doubled_parts(value: Any) -> Any:
    if isinstance(value, Layer):
        return _doubled(value)
    return tuple(map(_doubled_parts, value)) if isinstance(value, tuple) else value


def grown(both: tuple[Layer, Layer], measure: Callable[[Layer], Iterable[float]]) -> Line:
    """Return the line through a measure of a layer for one sample and for two.

    Of several measures, the line that is steepest: the largest for all but the smallest batches.
    """
    values = zip(*map(measure, both), strict=True)
    lines = [Line(2 * one - two, two - one) for one, two in values]
    return max(lines, key=lambda line: (line.slope, line.constant), default=Line(0, 0))


def saved_bytes(saved: Saved, form: Format) -> float:
    """Return the bytes that backward needs: tensors in the activations' format, masks and statistics."""
    return saved.elements * form.activations.bytes + saved.side_bytes


def saved(both: tuple[Layer, Layer], form: Format) -> Line:
    """Return what is saved for backward, every tensor once."""
    return grown(both, lambda layer: [saved_bytes(_saved(layer), form)])


@lru_cache(16)  # other formats and switches ask for the same
def _saved(layer: Layer) -> Saved:
    return layer.saved


def checkpointed(both: tuple[Layer, Layer], form: Format) -> Line:
    """Return what is saved if every block keeps its input alone, and the largest is recomputed at a time."""
    kept = grown(both, lambda layer: [saved_bytes(_kept(layer), form)])
    return kept.plus(grown(both, lambda layer: [saved_bytes(each, form) for each in _recomputed(layer)]))


def recomputed_share(layer: Layer) -> float:
    """Return the share of the forward multiply-adds that checkpointing runs again."""
    again = sum(times * part.macs for part, times in segments(layer) if _is_block(part))
    return again / layer.macs if layer.macs else 0.0


def segments(layer: Layer) -> list[tuple[Layer, int]]:
    """Return the parts of a chain with how often each runs; the composites among them are its blocks."""
    match layer:
        case Repeat():
            return [(layer.layer, layer.times)] if isinstance(layer.layer, Composite) else [(layer, 1)]
        case Residual() | Branches():  # no chain: one block
            return [(layer, 1)]
        case Composite():
            each = (segments(part) if isinstance(part, Repeat) else [(part, 1)] for _, part in layer.parts)
            return [segment for part in each for segment in part]
    return [(layer, 1)]


@dataclass(frozen=True)
class _Checkpoint(Layer):
    """A block in whose place its input is kept."""

    block: Layer = field(metadata={"kind": "parts"})

    def ops(self, phase: Phase) -> tuple[Op, ...]:
        return self.block.ops(phase)

    @property
    def input_shape(self) -> Shape:
        return self.block.input_shape

    @property
    def output_shape(self) -> Shape:
        return self.block.output_shape

    @property
    def saved(self) -> Saved:
        return Saved(input=prod(self.input_shape))


def _kept(layer: Layer) -> Saved:
    parts = segments(layer)
    if not _blocks(parts):
        return layer.saved
    chain = [Repeat(_Checkpoint(part) if _is_block(part) else part, times) for part, times in parts]
    return Sequence(tuple((str(i), part) for i, part in enumerate(chain))).saved


def _recomputed(layer: Layer) -> list[Saved]:
    """Return what each block saves besides its input."""
    return [replace(block.saved, input=0) for block in _blocks(segments(layer))]


def _blocks(parts: list[tuple[Layer, int]]) -> list[Layer]:
    return [part for part, _ in parts if _is_block(part)]


def _is_block(part: Layer) -> bool:
    """Return whether a part is recomputed as one: an embedding, without products, is not worth it."""
    if not isinstance(part, Composite) or isinstance(part, Repeat):
        return False
    return any(leaf.macs for _, leaf, _ in part.leaves())


def output(both: tuple[Layer, Layer], form: Format) -> Line:
    """Return the output, which a loss reads, if the last layer does not save it anyway."""
    return grown(
        both, lambda each: [0 if _saved(each).output else prod(each.output_shape) * form.activations.bytes]
    )


def cache(both: tuple[Layer, Layer], form: Format, context: int) -> Line:
    """Return the keys and values of ``context`` tokens: 2 x kv_heads x head_dim numbers a token and layer."""
    size = form.activations.bytes * context

    def measure(layer: Layer) -> list[float]:
        attention = [(leaf, count) for _, leaf, count in layer.leaves() if isinstance(leaf, Attention)]
        if not attention:
            raise ValueError(
                f"{layer.title} has no attention: a decode step needs the keys and values of earlier tokens, "
                "which attention keeps in its cache"
            )
        return [sum(count * size * (leaf.kv_cache // leaf.keys) for leaf, count in attention)]

    return grown(both, measure)
