"""A network with equal layers counted once: the same totals in fewer rows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ..layers import Layer
from ..layers._composite import Composite, Parts
from ..layers._fields import parts
from ..layers._layer import Shape
from .scenario import Scenario

Key = tuple[str, Layer, bool]
Leaf = tuple[str, Layer, int]


@dataclass(frozen=True)
class Collapsed(Composite):
    """The distinct layers of a network, each with how often it runs: for its costs, not its shapes."""

    layers: tuple[Leaf, ...] = parts("Layers")
    whole: Layer = parts("Network")

    @property
    def title(self) -> str:
        """Of the network."""
        return self.whole.title

    @property
    def parts(self) -> Parts:
        """The distinct layers under the path where each comes first."""
        return tuple((path, layer) for path, layer, _ in self.layers)

    @property
    def head(self) -> tuple[str, ...]:
        """Of the network."""
        return self.whole.head

    def leaves(self) -> Iterator[Leaf]:
        """Yield every distinct layer once, with its first path and how often it runs."""
        yield from self.layers

    @property
    def params(self) -> int:
        """Of the network."""
        return self.whole.params

    @property
    def input_shape(self) -> Shape:
        """Of the network."""
        return self.whole.input_shape

    @property
    def output_shape(self) -> Shape:
        """Of the network."""
        return self.whole.output_shape


@dataclass(frozen=True)
class CollapsedNetwork(Collapsed):
    """The same of a network whose first layer has no gradient of its input."""

    needs_input_gradient = False


def keys(layer: Layer, named: bool = True) -> Iterator[tuple[Key, str, int]]:
    """Yield for every leaf what it shares with its equals, its path, and how often it runs.

    Equal are layers of the same fields, and where they are ``named`` of the same own name, but for those
    whose input needs no gradient.
    """
    spared = frozenset() if layer.needs_input_gradient else frozenset(layer.head)
    for path, leaf, count in layer.leaves():
        yield (path.rpartition(".")[2] if named else "", leaf, path in spared), path, count


@lru_cache(16)
def collapsed(layer: Layer, named: bool = True) -> Collapsed:
    """Return a network with equal layers counted once; not ``named``, also those of other names."""
    first: dict[Key, str] = {}
    times: dict[Key, int] = {}
    for key, path, count in keys(layer, named):
        first.setdefault(key, path)
        times[key] = times.get(key, 0) + count
    kind = Collapsed if layer.needs_input_gradient else CollapsedNetwork
    return kind(tuple((path, key[1], times[key]) for key, path in first.items()), layer)


@lru_cache(16)
def once(scenario: Scenario, named: bool = True) -> Scenario:
    """Return the same question with equal layers counted once: its totals are the same, its rows fewer."""
    return replace(scenario, layer=collapsed(scenario.layer, named))
