"""The memory that a scenario is predicted to need."""

from ..cost import Scenario
from ..cost.activations import has_batch
from ..cost.memory import footprint
from ..layers import OptimizerStep
from ..ops import Phase


def need(asked: Scenario) -> float:
    """Return the bytes to run a scenario: without an optimizer's state, unless it is the optimizer's step."""
    layer = asked.layer
    if isinstance(layer, OptimizerStep):
        return layer.parameters * (8 + layer.state_bytes)  # an FP32 weight and its gradient
    return footprint(layer, asked.format, "sgd", training=trains(asked)).total(samples(asked))


def trains(asked: Scenario) -> bool:
    """Return whether a backward pass is asked for, for which something is kept."""
    return bool({Phase.DGRAD, Phase.WGRAD} & set(asked.phases))


def predicted_saved(asked: Scenario) -> float:
    """Return the bytes that a forward pass keeps for backward."""
    terms = footprint(asked.layer, asked.format, "sgd")
    return terms.activations_constant + samples(asked) * terms.activations_per_sample


def samples(asked: Scenario) -> int:
    """Return the batch that a footprint is multiplied by: 1 where it is that of the layer as it is."""
    layer = asked.layer
    return getattr(layer, layer.scale) if has_batch(layer) else 1
