"""Fully-connected layers."""

from dataclasses import dataclass
from typing import assert_never

from ..ops import Gemm, Operand, Phase
from ._fields import dim, flag
from ._layer import Layer, Saved, Shape

_WEIGHT, _ACTIVATION, _GRADIENT = Operand.WEIGHT, Operand.ACTIVATION, Operand.GRADIENT


@dataclass(frozen=True)
class Linear(Layer):
    """y = W x + b, for ``batch`` vectors x: all leading dimensions of the input, multiplied.

    W is outputs x inputs. Weights are A and activations B, as PyTorch calls cuBLAS and as NVIDIA's
    guide for fully-connected layers has it. Every operand is stored by rows.
    """

    batch: int = dim(512, "Batch size")
    inputs: int = dim(1024, "Inputs")
    outputs: int = dim(4096, "Outputs")
    bias: bool = flag(True, "Bias")

    def ops(self, phase: Phase) -> tuple[Gemm, ...]:
        """Return the product of a phase. Bias is part of its epilogue and moves nothing more."""
        match phase:
            case Phase.FPROP:  # y (outputs x batch) = W (outputs x inputs) x (inputs x batch)
                return (Gemm(self.outputs, self.batch, self.inputs),)
            case Phase.DGRAD:  # dx (inputs x batch) = W' (inputs x outputs) dy (outputs x batch)
                return (
                    Gemm(
                        self.inputs, self.batch, self.outputs,
                        a=_WEIGHT, b=_GRADIENT, c=_GRADIENT, leading="mkm",
                    ),
                )  # fmt: skip
            case Phase.WGRAD:  # dW' (inputs x outputs) = x (inputs x batch) dy' (batch x outputs)
                return (
                    Gemm(
                        self.inputs, self.outputs, self.batch,
                        a=_ACTIVATION, b=_GRADIENT, c=_GRADIENT, leading="mnm",
                    ),
                )  # fmt: skip
            case Phase.UPDATE:
                return ()
        assert_never(phase)

    @property
    def params(self) -> int:
        """Weights, and one bias an output."""
        return self.inputs * self.outputs + self.bias * self.outputs

    @property
    def epilogue_flops(self) -> int:
        """One addition of the bias an output."""
        return self.bias * self.batch * self.outputs

    @property
    def input_shape(self) -> Shape:
        """(batch, inputs)."""
        return (self.batch, self.inputs)

    @property
    def output_shape(self) -> Shape:
        """(batch, outputs)."""
        return (self.batch, self.outputs)

    @property
    def saved(self) -> Saved:
        """The input, for the gradient of the weights."""
        return Saved(input=self.batch * self.inputs)
