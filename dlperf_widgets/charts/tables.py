"""Tables with bars as HTML that brings its own look: a page without a kernel has no style sheet."""

from collections.abc import Sequence
from html import escape

from ..language import tr
from .roles import Role
from .svg import paint

_CELL = "border-top:1px solid var(--dlp-line, #d0d0d0);padding:8px 10px;vertical-align:top;text-align:left"
_HEAD = "text-align:left;padding:4px 10px"
_TABLE = "width:100%;border-collapse:collapse;margin-bottom:12px"


def table(heads: Sequence[str], rows: Sequence[str], caption: str = "") -> str:
    """Return a table with a row of headings."""
    cells = "".join(f'<th scope="col" style="{_HEAD}">{escape(tr(head))}</th>' for head in heads)
    above = f'<caption style="{_HEAD}">{escape(caption)}</caption>' if caption else ""
    head = f"<thead><tr>{cells}</tr></thead>"
    return f'<table style="{_TABLE}">{above}{head}<tbody>{"".join(rows)}</tbody></table>'


def row(name: str, *cells: str, more: Sequence[str] = (), width: str = "24%") -> str:
    """Return a row: its name, with lines under it, and cells of HTML."""
    lines = "".join(f'<br><span style="font-weight:400">{escape(line)}</span>' for line in more if line)
    head = f'<th scope="row" style="{_CELL};width:{width}">{escape(name)}{lines}</th>'
    body = "".join(f'<td style="{_CELL}">{cell}</td>' for cell in cells)
    return f"<tr>{head}{body}</tr>"


def bar(label: str, value: str, share: float, full: bool) -> str:
    """Return a name, a number and under them a bar in the colour of memory, full or hollow."""
    blue = paint(Role.MEMORY)
    look = f"width:{max(100 * share, 0.5):.4g}%;height:12px;box-sizing:border-box;border:2px solid {blue}"
    inside = f"background:{blue if full else 'transparent'}"
    words = f"{escape(label)} <b>{escape(value)}</b>"
    return f'<div style="margin-bottom:6px">{words}<div style="{look};{inside}"></div></div>'
