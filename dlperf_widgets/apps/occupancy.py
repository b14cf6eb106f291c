"""Explore a kernel's shape: how many of its blocks fit an SM, and what its lanes do to memory."""

from collections.abc import Sequence
from typing import Any

from ..advice import Question, Readout, Why
from ..charts import (
    OccupancyOptions,
    blocks_by_registers,
    blocks_by_threads,
    in_flight,
    lanes_alt,
    lanes_html,
)  # fmt: skip
from ..charts.blocks import limited_by, rooms
from ..charts.in_flight import needed, reached, sentence, under_way
from ..charts.lanes import asked_for, coalescing, conflicts, lane_use, touched
from ..charts.occupancy_options import LIMITERS, percent, resident
from ..charts.shapes import Dots
from ..cost import Scenario
from ..cost.lanes import bank_conflicts
from ..cost.occupancy import Occupancy, lane_efficiency
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB
from ..language import tr
from ..layers import Linear
from ..units import si
from ..views.html_pane import HtmlPane
from ..views.pane import Pane
from ._kernel_why import kernel_why
from ._tabbed import TabbedExplorer
from .state import State

DEFAULT = Scenario(Linear(), A100_SXM4_80GB, FP16)
_SHAPE = ("gpu", "threads", "registers", "shared_memory")
_LANES = ("gpu", "threads", "stride", "element", "offset", "bank_stride")


class OccupancyExplorer(TabbedExplorer):
    """Blocks per SM against threads and registers, a warp's lanes over sectors and banks, bytes in flight."""

    slug = "occupancy"
    title = "Occupancy"
    caption = "See how many blocks of a kernel fit an SM, what keeps more out, and what its lanes touch"
    options_kind = OccupancyOptions
    asked = (
        (*_SHAPE, "show"), (*_SHAPE, "show"), _LANES, (*_SHAPE, "in_flight", "latency"),
    )  # fmt: skip

    def __init__(self, scenario: Scenario = DEFAULT, options: OccupancyOptions | None = None) -> None:
        options = options or OccupancyOptions()
        self.check(scenario, options)
        super().__init__(scenario, options)

    def shown_pickers(self) -> Sequence[str]:
        """Return the one picker that matters: a kernel's shape has no layer and no format."""
        return ("gpu",)

    def panes_made(self) -> list[Pane]:
        """Return blocks against threads and against registers, the lanes, and bytes in flight."""
        return [
            self.pane("Threads", blocks_by_threads),
            self.pane("Registers", blocks_by_registers),
            HtmlPane(lanes_html, lanes_alt, "Lanes"),
            self.pane("Latency", in_flight),
        ]

    # --- What can be shown ------------------------------------------------------------------------------

    def accept(self, scenario: Scenario) -> Scenario:
        """Return a scenario whose GPU can launch the kernel, as far as its limits tell."""
        if self.options is not None:  # those it is opened with were checked
            self.check(scenario, self.options)
        return scenario

    def check(self, scenario: Scenario, options: Any) -> None:
        """Raise ValueError where no launch on the GPU can have such numbers."""
        resident(scenario, options)

    def admitted(self, state: State) -> State:
        """Return a state whose kernel the GPU it brings can launch."""
        self.check(state.scenario, state.options)
        return state

    def moved(self, _name: str, shape: Dots, _index: int, x: float) -> None:
        """Give the kernel what its point was dragged to; latency is in nanoseconds."""
        self.choose(shape.drag, x * 1e9 if shape.drag == "latency" else x)

    # --- What is said -----------------------------------------------------------------------------------

    @property
    def occupancy(self) -> Occupancy:
        """How the kernel fills an SM."""
        return resident(self.scenario, self.options)

    def words(self) -> Sequence[str]:
        """Return how many blocks fit, what the lanes touch and what is in flight: what is in view first."""
        fit = (self._verdict(self.scenario), tr("Room for blocks: {rooms}.", rooms=rooms(self.occupancy)))
        lanes = (coalescing(self.options), conflicts(self.options), lane_use(self.options))
        flight = (sentence(self.scenario, self.options),)
        match self.tabs.selected_index:
            case 2:
                return (*lanes, *flight, *fit)
            case 3:
                return (*flight, *fit, *lanes)
        return (*fit, *lanes, *flight)

    def _verdict(self, scenario: Scenario) -> str:
        now = resident(scenario, self.options)
        if now.fails:
            return tr("The launch fails: {why}.", why=now.fails)
        return tr(
            "Blocks on an SM of {gpu}: {blocks}, limited by {limiter}. {warps} of {most} warps: {share}.",
            blocks=now.blocks, gpu=scenario.gpu.name, limiter=limited_by(now), warps=now.warps,
            most=now.limits.warps_per_sm, share=percent(now.occupancy),
        )  # fmt: skip

    def compared_with(self, pinned: Scenario) -> str:
        """Return how the same kernel fills the GPU that is pinned."""
        try:
            return tr("Pinned: {answer}", answer=self._verdict(pinned))
        except ValueError as error:
            return tr("Pinned: {answer}", answer=str(error))

    def numbers(self) -> tuple[Readout, ...]:
        """Return what fits, what the lanes use, and what is in flight."""
        now, options = self.occupancy, self.options
        return (
            Readout("blocks", tr("blocks per SM"), f"{now.blocks}"),
            Readout("warps", tr("warps per SM"), f"{now.warps}"),
            Readout("occupancy", tr("occupancy"), percent(now.occupancy)),
            Readout("lanes", tr("lanes used"), percent(lane_efficiency(options.threads))),
            Readout("sectors", tr("sectors"), f"{touched(options)}"),
            Readout("used", tr("bytes used"), percent(asked_for(options))),
            Readout("rounds", tr("bank rounds"), f"{bank_conflicts(options.bank_stride)}"),
            Readout("in_flight", tr("in flight"), si(under_way(self.scenario, options), "B")),
            Readout("needed", tr("needed"), si(needed(self.scenario, options), "B")),
            Readout("reached", tr("in reach"), si(reached(self.scenario, options), "B/s")),
        )

    def why(self, key: str) -> Why:
        """Return the arithmetic of a number, and the sources of the limits in it."""
        readout = next((each for each in self.numbers() if each.key == key), None)
        if readout is None:
            raise ValueError(f"there is no number {key!r} to ask about")
        return kernel_why(readout, self.scenario, self.options)

    def questions(self) -> tuple[Question, ...]:
        """Return what can be predicted of a kernel's shape."""
        return _QUESTIONS


_QUESTIONS = (
    Question(
        "limiter", "What runs out first on an SM?", lambda s, o: LIMITERS[resident(s, o).limiter],
        tuple(LIMITERS.values()),
    ),
    Question("blocks", "How many blocks fit an SM?", lambda s, o: resident(s, o).blocks),
    Question("occupancy", "What is the occupancy?", lambda s, o: 100 * resident(s, o).occupancy, unit="%"),
    Question("sectors", "How many sectors does an access of a warp touch?", lambda _, o: touched(o)),
    Question(
        "rounds", "How many rounds does shared memory take?", lambda _, o: bank_conflicts(o.bank_stride)
    ),
    Question("needed", "How many bytes must be in flight for the full bandwidth?", needed, unit="B"),
)  # fmt: skip
