"""The power limit: a board cannot spend energy faster than it is fed."""

from math import exp

from ..gpus import Gpu
from .estimates import POWER_SHARE


def seconds_a_joule(gpu: Gpu) -> float:
    """Return how long a joule of multiply-adds takes at the power limit; 0 where no limit is stated."""
    return 1 / (POWER_SHARE * gpu.power) if gpu.power else 0.0


def limited(time: float, least: float, delay: float) -> float:
    """Return t + (1 - exp(-t / delay)) (least - t): short kernels end before the clock is lowered.

    ``least`` is the time at the power limit, energy / power; ``delay`` is how long the limit takes to
    bite. All in seconds.
    """
    return time + (1 - exp(-time / delay)) * (least - time) if least > time else time
