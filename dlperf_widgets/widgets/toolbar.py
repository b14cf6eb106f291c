"""Buttons of an explorer."""

from collections.abc import Callable
from typing import Any

import anywidget
from traitlets import Dict, List, Unicode

from .script import script


class Toolbar(anywidget.AnyWidget):
    """Buttons that call ``on_press(key)``, each with a label and a title that says what it does.

    ``set(key, disabled=..., pressed=...)`` changes one. Ctrl+Z and Ctrl+Shift+Z press "undo" and "redo"
    anywhere in the explorer. The button "copy" puts ``text`` on the clipboard without asking Python.
    """

    _esm = script("toolbar.js")

    buttons = List(Dict()).tag(sync=True)
    text = Unicode().tag(sync=True)
    name = Unicode().tag(sync=True)  # for screen readers

    def __init__(self, name: str, buttons: list[dict[str, Any]], on_press: Callable[[str], None]) -> None:
        super().__init__(name=name, buttons=buttons)
        self._on_press = on_press
        self.on_msg(self._hear)

    def set(self, key: str, **values: Any) -> None:
        """Change a button; nothing is sent where nothing changes."""
        self.buttons = [{**each, **values} if each["key"] == key else each for each in self.buttons]

    def press(self, key: str) -> None:
        """Press a button, as a click does."""
        button = next((each for each in self.buttons if each["key"] == key), None)
        if button and not button.get("disabled"):
            self._on_press(key)

    def _hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if isinstance(content, dict) and "pressed" in content:
            self.press(str(content["pressed"]))
