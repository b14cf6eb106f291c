"""The arithmetic of a measurement: what is done with times, and how many there must be.

Nothing here needs torch or a clock, so that all of it is tested without a GPU.
"""

from collections.abc import Sequence
from math import ceil
from statistics import median, quantiles
from typing import NamedTuple

SAMPLE = 100e-6  # seconds that one reading should cover: 200 times the resolution of a CUDA event
MOST_REPEATS = 1000
BATCH = 20e-3  # seconds between two looks
MOST_IN_BATCH = 100
MOST_COPIES = 256
FLUSH = 2  # times the L2 cache that is touched between two uses of the same data
WINDOW = 3  # batches of a warm-up that must agree
TOLERANCE = 0.02


class Summary(NamedTuple):
    """Some times in seconds: their median, the quartiles around it, and their number."""

    median: float
    lower: float
    upper: float
    samples: int


def summarize(times: Sequence[float]) -> Summary:
    """Return the median and the quartiles. A mean would let one interruption change the result."""
    if not times:
        raise ValueError("there are no times to summarize")
    if len(times) == 1:
        return Summary(times[0], times[0], times[0], 1)
    lower, middle, upper = quantiles(times, n=4, method="inclusive")
    return Summary(middle, lower, upper, len(times))


def repeats(once: float, multiple: int = 1) -> int:
    """Return how many runs one reading must cover, a multiple of the copies that take turns."""
    wanted = ceil(SAMPLE / once) if once > 0 else MOST_REPEATS
    return multiple * ceil(min(wanted, MOST_REPEATS) / multiple)


def batch(reading: float) -> int:
    """Return how many readings to take before looking up: for a wish to stop, and at the clocks."""
    return max(1, min(ceil(BATCH / reading), MOST_IN_BATCH)) if reading > 0 else MOST_IN_BATCH


def flush_bytes(l2: int) -> int:
    """Return the bytes to touch so that nothing of before is left in a cache of ``l2`` bytes."""
    return FLUSH * l2


def copies(held: int, l2: int) -> int:
    """Return how many copies of ``held`` bytes must take turns for each to be gone from the cache.

    Tensors far larger than the cache drive themselves out.
    """
    touched = flush_bytes(l2)
    return 1 if held >= FLUSH * touched else 1 + ceil(touched / max(held, 1))


def settled(batches: Sequence[float]) -> bool:
    """Return whether the last batches of a warm-up took equally long: clocks and caches are steady."""
    last = batches[-WINDOW:]
    return len(last) == WINDOW and max(last) - min(last) <= TOLERANCE * median(last)


def seconds_left(done: int, total: int, elapsed: float, expected: float) -> float:
    """Return the seconds that the rest takes at the pace so far; before any, as ``expected`` for each."""
    return (total - done) * (elapsed / done if done else expected)
