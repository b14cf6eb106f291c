"""A traced module: a composite of what its forward pass ran, and a list of what has no layer."""

from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import NamedTuple

from .._given import many, real, shown, text, whole
from ..layers import Composite, Layer, Saved
from ..layers._composite import Parts, named
from ..layers._fields import parts
from ..layers._layer import Shape
from ..units import si

_MOST = 2**53  # parameters, elements of a side
_NAMED = 5  # unplaced operations that str() names


class Unplaced(NamedTuple):
    """An operation without a layer: how often it ran in a module, and its share of the work."""

    name: str  # as torch spells it: aten.cat
    path: str  # of the module that ran it
    count: int  # type: ignore[assignment]  # a tuple's own method of that name is not needed
    elements: int  # of all its outputs
    share: float  # of the elements that all operations put out, views not counted


@dataclass(frozen=True)
class TorchModel(Composite):
    """What a torch module ran, in order, under the modules' own dotted paths.

    A flat list: the layers' shapes need not chain, as sides of a residual come one after the other. A
    module that runs again has ``#2`` after its path, and its weights are ``Tied``. ``unplaced`` is in no
    count. Every field is described as ``parts``, as none can be changed alone: trace again for another batch.
    """

    needs_input_gradient = False

    layers: Parts = parts("Layers")
    parameters: int = parts("Parameters", default=0)
    takes: Shape = parts("Input shape", default=())
    gives: Shape = parts("Output shape", default=())
    unplaced: tuple[Unplaced, ...] = parts("Operations without a layer", default=())
    name: str = parts("Module", default="")

    def check(self) -> None:
        """Names and layers come in pairs, sizes are not negative."""
        text("TorchModel name", self.name)
        whole("TorchModel parameters", self.parameters, 0, _MOST)
        object.__setattr__(self, "layers", named("TorchModel", self.layers))
        for name in ("takes", "gives"):  # lists, where they come from a JSON text
            shape = many(f"TorchModel {name}", getattr(self, name))
            sizes = tuple(whole(f"TorchModel {name}", size, 0, _MOST) for size in shape)
            object.__setattr__(self, name, sizes)
        missing = many("TorchModel unplaced", self.unplaced)
        object.__setattr__(self, "unplaced", tuple(map(_unplaced, missing)))

    @property
    def title(self) -> str:
        """The module's class."""
        return self.name or super().title

    @property
    def parts(self) -> Parts:
        """The layers, in the order they ran."""
        return self.layers

    @property
    def params(self) -> int:
        """Of every distinct parameter tensor once, those that no layer holds among them."""
        return self.parameters

    @property
    def input_shape(self) -> Shape:
        """Of the first tensor given."""
        return self.takes

    @property
    def output_shape(self) -> Shape:
        """Of the first tensor returned."""
        return self.gives

    @property
    def saved(self) -> Saved:
        """Of all layers; neighbours whose element counts chain share a tensor, others are added up."""
        kept = [layer.saved for _, layer in self.layers]
        if not kept:
            return Saved()
        between = sum(_between(before, after) for (_, before), (_, after) in pairwise(self.layers))
        return Saved(
            input=kept[0].input,
            output=kept[-1].output,
            extra=sum(each.extra for each in kept) + between,
            side_bytes=sum(each.side_bytes for each in kept),
        )

    def __str__(self) -> str:
        placed = f"{self.title}: {len(self.layers)} layers"
        return f"{placed}, {si(self.params)} parameters, {si(self.macs)} multiply-adds; {self._missing()}"

    def _missing(self) -> str:
        if not self.unplaced:
            return "every operation has a layer"
        most = sorted(self.unplaced, key=lambda each: -each.elements)
        named = [f"{each.name} in {each.path or 'the module'} ({each.share:.1%})" for each in most[:_NAMED]]
        more = [f"{len(most) - _NAMED} more"] if len(most) > _NAMED else []
        share = sum(each.share for each in most)
        return f"without a layer, {share:.1%} of all elements put out: {', '.join(named + more)}"


def _unplaced(value: object) -> Unplaced:
    parts = many("TorchModel unplaced", value)
    if len(parts) != len(Unplaced._fields):
        raise ValueError(
            f"TorchModel unplaced: {', '.join(Unplaced._fields)} are expected, not {shown(value)}"
        )
    name, path, count, elements, share = parts
    return Unplaced(
        text("TorchModel unplaced name", name),
        text("TorchModel unplaced path", path),
        whole("TorchModel unplaced count", count, 0, _MOST),
        whole("TorchModel unplaced elements", elements, 0, _MOST),
        real("TorchModel unplaced share", share, most=1.0),
    )


def _between(before: Layer, after: Layer) -> int:
    """Return the elements kept between two neighbours."""
    output, taken = before.saved.output, after.saved.input
    chain = prod(before.output_shape) == prod(after.input_shape)
    return max(output, taken) if chain else output + taken
