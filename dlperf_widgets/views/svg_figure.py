"""Draw any chart as SVG in the page: needs no bqplot and no numpy, so it runs in a browser's Python, too.

Python says where the marks stand as shares of the picture, and how they look in CSS; the page makes pixels
of that, at any size and in either theme.
"""

from array import array
from collections.abc import Callable
from html import escape
from math import log10
from pathlib import Path
from typing import Any

import anywidget
from traitlets import Any as AnyTrait
from traitlets import Dict, Instance, Int, List, Unicode, observe

from ..charts import Axis, Chart, svg
from ..charts.looks import look, radius
from ..charts.shapes import Dots, Shape, Text, lower
from ..charts.shapes import Path as Outline
from ..language import tr
from .theme import colours

_HERE = Path(__file__).parent
_LAYOUT = {"width": "100%", "height": "400px", "min_width": "0"}
_PATTERN = "dlp-hatch-live"  # each view has its own under another name


class SvgFigure(anywidget.AnyWidget):
    """A figure whose one trait that matters is ``chart``; what the page needs of it follows.

    ``on_move(name, shape, index, x)`` hears of a dragged point, ``on_ask(note)`` of one clicked or
    pointed at.
    """

    _esm = (_HERE / "static" / "chart.js").read_text("utf-8")  # see ``widgets.script``
    _css = colours() + (_HERE / "svg_figure.css").read_text()

    chart = Instance(Chart)
    # What a step changes is apart from what it leaves alone: a trait that stays equal is not sent.
    axes = Dict().tag(sync=True)  # of x and y: the title, and ticks as (share of the length, label)
    shapes = List().tag(sync=True)  # what each is, from the back to the front
    numbers = AnyTrait().tag(sync=True)  # float32: how many points each shape has; then its x, y and radii
    words = List().tag(sync=True)  # of each shape: what is written, or said of its points
    alt = Unicode().tag(sync=True)
    # What a hand does: {name, index, at: a share of the width, turn} and {name, index, turn}. Turns count up.
    moved = Dict().tag(sync=True, echo_update=False)
    asked = Dict().tag(sync=True, echo_update=False)
    answered = Int(0).tag(sync=True)  # the turn of the last move that was heard

    def __init__(
        self,
        chart: Chart,
        on_move: Callable[[str, Dots, int, float], None],
        on_ask: Callable[[str], None],
    ) -> None:
        self._on_move, self._on_ask = on_move, on_ask
        self.lowered: dict[str, Shape] = {}
        # With the message that opens it: anywidget's view, once drawn, hears of no class that comes later.
        super().__init__(layout=_LAYOUT, _dom_classes=("dlp-live",))
        self.chart = chart

    @observe("chart")
    def _draw(self, change: Any) -> None:
        chart = change.new
        self.lowered = lower(chart)
        with self.hold_sync():
            self.axes = {"x": _axis(chart.x), "y": _axis(chart.y)}
            self.shapes = [_described(name, shape, chart) for name, shape in self.lowered.items()]
            self.words = [_said(shape) for shape in self.lowered.values()]
            self.numbers = _packed(self.lowered.values(), chart)
            self.alt = chart.alt

    @observe("moved")
    def _move(self, change: Any) -> None:
        """Hear of the point that the page has moved; the answer puts one back that may not stay there."""
        name, index, at, turn = (change.new.get(key) for key in ("name", "index", "at", "turn"))
        shape = self.lowered.get(name)
        with self.hold_sync():
            try:
                if isinstance(shape, Dots) and shape.drag and 0 <= index < len(shape.x):
                    self._on_move(name, shape, index, _value(self.chart.x, at))
            finally:
                self.answered = turn

    @observe("asked")
    def _ask(self, change: Any) -> None:
        shape, index = self.lowered.get(change.new.get("name")), change.new.get("index")
        if isinstance(shape, Dots) and 0 <= index < len(shape.notes):
            self._on_ask(shape.notes[index])

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Add a picture for pages that have no kernel."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "text/html": f"{svg(self.chart)}<p>{escape(self.alt)}</p>"}, metadata


def _axis(axis: Axis) -> dict[str, Any]:
    places = _shares(axis, tuple(axis.ticks))
    return {
        "label": axis.label,
        "ticks": [list(each) for each in zip(places, axis.ticks.values(), strict=True)],
    }


def _described(name: str, shape: Shape, chart: Chart) -> dict[str, Any]:
    """Return what stays of a shape while its points move."""
    looks = look(shape, _PATTERN)
    common = {"name": name, "style": looks.style}
    match shape:
        case Outline():
            return common | {"kind": "area" if shape.filled else "line"}
        case Text():
            return common | {"kind": "text", "anchor": shape.align, "shift": list(shape.shift)}
        case Dots():
            kind = "bubbles" if shape.sizes else "dots"
            label = f"{tr(name)}{tr(': ')}{chart.x.label}" if shape.drag else ""
            return common | {"kind": kind, "outline": looks.outline, "grow": looks.grow, "drag": label}


def _said(shape: Shape) -> list[str]:
    match shape:
        case Text():
            return list(shape.text)
        case Dots():
            return list(shape.notes)
    return []


def _packed(shapes: Any, chart: Chart) -> bytes:
    """Return all places as shares of the picture's width and height, and bubbles' radii in pixels."""
    numbers = array("f", [len(shape.x) for shape in shapes])
    for shape in shapes:
        numbers.extend(_shares(chart.x, shape.x))
        numbers.extend(_shares(chart.y, shape.y))
        if isinstance(shape, Dots):
            numbers.extend(map(radius, shape.sizes))
    return numbers.tobytes()


def _shares(axis: Axis, values: tuple[float, ...]) -> list[float]:
    """Return where values stand on an axis: 0 at its start, 1 at its end."""
    low, high = axis.domain
    if axis.log:
        start, length = log10(low), log10(high) - log10(low)
        return [(log10(value) - start) / length for value in values]
    length = high - low
    return [(value - low) / length for value in values]


def _value(axis: Axis, share: float) -> float:
    """Return the value at a share of an axis; the inverse of ``_shares``."""
    low, high = axis.domain
    share = min(max(share, 0.0), 1.0)
    return low * (high / low) ** share if axis.log else low + (high - low) * share
