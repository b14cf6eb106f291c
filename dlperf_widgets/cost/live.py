"""What is alive at once while layers run: forward without training, or gradients backward."""

from collections.abc import Iterator
from functools import lru_cache
from math import prod

from ..dtypes import Format
from ..layers import Activation, Add, Attention, Branches, Composite, Dropout, Layer, Multiply, Residual
from ..ops import Phase
from .activations import Line, grown


def live(both: tuple[Layer, Layer], form: Format) -> Line:
    """Return what inference holds at once: a layer's input and output, and what a residual needs later."""
    size = form.activations.bytes
    return grown(both, lambda layer: [size * alive for alive in _elements(layer, False)])


def live_gradients(both: tuple[Layer, Layer], form: Format) -> Line:
    """Return the gradients that backward holds at once: of a layer's input and output, and of a residual.

    A gradient has the format of the activation that it is of.
    """
    size = form.activations.bytes
    return grown(both, lambda layer: [size * alive for alive in _elements(layer, True)])


@lru_cache(16)  # other formats and switches ask for the same
def _elements(layer: Layer, backward: bool) -> tuple[int, ...]:
    return tuple(_alive(layer, 0, backward))


def _alive(layer: Layer, held: int, backward: bool) -> Iterator[int]:
    """Yield the elements alive while each simple layer runs, with ``held`` of the layers around."""
    match layer:
        case Residual():
            yield from _beside([layer.body, layer.shortcut], layer, held, backward)
            yield held + (1 if backward else 3) * prod(layer.output_shape)
        case Branches():
            yield from _beside([part for _, part in layer.parts], layer, held, backward)
            yield held + 2 * prod(layer.output_shape)  # joined, backward split
        case Composite():
            for _, part in layer.parts:
                yield from _alive(part, held, backward)
        case _:
            yield held + (_gradients(layer) if backward else _tensors(layer))


def _beside(sides: list[Layer | None], around: Layer, held: int, backward: bool) -> Iterator[int]:
    """Yield the same for layers side by side.

    What they share waits for the last of them, what they gave for the end.
    """
    layers = [side for side in sides if side]
    shared = around.output_shape if backward else around.input_shape
    given = 0
    for i, side in enumerate(layers):
        waits = prod(shared) if i + 1 < len(sides) else 0
        alive = list(_alive(side, held + given, backward))
        own = len(alive) - 1 if backward else 0  # the layer inside that has the shared tensor as its own
        yield from (each + (waits if j != own else 0) for j, each in enumerate(alive))
        given += prod(side.input_shape if backward else side.output_shape)


def _tensors(layer: Layer) -> int:
    """Return the elements that a simple layer reads and allocates forward."""
    taken, gives = prod(layer.input_shape), prod(layer.output_shape)
    match layer:
        case Activation():
            return taken + layer.allocated
        case Add() | Multiply():
            return 2 * taken + gives
        case Dropout():  # nothing without training
            return taken
        case Attention():
            return taken + max(2 * _scores(layer), _scores(layer) + gives)
        case _:  # what runs nothing gives a view, or is part of another layer
            return taken + gives if layer.ops(Phase.FPROP) else taken


def _gradients(layer: Layer) -> int:
    taken, gives = prod(layer.input_shape), prod(layer.output_shape)
    match layer:
        case Add():  # one gradient for both
            return gives
        case Multiply():
            return 2 * taken + gives
        case Attention():
            return taken + gives + 2 * _scores(layer)
        case _:
            return taken + gives


def _scores(layer: Attention) -> int:
    """Return the elements of the score matrices, which a fused kernel keeps on the chip."""
    return 0 if layer.fused else layer.batch * layer.heads * layer.queries * layer.keys
