"""Names for what screen readers find: ipywidgets and bqplot give none."""

from typing import Any

import anywidget
import ipywidgets as w
from traitlets import Dict

from .script import script


class Aria(anywidget.AnyWidget):
    """Show one of these beside the widgets it describes."""

    _esm = script("aria.js")
    described = Dict().tag(sync=True)  # CSS class -> selector inside it, attributes

    def set(self, widget: w.DOMWidget, selector: str = "", **attributes: Any) -> None:
        """Give a widget, or what a selector finds inside it, ARIA attributes."""
        mark = f"dlp-aria-{widget.model_id}"
        if mark not in widget._dom_classes:
            widget.add_class(mark)
        self.described = {**self.described, mark: {"selector": selector, "attributes": attributes}}
