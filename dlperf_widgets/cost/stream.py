"""The time of a pass over memory: its bytes, what it reads again, and the instructions of rows."""

from functools import lru_cache
from typing import NamedTuple

from ..gpus import Gpu
from ..ops import Pass, Stream
from .bandwidth import cached, overlapped, sustained, transfer
from .calibration import of
from .estimates import L1_SIZE, SOFTMAX_REGISTERS


class Road(NamedTuple):
    """What a pass meets on one GPU. Rates are in bytes a second, sizes in bytes."""

    dram: float
    l2: float
    l2_room: float  # of all L2 that counts
    l1_room: float  # of the L1 of one SM that counts
    clocks: float  # a second, of all SMs together
    sms: int
    threads: int  # of one SM
    row: float  # clocks of an SM for one row of a norm or long softmax
    column: float  # and for one element
    long: float  # for one element of a long softmax
    overlap: float  # p in time^p = memory^p + instructions^p
    again: float  # rate of L2 for rows read again
    place: float  # for one element whose place is computed


@lru_cache(128)
def road(gpu: Gpu) -> Road:
    """Return the rates and caches of a GPU as passes over memory meet them."""
    c, dram, clocks = of(gpu), sustained(gpu), gpu.sms * gpu.clock
    return Road(
        dram=dram,
        l2=max(c.stream_l2_rate * clocks, dram),
        l2_room=c.stream_l2_part * (gpu.l2 or 0),
        l1_room=c.stream_l1_part * L1_SIZE.get(gpu.compute_capability, 0),
        clocks=clocks,
        sms=gpu.sms,
        threads=gpu.threads_per_sm or 2048,
        row=c.norm_row,
        column=c.norm_column,
        long=c.softmax_column,
        overlap=c.row_overlap,
        again=max(c.reread_l2_rate * clocks, dram),
        place=c.indexed_element,
    )


def steps(op: Stream, gpu: Gpu, math: float, memory: float, moved: float, size: float) -> tuple[float, ...]:
    """Return the time as the terms but the launch are switched on one after another.

    ``math`` and ``memory`` are the ideal times in seconds, ``moved`` bytes, ``size`` bytes an element.
    """
    way = road(gpu)
    flow = transfer(moved, cached(moved, way.l2_room), way.dram, way.l2)
    again = flow + reread_time(op, way, flow, size)
    issue = instruction_time(op, way)
    busy = overlapped(again, issue, way.overlap) if op.rows and issue else max(again, issue)
    return (max(math, memory), max(math, flow), max(math, again), max(math, busy))


def reread_time(op: Stream, way: Road, flow: float, size: float) -> float:
    """Return the seconds for reading again: rows that the L1 cache lost, and all for another kernel.

    A row is lost with probability 1 - 1 / (1 + (rows in flight / L1)^4); it then comes from L2 or DRAM.
    """
    extra = flow * (op.kernels - 1)
    passes = _passes(op)
    if not passes:
        return extra
    flight = min(op.rows / way.sms, way.threads / _block(op)) * columns(op) * size
    lost = passes * op.reads * size * (1 - cached(flight, way.l1_room))
    return extra + transfer(lost, cached(flight * way.sms, way.l2_room), way.dram, way.again)


def instruction_time(op: Stream, way: Road) -> float:
    """Return the seconds that reducing the rows keeps the SMs issuing instructions."""
    match op.kind:
        case Pass.NORM:
            clocks = op.rows * way.row + op.reads * way.column
        case Pass.SOFTMAX if columns(op) > SOFTMAX_REGISTERS:
            clocks = op.rows * way.row + op.reads * way.long
        case Pass.INDEXED:
            clocks = op.writes * way.place
        case _:
            return 0.0
    return clocks / way.clocks


def columns(op: Stream) -> float:
    """Return the elements of a row."""
    return op.reads / op.rows if op.rows else 0.0


def _passes(op: Stream) -> int:
    """Return how often a row is read again: a norm for the deviation, a long softmax for sum and result."""
    match op.kind:
        case Pass.NORM:
            return 1
        case Pass.SOFTMAX if columns(op) > SOFTMAX_REGISTERS:
            return 2
        case _:
            return 0


def _block(op: Stream) -> int:
    """Return the threads that PyTorch's kernel gives a row: 128, for a softmax at most 8 columns each."""
    if op.kind is Pass.NORM:
        return 128
    block = 32
    while block < 1024 and block < columns(op) / 8:
        block *= 2
    return block
