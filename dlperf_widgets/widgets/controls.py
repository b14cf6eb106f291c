"""Pickers and sizes for a scenario: what they are moved to is a scenario, never a number."""

from collections.abc import Callable, Sequence
from dataclasses import Field, fields, replace
from typing import Any

import ipywidgets as w
from traitlets import HasTraits, Instance, Unicode, observe

from ..cost import Launch, Scenario
from ..gpus import GPUS, Gpu
from ..layers import LAYERS, Layer
from ..ops import TRAINING, Phase
from .size import SizeControl, number

_LAYERS = [(kind.__name__, kind) for kind in LAYERS]
_PHASES = [("inference", (Phase.FPROP,)), ("training", TRAINING)]
_LAUNCHES = [("CUDA graph", Launch.GRAPH), ("eager", Launch.EAGER), ("kernel only", Launch.KERNEL)]
_Options = Sequence[tuple[str, Any]]


class ScenarioControls(HasTraits):
    """Two-way controls of ``scenario``. Input that makes no sense changes nothing but ``message``."""

    scenario = Instance(Scenario)
    message = Unicode()
    touched = Unicode()  # the size last moved or typed by hand

    def __init__(self, scenario: Scenario) -> None:
        self._following = False  # while controls are set from the scenario
        self._gpus = list(GPUS)  # and those of the user's own that were shown
        self.kind, self.gpu = _picker("Layer"), _picker("GPU")
        self.dtype, self.phases, self.launch = _picker("Format"), _picker("Phases"), _picker("Launch")
        self.fields: dict[str, w.DOMWidget] = {}
        self.layer = w.VBox()
        super().__init__(scenario=scenario)
        self._on(self.kind, lambda kind: replace(self.scenario, layer=kind()))
        self._on(self.dtype, lambda dtype: replace(self.scenario, dtype=dtype))
        self._on(self.phases, lambda phases: replace(self.scenario, phases=phases))
        self._on(self.launch, lambda launch: replace(self.scenario, launch=launch))
        self.gpu.observe(lambda event: self._following or self._move_to(event.new), "value")

    @property
    def pickers(self) -> list[w.Dropdown]:
        """The pickers, in the order they are shown."""
        return [self.kind, self.gpu, self.dtype, self.phases, self.launch]

    def ask(self, change: Callable[[], Scenario]) -> bool:
        """Change the scenario; if the change makes no sense say so, and keep what is there."""
        try:
            scenario = change()
        except ValueError as error:
            self.message = str(error)
            self._show()
            return False
        self.message = ""
        if scenario != self.scenario:
            self.scenario = scenario
        return True

    def resize(self, field: str, size: float) -> None:
        """Change one size to the nearest multiple of its control's step."""
        step = self.sizes[field].step
        self._move(field, max(round(size / step) * step, 1))

    def _on(self, picker: w.Dropdown, change: Callable[[Any], Scenario]) -> None:
        def moved(event: Any) -> None:
            if not self._following:
                self.ask(lambda: change(event.new))

        picker.observe(moved, "value")

    def _move_to(self, gpu: Gpu) -> None:
        """Ask the same of another GPU, and say so if it lacks the format."""
        asked = self.scenario.format.name
        if self.ask(lambda: self.scenario.on(gpu)) and self.scenario.format.name != asked:
            self.message = f"{gpu.name} has no {asked}: this is {self.scenario.format.name}"

    def _move(self, field: str, value: object) -> bool:
        done = self.ask(lambda: self.scenario.resized(field, value))  # type: ignore[arg-type]
        if done and field in {f.name for f in dims(self.scenario)}:
            self.touched = ""
            self.touched = field
        return done

    @observe("scenario")
    def _follow(self, change: Any) -> None:
        if not change.old or type(change.new.layer) is not type(change.old.layer):
            self._make_fields(change.new.layer)
        self._show()

    def _show(self) -> None:
        """Set every control from the scenario, without hearing the echo."""
        scenario, self._following = self.scenario, True
        if scenario.gpu not in self._gpus:
            self._gpus.append(scenario.gpu)
        dtypes = [(dtype.name, dtype) for dtype in scenario.gpu.dtypes]
        own = {
            "Layer": scenario.layer.title,
            "Format": scenario.format.name,
            "Phases": ", ".join(scenario.phases),
        }
        for picker, known, value in (
            (self.kind, _LAYERS, type(scenario.layer)),
            (self.gpu, [(gpu.name, gpu) for gpu in self._gpus], scenario.gpu),
            (self.dtype, dtypes, scenario.dtype),
            (self.phases, _PHASES, scenario.phases),
            (self.launch, _LAUNCHES, scenario.launch),
        ):
            _choose(picker, known, value, own.get(picker.description, ""))
        for name, control in self.fields.items():
            value = getattr(scenario.layer, name)
            if isinstance(control, SizeControl):
                control.show(value)
            else:
                control.value = value
        self._following = False

    @property
    def sizes(self) -> dict[str, SizeControl]:
        """The controls of sizes, by field."""
        return {name: each for name, each in self.fields.items() if isinstance(each, SizeControl)}

    def _make_fields(self, layer: Layer) -> None:
        """Make a control for each field of a layer of a new kind."""
        for control in self.fields.values():
            control.close()
        make = {"dim": self._size, "axes": self._size, "flag": self._flag, "choice": self._choice}
        described = [(f, make.get(f.metadata["kind"])) for f in fields(layer)]
        self.fields = {f.name: control(f) for f, control in described if control}
        self.layer.children = list(self.fields.values())

    def _flag(self, field: "Field[Any]") -> w.Checkbox:
        box = w.Checkbox(description=field.metadata["label"], indent=False)
        box.observe(lambda event: self._following or self._move(field.name, event.new), "value")
        return box

    def _choice(self, field: "Field[Any]") -> w.Dropdown:
        about = field.metadata
        picker = w.Dropdown(description=about["label"], options=about["choices"])
        picker.observe(lambda event: self._following or self._move(field.name, event.new), "value")
        return picker

    def _size(self, field: "Field[Any]") -> SizeControl:
        size = SizeControl(field, lambda text: self._move(field.name, number(text)))
        size.observe(lambda event: self._following or self._move(field.name, event.new), "value")
        return size


def dims(scenario: Scenario) -> list["Field[Any]"]:
    """Return the fields of a scenario's layer that are sizes."""
    return [f for f in fields(scenario.layer) if f.metadata["kind"] == "dim"]


def _picker(description: str) -> w.Dropdown:
    return w.Dropdown(description=description)


def _choose(picker: w.Dropdown, known: _Options, value: Any, name: str) -> None:
    """Set a picker's options and its value, which joins them under a name if it is not among them."""
    here = value in [choice for _, choice in known]
    options = (*known,) if here else (*known, (name, value))
    if options != tuple(picker.options):
        picker.options = options
    picker.value = value
