"""Explore a training step on many GPUs: what it waits for, how it scales, and whether it fits."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import ipywidgets as w

from ..advice import Question, Readout, Why
from ..advice.training import (
    copy_note,
    overlap_note,
    room_note,
    training_numbers,
    training_verdict,
    training_why,
)
from ..charts import TrainingOptions, epoch, scaling, step_timeline, throughput
from ..charts.batches import clock, epoch_note
from ..charts.memory_options import batch
from ..charts.shapes import Dots
from ..charts.training_options import fits, fitting, iterations, memory, most, step
from ..cost import Scenario
from ..cost.parallel import Step
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB
from ..language import tr
from ..layers import Layer
from ..models import MODELS, Gpt2
from ..ops import TRAINING
from ..units import si
from ._explorer import Explorer
from .state import State

DEFAULT = Scenario(Gpt2("medium", batch=4), A100_SXM4_80GB, FP16, TRAINING)


class TrainingExplorer(Explorer):
    """A step's timeline, throughput and epochs against the batch, and efficiency against the GPUs."""

    slug = "training"
    title = "Training"
    caption = "See what a training step on many GPUs waits for, how it scales, and whether it fits"
    options_kind = TrainingOptions
    measures = False  # the plain question can be timed, not what is shown of it
    pictures = (
        ("Timeline", step_timeline), ("Throughput", throughput), ("Epoch", epoch), ("Scaling", scaling),
    )  # fmt: skip

    def __init__(self, scenario: Scenario = DEFAULT, options: TrainingOptions | None = None) -> None:
        scenario = replace(scenario, phases=TRAINING)
        options = options or _suited(scenario)
        self.check(scenario, options)
        super().__init__(scenario, options)

    def kinds(self) -> Sequence[type[Layer]]:
        """Return the networks."""
        return MODELS

    def shown_pickers(self) -> Sequence[str]:
        """Return the pickers that a step depends on."""
        return ("kind", "gpu", "dtype", "launch")

    def _arranged(self) -> list[w.Widget]:
        """A plan has many controls: the sentences stand under the picture, where they can be seen."""
        arranged = super()._arranged()
        aside, main = arranged[-1].children[:2]
        words = (self.sentences, self.compared)
        aside.children = tuple(each for each in aside.children if each not in words)
        place = main.children.index(self.readouts) + 1
        main.children = (*main.children[:place], *words, *main.children[place:])
        return arranged

    def _listen(self) -> None:
        super()._listen()
        self.controls.pickers["kind"].description = tr("Network")

    # --- What can be shown ------------------------------------------------------------------------------

    def accept(self, scenario: Scenario) -> Scenario:
        """Return a scenario that the plan can split; a larger batch must fit too."""
        scenario = replace(scenario, phases=TRAINING)
        if self.options is None:  # those it is opened with were checked
            return scenario
        self.check(scenario, self.options)
        if self._grown(scenario) and not fits(scenario, self.options):
            raise ValueError(self._room(scenario))
        return scenario

    def _grown(self, scenario: Scenario) -> bool:
        """Return whether the batch alone has grown: another network or plan that is too large is shown."""
        before, now = self.scenario, scenario
        name = now.layer.scale
        same = type(before.layer) is type(now.layer) and hasattr(now.layer, name)
        if not same or batch(now.layer) <= batch(before.layer):
            return False
        return before == now.resized(name, batch(before.layer))

    def check(self, scenario: Scenario, options: Any) -> None:
        """Raise ValueError where the plan cannot split the network, or a link is not there."""
        if scenario.layer.params == 0:
            raise ValueError(f"{scenario.layer.title} has no parameters to train")
        step(scenario, options)
        memory(scenario, options)

    def admitted(self, state: State) -> State:
        """Return a state whose plan can split its network."""
        state = state._replace(scenario=replace(state.scenario, phases=TRAINING))
        self.check(state.scenario, state.options)
        return state

    def fitted(self, scenario: Scenario, options: Any) -> Any:
        """Return options whose reach shows the batch and the largest: the picture stays while it can."""
        wanted = fitting(scenario, options)
        stays = wanted <= options.reach <= 4 * wanted
        return options if stays else replace(options, reach=wanted)

    def fit(self) -> Any:
        """Return options with the largest batch well inside the picture."""
        return replace(self.options, reach=fitting(self.scenario, self.options))

    def moved(self, name: str, shape: Dots, index: int, x: float) -> None:
        """The GPUs were dragged to another doubling of the data-parallel ranks, or a batch was."""
        if shape.drag != "data":
            super().moved(name, shape, index, x)
            return
        split = self.options.tensor * self.options.pipeline
        data = 1 << max(round(x / split), 1).bit_length() - 1
        if data != self.options.data:
            self._choose("data", data)

    # --- What is said -----------------------------------------------------------------------------------

    @property
    def step(self) -> Step:
        """The training step of the present question."""
        return step(self.scenario, self.options)

    @property
    def fits(self) -> bool:
        """Whether each GPU has room for its part."""
        return fits(self.scenario, self.options)

    def words(self) -> Sequence[str]:
        """Return what the step waits for, whether it fits, and how long an epoch is."""
        return (
            training_verdict(self.step),
            self._room(self.scenario),
            f"{overlap_note(self.step)} {copy_note(self.step)}".strip(),
            epoch_note(self.scenario, self.options),
            tr("A model of ideal splits and raw link rates: not validated by measurement."),
        )

    def _room(self, scenario: Scenario) -> str:
        needs, room = memory(scenario, self.options), scenario.gpu.memory - self.options.reserved
        now, full = batch(scenario.layer), most(scenario, self.options)
        return room_note(needs, now, full, room, scenario.gpu.name)

    def numbers(self) -> tuple[Readout, ...]:
        """Return the step's parts, the epoch, and the memory of a GPU."""
        many, needs = iterations(self.options, self.step), memory(self.scenario, self.options)
        full = most(self.scenario, self.options)
        return (
            *training_numbers(self.step),
            Readout("iterations", tr("iterations per epoch"), f"{many:,}"),
            Readout("epoch", tr("epoch"), clock(many * self.step.time)),
            Readout("memory", tr("memory of a GPU"), si(needs.total(batch(self.scenario.layer)), "B")),
            Readout("largest", tr("largest batch"), tr("any") if full is None else f"{full:,}"),
        )

    def why(self, key: str) -> Why:
        """Return where a number comes from."""
        if key not in ("iterations", "epoch", "memory", "largest"):
            return training_why(self.step, key)
        readout = next(each for each in self.numbers() if each.key == key)
        title, one = f"{readout.label}: {readout.text}", self.step
        if key in ("iterations", "epoch"):
            many = iterations(self.options, one)
            rounded = tr("rounded up")
            lines = [f"{self.options.epoch:,} / {one.samples:,} = {many:,}, {rounded}"]
            lines += [f"{many:,} x {si(one.time, 's')} = {readout.text}"] if key == "epoch" else []
            return Why(title, tuple(lines))
        needs = memory(self.scenario, self.options)
        return Why(title, tuple(needs.explain(batch(self.scenario.layer)).split("\n")))

    def questions(self) -> tuple[Question, ...]:
        """Return what a learner can be asked to predict."""
        return (
            Question("fits", "Does it fit the memory of each GPU?",
                     lambda s, o: "yes" if fits(s, o) else "no", ("yes", "no")),
            Question("costs", "What costs more, the bubble or waiting for links?", _costs,
                     ("bubble", "waiting for links")),
            Question("bubble", "Which share of the step is bubble?",
                     lambda s, o: 100 * step(s, o).bubble / step(s, o).time or None, unit="%"),
            Question("time", "How long does a step take?", lambda s, o: step(s, o).time, unit="s"),
            Question("efficiency", "Which scaling efficiency do the GPUs reach?",
                     lambda s, o: 100 * step(s, o).scaling_efficiency, unit="%"),
            Question("iterations", "How many iterations does an epoch take?",
                     lambda s, o: iterations(o, step(s, o))),
        )  # fmt: skip

    def compared_with(self, pinned: Scenario) -> str:
        """Return how the answer to a pinned question differs."""
        try:
            before = step(pinned, self.options)
        except ValueError:
            return ""
        return tr(
            "Pinned: {before} a step, {rate} samples/s; now {now} and {other}.",
            before=si(before.time, "s"), rate=si(before.samples_per_second), now=si(self.step.time, "s"),
            other=si(self.step.samples_per_second),
        )  # fmt: skip


def _costs(scenario: Scenario, options: TrainingOptions) -> str | None:
    one = step(scenario, options)
    if not (one.bubble or one.exposed):
        return None
    return "bubble" if one.bubble >= one.exposed else "waiting for links"


def _suited(scenario: Scenario) -> TrainingOptions:
    """Return a plan that a network can have: without heads to share, or blocks for stages, data parallel."""
    options = TrainingOptions()
    return replace(options, data=8, tensor=1, pipeline=1) if options.plan.check(scenario.layer) else options
