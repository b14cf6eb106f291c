"""A scenario with its layers grouped and priced once, for all rules; and what it would be if changed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import fsum
from typing import Any, NamedTuple

from ..cost import Cost, Launch, Scenario
from ..cost.queue import waiting, waiting_share
from ..cost.time import priced
from ..layers import Composite, Layer
from ..layers.repeat import Tied
from ..ops import Phase, Stream

WORTH = 0.005  # share of the scenario's time below which a saving is not worth a change

Sizes = Mapping[str, Any]  # fields of a layer that change


class Site(NamedTuple):
    """Simple layers that are all alike, priced once."""

    path: str  # of the first of them
    leaf: Layer
    runs: int  # how often it runs, all of them together
    costs: tuple[Cost, ...]  # of one of them, in the scenario's phases

    @property
    def bare(self) -> Layer:
        """The layer itself, also where its weights are another's."""
        return self.leaf.layer if isinstance(self.leaf, Tied) else self.leaf

    @property
    def time(self) -> float:
        """Seconds of all of them."""
        return self.runs * seconds(self.costs)

    @property
    def products(self) -> tuple[Cost, ...]:
        """The rows that are products, of any kind."""
        return tuple(c for c in self.costs if not isinstance(c.op, Stream))


@dataclass(frozen=True)
class Case:
    """A scenario as rules see it."""

    scenario: Scenario

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """The simple layers, those that are alike together, in the order that they are first met."""
        return tuple(
            Site(path, leaf, count, self.price(leaf, first))
            for (leaf, first), (path, count) in self._alike.items()
        )

    @cached_property
    def _alike(self) -> dict[tuple[Layer, bool], tuple[str, int]]:
        """The first path and the runs of each simple layer, and of its like without input gradient."""
        layer = self.scenario.layer
        unasked = () if layer.needs_input_gradient else layer.head
        met: dict[tuple[Layer, bool], tuple[str, int]] = {}
        for path, leaf, count in layer.leaves():
            first, before = met.get((leaf, path in unasked), (path, 0))
            met[leaf, path in unasked] = (first, before + count)
        return met

    @cached_property
    def time(self) -> float:
        """Seconds, over all operations: the scenario's own, computed once for layers that are alike."""
        return fsum(site.time for site in self.sites)

    @cached_property
    def flops(self) -> int:
        """Flops, over all operations."""
        return sum(site.runs * flops(site.costs) for site in self.sites)

    def other(self, change: Scenario) -> "Case":
        """Return the case of a changed scenario, the same to every rule that asks."""
        return self._others.setdefault(change, Case(change))

    @cached_property
    def _others(self) -> dict[Scenario, "Case"]:
        return {}

    def price(self, leaf: Layer, first: bool = False) -> tuple[Cost, ...]:
        """Return the rows of a simple layer run as the scenario says, ``first`` without input gradient."""
        rows, share = self._by_itself(leaf, first), self._waits
        return rows if share is None else tuple(waiting(row, share) for row in rows)

    def _by_itself(self, leaf: Layer, first: bool) -> tuple[Cost, ...]:
        if (leaf, first) not in self._priced:
            s = self.scenario
            phases = (phase for phase in s.phases if not (first and phase is Phase.DGRAD))
            how = (1, s.gpu, s.format, s.launch, s.library, s.sparse)
            rows = (row for phase in phases for row in priced("", phase, leaf.ops(phase), *how))
            self._priced[leaf, first] = tuple(rows)
        return self._priced[leaf, first]

    @cached_property
    def _priced(self) -> dict[tuple[Layer, bool], tuple[Cost, ...]]:
        return {}

    @cached_property
    def _waits(self) -> float | None:
        """The share of its launches that a network waits for; None where each operation waits for its own."""
        if self.scenario.launch is not Launch.EAGER or not isinstance(self.scenario.layer, Composite):
            return None
        return waiting_share(
            [row.at(path, runs)
             for (leaf, first), (path, runs) in self._alike.items()
             for row in self._by_itself(leaf, first)]
        )  # fmt: skip

    def of(self, *kinds: type) -> tuple[Site, ...]:
        """Return the sites of some kinds of layer."""
        return tuple(site for site in self.sites if isinstance(site.bare, kinds))

    def multiplied(self, *kinds: type) -> tuple[Site, ...]:
        """Return those whose products the GPU's Tensor Cores could run in this format."""
        if not self.scenario.gpu.has_tensor_cores(self.scenario.format.math):
            return ()
        return tuple(site for site in self.of(*kinds) if site.products)

    def alone(self, site: Site) -> bool:
        """Whether a layer is the one asked about, not a part of it."""
        return site.leaf is self.scenario.layer

    def worth(self, saved: float) -> bool:
        """Whether so many seconds are worth a change."""
        return saved > WORTH * self.time

    def resized(self, site: Site, sizes: Sizes) -> tuple[Cost, ...]:
        """Return the rows of a layer of other sizes; none where it cannot have them.

        Where all of a network changes with it, the host may be waited for less.
        """
        leaf = with_sizes(site.leaf, sizes)
        if not leaf:
            return ()
        change = self.change(site, sizes) if self._waits is not None else None
        return (self.other(change) if change else self).price(leaf, self._first(site))

    def change(self, site: Site, sizes: Sizes) -> Scenario | None:
        """Return the scenario in which a layer has other sizes, if fields of the whole can say so."""
        layer, own = self.scenario.layer, dict[str, Any]()
        for name, size in sizes.items():
            here = getattr(site.bare, name)
            if self.alone(site):
                own[name] = size
            elif name == site.bare.scale and layer.scale in layer.__dataclass_fields__:
                own[layer.scale], rest = divmod(getattr(layer, layer.scale) * size, here)
                if rest:
                    return None
            elif getattr(layer, name, None) == here:
                own[name] = size
            else:
                return None
        changed = with_sizes(layer, own)
        return replace(self.scenario, layer=changed) if changed else None

    def unit(self, site: Site) -> int:
        """Return what one more in the whole's scale, such as a sample, adds to the scale of a layer."""
        layer = self.scenario.layer
        if self.alone(site) or layer.scale not in layer.__dataclass_fields__:
            return 1
        here, whole = getattr(site.bare, site.bare.scale), getattr(layer, layer.scale)
        return max(int(here) // int(whole), 1)

    def _first(self, site: Site) -> bool:
        layer = self.scenario.layer
        return not layer.needs_input_gradient and site.path in layer.head


def with_sizes(leaf: Layer, sizes: Sizes) -> Layer | None:
    """Return a layer of other sizes, or None where it cannot have them."""
    changes: dict[str, Any] = dict(sizes)
    try:
        if isinstance(leaf, Tied):
            changes = {"layer": replace(leaf.layer, **changes)}
        return replace(leaf, **changes)
    except ValueError:
        return None


def seconds(costs: tuple[Cost, ...]) -> float:
    """Return the time of some rows."""
    return fsum(c.time for c in costs)


def flops(costs: tuple[Cost, ...]) -> int:
    """Return the flops of some rows."""
    return sum(c.flops for c in costs)


def longest(costs: tuple[Cost, ...]) -> Cost:
    """Return the row that takes longest."""
    return max(costs, key=lambda c: c.time)
