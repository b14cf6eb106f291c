"""Whether what a scenario asks has room on its GPU."""

from dataclasses import fields
from functools import lru_cache

from ..dtypes import Format
from ..layers import Layer, OptimizerStep
from ..ops import Phase
from .activations import has_batch
from .footprint import RESERVE, Footprint
from .memory import footprint
from .scenario import Scenario


class AnyBatch:
    """A layer that equals itself at another batch: a footprint is for any."""

    def __init__(self, layer: Layer) -> None:
        self.layer = layer
        sizes = (getattr(layer, f.name) for f in fields(layer) if f.name != layer.scale)
        self.key = (type(layer), *sizes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnyBatch) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(64)
def _footprint(what: AnyBatch, form: Format, training: bool) -> Footprint:
    return footprint(what.layer, form, training=training)


def needs(scenario: Scenario) -> float | None:
    """Return the bytes that a scenario's layer takes at its batch, with Adam where it trains.

    None for a step of an optimizer, which has no footprint of its own.
    """
    layer = scenario.layer
    if isinstance(layer, OptimizerStep):
        return None
    training = any(phase is not Phase.FPROP for phase in scenario.phases)
    batch = getattr(layer, layer.scale) if has_batch(layer) else 1
    return _footprint(AnyBatch(layer), scenario.format, training).total(batch)


def has_room(scenario: Scenario) -> bool:
    """Return whether the scenario's GPU has that many bytes, but for what a process holds before its own."""
    wanted = needs(scenario)
    return wanted is None or wanted <= scenario.gpu.memory - RESERVE
