"""The rows of a scenario, timed with torch on the hardware at hand.

Importing this package loads no torch. ``dp.measure`` is the function of the same name.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from .._lazy import attach

if TYPE_CHECKING:
    from threading import Event

    from ..cost import Scenario
    from .record import Measurement

SECONDS = 0.5  # of readings for each scenario, after a warm-up of up to as long

_NAMES = {
    "Comparison": "comparison",
    "Device": "device",
    "Loaded": "store",
    "Measurement": "record",
    "MemoryUse": "record",
    "Outcome": "record",
    "Protocol": "protocol",
    "Summary": "statistics",
    "above_roof": "comparison",
    "append": "store",
    "campaign": "campaigns",
    "compare": "comparison",
    "describe": "device",
    "gpu_of": "gpu",
    "guide": "suite",
    "host": "device",
    "load": "store",
    "match": "gpu",
    "measure_memory": "memory",
    "merge": "store",
    "pairs": "comparison",
    "unavailable": "device",
}
__all__ = ["SECONDS", "measure", *_NAMES]  # noqa: PLE0604

__getattr__ = attach(__name__, _NAMES)


def measure(
    scenarios: "Scenario | Iterable[Scenario]",
    *,
    device: Any = None,
    seconds: float = SECONDS,
    warm: bool = False,
    rows: bool = False,
    progress: "Callable[[int, int, float], object] | None" = None,
    cancel: "Event | None" = None,
) -> "tuple[Measurement, ...]":
    """Return how long scenarios take on this machine, or why one cannot be measured.

    Parameters
    ----------
    scenarios
        One, or several to compare: these take turns, so that a change of clocks meets all of them.
    device
        A torch device; by default the GPU if there is one, else the CPU. The scenario's GPU is what the
        time may be compared with, not what it is measured on.
    seconds
        Of readings for each scenario, after a warm-up that lasts until they agree, at most as long.
    warm
        Whether a run may find its tensors in the L2 cache. Otherwise it is emptied in between.
    rows
        Time each layer and phase by itself, where the whole would run as one.
    progress
        Is called with the steps done, their number, and the seconds left.
    cancel
        Stops when it is set, from another thread: what was measured is returned.
    """
    from ..cost import Scenario
    from . import run

    several = (scenarios,) if isinstance(scenarios, Scenario) else tuple(scenarios)
    wanted = [row for each in several for row in (run.rows(each) if rows else (run.Row(each),))]
    return run.run(wanted, device, seconds, warm, progress, cancel)
