"""A button that measures in the background, its progress, and a way to stop it."""

from collections.abc import Callable
from typing import Any

import anywidget
from traitlets import Bool, Dict, Float, Unicode

from ..language import tr
from .script import script


class MeasureBar(anywidget.AnyWidget):
    """Presses are heard by ``on_press(key)``: measure, cancel, refit, clear.

    ``reason`` says why nothing can be measured here; the button is then disabled and shows it.
    """

    _esm = script("measure_bar.js")

    running = Bool(False).tag(sync=True)
    progress = Float(0.0).tag(sync=True)  # share done
    left = Unicode().tag(sync=True)  # remaining time, in words
    reason = Unicode().tag(sync=True)
    result = Unicode().tag(sync=True)  # what came of it, in a sentence
    can_refit = Bool(False).tag(sync=True)
    words = Dict().tag(sync=True)

    def __init__(self, reason: str, on_press: Callable[[str], None]) -> None:
        words = {
            "measure": tr("Measure"), "cancel": tr("Cancel"), "refit": tr("Refit to this GPU"),
            "clear": tr("Clear"), "progress": tr("Progress of the measurement"),
        }  # fmt: skip
        super().__init__(reason=reason, words=words)
        self._on_press = on_press
        self.on_msg(self._hear)

    def press(self, key: str) -> None:
        """Press a button, as a click does."""
        self._on_press(key)

    def _hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
        pressed = content.get("pressed") if isinstance(content, dict) else None
        if isinstance(pressed, str) and pressed in self.words:
            self.press(pressed)
