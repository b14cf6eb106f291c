"""Many scenarios into one file, here or on an executor's workers. Interrupted, it goes on where it was."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event
from time import perf_counter
from typing import Any, Protocol

from ..cost import Scenario
from . import SECONDS, measure
from .device import Device, describe
from .record import Measurement, Outcome
from .run import Progress
from .statistics import seconds_left
from .store import append, load

LOOK = 0.1  # seconds between two looks at a wish to stop


class Executor(Protocol):
    """What concurrent.futures, Dask distributed and ipyparallel have in common."""

    def submit(self, function: Any, /, *args: Any, **how: Any) -> Any:
        """Return a future of a call."""


def campaign(
    scenarios: Iterable[Scenario],
    executor: Executor | None = None,
    *,
    out: str | Path,
    device: Any = None,
    seconds: float = SECONDS,
    warm: bool = False,
    progress: Progress | None = None,
    cancel: Event | None = None,
) -> tuple[Measurement, ...]:
    """Measure what a file has not yet, adding each result as it comes; return the new ones.

    Parameters
    ----------
    scenarios
        What to measure. Each is measured by itself, so that no interruption loses more than one.
    executor
        Whose ``submit`` runs each on a worker, as for several GPUs or hosts. A worker measures one at a
        time: give each GPU one. Which device answers is its choice, so that a scenario in the file is
        done, whatever measured it. None: here, where what this device has measured is done.
    out
        The file.
    device, seconds, warm, progress, cancel
        As for ``measure``.
    """
    here = None if executor else describe(device)
    left = _left(dict.fromkeys(scenarios), out, here, warm)
    how = {"device": device, "seconds": seconds, "warm": warm}
    stop = cancel or Event()
    began, new = perf_counter(), list[Measurement]()
    answers = _remote(executor, left, how, stop) if executor else _local(left, how, stop)
    for done, measured in enumerate(answers, 1):
        append(out, measured)
        new += measured
        if progress:
            progress(done, len(left), seconds_left(done, len(left), perf_counter() - began, seconds))
    return tuple(new)


def _left(wanted: Iterable[Scenario], out: str | Path, here: Device | None, warm: bool) -> list[Scenario]:
    """Return what no line of the file answers. What failed is tried again."""
    if not Path(out).exists():
        return list(wanted)
    answered = {
        m.scenario
        for m in load(out).measurements
        if m.phase is None and m.warm == warm and m.outcome is not Outcome.FAILED and here in (None, m.device)
    }
    return [scenario for scenario in wanted if scenario not in answered]


def _local(left: list[Scenario], how: dict[str, Any], stop: Event) -> Iterator[tuple[Measurement, ...]]:
    for scenario in left:
        if stop.is_set():
            return
        yield measure(scenario, **how, cancel=stop)


def _remote(
    executor: Executor, left: list[Scenario], how: dict[str, Any], stop: Event
) -> Iterator[tuple[Measurement, ...]]:
    """Yield what the workers return, as they do. An error of one is raised when the others are done."""
    done: SimpleQueue[Any] = SimpleQueue()
    futures = [executor.submit(measure, scenario, **how) for scenario in left]
    for future in futures:
        future.add_done_callback(done.put)
    first: BaseException | None = None
    for _ in futures:
        future = _next(done, futures, stop)
        if not future.cancelled():
            try:
                yield future.result()
            except Exception as error:  # raised below
                first = first or error
    if first:
        raise first


def _next(done: "SimpleQueue[Any]", futures: list[Any], stop: Event) -> Any:
    """Return the next future that is done. On a wish to stop, those that have not begun are cancelled."""
    while not stop.is_set():
        try:
            return done.get(timeout=LOOK)
        except Empty:
            continue
    for future in futures:
        future.cancel()
    return done.get()
