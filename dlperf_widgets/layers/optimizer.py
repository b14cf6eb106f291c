"""The optimizer's step."""

from dataclasses import dataclass

from ..ops import Phase, Stream
from ._fields import choice, dim, flag
from ._layer import Layer, Shape

STATES = {"sgd": 0, "momentum": 1, "adam": 2, "adamw": 2}  # FP32 numbers kept for each parameter
_FLOPS = {"sgd": 2, "momentum": 4, "adam": 14, "adamw": 14}  # for each parameter; Adam's a convention


@dataclass(frozen=True)
class OptimizerStep(Layer):
    """One fused step over ``parameters`` that are another layer's, in FP32 whatever the scenario's format.

    Mixed: gradients and the weights that layers use are 16 bits, beside FP32 master weights.
    """

    scale = "parameters"
    parameters: int = dim(2**24, "Parameters", most=2**34, limit=2**44)
    kind: str = choice("adam", "Optimizer", tuple(STATES))
    mixed: bool = flag(False, "Mixed precision")

    def ops(self, phase: Phase) -> tuple[Stream, ...]:
        """Return one pass over parameters, gradients and state when all gradients are there."""
        if phase is not Phase.UPDATE:
            return ()
        moved = self.moved_bytes * self.parameters
        return (Stream(0, 0, flops=_FLOPS[self.kind] * self.parameters, side_bytes=moved),)

    @property
    def moved_bytes(self) -> int:
        """Bytes for each parameter: gradient read, weight and states read and written, a copy if mixed."""
        held = 4 * (1 + STATES[self.kind])
        return 2 + held + held + 2 if self.mixed else 4 + held + held

    @property
    def state_bytes(self) -> int:
        """Bytes kept for each parameter beside it and its gradient: states, and if mixed a master weight."""
        return 4 * (STATES[self.kind] + self.mixed)

    @property
    def input_shape(self) -> Shape:
        """(parameters,)."""
        return (self.parameters,)

    @property
    def output_shape(self) -> Shape:
        """(parameters,)."""
        return (self.parameters,)
