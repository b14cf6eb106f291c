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
    training = any(phase in asked.phases for phase in (Phase.DGRAD, Phase.WGRAD))
    return footprint(layer, asked.format, "sgd", training=training).total(samples(asked))


def samples(asked: Scenario) -> int:
    """Return the batch that a footprint is multiplied by: 1 where it is that of the layer as it is."""
    layer = asked.layer
    return getattr(layer, layer.scale) if has_batch(layer) else 1
