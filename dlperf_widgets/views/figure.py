"""Draw any chart with bqplot: marks are made once, then only what changed is sent."""

from collections.abc import Callable, Iterable

import bqplot as bq
import ipywidgets as w
from traitlets import Instance, observe

from ..charts import Axis, Chart
from ..charts.shapes import Dots, Path, Shape, Text, lower
from .bqplot_traits import axis_traits, domain_traits, labels, style, traits

_MARKS = {Path: bq.Lines, Dots: bq.Scatter, Text: bq.Label}
_MARGIN = {"top": 10, "bottom": 48, "left": 64, "right": 18}
_LAYOUT = {"width": "100%", "height": "400px", "min_width": "0"}


class ChartFigure(bq.Figure):
    """A figure whose one trait that matters is ``chart``.

    ``on_move(name, shape, index, x)`` hears of a dragged point, ``on_ask(note)`` of one clicked or
    pointed at.
    """

    chart = Instance(Chart)

    def __init__(self, chart: Chart, on_move: Callable, on_ask: Callable):
        self._on_move, self._on_ask = on_move, on_ask
        self.lowered: dict[str, Shape] = {}
        self.drawn: dict[str, bq.Mark] = {}
        self.scales = {"x": _scale(chart.x), "y": _scale(chart.y)}
        axes = [
            bq.Axis(scale=self.scales["x"]),
            bq.Axis(scale=self.scales["y"], side="left", label_offset="46px"),
        ]
        super().__init__(axes=axes, fig_margin=_MARGIN, padding_y=0, layout=_LAYOUT, display_toolbar=False)
        self.add_class("dlp-chart")
        self.chart = chart

    @observe("chart")
    def _draw(self, change) -> None:
        described = (change.new.x, change.new.y)
        for axis, scale, drawn in zip(described, self.scales.values(), self.axes, strict=True):
            # Labels go ahead: bqplot writes the texts of new ticks with the labels it had before.
            drawn.tick_labels = labels(axis)
            _assign(scale, domain_traits(axis))
            _assign(drawn, axis_traits(axis))
        before, self.lowered = self.lowered, lower(change.new)
        for name, shape in self.lowered.items():
            if name not in self.drawn:
                self.drawn[name] = self._new(name, shape)
            elif shape != before.get(name):
                _assign(self.drawn[name], traits(shape))
        if list(self.lowered) != list(before):
            self.marks = [self.drawn[name] for name in self.lowered]

    def _new(self, name: str, shape: Shape) -> bq.Mark:
        scales = self.scales
        if isinstance(shape, Dots) and shape.sizes:  # bubbles: shares of the largest area
            scales = {**scales, "size": bq.LinearScale(min=0, max=1)}
        mark = _MARKS[type(shape)](scales=scales, **style(shape), **traits(shape))
        if isinstance(shape, Dots):
            self._listen(name, mark)
        return mark

    def _listen(self, name: str, mark: bq.Scatter) -> None:
        """Handlers look their shape up by name, as it changes under them.

        A drag is heard through ``x``, of which the page sends the latest once the last is answered; bqplot's
        drag events are one for every move of the mouse, and would queue up behind a slow answer.
        """
        mark.on_hover(lambda _, event: self._ask(name, event))
        mark.on_element_click(lambda _, event: self._ask(name, event))
        mark.observe(lambda change: self._move(name, change.new), "x")

    def _move(self, name: str, places: Iterable[float]) -> None:
        """Hear of the point that the page has moved; one that may not stay there goes back."""
        shape = self.lowered[name]
        moved = [(i, float(x)) for i, (x, was) in enumerate(zip(places, shape.x, strict=False)) if x != was]
        if not moved or not shape.drag:
            return
        self._on_move(name, shape, *moved[0])
        _assign(self.drawn[name], traits(self.lowered[name]))

    def _ask(self, name: str, event: dict) -> None:
        notes = self.lowered[name].notes
        index = event["data"]["index"]
        if index < len(notes):
            self._on_ask(notes[index])


def _scale(axis: Axis) -> bq.Scale:
    return (bq.LogScale if axis.log else bq.LinearScale)(**domain_traits(axis))


def _assign(widget: w.Widget, values: dict[str, object]) -> None:
    """Set traits in one message. Equal values are not sent."""
    with widget.hold_sync():
        for name, value in values.items():
            setattr(widget, name, value)
