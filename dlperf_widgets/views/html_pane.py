"""A tab with a picture in HTML: what needs no hand to move it needs no more than text."""

from collections.abc import Callable
from typing import Any

import ipywidgets as w

from ..cost import Scenario

Words = Callable[[Scenario, Any], str]


class HtmlPane:
    """A picture that ``picture(scenario, options)`` gives as HTML, and ``words`` in words."""

    def __init__(self, picture: Words, words: Words, title: str) -> None:
        self._picture, self._words, self.title = picture, words, title
        self._shown: tuple[Scenario, Any] | None = None
        self.widget = w.HTML()
        self.widget.add_class("dlp-picture")

    def draw(self, scenario: Scenario, options: Any) -> None:
        """Bring the picture up to date."""
        self._shown = (scenario, options)
        self.widget.value = self._picture(scenario, options)

    def alt(self) -> str:
        """Return the picture in words."""
        return self._words(*self._shown) if self._shown else ""

    def html(self) -> str:
        """Return the picture."""
        return self._picture(*self._shown) if self._shown else ""
