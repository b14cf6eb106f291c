"""The parts of an explorer and where they stand."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import ClassVar

import ipywidgets as w
from traitlets import Instance, Unicode, dlink, link

from ..cost import Scenario
from ..language import tr
from ..layers import LAYERS, Layer
from ..measure import Measurement
from ..measure.comparison import same_question
from ..views.pane import Pane
from ..views.theme import stylesheet
from ..widgets.aria import Aria
from ..widgets.checklist import Checklist
from ..widgets.closing import close_all
from ..widgets.controls import ScenarioControls
from ..widgets.fields import FieldControls
from ..widgets.gpu_card import GpuCard
from ..widgets.quiz import Answers
from ..widgets.readouts import Readouts
from ..widgets.toolbar import Toolbar
from ._measuring import Measuring
from ._predict import Prediction

_BUTTONS = (
    ("undo", "↶", "Undo (Ctrl+Z)"),
    ("redo", "↷", "Redo (Ctrl+Shift+Z)"),
    ("reset", "Reset", "Back to the first question"),
    ("fit", "Fit", "Fit the picture to what is asked"),
    ("pin", "Pin", "Keep this picture as a ghost, to compare with"),
    ("predict", "Predict", "Guess first: the picture is covered until you do"),
    ("gpu", "Edit GPU", "Change the numbers of this GPU"),
    ("copy", "As Python", "Copy the Python that opens this, and show it"),
)
_TOGGLES = ("pin", "gpu", "predict")


class Frame(w.VBox):
    """Pickers and buttons above; sizes, words and the checklist aside; pictures and numbers in the middle.

    What they show and do is ``Explorer``'s: its pictures, words, numbers and answers to what is pressed.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    scenario = Instance(Scenario)
    message = Unicode()  # what was wrong with the last input, in a sentence

    def kinds(self) -> Sequence[type[Layer]]:
        """Return the layers or networks on offer."""
        return LAYERS  # type: ignore[no-any-return]

    def shown_pickers(self) -> Sequence[str]:
        """Return the names of the scenario's pickers to show."""
        return tuple(self.controls.pickers)

    def extra_controls(self) -> Sequence[w.DOMWidget]:
        """Return controls that no described field draws."""
        return ()

    measures: ClassVar[bool] = True  # whether what is shown can be measured
    measuring_kind: ClassVar[type[Measuring]] = Measuring

    def to_measure(self) -> Sequence[Scenario]:
        """Return what the Measure button measures."""
        return (self.scenario,)

    def of_this(self, measurement: Measurement) -> bool:
        """Return whether a measurement is of the present question, whatever GPU that is about."""
        return measurement.phase is None and same_question(measurement.scenario, self.scenario)

    def measured_panes(self) -> list[Pane]:
        """Return pictures of what was measured, after the others."""
        return []

    def show_measured(self) -> None:
        """Show what was measured."""

    def accept(self, scenario: Scenario) -> Scenario:
        """Return a scenario that can be shown; ValueError says why another one cannot."""
        return scenario

    def _translate(self) -> None:
        """Make every part again in the language chosen now, unless this explorer is closed."""
        if self.comm is not None:
            self._build()

    def _build(self) -> None:
        """Make every part, in the language chosen now."""
        old, self._ready = self._parts() if self.children else (), False
        self.aria = Aria()
        self.controls = ScenarioControls(self.scenario, self.kinds(), self.accept, self.aria)
        self.choices = FieldControls(self._choose, self.aria)
        buttons = [{"key": key, "label": tr(label), "title": tr(title)} for key, label, title in _BUTTONS]
        for button in buttons:
            button |= {"pressed": False} if button["key"] in _TOGGLES else {}
        self.toolbar = Toolbar(tr(self.title), buttons, self._press)
        self.card = GpuCard(self.controls.move_to, lambda text: self.set_trait("message", text), self.aria)
        self.card.layout.display = "none"
        self.sentences, self.compared, self.status, self.reason = (w.HTML() for _ in range(4))
        self.readouts = Readouts(self._ask)
        self.prediction = Prediction(self, *(self.prediction.answers if old else ()))
        if old:
            self.measuring.remake()
        else:
            self.measuring = self.measuring_kind(self)
        self.measuring.bar.layout.display = "" if self.measures else "none"
        self.checklist = Checklist(lambda change: self.controls.ask(lambda: change))
        self.panes = [*self.panes_made(), *self.measured_panes()]
        self.tabs = w.Tab([w.VBox() for _ in self.panes])  # filled when first seen
        self.tabs.titles = [tr(pane.title) for pane in self.panes]
        self.children = self._arranged()
        self._listen()
        if old:
            close_all(*old)
        self._ready = True
        self._show()

    def _parts(self) -> tuple[w.Widget, ...]:
        """Return everything made, shown or not."""
        for each in self._links:
            each.unlink()
        hidden = (*self.controls.pickers.values(), *(pane.widget for pane in self.panes))
        return (*self.children, *hidden)

    def _arranged(self) -> list[w.Widget]:
        named = {
            "bar": w.HBox([*(self.controls.pickers[name] for name in self.shown_pickers()), self.toolbar]),
            "aside": w.VBox([
                self.controls.layer.box, self.choices.box, *self.extra_controls(), self.status,
                self.sentences, self.compared,
            ]),
            "main": w.VBox([self.prediction.quiz, self.tabs, self.measuring.bar, self.readouts, self.reason]),
        }  # fmt: skip
        named["body"] = w.Box([named["aside"], named["main"], self.checklist])
        named |= {
            "sentences": self.sentences, "status": self.status, "why": self.reason,
            "compared": self.compared, "layer": self.controls.layer.box, "options": self.choices.box,
        }  # fmt: skip
        for name, box in named.items():
            box.add_class(f"dlp-{name}")
        for words in (self.sentences, self.reason, self.status):
            self.aria.set(words, role="status")
        style = w.HTML(stylesheet(), layout={"display": "contents"})
        return [style, self.aria, named["bar"], self.card, named["body"]]

    def _listen(self) -> None:
        self._links = (
            link((self, "scenario"), (self.controls, "scenario")),
            link((self, "message"), (self.controls, "message")),
            dlink((self, "message"), (self.status, "value"), lambda text: text and f"⚠ {escape(text)}"),
        )
        self.tabs.observe(lambda _: self._turn(), "selected_index")

    def _turn(self) -> None:
        """Bring the picture of another tab up to date, and its name for who cannot see it."""
        self._draw()
        self._describe()
        self._kept.later()

    def toggle_card(self) -> None:
        """Show the GPU's numbers to edit, or put them away."""
        hidden = self.card.layout.display == "none"
        self.card.layout.display = "" if hidden else "none"
        self.toolbar.set("gpu", pressed=hidden)
        if hidden:
            self.card.show(self.scenario.gpu)

    def cover(self, covered: bool) -> None:
        """Hide what gives the answer away, or show it again."""
        (self.add_class if covered else self.remove_class)("dlp-predicting")
        self._kept.later()

    def predict_first(self, *questions: str) -> None:
        """Cover pictures and numbers until a guess is committed: ``predict_first("limiter", "time")``."""
        self.prediction.start(questions)
        self.toolbar.set("predict", pressed=True)

    def stop_predicting(self) -> None:
        """Show everything again; the answers stay."""
        self.prediction.stop()
        self.toolbar.set("predict", pressed=False)

    @property
    def answers(self) -> Answers:
        """What was predicted so far, and what was right: a table to show in a cell."""
        return self.prediction.answers

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """What was measured so far, or loaded from a file."""
        return self.measuring.measurements

    def add_measurements(self, measurements: Iterable[Measurement]) -> None:
        """Show measurements made elsewhere: ``add_measurements(load("class.jsonl").measurements)``."""
        self.measuring.show(tuple(measurements))
