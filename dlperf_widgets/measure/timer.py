"""The two clocks: the host's for a CPU, events on the GPU for a GPU. Each reads only what has finished."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from ..cost import Launch
from .device import available, needed
from .formats import UnsupportedError
from .nvml import Reading, middle, reader

Run = Callable[[], object]


def stopwatch(chosen: Any) -> "CpuWatch | CudaWatch":
    """Return the clock of a torch device."""
    return CudaWatch(chosen) if chosen.type == "cuda" else CpuWatch()


class CpuWatch:
    """The host's clock, around calls that return when they are done."""

    name = "perf_counter"
    l2: int | None = None  # a CPU's caches are not emptied: all it measures is warm
    room: int | None = None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Do nothing before or after."""
        yield

    def launch(self, _asked: Launch) -> Launch:
        """Return how runs start: from Python, whatever was asked."""
        return Launch.EAGER

    def once(self, run: Run) -> float:
        """Return the seconds of one run."""
        began = perf_counter()
        run()
        return perf_counter() - began

    def shot(self, runs: Sequence[Run], inner: int, _launch: Launch) -> Run:
        """Return ``inner`` runs as one call, the copies in turn."""
        return lambda: _in_turn(runs, inner)

    def read(self, shot: Run, many: int, _flush: int = 0) -> list[float]:
        """Return the seconds of each of ``many`` calls."""
        return [self.once(shot) for _ in range(many)]

    def conditions(self) -> tuple[float | None, float | None]:
        """Return clock and power: unknown."""
        return None, None


class CudaWatch:
    """Events in the stream of the work, read when the stream has come past them."""

    name = "cuda events"

    def __init__(self, chosen: Any, cuda: Any = None) -> None:
        self.cuda = cuda or needed().cuda
        self.device = chosen
        about = self.cuda.get_device_properties(chosen)
        self.l2: int | None = getattr(about, "L2_cache_size", None) or None
        self._look = reader(str(getattr(about, "uuid", "")))
        self._readings: list[Reading] = []
        self._buffer: Any = None

    @property
    def room(self) -> int | None:
        """Bytes for copies: half of what is free."""
        free = available(self.device)
        return free // 2 if free is not None else None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run all inside in a stream of its own, as capturing a graph demands; then free its memory."""
        self.stream = self.cuda.Stream(self.device)
        self._readings = []
        try:
            with self.cuda.device(self.device), self.cuda.stream(self.stream):
                yield
        finally:
            self.cuda.synchronize(self.device)
            self._buffer = None
            self.cuda.empty_cache()

    def launch(self, asked: Launch) -> Launch:
        """Return how runs start: as asked."""
        return asked

    def once(self, run: Run) -> float:
        """Return the seconds of one run, roughly: the host's clock, with nothing else under way."""
        self.cuda.synchronize(self.device)
        began = perf_counter()
        run()
        self.cuda.synchronize(self.device)
        return perf_counter() - began

    def shot(self, runs: Sequence[Run], inner: int, launch: Launch) -> Run:
        """Return ``inner`` runs as one call, the copies in turn: from Python, or replayed from a graph."""
        if launch is Launch.EAGER:
            return lambda: _in_turn(runs, inner)
        graph = self.cuda.CUDAGraph()
        try:
            # What other threads do to the GPU meanwhile, as a user's own cells may, neither stops the capture
            # nor is stopped by it.
            with self.cuda.graph(graph, stream=self.stream, capture_error_mode="thread_local"):
                _in_turn(runs, inner)
        except RuntimeError as error:
            first = _first(error)
            if "captur" not in str(first):
                raise first from None
            raise UnsupportedError(f"a CUDA graph cannot hold it, eager launches can: {first}") from error
        replay: Run = graph.replay
        return replay

    def read(self, shot: Run, many: int, flush: int = 0) -> list[float]:
        """Return the seconds of each of ``many`` calls, ``flush`` bytes being written before each."""
        events = self.cuda.Event
        pairs = [(events(enable_timing=True), events(enable_timing=True)) for _ in range(many)]
        for start, end in pairs:
            if flush:
                self._flushed(flush).zero_()
            start.record(self.stream)
            shot()
            end.record(self.stream)
        reading = self._look() if self._look else None  # before the wait, while the GPU still works
        if reading:
            self._readings.append(reading)
        self.cuda.synchronize(self.device)
        return [start.elapsed_time(end) / 1e3 for start, end in pairs]

    def conditions(self) -> tuple[float | None, float | None]:
        """Return the median clock and power while it worked, None where nobody tells."""
        return middle(self._readings)

    def _flushed(self, size: int) -> Any:
        if self._buffer is None:
            torch = needed()
            self._buffer = torch.empty(size, dtype=torch.uint8, device=self.device)
        return self._buffer


def _first(error: BaseException) -> BaseException:
    """Return the error that began it: to end a capture that has failed is one more."""
    while error.__context__ is not None:
        error = error.__context__
    return error


def _in_turn(runs: Sequence[Run], inner: int) -> None:
    for i in range(inner):
        runs[i % len(runs)]()
