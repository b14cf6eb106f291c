"""What stands behind one tab of an explorer: a chart, or any widget that can be brought up to date."""

from collections.abc import Callable
from typing import Any, Protocol

import ipywidgets as w

from ..charts import Chart, svg
from ..charts.placed import placed
from ..charts.shapes import Dots
from ..cost import Scenario
from .legend import legend
from .renderer import Figure, figure

ChartFunction = Callable[[Scenario, Any], Chart]


class Pane(Protocol):
    """A picture of a scenario."""

    title: str
    widget: w.DOMWidget

    def draw(self, scenario: Scenario, options: Any) -> None:
        """Bring the picture up to date."""

    def alt(self) -> str:
        """Return what a reader who cannot see the picture needs to know."""

    def html(self) -> str:
        """Return the picture for a page without a kernel."""


class ChartPane:
    """A chart and its legend. They are made when first drawn: a figure dislikes hidden places.

    ``decorate(chart, function)`` may add marks. ``on_move(name, shape, index, x)`` hears of a dragged point,
    ``on_ask(note)`` of one pointed at or clicked.
    """

    def __init__(
        self,
        function: ChartFunction,
        title: str,
        decorate: Callable[[Chart, ChartFunction], Chart],
        on_move: Callable[[str, Dots, int, float], None],
        on_ask: Callable[[str], None],
    ) -> None:
        self.function, self.title = function, title
        self._decorate, self._on_move, self._on_ask = decorate, on_move, on_ask
        self.legend = w.HTML()
        self.widget = w.VBox([self.legend])
        self.figure: Figure | None = None

    @property
    def chart(self) -> Chart:
        """The chart as last drawn."""
        assert self.figure, f"{self.title} was not drawn yet"
        return self.figure.chart

    def draw(self, scenario: Scenario, options: Any) -> None:
        """Bring chart and legend up to date."""
        chart = placed(self._decorate(self.function(scenario, options), self.function))
        if self.figure is None:
            self.figure = figure(chart, self._on_move, self._on_ask)
            self.widget.children = (self.figure, self.legend)
        else:
            self.figure.chart = chart
        self.legend.value = legend(chart)

    def alt(self) -> str:
        """Return the chart's alternative text."""
        return self.chart.alt

    def html(self) -> str:
        """Return the chart as SVG."""
        return svg(self.chart)
