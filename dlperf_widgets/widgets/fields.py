"""A control for each described field of a frozen dataclass, be it a layer or the options of an explorer."""

from collections.abc import Callable
from dataclasses import Field, fields
from typing import Any

import ipywidgets as w

from ..language import tr
from .aria import Aria
from .closing import close_all
from .size import SizeControl, number


class FieldControls:
    """Controls that ask ``move(field, value) -> bool`` for every change, and ``show`` what is.

    They never change anything themselves: a refused change leaves a typed text where it is, marked.
    """

    def __init__(self, move: Callable[[str, object], bool], aria: Aria) -> None:
        self.box = w.VBox()
        self.controls: dict[str, w.DOMWidget] = {}
        self._move, self._aria = move, aria
        self._kind: type | None = None
        self._following = False  # while controls are set from the value

    @property
    def sizes(self) -> dict[str, SizeControl]:
        """The controls of sizes, by field."""
        return {name: each for name, each in self.controls.items() if isinstance(each, SizeControl)}

    def show(self, value: Any) -> None:
        """Set every control from a dataclass, without hearing the echo; make them anew for another class."""
        if type(value) is not self._kind:
            self._make(value)
        self._following = True
        try:
            for name, control in self.controls.items():
                now = getattr(value, name)
                if isinstance(control, SizeControl):
                    control.show(now)
                else:
                    control.value = now
        finally:
            self._following = False

    def _make(self, value: Any) -> None:
        close_all(*self.controls.values())
        make = {
            "dim": self._size, "axes": self._size, "real": self._real, "flag": self._flag,
            "choice": self._choice, "several": self._several,
        }  # fmt: skip
        described = [(f, make.get(f.metadata["kind"])) for f in fields(value)]
        self.controls = {f.name: control(f) for f, control in described if control}
        self.box.children = list(self.controls.values())
        self._kind = type(value)

    def _flag(self, field: "Field[Any]") -> w.Checkbox:
        return self._heard(field, w.Checkbox(description=_label(field), indent=False))

    def _choice(self, field: "Field[Any]") -> w.Dropdown:
        choices = [(tr(str(choice)), choice) for choice in field.metadata["choices"]]
        picker = w.Dropdown(description=_label(field), options=choices)
        self._aria.set(picker, "select", **{"aria-label": _label(field)})
        return self._heard(field, picker)

    def _several(self, field: "Field[Any]") -> w.SelectMultiple:
        picker = w.SelectMultiple(description=_label(field), options=field.metadata["choices"], rows=6)
        self._aria.set(picker, "select", **{"aria-label": _label(field)})
        return self._heard(field, picker)

    def _size(self, field: "Field[Any]") -> SizeControl:
        return self._heard(field, SizeControl(field, lambda text: self._move(field.name, number(text))))

    def _real(self, field: "Field[Any]") -> w.FloatText:
        text = w.FloatText(description=_label(field), continuous_update=False)
        self._aria.set(text, "input", **{"aria-label": _label(field)})
        return self._heard(field, text)

    def _heard(self, field: "Field[Any]", control: Any) -> Any:
        control.observe(lambda event: self._following or self._move(field.name, event.new), "value")
        return control


def _label(field: "Field[Any]") -> str:
    return tr(field.metadata["label"])
