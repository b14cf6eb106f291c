"""What all explorers are: controls write ``scenario`` and ``options``, panes read them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from math import isfinite
from typing import Any, ClassVar

from traitlets import Any as AnyTrait
from traitlets import Instance, Unicode, observe, validate

from .. import language
from ..advice import QUESTIONS, Finding, Question, Readout, Why, advise, difference, readouts, why
from ..charts import Chart, Described, with_ghost
from ..charts.shapes import Dots
from ..cost import Scenario
from ..gpus import Gpu
from ..language import tr
from ..views.pane import ChartFunction, ChartPane, Pane
from ..views.renderer import Figure
from ..views.why import why_html
from ..widgets.closing import close_all
from ._frame import Frame
from ._history import History
from ._kept import Displayed, Kept
from ._page import Savable
from ._settle import Settled
from .code import as_python
from .state import State, read_state, write_state

_FAR = 1e18  # no picture reaches so far


class Explorer(Savable, Displayed, Frame):
    """A question, its controls, and pictures of the answer.

    ``scenario`` is the question and links with ``traitlets.link``; ``options`` is what is shown of it;
    ``state`` is both as JSON text and ``python`` as code, synced. A subclass says which pictures and words.
    """

    caption: ClassVar[str]
    options_kind: ClassVar[type[Described]]
    pictures: ClassVar[tuple[tuple[str, ChartFunction], ...]] = ()

    options = AnyTrait()
    pinned = Instance(Scenario, allow_none=True)
    state = Unicode().tag(sync=True)
    python = Unicode().tag(sync=True)

    def __init__(self, scenario: Scenario, options: Described | None = None) -> None:
        self._ready = False  # until every part is there
        scenario = self.accept(scenario)
        options = self.options_kind() if options is None else options
        super().__init__(options=self.fitted(scenario, options), scenario=scenario)
        self.history = History(State(scenario, self.options))
        self._settled = Settled(self._settle)
        self._kept = Kept(self)
        self.add_class("dlp-explorer")
        self.add_class(f"dlp-app-{self.slug}")
        self._build()
        language.hear(self._translate)

    # --- What a subclass may say -----------------------------------------------------------------------

    def fitted(self, _scenario: Scenario, options: Any) -> Any:
        """Return options that suit a scenario; the same ones where they do already."""
        return options

    def check(self, scenario: Scenario, options: Any) -> None:
        """Raise ValueError where options do not belong to a scenario."""

    def admitted(self, state: State) -> State:
        """Return the state of a file or a link as it can be shown; ValueError says why another one cannot."""
        state = state._replace(scenario=self.accept(state.scenario))
        self.check(state.scenario, state.options)
        return state

    def fit(self) -> Any:
        """Return options that show the present question well."""
        return self.options

    def words(self) -> Sequence[str]:
        """Return the sentences beside the picture, the answer first."""
        return ()

    def numbers(self) -> tuple[Readout, ...]:
        """Return the numbers under the picture."""
        return readouts(self.scenario)

    def why(self, key: str) -> Why:
        """Return where one of the numbers comes from."""
        return why(self.scenario, key)

    def questions(self) -> tuple[Question, ...]:
        """Return what a learner can be asked to predict."""
        return QUESTIONS

    def findings(self) -> tuple[Finding, ...]:
        """Return the checklist of the present question."""
        return advise(self.scenario)

    def compared_with(self, pinned: Scenario) -> str:
        """Return how the answer differs from that to a scenario kept to compare with."""
        return difference(pinned, self.scenario)

    def panes_made(self) -> list[Pane]:
        """Return the pictures, in the order of their tabs."""
        return [self.pane(title, function) for title, function in self.pictures]

    def pane(self, title: str, function: ChartFunction) -> ChartPane:
        """Return a tab with a chart."""
        return ChartPane(function, title, self._decorated, self._dragged, self._note)

    def _dragged(self, name: str, shape: Dots, index: int, x: float) -> None:
        """Move what was dragged; a place that is no number is none to move to."""
        if isfinite(x):
            self.moved(name, shape, index, min(max(x, -_FAR), _FAR))

    def moved(self, _name: str, shape: Dots, _index: int, x: float) -> None:
        """A point was dragged along x: by default that is a size of the layer."""
        self.controls.resize(shape.drag, x)

    # --- What the user does -----------------------------------------------------------------------------

    def _press(self, key: str) -> None:
        actions: dict[str, Callable[[], object]] = {
            "undo": lambda: self._restore(self.history.undo()),
            "redo": lambda: self._restore(self.history.redo()),
            "reset": lambda: self._restore(self.history.first),
            "fit": lambda: self.set_trait("options", self.fit()),
            "pin": lambda: self.set_trait("pinned", None if self.pinned else self.scenario),
            "gpu": self.toggle_card,
            "predict": lambda: self.stop_predicting() if self.prediction.keys else self.predict_first(),
            "copy": self.show_python,
        }
        actions[key]()

    def _choose(self, field: str, value: object) -> bool:
        """Change an option; if the change makes no sense say so, and keep what is there."""
        try:
            change: dict[str, Any] = {field: value}
            self.options = replace(self.options, **change)
            self.message = ""
        except ValueError as error:
            self.message = str(error)
            self.choices.show(self.options)
            return False
        return True

    def _ask(self, key: str) -> None:
        try:
            self.reason.value = why_html(self.why(key))
        except ValueError as error:  # a number that was there when it was clicked
            self.message = str(error)

    def _note(self, note: str) -> None:
        self.reason.value = f"<b>{escape(tr('Why?'))}</b> {escape(note)}"

    def show_python(self) -> None:
        """Show the Python that opens the present question, to select and copy."""
        self.reason.value = f"<pre class='dlp-code'>{escape(self._code())}</pre>"

    def _code(self) -> str:
        return as_python(self.scenario, type(self).__name__, self.options)

    def edit(self, gpu: Gpu) -> None:
        """Ask the same of a GPU of the user's own."""
        self.controls.move_to(gpu)

    @property
    def charts(self) -> list[Figure]:
        """The figures behind the tabs; one that was never seen is drawn now."""
        panes = [pane for pane in self.panes if isinstance(pane, ChartPane)]
        for pane in panes:
            if pane.figure is None:
                pane.draw(self.scenario, self.options)
        return [pane.figure for pane in panes if pane.figure]

    # --- What follows -----------------------------------------------------------------------------------

    @validate("scenario")
    def _checked(self, proposal: Any) -> Scenario:
        """A linked explorer may send what this one cannot show: it says so too, and keeps its picture."""
        try:
            return self.accept(proposal.value)
        except ValueError as error:
            self.message = str(error)
            raise

    @validate("options")
    def _checked_options(self, proposal: Any) -> Any:
        if not isinstance(proposal.value, self.options_kind):
            raise ValueError(f"{type(self).__name__} options cannot be {proposal.value!r}")
        if self.scenario is not None:  # as it is until both were given
            self.check(self.scenario, proposal.value)
        return proposal.value

    @observe("scenario", "options", "pinned")
    def _follow(self, change: Any) -> None:
        if not self._ready:
            return
        if change.name == "scenario":
            self.message = ""
        options = self.fitted(self.scenario, self.options)
        if options != self.options:
            self.options = options  # which calls again
        else:
            self._show()

    def _show(self) -> None:
        """Show what a hand that moves wants to see; the rest follows when it rests."""
        self.prediction.follow()  # covers what would give an answer away
        self._draw()  # before the rest: it is what the eye is on
        self.choices.show(self.options)
        first, *others = (*self.words(), "")
        more = "".join(f"<p>{escape(each)}</p>" for each in others if each)
        self.sentences.value = f"<p class='dlp-verdict'>{escape(first)}</p>{more}"
        self.compared.value = escape(self.compared_with(self.pinned)) if self.pinned else ""
        self.readouts.numbers = [list(each) for each in self.numbers()]
        self.toolbar.set("pin", pressed=bool(self.pinned))
        if self.card.layout.display != "none":
            self.card.show(self.scenario.gpu)
        self._settled.later()

    def _settle(self) -> None:
        """What can wait: a note about a mark that has moved would be wrong, shown Python follows."""
        self.history.add(State(self.scenario, self.options, self.pinned))
        self.toolbar.set("undo", disabled=not self.history.can_undo)
        self.toolbar.set("redo", disabled=not self.history.can_redo)
        self.checklist.show(self.findings())
        self.measuring.follow()
        self.python = self.toolbar.text = self._code()
        self.state = self._state()
        self._describe()
        self._kept.later()
        if "dlp-code" in self.reason.value:
            self.show_python()
        else:
            self.reason.value = escape(tr("Click a number or point at a mark to see why."))

    def _draw(self) -> None:
        """Only the picture in view; the others when they come into view."""
        shown = self.tabs.selected_index or 0
        pane, page = self.panes[shown], self.tabs.children[shown]
        pane.draw(self.scenario, self.options)
        page.children = page.children or (pane.widget,)

    def _describe(self) -> None:
        shown = self.tabs.selected_index or 0
        words = {"aria-label": self.panes[shown].alt()}
        self.aria.set(self.tabs.children[shown], ".dlp-chart", role="img", **words)

    def _decorated(self, chart: Chart, function: ChartFunction) -> Chart:
        """Add what the user keeps beside the present answer."""
        if self.pinned is None:
            return chart
        try:
            return with_ghost(chart, function(self.pinned, self.fitted(self.pinned, self.options)))
        except ValueError:
            return chart  # the pinned scenario has no such picture

    # --- State ------------------------------------------------------------------------------------------

    def _state(self) -> str:
        return write_state(self.slug, State(self.scenario, self.options, self.pinned))

    @observe("state")
    def _read(self, change: Any) -> None:
        """A state may come from the page, a file or a link; nonsense changes nothing."""
        if not self._ready or change.new == self._state():
            return
        before = State(self.scenario, self.options, self.pinned)
        try:
            state = read_state(self.slug, self.options_kind, change.new)
            self._restore(self.admitted(state))
        except ValueError as error:
            self._restore(before)
            self.message = str(error)

    def _restore(self, state: State) -> None:
        with self.hold_trait_notifications():
            self.message, self.pinned = "", state.pinned
            self.options, self.scenario = state.options, state.scenario
        self.state = self._state()

    def close(self) -> None:
        """End this explorer and everything in it."""
        if self.comm is None:
            return
        self._settled.cancel()
        self._kept.close()
        self.measuring.cancel()
        self._ready = False
        close_all(self, *self._parts())
