"""Explore one layer. Controls write ``scenario`` and ``options``; charts read them. Nothing else flows."""

from collections.abc import Callable
from dataclasses import fields, replace
from html import escape
from typing import Any

import ipywidgets as w
from traitlets import Instance, Unicode, observe

from ..advice import crossing, times, verdict
from ..charts import CHARTS, Chart, Options
from ..charts.duration import fitting
from ..cost import Launch, Scenario
from ..dtypes import FP16
from ..gpus import GPUS, V100_SXM2_16GB, Gpu
from ..layers import LAYERS, Linear
from ..ops import TRAINING, Phase
from ..views.figure import ChartFigure
from ..views.legend import legend
from ..views.theme import stylesheet
from ..widgets.aria import Aria
from ..widgets.size import SizeControl, number
from .code import as_python
from .state import read_state, write_state

DEFAULT = Scenario(Linear(batch=512, inputs=1024, outputs=4096), V100_SXM2_16GB, FP16)
_HINT = "Point at a mark of a chart to see why it is there."
_CODE = "<pre class='dlp-code'>"
_PHASES = (("inference", (Phase.FPROP,)), ("training", TRAINING))
_LAUNCHES = (("CUDA graph", Launch.GRAPH), ("eager", Launch.EAGER), ("kernel only", Launch.KERNEL))


