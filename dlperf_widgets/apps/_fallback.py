"""What a page without a kernel shows of an explorer: the last picture and numbers."""

from html import escape
from typing import TYPE_CHECKING

from ..language import tr

if TYPE_CHECKING:
    from ._explorer import Explorer


def fallback(explorer: "Explorer") -> str:
    """Return HTML that needs no script: the words, the numbers, the picture in view and its text."""
    pane = explorer.panes[explorer.tabs.selected_index or 0]
    words = "".join(f"<p>{escape(each)}</p>" for each in explorer.words() if each)
    numbers = "".join(
        f"<tr><th scope='row' style='text-align:left'>{escape(label)}</th><td>{escape(text)}</td></tr>"
        for _, label, text in explorer.numbers()
    )
    note = tr("A picture of {name}: with a kernel it answers when touched.", name=tr(explorer.title))
    return (
        f"<div class='dlp-fallback' style='max-width:760px'>{words}<div>{pane.html()}</div>"
        f"<table>{numbers}</table><p>{escape(pane.alt())}</p><p><small>{escape(note)}</small></p></div>"
    )
