"""A picture beside the live view, for whoever opens the notebook's file: it shows where the view cannot.

It is an output of its own. Renewing the output of the live view would make that view again, under the hand
that uses it.
"""

from typing import TYPE_CHECKING, Any

from ..language import tr
from ._fallback import fallback, pixels, spoken
from ._lifetime import showing
from ._settle import Settled

if TYPE_CHECKING:
    from ._explorer import Explorer

_REST = 1.0  # seconds without a change


class Kept:
    """Displays an explorer with its picture, and renews the picture once things have been quiet."""

    def __init__(self, explorer: "Explorer") -> None:
        self._explorer = explorer
        self._settled = Settled(self._renew, _REST)
        self._shown: dict[str, Any] = {}

    @property
    def _name(self) -> str:
        return str(self._explorer.model_id)[:12]

    def display(self, live: dict[str, Any]) -> None:
        """Display a live view, and the picture that is seen where the view is not."""
        from IPython.display import display

        self._explorer.add_class(f"dlp-shows-{self._name}")
        display(live, raw=True)
        self._shown = self._bundle()
        display(self._shown, raw=True, display_id=f"dlp-{self._name}")

    def later(self) -> None:
        """Something changed: renew the picture that is shown, if any, after a rest."""
        if self._shown:
            self._settled.later()

    def _renew(self) -> None:
        from IPython.display import update_display

        bundle = self._bundle()
        if bundle != self._shown:
            self._shown = bundle
            update_display(bundle, raw=True, display_id=f"dlp-{self._name}")

    def close(self) -> None:
        """Renew nothing any more: what is displayed stays as it is."""
        self._settled.cancel()
        self._shown = {}

    def _bundle(self) -> dict[str, Any]:
        still, image = fallback(self._explorer), pixels(self._explorer)
        bundle = {
            "text/plain": spoken(self._explorer),
            "text/html": f"<div class='dlp-still-{self._name}'>{_style(self._name)}{still}</div>",
        }
        return bundle | {"image/png": image} if image else bundle


class Displayed:
    """What a cell is given of an explorer: the live view, and beside it the picture that its file keeps."""

    _kept: Kept

    def _ipython_display_(self) -> None:
        self._kept.display(self._live())

    def _repr_mimebundle_(self: Any, **kwargs: Any) -> dict[str, Any]:
        """Return both in one, for front ends that take a single output."""
        return {**self._live(**kwargs), "text/html": fallback(self)}

    def _live(self: Any, **kwargs: Any) -> dict[str, Any]:
        showing(self)
        text = f"{type(self).__name__}: {tr(self.title)}"  # no dump of all its widgets
        return {**super()._repr_mimebundle_(**kwargs), "text/plain": text}


def _style(name: str) -> str:
    """Return a style sheet that shows the live view or the picture, and no message about a lost view."""
    live, still, output = f".dlp-shows-{name}", f".dlp-still-{name}", ".jp-OutputArea-child"
    return (
        f"<style>body:has({live}) :is({still}, {output}:has({still})),"
        f"body:not(:has({live})) {output}:has(+ {output} {still}){{display:none}}</style>"
    )
