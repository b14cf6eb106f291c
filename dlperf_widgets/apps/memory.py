"""Explore the memory that a network takes: what fits a GPU, and what each switch saves."""

from collections.abc import Sequence
from dataclasses import replace
from math import floor
from typing import Any

from ..advice import Readout, Why
from ..charts import MemoryOptions, footprint_chart, switches_alt, switches_html
from ..charts.footprint import FLAG, fitting_reach, parts_of
from ..charts.memory_options import batch, largest, need, needed, shown_gpus
from ..charts.shapes import Dots
from ..cost import Scenario
from ..cost.activations import has_batch
from ..cost.footprint import Footprint, both
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB
from ..language import tr
from ..layers import LAYERS, Layer, OptimizerStep
from ..measure.comparison import same_question
from ..models import MODELS, ResNet50
from ..ops import TRAINING
from ..units import GIB, si
from ..views.html_pane import HtmlPane
from ..views.pane import Pane
from ._explorer import Explorer
from ._measuring_memory import MeasuringMemory
from .state import State

DEFAULT = Scenario(ResNet50(batch=256), A100_SXM4_80GB, FP16, TRAINING)


class MemoryExplorer(Explorer):
    """A stacked footprint against the batch, the capacities of GPUs, and what each switch saves."""

    slug = "memory"
    title = "Memory"
    caption = "See what fills a GPU's memory, which batch still fits, and what checkpointing and ZeRO save"
    options_kind = MemoryOptions
    measuring_kind = MeasuringMemory
    pictures = (("Footprint", footprint_chart),)

    def __init__(self, scenario: Scenario = DEFAULT, options: MemoryOptions | None = None) -> None:
        options = options or MemoryOptions()
        self.check(scenario, options)
        super().__init__(scenario, replace(options, reach=fitting_reach(scenario, options)))

    def kinds(self) -> Sequence[type[Layer]]:
        """Return networks first, then layers."""
        return (*MODELS, *(kind for kind in LAYERS if kind is not OptimizerStep))

    def shown_pickers(self) -> Sequence[str]:
        """Return the pickers that memory depends on."""
        return ("kind", "gpu", "dtype", "phases")

    def panes_made(self) -> list[Pane]:
        """Return the chart, and the table of what each switch saves."""
        return [*super().panes_made(), HtmlPane(switches_html, switches_alt, "What saves memory")]

    # --- What is measured -------------------------------------------------------------------------------

    def of_this(self, measurement: Any) -> bool:
        """Return whether memory was measured of the present question, at whatever batch."""
        asked, layer = measurement.scenario, self.scenario.layer
        if type(asked.layer) is type(layer) and has_batch(layer):
            asked = asked.resized(layer.scale, batch(layer))
        return same_question(asked, self.scenario)

    def measured_panes(self) -> list[Pane]:
        """Return measured bytes over the predicted ones."""
        return [self.pane("Measured", lambda scenario, _: self.measuring.chart(scenario))]

    def show_measured(self) -> None:
        """Bring the tab of measured bytes into view."""
        if self.measuring.shown():
            self.tabs.selected_index = len(self.panes) - 1
        self._draw()

    # --- What can be shown ------------------------------------------------------------------------------

    def accept(self, scenario: Scenario) -> Scenario:
        """Return a scenario of which one sample fits some GPU that is shown."""
        if self.options is not None:  # those it is opened with were checked
            self.check(scenario, self.options)
        return scenario

    def check(self, scenario: Scenario, options: Any) -> None:
        """Raise ValueError where the switches make no sense, or nothing that is shown has the room."""
        asked = needed(need(scenario, options))
        shown = shown_gpus(scenario, options)
        if not any(asked.fits(gpu, 1, options.reserved) for gpu in shown):
            roomy = max(shown, key=lambda gpu: gpu.memory)
            raise ValueError(
                tr("{layer} takes {size} for one {sample}, more than any GPU shown has: {gpu} leaves {room}. "
                   "Turn on what saves memory, as ZeRO, or show a larger GPU first",
                   layer=scenario.layer.title, size=si(asked.total(1), "B"), sample=tr(asked.sample),
                   gpu=roomy.name, room=si(roomy.memory - options.reserved, "B"))
            )  # fmt: skip

    def admitted(self, state: State) -> State:
        """Return a state of which the scenario fits with the options it brings."""
        self.check(state.scenario, state.options)
        return state

    def fitted(self, scenario: Scenario, options: Any) -> Any:
        """Return options that show the present batch and the largest: the picture stays while it can."""
        found = largest(needed(need(scenario, options)), scenario.gpu, options.reserved) or 0
        far = max(found, batch(scenario.layer))
        fits = far <= options.reach <= max(8 * far, 4)
        return options if fits else replace(options, reach=fitting_reach(scenario, options))

    def fit(self) -> Any:
        """Return options with the largest batch well inside the picture."""
        return replace(self.options, reach=fitting_reach(self.scenario, self.options))

    def moved(self, name: str, shape: Dots, index: int, x: float) -> None:
        """Ask about the batch to which the point was dragged; the flag leaves that much and no more."""
        if name != FLAG:
            super().moved(name, shape, index, x)
            return
        free = self.scenario.gpu.memory - self.footprint.total(max(round(x), 1))
        self._choose("reserve", max(floor(1000 * free / GIB) / 1000, 0.0))

    # --- What is said -----------------------------------------------------------------------------------

    @property
    def footprint(self) -> Footprint:
        """The memory of the present question."""
        return needed(need(self.scenario, self.options))

    @property
    def largest_batch(self) -> int | None:
        """The largest batch that fits; None if any does."""
        return largest(self.footprint, self.scenario.gpu, self.options.reserved)

    def words(self) -> Sequence[str]:
        """Return whether the batch fits and which is the largest, what it is made of, and why it is so."""
        return (self._verdict(), self._made_of(), self._recomputed())

    def _verdict(self) -> str:
        gpu, asked, now = self.scenario.gpu, self.footprint, batch(self.scenario.layer)
        most = self.largest_batch
        values = {
            "batch": f"{now:,}", "gpu": gpu.name, "size": both(asked.total(now)), "most": f"{most or 0:,}",
            "room": both(gpu.memory - self.options.reserved),
        }  # fmt: skip
        if most is None:
            return tr("Any batch fits {gpu}: nothing grows with it.", **values)
        if not most:
            return tr("Not even one fits {gpu}: batch {batch} takes {size} of {room}.", **values)
        text = "Batch {batch} fits {gpu}: {size} of {room}. The largest batch that fits is {most}."
        if now > most:
            text = (
                "Batch {batch} does not fit {gpu}: {size} of {room}. The largest batch that fits is {most}."
            )
        return tr(text, **values)

    def _made_of(self) -> str:
        asked = self.footprint
        if not asked.constant:
            each = si(asked.per_sample, "B")
            return tr("{each} for each {sample}, besides the reserve.", each=each, sample=tr(asked.sample))
        return tr(
            "{constant} whatever the batch and {each} more for each {sample}: never in proportion to it.",
            constant=si(asked.constant, "B"), each=si(asked.per_sample, "B"), sample=tr(asked.sample),
        )  # fmt: skip

    def _recomputed(self) -> str:
        share = self.footprint.recomputed
        return (
            tr("Checkpointing runs {share} of the forward pass again.", share=f"{share:.0%}") if share else ""
        )

    def numbers(self) -> tuple[Readout, ...]:
        """Return each part at the present batch, the total, the room and the largest batch."""
        now, asked, gpu = batch(self.scenario.layer), self.footprint, self.scenario.gpu
        parts = tuple(
            Readout(name, tr(name), si(constant + now * slope, "B"))
            for name, (constant, slope) in parts_of(asked).items()
        )
        most = self.largest_batch
        return (
            *parts,
            Readout("total", tr("total"), si(asked.total(now), "B")),
            Readout("room", tr("room"), si(gpu.memory - self.options.reserved, "B")),
            Readout("largest", tr("largest batch"), tr("any") if most is None else f"{most:,}"),
        )

    def why(self, key: str) -> Why:
        """Return the terms with their numbers, or how the room and the largest batch follow from them."""
        readout = next((each for each in self.numbers() if each.key == key), None)
        if readout is None:
            raise ValueError(f"there is no number {key!r} to ask about")
        gpu, asked, reserved = self.scenario.gpu, self.footprint, self.options.reserved
        lines = tuple(asked.explain(batch(self.scenario.layer)).split("\n"))
        room = tr("{memory} of {gpu} less {reserve} for the CUDA context and libraries, an estimate",
                  memory=both(gpu.memory), gpu=gpu.name, reserve=both(reserved))  # fmt: skip
        sources = tuple((source.title, source.address) for source in gpu.source("memory"))
        if key == "room":
            return Why(f"{readout.label}{tr(': ')}{readout.text}", (room,), sources)
        if key == "largest":
            sum_of = tr("({room} - {constant}) / {each} for each {sample}, rounded down",
                        room=both(gpu.memory - reserved), constant=both(asked.constant),
                        each=both(asked.per_sample), sample=tr(asked.sample))  # fmt: skip
            return Why(f"{readout.label}{tr(': ')}{readout.text}", (sum_of, room), sources)
        return Why(f"{readout.label}{tr(': ')}{readout.text}", lines)
