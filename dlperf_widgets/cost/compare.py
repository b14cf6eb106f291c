"""The same question on many GPUs and in many formats, side by side."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from math import fsum
from typing import NamedTuple

from ..dtypes import DType, Format, as_format
from ..gpus import Gpu, Price
from ..gpus._prices import PER
from ..language import tr
from ._checks import choice, many, thing
from .collapse import once
from .layerwise import Parts, spent
from .room import has_room
from .scenario import Scenario, nearest
from .time import Limiter

_NO_PRICES: Mapping[str, Price] = {}
MILLION = 1e6


class Answer(NamedTuple):
    """What one GPU answers."""

    time: float  # seconds
    limiter: Limiter | None  # of most of the time; None where nothing runs
    limited: float  # share of the time that this limits
    share_of_peak: float  # achieved FLOPS over the format's peak
    share_of_bandwidth: float  # achieved bytes/s over the memory's peak
    spent: Parts  # seconds, by what they are spent on


class Compared(NamedTuple):
    """One row of a comparison."""

    scenario: Scenario  # as it runs on this GPU
    note: str  # how that differs from what was asked; empty where it does not
    answer: Answer
    fits: bool  # whether the GPU's memory has room
    price: Price | None  # of an hour or of a card; None where none is known

    @property
    def gpu(self) -> Gpu:
        """The GPU."""
        return self.scenario.gpu

    @property
    def time(self) -> float:
        """Seconds."""
        return self.answer.time

    @property
    def price_of_throughput(self) -> float | None:
        """Of an hour: what a million runs cost. Of a card: what it costs for each run a second."""
        if self.price is None:
            return None
        if self.price.per == "hour":
            return self.price.amount / 3600 * self.time * MILLION
        return self.price.amount * self.time


def compare(
    scenario: Scenario,
    gpus: Iterable[Gpu],
    dtypes: Iterable[DType] = (),
    *,
    per: str = "hour",
    prices: Mapping[str, Price] = _NO_PRICES,
) -> tuple[Compared, ...]:
    """Return a row for every GPU and format: time, what limits it, share of the peak, price.

    Parameters
    ----------
    scenario
        The question. Its own GPU is in no row unless ``gpus`` has it.
    gpus
        The GPUs. One without a format takes the nearest that it has, and its row says so.
    dtypes
        Formats beside the scenario's own.
    per
        "hour" or "card": which of a GPU's prices counts. There is no default where none is known.
    prices
        Prices by the name of a GPU, in place of the latest one recorded.
    """
    scenario, per = thing("scenario", Scenario, scenario), choice("per", per, PER)
    cards = [thing("a GPU to compare", Gpu, gpu) for gpu in many("gpus", gpus)]
    others = [thing("a format to compare", DType, dtype) for dtype in many("dtypes", dtypes)]
    thing("prices", Mapping, prices)
    forms = (scenario.format, *(as_format(d) for d in others if as_format(d) != scenario.format))
    return tuple(_row(scenario, gpu, form, per, prices) for gpu in cards for form in forms)


def _row(scenario: Scenario, gpu: Gpu, form: Format, per: str, prices: Mapping[str, Price]) -> Compared:
    asked = on(scenario, gpu, form)
    return Compared(
        asked, _note(scenario, asked, form), _answer(asked), has_room(asked), _price(gpu, per, prices)
    )


def on(scenario: Scenario, gpu: Gpu, form: Format) -> Scenario:
    """Return the question on a GPU in a format, or in the nearest one that the GPU has."""
    if form == scenario.format:
        return scenario.on(gpu)
    if form.math not in gpu.dtypes:
        return replace(scenario, gpu=gpu, dtype=nearest(form.math, gpu), sparse=False)
    sparse = scenario.sparse
    if sparse:
        try:
            gpu.peak(form.math, sparse)
        except ValueError:
            sparse = False
    return replace(scenario, gpu=gpu, dtype=form, sparse=sparse)


def _note(scenario: Scenario, asked: Scenario, form: Format) -> str:
    names = {"gpu": asked.gpu.name, "asked": form.name, "now": asked.format.name}
    if asked.format != form:
        return tr("{gpu} has no {asked}: this is {now}", **names)
    if asked.sparse != scenario.sparse:
        return tr("{gpu} has no sparse {asked}: this is dense", **names)
    return ""


def _price(gpu: Gpu, per: str, prices: Mapping[str, Price]) -> Price | None:
    if gpu.name in prices:
        return prices[gpu.name]
    known = [price for price in gpu.prices if price.per == per]
    return gpu.price(per) if known else None


@lru_cache(256)
def _answer(scenario: Scenario) -> Answer:
    by_limiter: dict[Limiter, float] = {}
    costs = once(scenario, named=False).costs
    for cost in costs:
        by_limiter[cost.limiter] = by_limiter.get(cost.limiter, 0.0) + cost.count * cost.time
    time = fsum(by_limiter.values())
    if not time:
        return Answer(0.0, None, 0.0, 0.0, 0.0, Parts(0.0, 0.0, 0.0, 0.0))
    limiter = max(by_limiter, key=lambda each: by_limiter[each])
    flops = sum(cost.count * cost.flops for cost in costs)
    moved = fsum(cost.count * cost.bytes for cost in costs)
    peak = scenario.gpu.peak(scenario.format.math, scenario.sparse)
    shares = (flops / time / peak, moved / time / scenario.gpu.bandwidth)
    return Answer(time, limiter, by_limiter[limiter] / time, *shares, spent(costs, all_runs=True))
