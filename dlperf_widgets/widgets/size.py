"""A control for one size of a layer, to drag, to step with arrow keys or to type."""

from collections.abc import Callable
from dataclasses import Field
from math import log2
from typing import Any

import anywidget
from traitlets import Bool, Dict, Int, List, Unicode

from ..language import tr
from .script import script

POWERS = 0  # the step that keeps to powers of two
STEPS = (1, 8, 64, POWERS)


class SizeControl(anywidget.AnyWidget):
    """A size whose drags keep to multiples of ``step``, or to powers of two; what is typed is taken exactly.

    ``on_typed(text)`` reads a typed text and raises ValueError for one that makes no sense: the text
    then stays in its box, marked, and ``value`` is unchanged.
    """

    _esm = script("size.js")

    label = Unicode().tag(sync=True)
    value = Int(1).tag(sync=True)
    text = Unicode().tag(sync=True)  # what the box shows where the size is not one number
    least = Int(1).tag(sync=True)
    most = Int(16384).tag(sync=True)
    limit = Int(2**31 - 1).tag(sync=True)
    logarithmic = Bool(True).tag(sync=True)  # ``log`` is where a widget reports its errors
    step = Int(8).tag(sync=True)
    steps = List(Int(), STEPS).tag(sync=True)
    words = Dict().tag(sync=True)  # of the box and of the step, for who cannot see or hovers

    def __init__(self, field: "Field[Any]", on_typed: Callable[[str], bool]) -> None:
        about = field.metadata
        label = tr(about["label"])
        super().__init__(
            label=label,
            words={
                "exactly": tr("{label}, exactly", label=label),
                "multiples": tr("{label}, multiples of", label=label),
                "step": tr("A drag keeps to multiples of this"),
            },
            least=about["min"],
            most=about["max"],
            limit=about["limit"],
            logarithmic=about["log"],
            step=8 if about["log"] else 1,
        )
        self._on_typed = on_typed
        self.on_msg(self._hear)

    def show(self, value: Any) -> None:
        """Show a size; what is not one number, such as padding "same", is shown as text alone."""
        with self.hold_sync():
            if isinstance(value, int):
                self.value, self.text = value, ""
            else:
                self.text = value if isinstance(value, str) else " x ".join(map(str, value))

    def _hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if isinstance(content, dict) and "typed" in content:
            self.type(str(content["typed"]))

    def type(self, text: str) -> None:
        """Take a typed text, as the box does."""
        self.send({"refused": not self._on_typed(text)})


def nearest(value: float, step: int) -> int:
    """Return the size nearest to a value that a drag may stop at."""
    if step == POWERS:
        return 1 << round(log2(max(value, 1)))
    return round(value / step) * step


def number(text: str) -> object:
    """Return the number of a typed text, several for ``3 x 5``, and the text itself where it is none."""
    plain = text.strip().replace(",", "").replace("_", "")
    if " x " in plain:
        return tuple(number(part) for part in plain.split(" x "))
    for read in (int, float):
        try:
            return read(plain)
        except ValueError:
            continue
    return plain
