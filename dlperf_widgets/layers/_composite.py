"""Layers made of layers. A model is one of these: every chart and rule that works on a layer works on it."""

from abc import abstractmethod
from collections.abc import Iterator
from itertools import pairwise
from math import prod

from .._given import many, text, thing
from ..ops import Op, Phase
from ._layer import Layer, Saved, Shape

Parts = tuple[tuple[str, Layer], ...]


class Composite(Layer):
    """A layer of named layers. It adds nothing of its own to their counts."""

    @property
    @abstractmethod
    def parts(self) -> Parts:
        """The layers inside, named, in forward order."""

    def leaves(self) -> Iterator[tuple[str, Layer, int]]:
        """Yield every simple layer inside, with its dotted path and how often it runs."""
        for name, part in self.parts:
            for path, leaf, count in part.leaves():
                yield _join(name, path), leaf, count

    def ops(self, phase: Phase) -> tuple[Op, ...]:
        """Return the operations of all layers inside, each once however often it runs."""
        return tuple(op for _, leaf, _ in self.leaves() for op in leaf.ops(phase))

    @property
    def params(self) -> int:
        """Trainable parameters of all layers inside."""
        return sum(part.params for _, part in self.parts)

    @property
    def macs(self) -> int:
        """Multiply-adds of one forward pass."""
        return sum(count * leaf.macs for _, leaf, count in self.leaves())

    @property
    def other_flops(self) -> int:
        """Flops of one forward pass that are not multiply-adds of products."""
        return sum(count * leaf.other_flops for _, leaf, count in self.leaves())


def named(owner: str, values: object) -> Parts:
    """Return layers with their names; those that were given none are numbered."""
    found = []
    for i, item in enumerate(many(f"{owner} layers", values)):
        name, part = item if isinstance(item, tuple | list) and len(item) == 2 else (str(i), item)
        name = text(f"{owner}: the name of a layer", name)
        found.append((name, thing(f"{owner}: layer {name}", Layer, part)))
    return tuple(found)


class Series(Composite):
    """A composite whose parts run one after another, each on what the one before gives."""

    @property
    def input_shape(self) -> Shape:
        """Of the first part."""
        return self.parts[0][1].input_shape

    @property
    def output_shape(self) -> Shape:
        """Of the last part."""
        return self.parts[-1][1].output_shape

    @property
    def saved(self) -> Saved:
        """Of all parts; between two neighbours there is one tensor, kept once."""
        return chained([part.saved for _, part in self.parts])


def chained(kept: list[Saved]) -> Saved:
    """Return what a chain keeps, of what each of its links keeps."""
    between = sum(max(before.output, after.input) for before, after in pairwise(kept))
    return Saved(
        input=kept[0].input,
        output=kept[-1].output,
        extra=sum(each.extra for each in kept) + between,
        side_bytes=sum(each.side_bytes for each in kept),
    )


def _join(name: str, path: str) -> str:
    """Join names by dots; a part without a name, as a residual's body, adds nothing to the path."""
    return name + path if not name or not path or path.startswith("[") else f"{name}.{path}"


def described(shape: Shape) -> str:
    """Return a shape in words: ``8 x 64 = 512 elements``."""
    return f"{' x '.join(map(str, shape))} = {prod(shape):,} elements"
