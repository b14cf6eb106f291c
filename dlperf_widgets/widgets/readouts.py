"""Numbers that answer "why?" when they are clicked."""

from collections.abc import Callable
from typing import Any

import anywidget
from traitlets import List, Unicode

from ..language import tr
from .script import script


class Readouts(anywidget.AnyWidget):
    """A row of numbers, each a button: ``on_ask(key)`` hears which was asked about."""

    _esm = script("readouts.js")

    numbers = List().tag(sync=True)  # key, label, text
    hint = Unicode().tag(sync=True)

    def __init__(self, on_ask: Callable[[str], None]) -> None:
        super().__init__(hint=tr("Why? Formula, numbers and source"))
        self._on_ask = on_ask
        self.on_msg(self._hear)

    def ask(self, key: str) -> None:
        """Ask about a number, as a click does."""
        self._on_ask(key)

    def _hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if isinstance(content, dict) and "asked" in content:
            self.ask(str(content["asked"]))
