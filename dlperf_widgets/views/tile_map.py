"""A product's tiles and waves as a live picture, drawn by the browser from a few numbers."""

from html import escape
from pathlib import Path
from typing import Any

import anywidget
from traitlets import Dict, Instance, Int, Unicode, observe

from ..charts.tile_plan import TilePlan
from ..charts.tile_svg import tile_svg
from ..language import tr
from ..units import si
from .theme import colours

_HERE = Path(__file__).parent


class TileMap(anywidget.AnyWidget):
    """The output in tiles and the waves over the SMs: ``plan`` is all that it is drawn from.

    ``pointed`` is the tile under the pointer or reached by keys, ``chosen`` the one clicked or entered;
    -1 is none. Tiles are numbered as in ``TilePlan.part``.
    """

    _esm = (_HERE / "static" / "tile_map.js").read_text("utf-8")  # see ``widgets.script``
    _css = colours() + (_HERE / "tile_map.css").read_text()

    plan = Instance(TilePlan).tag(sync=True, to_json=lambda plan, _widget: plan.numbers())
    words = Dict(Unicode()).tag(sync=True)  # what the picture says, in the user's language
    alt = Unicode().tag(sync=True)
    pointed = Int(-1).tag(sync=True)
    chosen = Int(-1).tag(sync=True)

    def __init__(self, plan: TilePlan, **kwargs: Any) -> None:
        super().__init__(plan=plan, **kwargs)

    def show(self, plan: TilePlan) -> None:
        """Show another product, or the same one in another tile, in one message."""
        with self.hold_sync():
            self.plan = plan

    @observe("plan")
    def _describe(self, _change: Any) -> None:
        plan = self.plan
        self.alt, self.words = plan.alt, _words(plan)
        self.pointed = self.pointed if self.pointed < plan.tiles else -1
        self.chosen = self.chosen if self.chosen < plan.tiles else -1

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Add a picture for pages that have no kernel."""
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "text/html": f"{tile_svg(self.plan)}<p>{escape(self.alt)}</p>"}, metadata


def _words(plan: TilePlan) -> dict[str, str]:
    """Return sentences, and templates whose fields the browser fills in."""
    return {
        "matrix": plan.matrix_alt,
        "waves": plan.waves_alt,
        "wave": tr("wave {wave}"),
        "sm": tr("SM {sm}"),
        "memory": tr("memory"),
        "predicted": tr("predicted {time}, launch aside", time=si(plan.busy_time, "s")),
        "hint": tr("Point at a tile or use the arrow keys to see where it lies and when it runs."),
        "tile": tr("Rows {rows}, columns {columns}: {slots}."),
        "product": tr("Product {product}: {tile}"),
        "slot": tr("wave {wave} on SM {sm}, {start} to {end}"),
        "padding": tr("{share} of this tile is padding."),
        "idle": tr("SM {sm} idles in wave {wave}, {start} to {end}."),
    }
