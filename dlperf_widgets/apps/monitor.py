"""Watch a GPU's memory and its utilization over time, and read what each of them tells."""

from collections import deque
from html import escape
from threading import RLock
from time import monotonic
from typing import Any

import ipywidgets as w

from .. import language
from ..charts import Chart, svg
from ..charts.monitor import WINDOW, Moment, monitor
from ..language import tr
from ..measure.nvml_monitor import EVERY, Look, Reader, Watch, open_reader
from ..units import GIB, figures
from ..views.legend import legend
from ..views.renderer import figure
from ..views.theme import stylesheet
from ..widgets.aria import Aria
from ..widgets.closing import close_all
from ._lifetime import showing
from ._monitor_words import acts, example, teaching

_LEAST = 0.1  # seconds between two looks: NVML itself counts over more


class GpuMonitor(w.VBox):
    """Two lines over the last two minutes: memory used, and GPU utilization. Neither is speed.

    A thread reads and draws them until the widget is closed or paused: also while a cell runs, which is when
    there is something to see. Without a GPU to watch it says why, and shows an example.

    Parameters
    ----------
    reader
        What tells of the GPUs: by default the driver, through NVML.
    every
        Seconds between two looks, at least 0.1.

    Raises
    ------
    ValueError
        For a shorter time between two looks.
    """

    def __init__(self, reader: Reader | None = None, *, every: float = EVERY) -> None:
        if not every >= _LEAST:
            raise ValueError(f"every must be at least {_LEAST} seconds, not {every!r}")
        self.reason = ""  # why there is nothing to watch, in a sentence
        self._every = every
        self._watch: Watch | None = None
        self._alone = RLock()  # the thread draws, and so does a hand that chooses another GPU
        try:
            self.reader: Reader | None = open_reader() if reader is None else reader
        except ValueError as error:
            self.reader, self.reason = None, str(error)
        self._began = monotonic()
        self._moments = [deque[Moment](maxlen=int(WINDOW / every) + 2) for _ in self.names]
        self._looks: tuple[Look, ...] = ()
        super().__init__()
        self.add_class("dlp-explorer")
        self.add_class("dlp-monitor")
        self._build()
        language.hear(self._translate)
        if self.reader is not None:
            self.resume()

    @property
    def names(self) -> tuple[str, ...]:
        """The GPUs that are watched, or the parts of one."""
        return self.reader.names if self.reader is not None else ()

    @property
    def moments(self) -> tuple[tuple[Moment, ...], ...]:
        """What each GPU told over the last two minutes."""
        return tuple(tuple(each) for each in self._moments)

    @property
    def running(self) -> bool:
        """Whether the GPUs are being looked at."""
        return self._watch is not None

    def resume(self) -> None:
        """Look at the GPUs, again and again."""
        if self.reader is None or self._watch is not None:
            return
        watch = Watch(self.reader, lambda looks: self._hear(watch, looks), lambda why: self._fail(watch, why),
                      self._every)  # fmt: skip
        self._watch = watch
        self._name_button()
        watch.start()

    def pause(self) -> None:
        """Look no more; what was seen stays."""
        with self._alone:
            if self._watch is not None:
                self._watch.stop()
                self._watch = None
                self._name_button()

    def close(self) -> None:
        """End the widget, and the thread with it."""
        if self.comm is not None:
            self.pause()
            close_all(self, *self.children)

    # --- The parts --------------------------------------------------------------------------------------

    def _translate(self) -> None:
        if self.comm is not None:
            with self._alone:
                self._build()

    def _build(self) -> None:
        """Make every part, in the language chosen now."""
        old, chosen = self.children, self.gpu.value if self.children else 0
        self.aria = Aria()
        self.gpu = w.Dropdown(description="GPU", options=[(name, i) for i, name in enumerate(self.names)])
        self.gpu.value = chosen if self.names else None
        self.gpu.layout.display = "" if len(self.names) > 1 else "none"
        self.gpu.observe(lambda _: self._draw(), "value")
        self.button = w.Button()
        self.button.on_click(lambda _: self.pause() if self.running else self.resume())
        self.button.layout.display = "" if self.names else "none"
        self.numbers, self.legend, self.words = w.HTML(), w.HTML(), w.HTML(teaching())
        self.aria.set(self.gpu, "select", **{"aria-label": "GPU"})
        self.words.add_class("dlp-monitor-words")
        self.numbers.add_class("dlp-monitor-numbers")
        self.figure = figure(self._chart(), lambda *_: None, lambda _: None)
        self.picture = w.VBox([self.figure, self.legend])
        bar = w.HBox([self.gpu, self.button, self.numbers])
        bar.add_class("dlp-bar")
        style = w.HTML(stylesheet(), layout={"display": "contents"})
        self.children = (style, self.aria, bar, self.picture, self.words)
        if old:
            close_all(*old)
        self._name_button()
        self._draw()

    def _name_button(self) -> None:
        self.button.description = tr("Pause") if self.running else tr("Go on")

    def _chart(self) -> Chart:
        if not self.names:
            return monitor(example(), acts())
        return monitor(self._moments[self.gpu.value])

    def _draw(self) -> None:
        with self._alone:
            self.figure.chart = chart = self._chart()
            if (said := legend(chart)) != self.legend.value:
                self.legend.value = said
            self.numbers.value = escape(self._said())
            self.aria.set(self.picture, ".dlp-chart", role="img", **{"aria-label": chart.alt})

    def _said(self) -> str:
        """Return the numbers of this moment, or why there are none."""
        if not self.names:
            return tr("Nothing to watch: {reason}. The picture is an example, made up.", reason=self.reason)
        if self.reason:
            return tr("This GPU answers no more: {reason}.", reason=self.reason)
        if not self._looks:
            return tr("Waiting for the first look.")
        return said(self._looks[self.gpu.value])

    # --- What the thread tells --------------------------------------------------------------------------

    def _hear(self, watch: Watch, looks: tuple[Look, ...]) -> None:
        with self._alone:
            if watch is not self._watch:  # it was paused or closed meanwhile
                return
            at, self._looks, self.reason = monotonic() - self._began, looks, ""
            for moments, look in zip(self._moments, looks, strict=True):
                moments.append(Moment(at, look.share, look.busy))
            self._draw()

    def _fail(self, watch: Watch, reason: str) -> None:
        with self._alone:
            if watch is self._watch:
                self.pause()
                self.reason = reason
                self._draw()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        showing(self)
        still = f"<div class='dlp-fallback' style='max-width:760px'>{svg(self._chart())}{teaching()}</div>"
        return {**super()._repr_mimebundle_(**kwargs), "text/html": still}


def said(look: Look) -> str:
    """Return in sentences what a GPU tells."""
    memory = tr("This GPU does not tell its memory.")
    if look.used is not None and look.total:
        memory = tr("Memory used {used} of {total} GiB ({share}).", used=figures(look.used / GIB),
                    total=figures(look.total / GIB), share=f"{look.share:.0%}")  # fmt: skip
    busy = tr("It does not tell its utilization: drivers do not for parts of a GPU (MIG).")
    if look.busy is not None:
        busy = tr("GPU utilization {busy}.", busy=f"{look.busy:.0%}")
    return f"{memory} {busy}"
