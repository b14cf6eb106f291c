"""An explorer as a page that stays alive without a kernel: what it looks like, and what it opens with."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..language import language, tr
from ..measure.record import to_json
from ._page_still import still
from .state import State, read_state, write_state

if TYPE_CHECKING:
    from ..page import Contents, SavedPage
    from ._explorer import Explorer


class Savable:
    """What can be saved as a page."""

    def save_html(
        self: "Explorer",
        path: str | os.PathLike[str],
        *,
        single_file: bool = False,
        pyodide: str | os.PathLike[str] | None = None,
    ) -> "SavedPage":
        """Save this explorer, as it stands, as a page that answers without a kernel.

        Python runs in the reader's browser, and asks nothing of any server but the one with the page, which
        can also be opened from a disk. What is asked, its options, the tab in view, the language,
        measurements and a prediction that waits go along.

        Parameters
        ----------
        path : path
            ``"course/layer"`` writes ``course/layer.html``; a folder that is there takes a page of this
            explorer's name. The folder ``dlperf-live`` beside it holds what all pages share, some 10 MB.
        single_file : bool
            Write everything into the page itself, about 11 MB.
        pyodide : path, optional
            A folder with Pyodide, or the archive of its npm package. Without it, it is fetched once from the
            npm registry (the variable ``npm_config_registry`` names another), checked, and kept in the
            user's cache folder (the variable ``DLPERF_CACHE`` names another).

        Returns
        -------
        SavedPage
            The path of the page; a notebook shows it as the page.

        Raises
        ------
        ValueError
            The page could not open what this explorer shows.
        OSError
            Pyodide can neither be found nor fetched, or the page cannot be written.
        """
        from ..page import write_page  # which a page that runs this has no use for

        target = _target(Path(path), self.slug)
        return write_page(_contents(self), target, single_file=single_file, pyodide=pyodide)


def _target(path: Path, slug: str) -> Path:
    if path.is_dir():
        return path / f"{slug}.html"
    return path if path.suffix in (".html", ".htm") else path.with_name(f"{path.name}.html")


def _contents(explorer: "Explorer") -> "Contents":
    from ..page import Contents

    return Contents(
        title=tr(explorer.title),
        language=language(),
        still=still(explorer),
        words=_words(),
        module="dlperf_widgets.live",
        request=_request(explorer),
    )


def _request(explorer: "Explorer") -> dict[str, Any]:
    """Return what ``live.start`` takes, after making sure that it can be read."""
    from . import APPS

    if type(explorer) not in APPS:
        raise ValueError(f"a page can open the library's own explorers, not {type(explorer).__name__}")
    state = write_state(explorer.slug, State(explorer.scenario, explorer.options, explorer.pinned))
    explorer.admitted(read_state(explorer.slug, explorer.options_kind, state))
    return {
        "state": state,
        "language": language(),
        "tab": explorer.tabs.selected_index or 0,
        "predict": list(explorer.prediction.keys),
        "measurements": [to_json(each) for each in explorer.measurements],
    }


def _words() -> dict[str, str]:
    """Return what the page says of itself, in the present language."""
    return {
        "waiting": tr("A picture. Python starts in this page when it is in view, if scripts may run."),
        "loading": tr("A picture. Loading Python for this page…"),
        "unpacking": tr("A picture. Unpacking Python…"),
        "python": tr("A picture. Starting Python in this page…"),
        "opening": tr("A picture. Opening the explorer…"),
        "ready": tr("Live: Python runs in this page, and every control answers without a server."),
        "failed": tr("This stays a picture, as Python cannot run here: {reason}"),
        "old": tr("the browser is too old for WebAssembly or compressed streams"),
        "dark": tr("Dark"),
    }
