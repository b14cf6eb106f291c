"""What memory delivers: DRAM below its datasheet rate, and the L2 cache for what was just used."""

from ..gpus import Gpu
from .calibration import of


def sustained(gpu: Gpu) -> float:
    """Return the bytes a second that a pass over memory reaches."""
    return gpu.bandwidth * of(gpu).bandwidth_share


def cached(moved: float, room: float) -> float:
    """Return the share of a working set that is still in a cache, 1 / (1 + (moved / room)^4)."""
    if not room:
        return 0.0
    squared = (moved / room) ** 2
    return 1 / (1 + squared * squared)


def transfer(moved: float, share: float, dram: float, cache: float) -> float:
    """Return the seconds for some bytes, a ``share`` of them from the cache: rates in bytes a second."""
    return moved * ((1 - share) / dram + share / cache)


def overlapped(math: float, memory: float, power: float) -> float:
    """Return (math^p + memory^p)^(1/p): nearly the larger, more where they are alike."""
    more, less = (math, memory) if math > memory else (memory, math)
    both: float = more * (1 + (less / more) ** power) ** (1 / power)
    return both
