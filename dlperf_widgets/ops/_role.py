"""When an operation runs, and what its tensors are to the layer."""

from enum import StrEnum

from ..dtypes import DType, Format


class Phase(StrEnum):
    """A part of a training step."""

    FPROP = "fprop"
    DGRAD = "dgrad"  # gradient of the input activations
    WGRAD = "wgrad"  # gradient of the weights
    UPDATE = "update"  # the optimizer's step


TRAINING = tuple(Phase)


class Operand(StrEnum):
    """What a tensor is to its layer: a ``Format`` stores each role in a format of its own."""

    WEIGHT = "weights"
    ACTIVATION = "activations"
    GRADIENT = "gradients"

    def dtype(self, form: Format) -> DType:
        """Return the number format that stores this role."""
        stored: DType = getattr(form, self)  # the roles are named as its fields
        return stored
