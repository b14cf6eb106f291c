"""Measure what an explorer shows, in the background, beside what it predicts."""

import asyncio
from collections.abc import Callable, Sequence
from math import exp, log
from statistics import mean
from threading import Event, Thread
from typing import Any, Protocol

from ..cost import Scenario
from ..gpus import Gpu
from ..language import tr
from ..measure import Measurement, Outcome, above_roof, compare, measure, pairs, unavailable
from ..units import si
from ..widgets.measure_bar import MeasureBar

_FEWEST = 3  # measurements that a refit needs


class _Measured(Protocol):
    """What a measurement needs of an explorer."""

    scenario: Scenario
    message: str

    def to_measure(self) -> Sequence[Scenario]: ...
    def show_measured(self) -> None: ...
    def edit(self, gpu: Gpu) -> None: ...


class Measuring:
    """Runs measurements of an explorer in a thread: the kernel answers other cells meanwhile."""

    def __init__(self, explorer: _Measured, *measurements: Measurement) -> None:
        self.explorer = explorer
        self.measurements = measurements
        self.bar = MeasureBar(unavailable(), self._press)
        self.thread: Thread | None = None
        self._cancel = Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Measure what the explorer asks for; one campaign at a time."""
        if self.bar.running or self.bar.reason:
            return
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None  # no kernel: changes are made where they come from
        self._cancel = Event()
        with self.bar.hold_sync():
            self.bar.running, self.bar.progress, self.bar.left = True, 0.0, tr("starting")
        self.thread = Thread(target=self._work, args=(tuple(self.explorer.to_measure()),), daemon=True)
        self.thread.start()

    def cancel(self) -> None:
        """Stop at the next step: what was measured stays."""
        self._cancel.set()
        self.bar.left = tr("stopping")

    def show(self, measurements: Sequence[Measurement]) -> None:
        """Show measurements beside those that are there, such as a teacher's from a file."""
        fresh = {m.key: m for m in (*self.measurements, *measurements)}
        self.measurements = tuple(fresh.values())
        with self.bar.hold_sync():
            self.bar.result = self._words()
            self.bar.can_refit = len(pairs(self._comparable())) >= _FEWEST
        self.explorer.show_measured()

    def clear(self) -> None:
        """Forget all measurements."""
        self.measurements = ()
        self.show(())

    def refit(self) -> None:
        """Ask about a GPU whose constants were fitted to these measurements; undo goes back."""
        from ..cost.fit import refit

        try:
            gpu = refit(self.explorer.scenario.gpu, pairs(self._comparable()))
        except ValueError as error:
            self.explorer.message = str(error)
        else:
            self.explorer.edit(gpu)

    def _press(self, key: str) -> None:
        actions: dict[str, Callable[[], None]] = {
            "measure": self.start, "cancel": self.cancel, "refit": self.refit, "clear": self.clear,
        }  # fmt: skip
        actions[key]()

    def _work(self, scenarios: tuple[Scenario, ...]) -> None:
        """Runs in the thread."""
        try:
            found = measure(scenarios, progress=self._progress, cancel=self._cancel)
        except Exception as error:  # a thread that dies must say why
            words = f"{type(error).__name__}: {error}"
            self._in_kernel(lambda: self._finished((), words))
        else:
            self._in_kernel(lambda: self._finished(found, ""))

    def _progress(self, done: int, total: int, left: float) -> None:
        def show() -> None:
            with self.bar.hold_sync():
                self.bar.progress = done / total
                self.bar.left = tr(
                    "{done} of {total}, {left} left", done=done, total=total, left=si(left, "s")
                )

        self._in_kernel(show)

    def _in_kernel(self, change: Callable[[], None]) -> None:
        """Make a change where widgets may be changed: in the kernel's own loop."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(change)
        else:
            change()

    def _finished(self, found: tuple[Measurement, ...], error: str) -> None:
        self.bar.running = False
        self.explorer.message = error
        self.show(found)

    def _comparable(self) -> list[Measurement]:
        return [m for m in self.measurements if compare(m).ratio is not None]

    def _words(self) -> str:
        """Return what was measured, how far the prediction was off, and what could not be measured."""
        timed = [m for m in self.measurements if m.outcome is Outcome.MEASURED]
        sentences = []
        if timed:
            devices = tr(", ").join(dict.fromkeys(str(m.device) for m in timed))
            sentences.append(tr("{count} measured on {devices}.", count=len(timed), devices=devices))
        ratios = [ratio for m in timed if (ratio := compare(m).ratio)]
        if ratios:
            sentences.append(
                tr("Predicted over measured: {ratio} on average.", ratio=f"{exp(mean(map(log, ratios))):.2f}")
            )
        elif timed:
            sentences.append(compare(timed[0]).note + tr("."))
        failed = [m for m in self.measurements if m.outcome is not Outcome.MEASURED]
        sentences += [f"{m.scenario.format}{tr(': ')}{m.reason}{tr('.')}" for m in failed[:1]]
        return " ".join(sentences)


def note(m: Measurement) -> str:
    """Return what one measured point says when it is asked."""
    assert m.summary
    words = tr(
        "Measured on {device}: {time}, half of {count} readings between {low} and {high}.",
        device=str(m.device), time=si(m.summary.median, "s"), count=m.summary.samples,
        low=si(m.summary.lower, "s"), high=si(m.summary.upper, "s"),
    )  # fmt: skip
    compared = compare(m)
    if compared.ratio is not None:
        words += " " + tr("The prediction is {ratio} of it.", ratio=f"{compared.ratio:.2f}")
    over: Any = above_roof(m)
    return f"{words} {over}{tr('.')}" if over else words
