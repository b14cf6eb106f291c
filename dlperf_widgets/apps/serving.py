"""Explore how a language model is served: prefill, decode, and how many requests fit."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..advice import Question, Readout, Why
from ..advice.serving import Limits, serving_numbers, serving_verdict, serving_why
from ..charts import ServingOptions, serving_latency, serving_memory, serving_rate, serving_step
from ..charts.serving import latency_note, limits_note
from ..charts.serving_options import BUILT, SAME, fitting, most, served, turn
from ..cost import Scenario
from ..cost.generation import longest, prompts
from ..cost.serving import Serving
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB
from ..language import tr
from ..layers import Layer
from ..models import Gpt2, Gpt3, Llama
from ..ops import Phase
from ..units import figures, si
from ._explorer import Explorer
from .state import State

DEFAULT = Scenario(Llama("3-8B", batch=32, sequence=2048), A100_SXM4_80GB, FP16)
_FITS = "How many requests fit at most?"


class ServingExplorer(Explorer):
    """Tokens a second and waiting times against the batch, what a step consists of, and what fits."""

    slug = "serving"
    title = "Serving"
    caption = "See what limits prefill and decode of a language model, and how many requests fit a GPU"
    options_kind = ServingOptions
    measures = False  # the plain question can be timed, not what is shown of it
    pictures = (
        ("Throughput", serving_rate), ("Latency", serving_latency), ("Decode step", serving_step),
        ("Memory", serving_memory),
    )  # fmt: skip

    def __init__(self, scenario: Scenario = DEFAULT, options: ServingOptions | None = None) -> None:
        options = options or ServingOptions()
        scenario = replace(scenario, phases=(Phase.FPROP,))
        self.check(scenario, options)
        super().__init__(scenario, options)

    def kinds(self) -> Sequence[type[Layer]]:
        """Return the models that generate tokens."""
        return (Llama, Gpt2, Gpt3)

    def shown_pickers(self) -> Sequence[str]:
        """Return the pickers that serving depends on."""
        return ("kind", "gpu", "dtype", "launch")

    def _listen(self) -> None:
        super()._listen()
        self.controls.pickers["kind"].description = tr("Model")

    # --- What can be shown ------------------------------------------------------------------------------

    def accept(self, scenario: Scenario) -> Scenario:
        """Return a scenario whose requests fit; serving knows no other phase than forward.

        A model that is newly chosen gets a prompt that leaves it positions for what is generated.
        """
        scenario = replace(scenario, phases=(Phase.FPROP,))
        if self.options is not None:  # those it is opened with were checked
            if type(scenario.layer) is not type(self.scenario.layer):
                scenario = shortened(scenario, self.options.generated)
            self.check(scenario, self.options)
        return scenario

    def check(self, scenario: Scenario, options: Any) -> None:
        """Raise ValueError where the model generates nothing, or the batch has no room."""
        asked = prompts(scenario.layer)
        served(scenario, options)
        full = most(scenario, options)
        if asked.batch <= full:
            return
        memory, gpu = served(scenario, options).memory, scenario.gpu
        values = {
            "batch": f"{asked.batch:,}", "model": scenario.layer.title, "gpu": gpu.name,
            "size": si(memory.total(asked.batch), "B"), "room": si(gpu.memory - options.reserved, "B"),
            "full": f"{full:,}", "one": si(memory.total(1), "B"),
        }  # fmt: skip
        if full:
            raise ValueError(
                tr("{batch} requests take {size}: {gpu} has {room} for them and fits {full}", **values)
            )
        raise ValueError(
            tr("{model} takes {one} for one request and {gpu} has {room}: store its weights in fewer bits or "
               "take a larger GPU", **values)
        )  # fmt: skip

    def admitted(self, state: State) -> State:
        """Return a state whose scenario fits with the options it brings."""
        state = state._replace(scenario=replace(state.scenario, phases=(Phase.FPROP,)))
        self.check(state.scenario, state.options)
        return state

    def fitted(self, scenario: Scenario, options: Any) -> Any:
        """Return options whose reach shows the limits: the picture stays while it can."""
        wanted = fitting(scenario, options)
        stays = wanted <= options.reach <= 4 * wanted
        return options if stays else replace(options, reach=wanted)

    def fit(self) -> Any:
        """Return options that show the limits well inside the picture."""
        return replace(self.options, reach=fitting(self.scenario, self.options))

    # --- What is said -----------------------------------------------------------------------------------

    @property
    def serving(self) -> Serving:
        """The answer to the present question."""
        return served(self.scenario, self.options)

    @property
    def largest_batch(self) -> int:
        """The most requests that fit at once."""
        return most(self.scenario, self.options)

    def words(self) -> Sequence[str]:
        """Return what limits decoding, what fits, the waiting times, and what the switches change."""
        return (
            serving_verdict(self.serving),
            limits_note(self.scenario, self.options),
            latency_note(self.serving),
            self._switched(),
            tr("A model: decode steps were not validated by measurement."),
        )

    def _switched(self) -> str:
        """Return what the switches that are on change."""
        if (self.options.sharing, self.options.stored) == (BUILT, SAME):
            return ""
        plain = replace(self.options, sharing=BUILT, stored=SAME)
        before, now = served(self.scenario, plain), self.serving
        return tr(
            "As built, {full} requests fit, a step takes {time} and a token of cache {cache}: the switches "
            "make it {rate} times the tokens/s.",
            full=f"{most(self.scenario, plain):,}", time=si(before.decode.time, "s"),
            cache=si(before.cache_per_token, "B"),
            rate=figures(now.tokens_per_second / before.tokens_per_second),
        )  # fmt: skip

    def numbers(self) -> tuple[Readout, ...]:
        """Return rates, waiting times and limits."""
        return serving_numbers(self.serving, self._limits())

    def why(self, key: str) -> Why:
        """Return where a number comes from."""
        return serving_why(self.serving, self._limits(), key)

    def _limits(self) -> Limits:
        """Return what no batch changes, so that a drag need not ask again."""
        now, room = self.serving, self.scenario.gpu.memory - self.options.reserved
        turned = turn(self.scenario, self.options)
        return Limits(self.largest_batch, room, turned, now.cache_per_token, now.memory)

    def questions(self) -> tuple[Question, ...]:
        """Return what a learner can be asked to predict."""
        return (
            Question("limiter", "What limits the products of a decode step?", _limiter, ("memory", "math")),
            Question("fits", _FITS, most, unit="requests"),
            Question("rate", "How many tokens a second does the batch decode?",
                     lambda s, o: served(s, o).tokens_per_second, unit="tokens/s"),
            Question("turn", "From which batch are the products of a decode step math limited?",
                     turn, unit="requests"),
            Question("first", "How long does a request wait for its first token?",
                     lambda s, o: served(s, o).prefill.time, unit="s"),
        )  # fmt: skip

    def compared_with(self, pinned: Scenario) -> str:
        """Return how the answer to a pinned question differs."""
        try:
            before = served(pinned, self.options)
        except ValueError:
            return ""
        now = self.serving
        return tr(
            "Pinned: {before} tokens/s at {then} a step; now {now} at {step}.",
            before=si(before.tokens_per_second), then=si(before.decode.time, "s"),
            now=si(now.tokens_per_second), step=si(now.decode.time, "s"),
        )  # fmt: skip


def shortened(scenario: Scenario, generated: int) -> Scenario:
    """Return the question with no longer a prompt than leaves positions for what is generated."""
    asked, limit = prompts(scenario.layer), longest(scenario.layer)
    room = 0 if limit is None else limit - generated - asked.cached
    return scenario.resized("sequence", room) if 0 < room < asked.tokens else scenario


def _limiter(scenario: Scenario, options: ServingOptions) -> str:
    products = served(scenario, options).decode.products
    return "math" if products.math >= products.memory else "memory"
