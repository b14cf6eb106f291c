"""The launch: the least time of an operation, and what a long kernel leaves of it."""

from enum import StrEnum
from typing import NamedTuple

from ..gpus import Gpu
from ..ops import Attention, Gemm, Op, Operand, Pass, Stream
from .calibration import (
    EAGER_LINEAR,
    EAGER_NORM,
    EAGER_ONE_OPERAND,
    EAGER_PRODUCT,
    EAGER_PRODUCT_EXPOSED,
    EAGER_SOFTMAX,
    EAGER_STREAM,
    EAGER_STREAM_OVERLAP,
    EAGER_TWO_OPERANDS,
    GRAPH_CLOCKS,
    STREAM_LAUNCH,
)


class Launch(StrEnum):
    """How kernels are started, which decides the least time that any takes."""

    GRAPH = "graph"  # replayed from a CUDA graph
    EAGER = "eager"  # one by one from Python
    KERNEL = "kernel"  # the kernel alone, its launch not counted


class Floor(NamedTuple):
    """The least time of an operation in seconds, and the share of it that no kernel hides."""

    seconds: float
    exposed: float

    def over(self, busy: float) -> float:
        """Return max(floor, exposed x floor + busy): the host runs ahead while the GPU is busy."""
        return max(self.seconds, self.exposed * self.seconds + busy)


def floor(op: Op, gpu: Gpu, launch: Launch) -> Floor:
    """Return the floor of one operation, started once for each kernel that waits for the one before."""
    match launch:
        case Launch.KERNEL:
            return Floor(0.0, 1.0)
        case Launch.GRAPH if isinstance(op, Stream):
            one = Floor(STREAM_LAUNCH, 1.0)
        case Launch.GRAPH if isinstance(op, Attention):
            from .attention import constants

            one = Floor(constants(gpu)[1], 1.0)
        case Launch.GRAPH:
            one = Floor(GRAPH_CLOCKS / (gpu.tensor_clock or gpu.clock), 1.0)
        case Launch.EAGER:
            one = _eager_stream(op) if isinstance(op, Stream) else _eager_product(op)
    return Floor(one.seconds * _launches(op), one.exposed)


def _eager_product(op: Op) -> Floor:
    """A linear layer brings its bias along, which takes the host longer than a plain product."""
    linear = isinstance(op, Gemm) and op.batch == 1 and Operand.WEIGHT in (op.a, op.b)
    return Floor(EAGER_PRODUCT * (EAGER_LINEAR if linear else 1.0), EAGER_PRODUCT_EXPOSED)


def _eager_stream(op: Stream) -> Floor:
    match op.kind:
        case Pass.SOFTMAX:
            relative = EAGER_SOFTMAX
        case Pass.NORM:
            relative = EAGER_NORM
        case _:
            relative = EAGER_TWO_OPERANDS if op.reads >= 2 * op.writes else EAGER_ONE_OPERAND
    return Floor(EAGER_STREAM * relative, 1 - EAGER_STREAM_OVERLAP / relative)


def _launches(op: Op) -> int:
    """Return how many kernels follow one another: time steps that cannot run at once, or passes."""
    if isinstance(op, Gemm):
        return 1 if op.resident else op.repeat
    return op.kernels if isinstance(op, Stream) else 1
