"""The HTML of a page."""

import json
from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple

_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<link rel="icon" href="data:,">
<script>{head}</script>
{style}
</head>
<body>
<main id="dlperf-page">
<header><h1>{title}</h1><p id="dlperf-status" role="status">{waiting}</p>
<button id="dlperf-theme" type="button" hidden>{dark}</button></header>
<div id="dlperf-stage">
<div id="dlperf-still">{still}</div>
<div id="dlperf-explorer" class="dlperf-waiting"></div>
</div>
</main>
<script type="application/json" id="dlperf-config">{config}</script>
{scripts}
</body>
</html>
"""


class Script(NamedTuple):
    """A script of a page: where it lies, or what it says."""

    src: str = ""
    text: str = ""

    def html(self, failed: str) -> str:
        """Return the element. One that lies elsewhere waits until the page is read, or says what failed."""
        if not self.src:
            return f"<script>{_closed(self.text)}</script>"
        said = f"document.getElementById('dlperf-status').textContent={json.dumps(failed)}"
        return f'<script src="{escape(self.src)}" defer onerror="{escape(said)}"></script>'


def document(
    *,
    title: str,
    language: str,
    still: str,
    words: Mapping[str, str],
    head: str,
    style: str,
    scripts: tuple[Script, ...],
    config: Mapping[str, Any],
) -> str:
    """Return a page. ``still`` and ``style`` are HTML, all else is text."""
    return _PAGE.format(
        language=escape(language.replace("_", "-")),
        title=escape(title),
        waiting=escape(words["waiting"]),
        dark=escape(words["dark"]),
        head=_closed(head),
        style=style,
        still=still,
        config=data({**config, "words": dict(words)}),
        scripts="\n".join(each.html(words["failed"].format(reason=each.src)) for each in scripts),
    )


def data(value: object) -> str:
    """Return JSON that may stand in a script element: no text in it can end that element."""
    return json.dumps(value).replace("<", "\\u003c")


def _closed(script: str) -> str:
    """Return a script without what would end its element early: in a string, a slash may be escaped."""
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")
