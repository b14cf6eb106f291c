"""DeepBench, 2016 to 2019: products, convolutions and recurrent layers from cuBLAS and cuDNN of those years.

Protocol of all three files: calls from C++ in a loop, one synchronization at the end, the host's clock
divided by the number of calls, in whole microseconds. Launches queue up, so a call's own floor is a
queued launch, as in a graph.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from dlperf_widgets.cost import Launch
from dlperf_widgets.dtypes import FP16, FP32, INT8
from dlperf_widgets.layers import Conv2d, Gru, Layer, Lstm, Rnn
from dlperf_widgets.layers._fields import parts
from dlperf_widgets.layers._layer import Shape
from dlperf_widgets.ops import Gemm, Op, Operand, Phase
from tests.bench.rows import Bare, Measured, measured, rows, sizes

_DTYPES = {"fp32": FP32, "fp16": FP16, "fp16_tc": FP16, "int8": INT8}
_PHASES = {
    "forward": Phase.FPROP,
    "backward": Phase.DGRAD,
    "backward_input": Phase.DGRAD,
    "backward_weight": Phase.WGRAD,
}


def _products() -> Iterator[Measured]:
    """Column-major products, "T" transposed; sizes that an FP16 kernel dislikes were padded."""
    act = Operand.ACTIVATION
    for row in rows("deepbench_gemm"):
        m, n, k = sizes(row, "m", "n", "k")
        leading = ("m" if row["ta"] == "N" else "k") + ("k" if row["tb"] == "N" else "n") + "m"
        layer = Bare(Gemm(m, n, k, a=act, leading=leading))
        family = f"{row['dtype'][:4]} product, DeepBench"
        yield measured(row, family, layer, _DTYPES[row["dtype"]], Launch.GRAPH)


def _convolutions() -> Iterator[Measured]:
    """Convolutions and both gradients, NCHW, by the algorithm that cuDNN's search found quickest."""
    for row in rows("deepbench_conv"):
        batch, given, made, h, w, kh, kw = sizes(row, "batch", "c_in", "c_out", "h", "w", "kh", "kw")
        stride, padding = (tuple(sizes(row, f"{name}_h", f"{name}_w")) for name in ("stride", "pad"))
        layer = Conv2d(batch, given, made, h, w, kh, kw, stride, padding, bias=False)
        phase, dtype = _PHASES[row["phase"]], row["dtype"]
        yield measured(
            row, f"{dtype[:4]} convolution, {phase}, DeepBench", layer, _DTYPES[dtype], Launch.GRAPH, (phase,)
        )


def _recurrent() -> Iterator[Measured]:
    """One layer in one direction, its input added as it is: no product of inputs (CUDNN_SKIP_INPUT).

    "backward" of FP16 on the P100 is both gradients. From the eager interface of cuDNN: one call a layer.
    """
    kinds = {"vanilla": Rnn, "lstm": Lstm, "gru": Gru}
    for row in rows("deepbench_rnn"):
        hidden, batch, steps = sizes(row, "hidden", "batch", "timesteps")
        layer = Unfed(kinds[row["op"]](batch, steps, hidden, hidden), both=row["phase"] == "backward")
        phase, dtype = _PHASES[row["phase"]], row["dtype"]
        yield measured(row, f"{dtype[:4]} recurrent, {phase}", layer, _DTYPES[dtype], Launch.EAGER, (phase,))


@dataclass(frozen=True)
class Unfed(Layer):
    """A recurrent layer without the products of its input; with ``both``, dgrad does wgrad's work too."""

    layer: Layer = parts("Layer")
    both: bool = parts("Both gradients", default=False)

    def ops(self, phase: Phase) -> tuple[Op, ...]:
        """Return the layer's operations but for the product of the input."""
        ops = self.layer.ops(phase)
        match phase:
            case Phase.FPROP:
                return ops[1:]
            case Phase.DGRAD:
                return ops[:-1] + (self.ops(Phase.WGRAD) if self.both else ())
            case Phase.WGRAD:
                return ops[:-1]
            case _:
                return ops

    @property
    def input_shape(self) -> Shape:
        """Of the layer."""
        return self.layer.input_shape

    @property
    def output_shape(self) -> Shape:
        """Of the layer."""
        return self.layer.output_shape


READERS = (_products, _convolutions, _recurrent)