class LayerExplorer(w.VBox):
    """Sliders for a layer's sizes, pickers, three charts and a verdict.

    ``scenario`` is the question and links with ``traitlets.link``; ``options`` is what the charts show
    of it; ``state`` is both as JSON text, synced.
    """

    scenario = Instance(Scenario)
    options = Instance(Options)
    state = Unicode().tag(sync=True)
    message = Unicode()  # the last input that made no sense, in a sentence

    def __init__(self, scenario: Scenario = DEFAULT, options: Options | None = None) -> None:
        self._following = False  # while controls are set from the scenario
        self._first = scenario
        self.aria = Aria()
        self._make_controls(scenario)
        self._make_words()
        options = options or Options(scenario.layer.scale, fitting(_size(scenario, scenario.layer.scale)))
        self.charts = [self._figure(chart(scenario, options)) for chart in CHARTS]
        self.legends = [w.HTML() for _ in CHARTS]
        self.tabs = w.Tab([w.VBox() for _ in CHARTS])  # filled when first seen: bqplot dislikes hidden places
        self.tabs.titles = [figure.chart.title for figure in self.charts]
        super().__init__(self._arranged(), options=options, scenario=scenario)
        self.add_class("dlp-explorer")
        self._listen()

    def _make_controls(self, scenario: Scenario) -> None:
        self.kind = _picker("Layer", [(kind.__name__, kind) for kind in LAYERS], type(scenario.layer))
        self.gpu = _picker("GPU", [(gpu.name, gpu) for gpu in _and(GPUS, scenario.gpu)], scenario.gpu)
        self.dtype = _picker("Format", _dtypes(scenario), scenario.dtype)
        self.phases = _picker("Phases", _and_pair(_PHASES, scenario.phases), scenario.phases)
        self.launch = _picker("Launch", _LAUNCHES, scenario.launch)
        self.vary = _picker("Vary", _sizes(scenario), scenario.layer.scale)
        self.sizes: dict[str, SizeControl] = {}
        self.layer = w.VBox()
        self.fit = w.Button(description="Fit", tooltip="Show the present size well inside the duration chart")
        self.reset = w.Button(description="Reset", tooltip="Back to the first question")
        self.copy = w.Button(description="As Python", tooltip="Show the Python that asks this question")

    def _make_words(self) -> None:
        self.verdict, self.crossing, self.times = w.HTML(), w.HTML(), w.HTML()
        self.why, self.status = w.HTML(_HINT), w.HTML()

    def _arranged(self) -> list[w.Widget]:
        pickers = [self.kind, self.gpu, self.dtype, self.phases, self.launch, self.vary]
        bar = w.HBox([*pickers, self.fit, self.reset, self.copy])
        aside = w.VBox([self.layer, self.status, self.verdict, self.crossing, self.why])
        main = w.VBox([self.tabs, self.times])
        body = w.HBox([aside, main])
        for name in ("verdict", "crossing", "why", "times", "status"):
            getattr(self, name).add_class(f"dlp-{name}")
        for box, name in ((bar, "bar"), (aside, "aside"), (main, "main"), (body, "body")):
            box.add_class(f"dlp-{name}")
        for words in (self.verdict, self.why, self.status):
            self.aria.set(words, role="status")
        return [w.HTML(stylesheet(), layout={"display": "contents"}), self.aria, bar, body]

    def _figure(self, chart: Chart) -> ChartFigure:
        return ChartFigure(chart, on_move=self._resize, on_ask=self._explain)

    def _listen(self) -> None:
        for control, change in (
            (self.kind, lambda kind: replace(self.scenario, layer=kind())),
            (self.dtype, lambda dtype: replace(self.scenario, dtype=dtype)),
            (self.phases, lambda phases: replace(self.scenario, phases=phases)),
            (self.launch, lambda launch: replace(self.scenario, launch=launch)),
        ):
            control.observe(self._asking(change), "value")
        self.gpu.observe(lambda c: self._following or self._move_to(c.new), "value")
        self.vary.observe(lambda c: self._following or self._vary(c.new), "value")
        self.tabs.observe(lambda _: self._draw(), "selected_index")
        self.fit.on_click(lambda _: self._fit())
        self.reset.on_click(lambda _: self._try(lambda: self._first))
        self.copy.on_click(lambda _: self.show_python())

    def _asking(self, change: Callable[[Any], Scenario]) -> Callable[[Any], None]:
        return lambda event: None if self._following else self._try(lambda: change(event.new))

    def _try(self, change: Callable[[], Scenario]) -> bool:
        """Ask a changed question; if it makes no sense say so, and keep what is there."""
        try:
            scenario = change()
        except ValueError as error:
            self.message = str(error)
            self._show_controls(self.scenario, self.scenario)
            return False
        self.message = ""
        if scenario != self.scenario:
            self.scenario = scenario
        return True

    def _move_to(self, gpu: Gpu) -> None:
        """Ask the same of another GPU, and say so if it lacks the format."""
        asked = self.scenario.format.name
        if self._try(lambda: self.scenario.on(gpu)) and self.scenario.format.name != asked:
            self.message = f"{gpu.name} has no {asked}: this is {self.scenario.format.name}"

    def _type(self, field: str, text: str) -> bool:
        done = self._try(lambda: self.scenario.resized(field, number(text)))
        if done:
            self._vary(field)
        return done

    def _drag(self, field: str, value: int) -> None:
        if not self._following and self._try(lambda: self.scenario.resized(field, value)):
            self._vary(field)

    def _resize(self, field: str, size: float) -> None:
        """A chart's point was dragged along x."""
        step = self.sizes[field].step
        self._drag(field, max(round(size / step) * step, 1))

    def _vary(self, field: str) -> None:
        """Charts follow the size last touched."""
        if field != self.options.field:
            self.options = Options(field, fitting(_size(self.scenario, field)))

    def _fit(self) -> None:
        self.options = replace(self.options, reach=fitting(_size(self.scenario, self.options.field)))

    def _explain(self, note: str) -> None:
        self.why.value = f"<b>Why?</b> {escape(note)}"

    def show_python(self) -> None:
        """Show the Python that asks the present question, to select and copy."""
        self.why.value = f"{_CODE}{escape(as_python(self.scenario))}</pre>"

    def _refresh_why(self) -> None:
        """Shown Python follows the scenario; a note about a mark that has moved would be wrong."""
        if self.why.value.startswith(_CODE):
            self.show_python()
        else:
            self.why.value = _HINT

    @observe("message")
    def _say(self, change: Any) -> None:
        self.status.value = f"⚠ {escape(change.new)}" if change.new else ""

    @observe("scenario")
    def _follow(self, change: Any) -> None:
        scenario = change.new
        options = self._options_for(scenario)
        with self.aria.hold_sync():
            self._show_controls(change.old, scenario)
            self.verdict.value = escape(verdict(scenario))
            self.crossing.value = escape(crossing(scenario, options.field))
            self.times.value = escape(times(scenario))
            self._refresh_why()
            if options != self.options:
                self.options = options  # draws
            else:
                self._draw()
        self.state = write_state(scenario, self.options)

    def _options_for(self, scenario: Scenario) -> Options:
        """The reach grows when the present size leaves the picture; else the picture stays."""
        field = self.options.field
        if field not in {name for _, name in _sizes(scenario)}:
            field = scenario.layer.scale
        now = _size(scenario, field)
        if field != self.options.field or now > self.options.reach:
            return Options(field, fitting(now))
        return self.options

    @observe("options")
    def _follow_options(self, change: Any) -> None:
        if not hasattr(self, "tabs") or self.trait_values().get("scenario") is None:
            return
        self._following = True
        self.vary.value = change.new.field
        self._following = False
        self.crossing.value = escape(crossing(self.scenario, change.new.field))
        self._draw()
        self.state = write_state(self.scenario, change.new)

    @observe("state")
    def _read(self, change: Any) -> None:
        """A state may come from the page, a file or a link; nonsense changes nothing."""
        if change.new == write_state(self.scenario, self.options):
            return
        try:
            scenario, options = read_state(change.new)
        except ValueError as error:
            self.message = str(error)
            self.state = write_state(self.scenario, self.options)
            return
        self.options = options
        self._try(lambda: scenario)

    def _show_controls(self, old: Scenario | None, scenario: Scenario) -> None:
        self._following = True
        if not old or type(scenario.layer) is not type(old.layer) or not self.sizes:
            self._make_sizes(scenario)
        if scenario.gpu not in dict(map(reversed, self.gpu.options)):
            self.gpu.options = [*self.gpu.options, (scenario.gpu.name, scenario.gpu)]
        self.kind.value, self.gpu.value = type(scenario.layer), scenario.gpu
        if list(self.dtype.options) != _dtypes(scenario):
            self.dtype.options = _dtypes(scenario)
        self.phases.options = _and_pair(_PHASES, scenario.phases)
        self.dtype.value, self.phases.value = scenario.dtype, scenario.phases
        self.launch.value = scenario.launch
        for name, size in self.sizes.items():
            size.value = getattr(scenario.layer, name)
        self._following = False

    def _make_sizes(self, scenario: Scenario) -> None:
        """Draw a control for each size of a layer of a new kind."""
        for size in self.sizes.values():
            size.close()
        self.sizes = {f.name: self._control(f) for f in fields(scenario.layer) if f.metadata["kind"] == "dim"}
        self.layer.children = list(self.sizes.values())
        self.vary.options = _sizes(scenario)

    def _control(self, field: Any) -> SizeControl:
        size = SizeControl(field, lambda text: self._type(field.name, text))
        size.observe(lambda change: self._drag(field.name, change.new), "value")
        return size

    def _draw(self) -> None:
        """Only the chart in view; the others when they come into view."""
        shown = self.tabs.selected_index or 0
        self.draw(shown)
        page = self.tabs.children[shown]
        page.children = page.children or (self.charts[shown], self.legends[shown])

    def draw(self, index: int) -> None:
        """Bring one chart up to date, in view or not."""
        figure = self.charts[index]
        figure.chart = CHARTS[index](self.scenario, self.options)
        self.legends[index].value = legend(figure.chart)
        self.aria.set(figure, role="img", **{"aria-label": figure.chart.alt})


def _picker(description: str, options: Any, value: Any) -> w.Dropdown:
    return w.Dropdown(options=list(options), value=value, description=description)


def _and(known: tuple[Any, ...], own: Any) -> tuple[Any, ...]:
    return known if own in known else (*known, own)


def _and_pair(known: tuple[tuple[str, Any], ...], value: Any) -> tuple[tuple[str, Any], ...]:
    return known if value in dict(map(reversed, known)) else (*known, (" ".join(value), value))


def _dtypes(scenario: Scenario) -> list[tuple[str, Any]]:
    return [(dtype.name, dtype) for dtype in _and(scenario.gpu.dtypes, scenario.dtype)]


def _sizes(scenario: Scenario) -> list[tuple[str, str]]:
    named = (f for f in fields(scenario.layer) if f.metadata["kind"] == "dim")
    return [(f.metadata["label"], f.name) for f in named]


def _size(scenario: Scenario, field: str) -> int:
    size: int = getattr(scenario.layer, field)
    return size
