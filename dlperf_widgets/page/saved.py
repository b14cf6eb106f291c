"""A page that was saved, and how another page shows it."""

import os
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

HEIGHT = 1000  # pixels: what most explorers need in a notebook, until the page says its own

_FOLLOW = """<script>(() => {{
  const frame = document.currentScript.previousElementSibling;
  addEventListener("message", event => {{
    if (event.source === frame.contentWindow && event.data?.type === "dlperf-height") {{
      frame.style.height = `${{Math.min(Math.max(Number(event.data.height) || {height}, 200), 4000)}}px`;
    }}
  }});
}})();</script>"""


@dataclass(frozen=True)
class SavedPage(os.PathLike[str]):
    """The path of a page, which a notebook shows as the page itself."""

    path: Path
    title: str

    def __fspath__(self) -> str:
        return str(self.path)

    def __str__(self) -> str:
        return str(self.path)

    def iframe(self, src: str | None = None, height: int = HEIGHT) -> str:
        """Return HTML that shows the page in another one, as high as the page says it is.

        Parameters
        ----------
        src : str, optional
            The page's address as seen from the other page. By default its path from the folder that is
            current, as a notebook in that folder sees it.
        height : int
            In pixels, until the page has said how high it is.
        """
        where = quote(Path(os.path.relpath(self.path)).as_posix()) if src is None else src
        return (
            f'<iframe src="{escape(where)}" title="{escape(self.title)}" loading="lazy" '
            f'style="width:100%;height:{height:d}px;border:0"></iframe>{_FOLLOW.format(height=int(height))}'
        )

    def _repr_html_(self) -> str:
        return self.iframe()
