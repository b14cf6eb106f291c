"""Recurrent layers: plain, LSTM and GRU, stacked and in both directions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, assert_never

from ..ops import Gemm, Op, Operand, Phase, Stream
from ._fields import dim, flag
from ._layer import Layer, Saved, Shape

_WEIGHT, _ACTIVATION, _GRADIENT = Operand.WEIGHT, Operand.ACTIVATION, Operand.GRADIENT


class Pointwise(NamedTuple):
    """What is done for each hidden unit, sample and time step besides the products."""

    reads: int
    writes: int
    flops: int  # an activation function counts as one
    kept: int = 0  # reads of what the forward pass kept


@dataclass(frozen=True)
class Recurrent(Layer):
    """Layers whose gates see the input x(t) and the layer's own last output h(t - 1).

    The inputs of all time steps are known, so their product is one for each layer and direction. The
    recurrent product must wait for the step before: it runs once a step. Tensors are (time, batch,
    feature), weights (gates x hidden) x inputs, the gates stacked, as in PyTorch and cuDNN. A persistent
    kernel keeps the recurrent weights in registers and reads them once.
    """

    batch: int = dim(64, "Batch size")
    timesteps: int = dim(50, "Time steps", most=4096)
    inputs: int = dim(1024, "Inputs")
    hidden: int = dim(1024, "Hidden units")
    layers: int = dim(1, "Layers", most=16, log=False, limit=1024)
    bidirectional: bool = flag(False, "Bidirectional")
    bias: bool = flag(True, "Bias")
    persistent: bool = flag(False, "Persistent")

    gates: ClassVar[int]
    kept: ClassVar[int]  # elements a hidden unit that backward needs besides the output
    forward: ClassVar[Pointwise]
    backward: ClassVar[Pointwise]

    @property
    def directions(self) -> int:
        """Two if bidirectional, else one; each has weights of its own."""
        return 2 if self.bidirectional else 1

    @property
    def fed_back(self) -> int:
        """Width of h, which the next time step and the next layer see."""
        return self.hidden

    @property
    def widths(self) -> tuple[int, ...]:
        """Width of each layer's input: after the first, the output of both directions side by side."""
        return (self.inputs, *[self.directions * self.fed_back] * (self.layers - 1))

    def ops(self, phase: Phase) -> tuple[Op, ...]:
        """Return the operations of every layer and direction, backward from the last layer."""
        match phase:
            case Phase.FPROP:
                each = [self._fprop(width) for width in self.widths]
            case Phase.DGRAD:
                each = [self._dgrad(width) for width in reversed(self.widths)]
            case Phase.WGRAD:
                each = [self._wgrad(width) for width in reversed(self.widths)]
            case Phase.UPDATE:
                each = []
            case _:
                assert_never(phase)
        return tuple(op for layer in each for op in self.directions * tuple(layer))

    def _fprop(self, width: int) -> Iterable[Op]:
        rows, b, t = self.gates * self.hidden, self.batch, self.timesteps
        yield Gemm(rows, b * t, width)
        yield Gemm(rows, b, self.fed_back, repeat=t, resident=self.persistent)
        yield self._pointwise(self.forward, _ACTIVATION)
        if self._projects:
            yield Gemm(self.fed_back, b, self.hidden, repeat=t, resident=self.persistent)

    def _dgrad(self, width: int) -> Iterable[Op]:
        rows, b, t = self.gates * self.hidden, self.batch, self.timesteps
        if self._projects:
            yield self._transposed(self.hidden, b, self.fed_back, t)
        yield self._pointwise(self.backward, _GRADIENT)
        yield self._transposed(self.fed_back, b, rows, t)
        yield self._transposed(width, b * t, rows)

    def _wgrad(self, width: int) -> Iterable[Op]:
        # no step waits for another: every product is one over all of them
        rows, many = self.gates * self.hidden, self.batch * self.timesteps
        shapes = [(self.hidden, self.fed_back)] if self._projects else []
        shapes += [(self.fed_back, rows), (width, rows)]
        for m, n in shapes:
            yield Gemm(m, n, many, a=_ACTIVATION, b=_GRADIENT, c=_GRADIENT, leading="mnm")

    def _transposed(self, m: int, n: int, k: int, repeat: int = 1) -> Gemm:
        resident = self.persistent and repeat > 1
        return Gemm(
            m, n, k, repeat=repeat, a=_WEIGHT, b=_GRADIENT, c=_GRADIENT, leading="mkm", resident=resident
        )

    def _pointwise(self, unit: Pointwise, role: Operand) -> Stream:
        units = self._units
        return Stream(
            unit.reads * units, unit.writes * units, unit.flops * units,
            kept=unit.kept * units, role=role, steps=1 if self.persistent else self.timesteps,
        )  # fmt: skip

    @property
    def _units(self) -> int:
        return self.hidden * self.batch * self.timesteps

    @property
    def _projects(self) -> bool:
        return self.fed_back != self.hidden

    @property
    def params(self) -> int:
        """Weights of input and h, two biases a gate as cuDNN and PyTorch have them, and the projection's."""
        rows = self.gates * self.hidden
        projection = self.fed_back * self.hidden if self._projects else 0
        inside = rows * (self.fed_back + 2 * self.bias) + projection
        return self.directions * (rows * sum(self.widths) + self.layers * inside)

    @property
    def epilogue_flops(self) -> int:
        """Two additions of a bias a gate."""
        return self.bias * 2 * self.gates * self._units * self.directions * self.layers

    @property
    def input_shape(self) -> Shape:
        """(timesteps, batch, inputs)."""
        return (self.timesteps, self.batch, self.inputs)

    @property
    def output_shape(self) -> Shape:
        """(timesteps, batch, directions x hidden): the last layer's h of every step."""
        return (self.timesteps, self.batch, self.directions * self.fed_back)

    @property
    def saved(self) -> Saved:
        """Input and output of every layer, its gates and states; under a projection also what it projects."""
        steps = self.batch * self.timesteps
        output = steps * self.directions * self.fed_back
        inside = (self.kept + self._projects) * self._units * self.directions * self.layers
        return Saved(steps * self.inputs, output, extra=inside + (self.layers - 1) * output)


