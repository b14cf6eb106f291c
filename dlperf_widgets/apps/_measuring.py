"""Measure what an explorer shows, in the background, beside what it predicts."""

import asyncio
from collections.abc import Callable, Sequence
from threading import Event, Thread
from typing import Any, ClassVar, Protocol

from ..cost import Scenario
from ..gpus import Gpu
from ..language import tr
from ..measure import Measurement, compare, measure, pairs, unavailable
from ..units import si
from ..widgets.measure_bar import MeasureBar
from ._measured_words import summary

_FEWEST = 3  # measurements that a refit needs


class _Measured(Protocol):
    """What a measurement needs of an explorer."""

    scenario: Scenario
    message: str

    def to_measure(self) -> Sequence[Scenario]: ...
    def of_this(self, measurement: Any) -> bool: ...
    def show_measured(self) -> None: ...
    def edit(self, gpu: Gpu) -> None: ...


class Measuring:
    """Runs measurements of an explorer in a thread: the kernel answers other cells meanwhile."""

    kind: ClassVar[type] = Measurement  # what is shown, of all that a file may have

    def __init__(self, explorer: _Measured) -> None:
        self.explorer = explorer
        self.measurements: tuple[Any, ...] = ()
        self.bar = MeasureBar(unavailable(), self._press)
        self.thread: Thread | None = None
        self._cancel = Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def remake(self) -> None:
        """Make the bar again in another language. What is under way goes on, and what was measured stays."""
        old, self.bar = self.bar, MeasureBar(unavailable(), self._press)
        self.bar.running, self.bar.progress, self.bar.left = old.running, old.progress, old.left
        self.follow()

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

    def shown(self) -> list[Any]:
        """Return the measurements of the explorer's present question, whatever GPU it is about."""
        return [m for m in self.measurements if self.explorer.of_this(m)]

    def show(self, measurements: Sequence[Any]) -> None:
        """Show measurements beside those that are there, such as a teacher's from a file."""
        own = (m for m in measurements if isinstance(m, self.kind))
        fresh = {m.key: m for m in (*self.measurements, *own)}
        self.measurements = tuple(fresh.values())
        self.follow()
        self.explorer.show_measured()

    def follow(self) -> None:
        """Say of the present question what was measured: another one may have been asked."""
        with self.bar.hold_sync():
            self.bar.result = self.words() if self.measurements else ""
            self.bar.can_refit = self.can_refit()

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

    # --- What another kind of measurement does otherwise ------------------------------------------------

    def taken(
        self, scenarios: tuple[Scenario, ...], progress: Callable[[int, int, float], None], cancel: Event
    ) -> Sequence[Any]:
        """Return the measurements of some scenarios. Runs in the thread."""
        return measure(scenarios, progress=progress, cancel=cancel)

    def words(self) -> str:
        """Return what was measured, in sentences."""
        shown = self.shown()
        return summary(shown, len(self.measurements) - len(shown), self.explorer.scenario.gpu)

    def can_refit(self) -> bool:
        """Return whether there is enough to refit the GPU to."""
        return len(self._comparable()) >= _FEWEST

    # ----------------------------------------------------------------------------------------------------

    def _press(self, key: str) -> None:
        actions: dict[str, Callable[[], None]] = {
            "measure": self.start, "cancel": self.cancel, "refit": self.refit, "clear": self.clear,
        }  # fmt: skip
        actions[key]()

    def _work(self, scenarios: tuple[Scenario, ...]) -> None:
        """Runs in the thread."""
        try:
            found = self.taken(scenarios, self._progress, self._cancel)
        except Exception as error:  # a thread that dies must say why
            words = f"{type(error).__name__}: {error}"
            self._in_kernel(lambda: self._finished((), words))
        else:
            self._in_kernel(lambda: self._finished(found, ""))

    def _progress(self, done: int, total: int, left: float) -> None:
        def show() -> None:
            with self.bar.hold_sync():
                self.bar.progress = done / total
                if not self._cancel.is_set():
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

    def _finished(self, found: Sequence[Any], error: str) -> None:
        self.bar.running = False
        self.explorer.message = error
        self.show(found)

    def _comparable(self) -> list[Any]:
        gpu = self.explorer.scenario.gpu
        return [m for m in self.measurements if compare(m, gpu).ratio is not None]
