"""The launch: the least time of an operation, and what a long kernel leaves of it."""

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ..gpus import Gpu
from ..ops import Attention, Conv, Gemm, Op, Operand, Pass, Stream
from .calibration import of

if TYPE_CHECKING:
    from .constants import Calibration


class Launch(StrEnum):
    """How kernels are started, which decides the least time that any takes."""

    GRAPH = "graph"  # replayed from a CUDA graph
    EAGER = "eager"  # one by one from Python
    KERNEL = "kernel"  # the kernel alone, its launch not counted


class Floor(NamedTuple):
    """The least time of an operation in seconds, and the share of it that no kernel hides."""

    seconds: float
    exposed: float
    queued: bool = False  # what is left of it in a network: the host runs ahead

    def over(self, busy: float) -> float:
        """Return max(floor, exposed x floor + busy): the host runs ahead while the GPU is busy."""
        return max(self.seconds, self.exposed * self.seconds + busy)


def floor(op: Op, gpu: Gpu, launch: Launch) -> Floor:
    """Return the floor of one operation, started once for each kernel that waits for the one before."""
    if launch is Launch.KERNEL:
        return Floor(0.0, 1.0)
    c = of(gpu)
    if isinstance(op, Gemm) and op.repeat > 1:
        from .recurrent import launches

        return Floor(launches(op, gpu, hosted=launch is Launch.EAGER), 1.0)
    if isinstance(op, Stream) and op.steps > 1:
        return Floor(c.stream_launch * op.steps, 1.0)  # what the host takes is counted with the product
    if launch is Launch.EAGER:
        one = _eager_stream(op, c) if isinstance(op, Stream) else _eager_product(op, c)
    else:
        one = Floor(_replayed(op, gpu, c), 1.0)
    many = _launches(op)
    return Floor(one.seconds * many, one.exposed) if many != 1 else one


def _replayed(op: Op, gpu: Gpu, c: "Calibration") -> float:
    """Return the seconds from one kernel of a CUDA graph to the next, were there nothing to do."""
    if isinstance(op, Stream):
        return c.stream_launch
    if isinstance(op, Attention):
        from .attention import kernels

        return c.attention_launch + (c.attention_combine if kernels(op) > 1 else 0.0)
    return c.tensor_launch / (gpu.tensor_clock or gpu.clock)


def _eager_product(op: Op, c: "Calibration") -> Floor:
    """A linear layer brings its bias along, which takes the host longer than a plain product."""
    linear = isinstance(op, Gemm) and op.batch == 1 and Operand.WEIGHT in (op.a, op.b)
    relative = c.eager_convolution if isinstance(op, Conv) else c.eager_linear if linear else 1.0
    return Floor(c.host * c.eager_product * relative, c.eager_exposed)


def _eager_stream(op: Stream, c: "Calibration") -> Floor:
    match op.kind:
        case Pass.SOFTMAX:
            relative = c.eager_softmax
        case Pass.NORM:
            relative = c.eager_norm
        case _:
            relative = c.eager_two if op.reads >= 2 * op.writes else c.eager_one
    return Floor(c.host * c.eager_stream * relative, 1 - c.eager_overlap / relative)


def _launches(op: Op) -> int:
    """Return how many kernels follow one another."""
    return op.kernels if isinstance(op, Stream) else 1
