"""GPUs and formats side by side: what a run costs and how long it takes, and what of the peaks is reached."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..advice.compared import name, row_note
from ..cost import Scenario
from ..cost.compare import Compared, compare
from ..cost.prices import checked_prices, typed_prices
from ..dtypes import DTYPES, find
from ..gpus import GPUS, Gpu
from ..gpus._prices import PER
from ..language import tr
from ..layers._fields import choice, hidden, parts, several
from ..units import figures, si
from ._chart import Axis, Chart, Points
from ._options import Described
from .roles import Role

_FIRST = ("V100 SXM2 16GB", "T4", "A100 SXM4 80GB", "L4", "H100 SXM5 80GB")


@dataclass(frozen=True)
class CompareOptions(Described):
    """What stands beside the scenario's own GPU and format."""

    gpus: tuple[str, ...] = several(_FIRST, "GPUs", tuple(gpu.name for gpu in GPUS))
    formats: tuple[str, ...] = several((), "Also in", tuple(dtype.name for dtype in DTYPES))
    per: str = choice("hour", "Price of", PER)
    prices: tuple[str, ...] = parts("Prices", default=())  # typed: "T4=0.35/hour 2026-12-01"
    sort: str = hidden("")
    filter: str = hidden("")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "prices", checked_prices(self.prices))


def compared(scenario: Scenario, options: CompareOptions) -> tuple[Compared, ...]:
    """Return a row for each GPU and format that the options ask for, and for the scenario's own GPU."""
    asked = [gpu for gpu in GPUS if gpu.name in options.gpus]
    shown: list[Gpu] = asked if scenario.gpu in asked else [scenario.gpu, *asked]
    prices = typed_prices(options.prices, options.per)
    return compare(scenario, shown, map(find, options.formats), per=options.per, prices=prices)


def price_against_time(scenario: Scenario, options: CompareOptions) -> Chart:
    """Return what a million runs cost, or a card for each run a second, against the time of one."""
    rows = compared(scenario, options)
    priced = [row for row in rows if row.price_of_throughput and row.time]
    costs = [row.price_of_throughput or 0.0 for row in priced]
    hourly = options.per == "hour"
    quantity = "Price of a million runs" if hourly else "Price of a card for each run a second"
    unpriced = [row.gpu.name for row in rows if row.price is None]
    return Chart(
        title="Price",
        x=Axis("Time of a run", "s", _around([row.time for row in rows]), log=True),
        y=Axis(quantity, "USD", _around(costs), log=True),
        marks=(_points(priced, costs),),
        alt=_price_alt(priced, unpriced),
    )


def shares_of_peaks(scenario: Scenario, options: CompareOptions) -> Chart:
    """Return the share of the math peak that each GPU reaches against that of its bandwidth."""
    rows = [row for row in compared(scenario, options) if row.time]
    x = [row.answer.share_of_bandwidth for row in rows]
    y = [row.answer.share_of_peak for row in rows]
    told = tr("; ").join(f"{name(row)} {b:.0%}, {p:.0%}" for row, b, p in zip(rows, x, y, strict=True))
    return Chart(
        title="Shares of the peaks",
        x=Axis("Share of the bandwidth", "%", (0, _top(x))),
        y=Axis("Share of the peak rate", "%", (0, _top(y))),
        marks=(_points(rows, y, x),),
        alt=tr("Share of the bandwidth and of the peak rate: {told}.", told=told),
    )


def _points(rows: list[Compared], y: list[float], x: list[float] | None = None) -> Points:
    return Points(
        "a GPU",
        Role.PREDICTED,
        x=tuple([row.time for row in rows] if x is None else x),
        y=tuple(y),
        notes=tuple(map(row_note, rows)),
        labels=tuple(map(name, rows)),
    )


def _around(values: Iterable[float]) -> tuple[float, float]:
    """Return whole decades around positive values."""
    known = [value for value in values if value > 0] or [1.0]
    low = high = 1.0
    while low > min(known):
        low /= 10
    while low * 10 <= min(known):
        low *= 10
    high = low * 10
    while high < max(known):
        high *= 10
    return low, high


def _top(values: list[float]) -> float:
    """Return a round share above all; caches can make more than the peak bandwidth of it."""
    top = 0.25
    while top < 1.1 * max(values, default=0.0):
        top += 0.25
    return top


def _price_alt(priced: list[Compared], unpriced: list[str]) -> str:
    told = tr("; ").join(
        f"{name(row)} {si(row.time, 's')}, {figures(row.price_of_throughput or 0)} USD" for row in priced
    )
    without = tr("No price known: {gpus}.", gpus=tr(", ").join(dict.fromkeys(unpriced))) if unpriced else ""
    return tr("Price against time: {told}.", told=told or tr("nothing has a price")) + f" {without}".rstrip()