# In what follows G preactivations come in two halves, one from each product, and are added: G flops.
# Backward adds two gradients of h, from above and from the next step; x(1 - x)d and (1 - x x)d are 3 flops.


@dataclass(frozen=True)
class Rnn(Recurrent):
    """h = tanh(W x + R h' + b), with h' the h of the step before."""

    gates = 1
    kept = 0  # h itself gives the derivative of tanh
    forward = Pointwise(reads=2, writes=1, flops=1 + 1)  # h
    backward = Pointwise(reads=2, writes=1, flops=1 + 3, kept=1)  # h; the preactivation's gradient


@dataclass(frozen=True)
class Lstm(Recurrent):
    """c = f c' + i g and h = o tanh(c), of the gates i, f, o (sigmoid) and g (tanh).

    ``projection`` (0: none) is the width to which a further product narrows h.
    """

    projection: int = dim(0, "Projection (0: none)", most=4096, log=False, least=0)

    gates = 4
    kept = 5  # the gates and c
    # reads c', writes the gates, c and h; 4 activations, 3 products, 1 sum, 1 tanh
    forward = Pointwise(reads=8 + 1, writes=4 + 2, flops=4 + 9)
    # reads the gates, c, c' and the gradient of c, writes that of c' and of 4 preactivations;
    # tanh(c) again 1, gradients of c 5, of o, i, f, g and c' 5, through the activations 12
    backward = Pointwise(reads=2 + 1, writes=4 + 1, flops=1 + 1 + 5 + 5 + 12, kept=6)

    def check(self) -> None:
        """A projection must narrow."""
        if self.projection >= self.hidden:
            raise ValueError(f"Lstm projection {self.projection} must be less than hidden {self.hidden}")

    @property
    def fed_back(self) -> int:
        """Width of h, projected if there is a projection."""
        return self.projection or self.hidden


@dataclass(frozen=True)
class Gru(Recurrent):
    """h = (1 - z) n + z h', of the gates r, z (sigmoid) and n = tanh(W x + b + r (R h' + b')).

    The reset r applies after the product, as in PyTorch and cuDNN: one recurrent product a step, not two.
    """

    gates = 3
    kept = 4  # the gates and the recurrent half of n
    # reads h', writes what is kept and h; 3 activations, r times a half 1, n + z (h' - n) 3
    forward = Pointwise(reads=6 + 1, writes=4 + 1, flops=3 + 7)
    # reads what was kept and h', writes 4 gradients of preactivations (the halves of n differ) and the
    # direct part of h'. Gradients of z 2, n 2, h' 1, r 1, the half of n 1, through the activations 9
    backward = Pointwise(reads=2, writes=4 + 1, flops=1 + 7 + 9, kept=5)
