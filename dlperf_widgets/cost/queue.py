"""The launches of a network: the host runs ahead, and its time shows only where kernels are too short.

A single operation that is timed from Python waits for its own launch. Of a network's operations, one after
another, the host starts the next ones while the GPU still works, so that a step takes the larger of what the
host and what the GPU need: max(sum of launches, sum of kernels as a graph runs them). What the host needs
more is shared out among the operations whose kernels are shorter than their launches.
"""

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING

from ..layers import Composite, Layer
from .launch import Floor, Launch, floor

if TYPE_CHECKING:
    from .time import Cost


def queued(layer: Layer, rows: tuple["Cost", ...]) -> tuple["Cost", ...]:
    """Return the rows of a layer; of a network, each with the time that the GPU waits for its launch."""
    if not isinstance(layer, Composite):
        return rows
    share = waiting_share(rows)
    return tuple(waiting(row, share) for row in rows)


def waiting(row: "Cost", share: float) -> "Cost":
    """Return a row of a network with its ``share`` of the time that the GPU waits for launches."""
    return row.started(Floor(gap(row) + share * shortage(row), 1.0, queued=True))


def waiting_share(rows: Sequence["Cost"]) -> float:
    """Return which share of what launches take longer than their kernels no other kernel hides."""
    short = fsum(row.count * shortage(row) for row in rows)
    excess = fsum(row.count * (row.launch_time - row.busy_time - gap(row)) for row in rows)
    return max(excess, 0.0) / short if short else 0.0


def shortage(row: "Cost") -> float:
    """Return the seconds by which a launch takes longer than its kernel."""
    return max(row.launch_time - row.busy_time - gap(row), 0.0)


def gap(row: "Cost") -> float:
    """Return the seconds from one kernel to the next that even a graph takes."""
    return floor(row.op, row.gpu, Launch.GRAPH).seconds
