"""What a page without a kernel shows of an explorer: the last picture and numbers."""

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING

from ..charts import svg
from ..charts.poster import as_images, pictures, poster
from ..language import tr
from ..views.pane import ChartPane, Pane
from ..views.png import png

if TYPE_CHECKING:
    from ._explorer import Explorer

_LEFT = "style='text-align:left;padding:2px 12px 2px 0'"


def fallback(explorer: "Explorer") -> str:
    """Return HTML that needs no script: the words, the numbers, the picture in view and its text.

    It says what it says even where a page takes pictures and style away. While a guess is awaited it keeps
    the answer to itself.
    """
    note = f"<p><small>{escape(_note(explorer))}</small></p>"
    if _covered(explorer):
        return f"<div class='dlp-fallback'>{note}</div>"
    words = "".join(f"<p>{escape(each)}</p>" for each in explorer.words() if each)
    numbers = "".join(
        f"<tr><th scope='row' {_LEFT}>{escape(label)}</th><td {_LEFT}>{escape(text)}</td></tr>"
        for _, label, text in explorer.numbers()
    )
    pane = explorer.panes[explorer.tabs.selected_index or 0]
    return (
        f"<div class='dlp-fallback' style='max-width:760px'>{words}<div>{as_images(_drawn(pane))}</div>"
        f"<table>{numbers}</table><p>{escape(pane.alt())}</p>{note}</div>"
    )


def spoken(explorer: "Explorer") -> str:
    """Return the same as text alone."""
    if _covered(explorer):
        return _note(explorer)
    pane = explorer.panes[explorer.tabs.selected_index or 0]
    numbers = [f"{label}: {text}" for _, label, text in explorer.numbers()]
    return "\n".join(each for each in (*explorer.words(), *numbers, pane.alt(), _note(explorer)) if each)


def pixels(explorer: "Explorer") -> str | None:
    """Return the same as a PNG in base64; None where nothing makes one, or there is no picture in view."""
    pane = explorer.panes[explorer.tabs.selected_index or 0]
    found = pictures(_drawn(pane))
    if not found or _covered(explorer):
        return None
    numbers = " · ".join(f"{label} {text}" for _, label, text in explorer.numbers())
    drawn = png(poster([each for each in explorer.words() if each][:1], found, [numbers]))
    return b64encode(drawn).decode() if drawn else None


def _drawn(pane: Pane) -> str:
    """Return the picture in view; that of a chart says what its marks mean, as no legend stands by."""
    return svg(pane.chart, keyed=True) if isinstance(pane, ChartPane) else pane.html()


def _covered(explorer: "Explorer") -> bool:
    return "dlp-predicting" in explorer._dom_classes


def _note(explorer: "Explorer") -> str:
    return tr("A picture of {name}: with a kernel it answers when touched.", name=tr(explorer.title))
