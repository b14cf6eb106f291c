"""An answer to "why?" as HTML."""

from html import escape

from ..advice import Why
from ..language import tr


def why_html(answer: Why) -> str:
    """Return the formula with its numbers, and the sources, those with a public address as links."""
    lines = "\n".join(escape(line) for line in answer.lines)
    sources = "".join(f"<li>{_source(title, address)}</li>" for title, address in answer.sources)
    listed = f"<div>{escape(tr('Source'))}</div><ul>{sources}</ul>" if sources else ""
    return f"<b>{escape(answer.title)}</b><pre class='dlp-formula'>{lines}</pre>{listed}"


def _source(title: str, address: str) -> str:
    if not address.startswith(("https://", "http://")):
        return escape(title)
    return f'<a href="{escape(address)}" target="_blank" rel="noopener">{escape(title)}</a>'
