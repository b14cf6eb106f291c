"""Bars of every layer in several charts at once: a layer pointed at in one is marked in all."""

from collections.abc import Callable, Sequence
from json import dumps
from typing import Any

import anywidget
from traitlets import Dict, Int, Unicode

from ..charts import Area, Chart
from ..language import tr
from .script import script


class LayerBars(anywidget.AnyWidget):
    """Charts of bars one under another, over the same layers: ``on_open(index)`` hears which was clicked."""

    _esm = script("layer_bars.js")

    # Panels of label, ticks and series, whose heights are shares of the axis, and a sentence for each layer,
    # as JSON: one text is quick to send.
    data = Unicode("{}").tag(sync=True)
    chosen = Int(-1).tag(sync=True)  # the layer that is looked at by itself
    alt = Unicode().tag(sync=True)
    words = Dict(Unicode()).tag(sync=True)

    def __init__(self, on_open: Callable[[int], None]) -> None:
        hint = tr("Point at a layer, or move with the arrow keys; a click or Enter opens it below.")
        super().__init__(words={"hint": hint, "axis": tr("Layer, in the order that they run")})
        self.notes: tuple[str, ...] = ()
        self._on_open = on_open
        self.on_msg(self._hear)

    def show(self, charts: Sequence[Chart], notes: Sequence[str], chosen: int) -> None:
        """Show other layers."""
        with self.hold_sync():
            self.notes = tuple(notes)
            panels = [_panel(chart) for chart in charts]
            self.data = dumps(
                {"panels": panels, "notes": self.notes}, separators=(",", ":"), ensure_ascii=False
            )
            self.chosen = chosen
            self.alt = " ".join(chart.alt for chart in charts[:1])

    def choose(self, index: int) -> None:
        """Open a layer, as a click does."""
        if 0 <= index < len(self.notes):
            self._on_open(index)

    def _hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
        index = content.get("opened") if isinstance(content, dict) else None
        if isinstance(index, int):
            self.choose(index)


def _panel(chart: Chart) -> dict[str, Any]:
    top = chart.y.domain[1]
    ticks = list(chart.y.ticks.items())
    return {
        "label": chart.y.label,
        "ticks": [[value / top, label] for value, label in (ticks[0], ticks[-1])],
        "series": [_series(mark, top) for mark in chart.marks if isinstance(mark, Area)],
    }


def _series(area: Area, top: float) -> dict[str, Any]:
    """Return the bars of an outline, of which each has four corners: the second has both its heights."""
    return {
        "role": str(area.role),
        "name": tr(area.name),
        "base": [round(value / top, 4) for value in area.base[1::4]],
        "top": [round(value / top, 4) for value in area.top[1::4]],
    }
