"""Explorers whose tabs ask different things: each tab shows the controls that its picture answers to."""

from typing import Any, ClassVar

from ..advice import Finding
from ..widgets.size import nearest
from ._explorer import Explorer

LAYER = "layer"  # stands for the sizes of the scenario's layer among the names of options


class TabbedExplorer(Explorer):
    """An explorer that shows of its options, and of its layer's sizes, what the tab in view depends on."""

    measures = False
    asked: ClassVar[tuple[tuple[str, ...], ...]]  # for each tab, what has a control there

    def findings(self) -> tuple[Finding, ...]:
        """Return nothing: the guides' checklists are about layers."""
        return ()

    def _build(self) -> None:
        super()._build()
        self.checklist.layout.display = "none"

    def _listen(self) -> None:
        super()._listen()
        self.tabs.observe(lambda _: self._ready and self._show(), "selected_index")  # words and numbers too

    def _show(self) -> None:
        super()._show()
        self._offer()  # controls are made when options are first shown

    def _offer(self) -> None:
        """Show the controls of the tab in view."""
        asked = self.asked[self.tabs.selected_index or 0]
        self.controls.layer.box.layout.display = _shown(LAYER in asked)
        pickers = {name: self.controls.pickers[name] for name in self.shown_pickers()}
        for name, control in (pickers | self.choices.controls).items():
            control.layout.display = _shown(name in asked)

    def choose(self, field: str, x: float) -> None:
        """Set an option to where a point was dragged, in steps of its control, within what it can be."""
        about: Any = type(self.options).__dataclass_fields__[field].metadata
        size = nearest(x, self.choices.sizes[field].step)
        self._choose(field, min(max(size, about["min"]), about["limit"]))


def _shown(yes: bool) -> str:
    return "" if yes else "none"
