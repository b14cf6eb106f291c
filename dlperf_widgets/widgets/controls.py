"""Pickers and sizes for a scenario: what they are moved to is a scenario, never a number."""

from collections.abc import Callable, Sequence
from dataclasses import Field, fields, replace
from typing import Any

import ipywidgets as w
from traitlets import HasTraits, Instance, Unicode, observe

from ..cost import Launch, Layout, Library, Scenario
from ..gpus import GPUS, Gpu
from ..language import tr
from ..layers import Layer
from ..ops import TRAINING, Phase
from .aria import Aria
from .fields import FieldControls
from .size import SizeControl, nearest

_PHASES = [("inference", (Phase.FPROP,)), ("training", TRAINING)]
_LAUNCHES = [("CUDA graph", Launch.GRAPH), ("eager", Launch.EAGER), ("kernel only", Launch.KERNEL)]
_LIBRARIES = [("current", Library.CURRENT), ("legacy", Library.LEGACY)]
_SPARSE = [("dense", False), ("2:4 sparse", True)]
_Options = Sequence[tuple[str, Any]]


class ScenarioControls(HasTraits):
    """Two-way controls of ``scenario``. Input that makes no sense changes nothing but ``message``.

    ``kinds`` are the layers or networks on offer; ``accept`` returns a scenario or raises ValueError.
    """

    scenario = Instance(Scenario)
    message = Unicode()
    touched = Unicode()  # the size last moved or typed by hand

    def __init__(
        self,
        scenario: Scenario,
        kinds: Sequence[type[Layer]],
        accept: Callable[[Scenario], Scenario],
        aria: Aria,
    ) -> None:
        self._accept = accept
        self._following = False  # while pickers are set from the scenario
        self._gpus = list(GPUS)  # and those of the user's own that were shown
        self._kinds = [(kind.__name__, kind) for kind in kinds]
        names = {"kind": "Layer", "gpu": "GPU", "dtype": "Format", "phases": "Phases", "launch": "Launch",
                 "layout": "Layout", "library": "Library", "sparse": "Weights"}  # fmt: skip
        self.pickers = {name: _picker(tr(label), aria) for name, label in names.items()}
        self.layer = FieldControls(self._move, aria)
        super().__init__(scenario=scenario)
        self._on("kind", lambda kind: self.ask(lambda: replace(self.scenario, layer=kind())))
        self._on("gpu", self.move_to)
        for name in ("dtype", "phases", "launch", "layout", "library", "sparse"):
            self._on(name, lambda value, name=name: self._change(name, value))

    def ask(self, change: Callable[[], Scenario]) -> bool:
        """Change the scenario; if the change makes no sense say so, and keep what is there."""
        try:
            scenario = self._accept(change())
            self.message = ""
            if scenario != self.scenario:
                self.scenario = scenario
        except ValueError as error:
            self.message = str(error)
            self._show()
            return False
        return True

    def resize(self, field: str, size: float) -> None:
        """Change one size to the nearest that its control stops at."""
        self._move(field, max(nearest(size, self.sizes[field].step), 1))

    def move_to(self, gpu: Gpu) -> None:
        """Ask the same of another GPU, and say so if it lacks the format."""
        asked = self.scenario.format.name
        if self.ask(lambda: self.scenario.on(gpu)) and self.scenario.format.name != asked:
            now = self.scenario.format.name
            self.message = tr("{gpu} has no {asked}: this is {now}", gpu=gpu.name, asked=asked, now=now)

    @property
    def sizes(self) -> dict[str, SizeControl]:
        """The controls of sizes, by field."""
        return self.layer.sizes

    def _on(self, name: str, act: Callable[[Any], object]) -> None:
        def moved(event: Any) -> None:
            if self._following:
                return
            if event.new is None:  # a page may say that nothing is chosen
                self._show()
            else:
                act(event.new)

        self.pickers[name].observe(moved, "value")

    def _change(self, name: str, value: object) -> None:
        self.ask(lambda: replace(self.scenario, **{name: value}))  # type: ignore[arg-type]

    def _move(self, field: str, value: object) -> bool:
        done = self.ask(lambda: self.scenario.resized(field, value))  # type: ignore[arg-type]
        if done and field in {f.name for f in dims(self.scenario)}:
            self.touched = ""
            self.touched = field
        return done

    @observe("scenario")
    def _follow(self, _change: Any) -> None:
        self._show()

    def _show(self) -> None:
        """Set every control from the scenario, without hearing the echo."""
        scenario, self._following = self.scenario, True
        if scenario.gpu not in self._gpus:
            self._gpus.append(scenario.gpu)
        try:
            for name, (known, value, own) in self._choices(scenario).items():
                _choose(self.pickers[name], known, value, own)
        finally:
            self._following = False
        self.layer.show(scenario.layer)

    def _choices(self, scenario: Scenario) -> dict[str, tuple[_Options, Any, str]]:
        """Return for each picker what is on offer, the value, and a name for a value that is not."""
        dtypes = [(dtype.name, dtype) for dtype in scenario.gpu.dtypes]
        return {
            "kind": (self._kinds, type(scenario.layer), scenario.layer.title),
            "gpu": ([(gpu.name, gpu) for gpu in self._gpus], scenario.gpu, ""),
            "dtype": (dtypes, scenario.dtype, scenario.format.name),
            "phases": (_said(_PHASES), scenario.phases, ", ".join(scenario.phases)),
            "launch": (_said(_LAUNCHES), scenario.launch, ""),
            "layout": ([(str(layout), layout) for layout in Layout], scenario.layout, ""),
            "library": (_said(_LIBRARIES), scenario.library, ""),
            "sparse": (_said(_SPARSE), scenario.sparse, ""),
        }


def dims(scenario: Scenario) -> list["Field[Any]"]:
    """Return the fields of a scenario's layer that are sizes."""
    return [f for f in fields(scenario.layer) if f.metadata["kind"] == "dim"]


def _said(options: _Options) -> _Options:
    return [(tr(words), value) for words, value in options]


def _picker(description: str, aria: Aria) -> w.Dropdown:
    """Return a picker that screen readers know by the name that is seen, also when that changes."""
    picker = w.Dropdown()
    picker.observe(lambda change: aria.set(picker, "select", **{"aria-label": change.new}), "description")
    picker.description = description
    return picker


def _choose(picker: w.Dropdown, known: _Options, value: Any, name: str) -> None:
    """Set a picker's options and its value, which joins them under a name if it is not among them."""
    here = value in [choice for _, choice in known]
    options = (*known,) if here else (*known, (name, value))
    if options != tuple(picker.options):
        picker.options = options
    picker.value = value
