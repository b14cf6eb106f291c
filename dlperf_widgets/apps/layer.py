"""Explore one layer. Controls write ``scenario`` and ``options``; charts read them. Nothing else flows."""

from dataclasses import replace
from html import escape
from typing import Any

import ipywidgets as w
from traitlets import Instance, Unicode, dlink, link, observe, validate

from ..advice import crossing, times, verdict
from ..charts import CHARTS, Chart, Options
from ..charts.duration import fitting
from ..cost import Scenario
from ..dtypes import FP16
from ..gpus import V100_SXM2_16GB
from ..layers import Linear
from ..views.figure import ChartFigure
from ..views.legend import legend
from ..views.theme import stylesheet
from ..widgets.aria import Aria
from ..widgets.controls import ScenarioControls, dims
from .code import as_python
from .state import read_state, write_state

DEFAULT = Scenario(Linear(batch=512, inputs=1024, outputs=4096), V100_SXM2_16GB, FP16)
_HINT = "Point at a mark of a chart to see why it is there."
_CODE = "<pre class='dlp-code'>"


class LayerExplorer(w.VBox):
    """Sliders for a layer's sizes, pickers, three charts and a verdict.

    ``scenario`` is the question and links with ``traitlets.link``; ``options`` is what the charts show
    of it; ``state`` is both as JSON text, synced.
    """

    scenario = Instance(Scenario)
    options = Instance(Options)
    state = Unicode().tag(sync=True)
    message = Unicode()  # what was wrong with the last input, in a sentence

    def __init__(self, scenario: Scenario = DEFAULT, options: Options | None = None) -> None:
        self._first = _with_sizes(scenario)
        self._ready = False  # until every part is there
        self.aria = Aria()
        self.controls = ScenarioControls(scenario)
        self._make_buttons()
        self.verdict, self.crossing, self.times = w.HTML(), w.HTML(), w.HTML()
        self.why, self.status = w.HTML(_HINT), w.HTML()
        options = options or _fitting(scenario, scenario.layer.scale)
        self.charts = [self._figure(chart(scenario, options)) for chart in CHARTS]
        self.legends = [w.HTML() for _ in CHARTS]
        self.tabs = w.Tab([w.VBox() for _ in CHARTS])  # filled when first seen: bqplot dislikes hidden places
        self.tabs.titles = [figure.chart.title for figure in self.charts]
        super().__init__(self._arranged(), options=options, scenario=scenario)
        self.add_class("dlp-explorer")
        self._listen()
        self._ready = True
        self._show()

    def _make_buttons(self) -> None:
        self.vary = w.Dropdown(description="Vary")
        self.fit = w.Button(description="Fit", tooltip="Show the present size well inside the duration chart")
        self.reset = w.Button(description="Reset", tooltip="Back to the first question")
        self.copy = w.Button(description="As Python", tooltip="Show the Python that asks this question")

    def _arranged(self) -> list[w.Widget]:
        bar = w.HBox([*self.controls.pickers, self.vary, self.fit, self.reset, self.copy])
        aside = w.VBox([self.controls.layer, self.status, self.verdict, self.crossing, self.why])
        main = w.VBox([self.tabs, self.times])
        body = w.HBox([aside, main])
        for name in ("verdict", "crossing", "why", "times", "status"):
            getattr(self, name).add_class(f"dlp-{name}")
        self.controls.layer.add_class("dlp-layer")
        for box, name in ((bar, "bar"), (aside, "aside"), (main, "main"), (body, "body")):
            box.add_class(f"dlp-{name}")
        for words in (self.verdict, self.why, self.status):
            self.aria.set(words, role="status")
        return [w.HTML(stylesheet(), layout={"display": "contents"}), self.aria, bar, body]

    def _figure(self, chart: Chart) -> ChartFigure:
        return ChartFigure(chart, on_move=self.controls.resize, on_ask=self._explain)

    def _listen(self) -> None:
        link((self, "scenario"), (self.controls, "scenario"))
        link((self, "message"), (self.controls, "message"))
        dlink((self, "message"), (self.status, "value"), lambda text: text and f"⚠ {escape(text)}")
        self.controls.observe(lambda change: self._vary(change.new), "touched")
        self.vary.observe(lambda change: self._vary(change.new), "value")
        self.tabs.observe(lambda _: self._draw(), "selected_index")
        self.fit.on_click(lambda _: self.set_trait("options", _fitting(self.scenario, self.options.field)))
        self.reset.on_click(lambda _: self.controls.ask(lambda: self._first))
        self.copy.on_click(lambda _: self.show_python())

    def _vary(self, field: str | None) -> None:
        """Charts follow the size last touched."""
        if field and field != self.options.field:
            self.options = _fitting(self.scenario, field)

    def _explain(self, note: str) -> None:
        self.why.value = f"<b>Why?</b> {escape(note)}"

    def show_python(self) -> None:
        """Show the Python that asks the present question, to select and copy."""
        self.why.value = f"{_CODE}{escape(as_python(self.scenario))}</pre>"

    @validate("scenario")
    def _checked(self, proposal: Any) -> Scenario:
        return _with_sizes(proposal.value)

    @observe("scenario", "options")
    def _follow(self, _change: Any) -> None:
        if not self._ready:
            return
        options = _containing(self.options, self.scenario)
        if options != self.options:
            self.options = options  # which calls again
        else:
            self._show()

    def _show(self) -> None:
        scenario, field = self.scenario, self.options.field
        sizes = [(f.metadata["label"], f.name) for f in dims(scenario)]
        with self.aria.hold_sync():
            if list(self.vary.options) != sizes:
                self.vary.options = sizes
            self.vary.value = field
            self.verdict.value = escape(verdict(scenario))
            self.crossing.value = escape(crossing(scenario, field))
            self.times.value = escape(times(scenario))
            self._refresh_why()
            self._draw()
        self.state = write_state(scenario, self.options)

    def _refresh_why(self) -> None:
        """Shown Python follows the scenario; a note about a mark that has moved would be wrong."""
        if self.why.value.startswith(_CODE):
            self.show_python()
        else:
            self.why.value = _HINT

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

    @observe("state")
    def _read(self, change: Any) -> None:
        """A state may come from the page, a file or a link; nonsense changes nothing."""
        if not self._ready or change.new == write_state(self.scenario, self.options):
            return
        try:
            scenario, options = read_state(change.new)
        except ValueError as error:
            self.message = str(error)
            self.state = write_state(self.scenario, self.options)
            return
        with self.hold_trait_notifications():
            self.message, self.options, self.scenario = "", options, scenario


def _with_sizes(scenario: Scenario) -> Scenario:
    """Return a scenario this explorer can show; ValueError if its layer has no size to vary."""
    if not dims(scenario):
        raise ValueError(
            f"the layer explorer needs a layer with a size to vary: {scenario.layer.title} has none"
        )
    return scenario


def _size(scenario: Scenario, field: str) -> int:
    size: int = getattr(scenario.layer, field)
    return size


def _fitting(scenario: Scenario, field: str) -> Options:
    return Options(field, fitting(_size(scenario, field)))


def _containing(options: Options, scenario: Scenario) -> Options:
    """Return options that show the present size: the picture stays until its point would leave it."""
    if options.field not in {f.name for f in dims(scenario)}:
        return _fitting(scenario, scenario.layer.scale)
    now = _size(scenario, options.field)
    return replace(options, reach=fitting(now)) if now > options.reach else options
