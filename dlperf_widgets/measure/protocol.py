"""How a number is obtained: decided from sizes and times alone, and written down beside it."""

from dataclasses import dataclass
from typing import NamedTuple

from ..cost import Launch
from .statistics import MOST_COPIES, copies, flush_bytes, repeats

COLD, WARM = "cold", "warm"


class Plan(NamedTuple):
    """What one reading of the clock covers."""

    inner: int  # runs
    copies: int = 1  # of all tensors, that take turns
    flush: int = 0  # bytes written before the reading, to empty the cache
    cache: str = WARM  # what a run finds of its tensors in the L2 cache


@dataclass(frozen=True)
class Protocol:
    """How a measurement was made."""

    timer: str  # "cuda events" or "perf_counter"
    launch: str  # as in a scenario; on a CPU there is none to choose
    cache: str  # "cold": no run found its tensors in the L2 cache; "warm": it may have
    inner: int  # runs in one reading
    copies: int  # of the tensors, that took turns
    flush: int  # bytes written before each reading
    warm_up: float  # seconds
    settled: bool  # whether the last batches of the warm-up took equally long
    rounds: int = 1  # in which it took turns with what it is compared with
    tf32: bool = False  # whether FP32 products could run in TF32
    clock: float | None = None  # Hz, of the SMs while it ran
    power: float | None = None  # W


def plan(launch: Launch, warm: bool, once: float, held: int, l2: int | None, room: int | None = None) -> Plan:
    """Return what one reading covers.

    Parameters
    ----------
    launch
        Eager and captured runs follow one another, as in a program, and their time is divided. A kernel
        alone is read one by one, behind a write that hides its launch.
    warm
        Whether a run may find its tensors in the cache.
    once
        Seconds of one run, roughly.
    held
        Bytes of all tensors of a run.
    l2
        Bytes of the cache; None: unknown, so that nothing can be called cold.
    room
        Bytes of memory left for copies; None: unknown.
    """
    if warm or not l2:
        return Plan(repeats(once))
    if launch is Launch.KERNEL:
        return Plan(1, flush=flush_bytes(l2), cache=COLD)
    many = copies(held, l2)
    if many > MOST_COPIES or (room is not None and (many - 1) * held > room):
        # A write before each run would drive it out, but hide or disturb its launch, which is what counts
        # for tensors as small as that.
        return Plan(repeats(once))
    return Plan(repeats(once, many), many, cache=COLD)
