"""One scenario on the clock, in one go or in several turns."""

from collections.abc import Callable
from statistics import median
from threading import Lock
from time import perf_counter
from typing import Any

from ..cost import Launch, Scenario
from ..cost.footprint import both
from .device import available
from .errors import first_line, needs, told
from .formats import UnsupportedError, switches
from .need import need
from .protocol import Plan, Protocol, plan
from .record import Outcome
from .statistics import batch, repeats, settled, summarize
from .timer import CpuWatch, CudaWatch
from .work import Work, work

_ALONE = Lock()  # threads would disturb each other's clocks, and torch's switches are the process's
LEAST = 3  # readings, however long one takes
MOST = 10_000
LONG = 10e-3  # seconds, beside which no launch counts
GROWTH = 1.5  # more runs than before that are worth another try
WARM_UP = 0.3  # seconds, or a third of the time there is


class _StoppedError(Exception):
    """There was a wish to stop before anything was read."""


class Session:
    """The readings of one scenario, and how they came about."""

    def __init__(self, asked: Scenario, device: Any, watch: CpuWatch | CudaWatch, warm: bool) -> None:
        self.asked, self.device, self.watch, self.warm = asked, device, watch, warm
        self.times: list[float] = []
        self.protocol: Protocol | None = None
        self.rounds = 0
        self.outcome: Outcome | None = None
        self.reason = ""

    def take(self, seconds: float, cancelled: Callable[[], bool]) -> None:
        """Read for so many seconds after a warm-up; what goes wrong becomes the outcome."""
        import torch

        try:
            self._check_room()
            with _ALONE, self.watch.running():
                self._timed(torch, seconds, cancelled)
        except _StoppedError:
            return
        except UnsupportedError as error:
            self._end(Outcome.SKIPPED, str(error))
        except torch.OutOfMemoryError as error:
            self._end(Outcome.NO_MEMORY, f"{needs(self.asked)}: {first_line(error)}")
        except Exception as error:  # the reason is kept with the record, and the other scenarios go on
            self._end(*told(error, self.asked))
        else:
            if self.times:
                self.outcome = Outcome.MEASURED

    @property
    def summary(self) -> Any:
        """The statistic of all readings."""
        return summarize(self.times) if self.outcome is Outcome.MEASURED else None

    def _check_room(self) -> None:
        """Raise MemoryError before a machine without room is brought down by trying."""
        free, wanted = available(self.device), need(self.asked)
        if free is not None and wanted > free:
            raise MemoryError(f"the device has {both(free)} free")

    def _timed(self, torch: Any, seconds: float, cancelled: Callable[[], bool]) -> None:
        watch, launch = self.watch, self.watch.launch(self.asked.launch)
        first = self._made(torch)
        with switches(torch, first.held.tf32):
            watch.once(first.run)  # loads kernels, and lets libraries search
            _go_on(cancelled)  # where one run takes long, this is the time to stop
            once = watch.once(first.run)
            how = plan(launch, self.warm, once, first.bytes, watch.l2, watch.room)
            runs = [first.run, *(self._copy(torch) for _ in range(how.copies - 1))]
            _go_on(cancelled)
            shot, how, reading = self._long_enough(runs, how, launch, once)
            many = batch(reading)
            spent, steady = self._warm_up(shot, many, how, seconds, cancelled)
            self._sample(shot, many, how, seconds, cancelled)
        self.rounds += 1
        clock, power = watch.conditions()
        self.protocol = Protocol(
            watch.name, str(launch), how.cache, how.inner, how.copies, how.flush, spent, steady, self.rounds,
            first.held.tf32, clock, power,
        )  # fmt: skip

    def _long_enough(
        self, runs: list[Callable[[], object]], how: Plan, launch: Launch, once: float
    ) -> tuple[Callable[[], object], Plan, float]:
        """Return a call that takes long enough to be read, what it covers, and its seconds.

        One run by itself seems longer than many that follow one another.
        """
        while True:
            shot = self.watch.shot(runs, how.inner, launch)
            if how.flush or once > LONG:
                return shot, how, once * how.inner
            reading = min(self.watch.read(shot, LEAST))
            wanted = repeats(reading / how.inner, how.copies)
            if wanted < GROWTH * how.inner:
                return shot, how, reading
            how = how._replace(inner=wanted)

    def _copy(self, torch: Any) -> Callable[[], object]:
        other = self._made(torch)
        other.run()
        return other.run

    def _made(self, torch: Any) -> Work:
        """Return what is to be run. The numbers in its tensors are none of those that a user's seed gives."""
        with torch.random.fork_rng([self.device] if self.device.type == "cuda" else []):
            return work(self.asked, self.device)

    def _warm_up(
        self, shot: Any, many: int, how: Plan, seconds: float, cancelled: Callable[[], bool]
    ) -> tuple[float, bool]:
        """Run until there was time for the clocks to rise and the readings agree, or time is up."""
        began, medians = perf_counter(), list[float]()
        least = min(WARM_UP, seconds / 3)
        while not cancelled():
            medians.append(median(self.watch.read(shot, many, how.flush)))
            spent = perf_counter() - began
            if spent >= seconds or (spent >= least and settled(medians)):
                break
        return perf_counter() - began, settled(medians)

    def _sample(self, shot: Any, many: int, how: Plan, seconds: float, cancelled: Callable[[], bool]) -> None:
        end, before = perf_counter() + seconds, len(self.times)
        while not cancelled() and len(self.times) < MOST:
            if perf_counter() >= end and len(self.times) - before >= LEAST:
                break
            self.times += (reading / how.inner for reading in self.watch.read(shot, many, how.flush))

    def _end(self, outcome: Outcome, reason: str) -> None:
        self.outcome, self.reason, self.times = outcome, reason, []


def _go_on(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise _StoppedError
