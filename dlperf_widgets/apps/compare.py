"""Ask many GPUs the same question, in several formats, and compare time, limits and price."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from ..advice import Readout, Why
from ..advice.compared import (
    changed,
    cheapest,
    fastest,
    name,
    price_lines,
    row_note,
    throughput_price,
    unfit,
    unpriced,
)
from ..charts import CompareOptions, price_against_time, shares_of_peaks
from ..charts.compare import compared
from ..cost import Scenario
from ..cost.compare import Compared
from ..cost.prices import price_text
from ..cost.room import needs
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB
from ..language import tr
from ..layers import LAYERS, Layer, Linear
from ..models import MODELS
from ..units import si
from ..views.pane import Pane
from ._compare_pane import ComparePane, key
from ._explorer import Explorer

DEFAULT = Scenario(Linear(batch=512, inputs=1024, outputs=4096), A100_SXM4_80GB, FP16)


class CompareExplorer(Explorer):
    """One question, a row for each GPU and format: time, what limits it, share of the peaks, and price."""

    slug = "compare"
    title = "Compare GPUs"
    caption = "Ask many GPUs and formats the same question: time, limit, share of peak, price"
    options_kind = CompareOptions
    pictures = (("Price", price_against_time), ("Shares of the peaks", shares_of_peaks))

    def __init__(self, scenario: Scenario = DEFAULT, options: CompareOptions | None = None) -> None:
        self._given = options or CompareOptions()  # until the trait has them
        super().__init__(scenario, self._given)

    def kinds(self) -> Sequence[type[Layer]]:
        """Return layers and networks."""
        return (*LAYERS, *MODELS)

    def panes_made(self) -> list[Pane]:
        """Return the table before the charts."""
        return [ComparePane(self._tell, self._arrange, self._price), *super().panes_made()]

    def accept(self, scenario: Scenario) -> Scenario:
        """Return a scenario that at least one of the GPUs shown has room for."""
        self.check(scenario, self.options or self._given)
        return scenario

    def check(self, scenario: Scenario, options: Any) -> None:
        """Raise ValueError where the question fits no GPU shown."""
        rows = compared(scenario, options)
        if any(row.fits for row in rows):
            return
        largest = max((row.gpu for row in rows), key=lambda gpu: gpu.memory)
        least = min(needs(row.scenario) or 0.0 for row in rows)
        raise ValueError(
            tr("{layer} fits no GPU shown: it takes {needed} and the largest, {gpu}, has {memory}.",
               layer=scenario.layer.title, needed=si(least, "B"), gpu=largest.name,
               memory=si(largest.memory, "B"))
        )  # fmt: skip

    def rows(self) -> tuple[Compared, ...]:
        """Return the rows shown."""
        return compared(self.scenario, self.options)

    def words(self) -> Sequence[str]:
        """Return the fastest, the cheapest, and what is not as asked or not known."""
        rows = self.rows()
        return (fastest(rows), cheapest(rows), changed(rows), unfit(rows), unpriced(rows))

    def numbers(self) -> tuple[Readout, ...]:
        """Return the time of each row."""
        return tuple(Readout(key(row), name(row), si(row.time, "s")) for row in self.rows())

    def why(self, key_: str) -> Why:
        """Return where a row's numbers come from: its terms, its price, and their sources."""
        row = next((row for row in self.rows() if key(row) == key_), None)
        if row is None:
            raise ValueError(f"there is no row {key_!r} to ask about")
        form, gpu = row.scenario.format.math, row.gpu
        peak = gpu.peak(form, row.scenario.sparse)
        lines = (
            row_note(row),
            tr("peak {peak} in {format}, {bandwidth}", peak=si(peak, "FLOPS"), format=form.name,
               bandwidth=si(gpu.bandwidth, "B/s")),
            *price_lines(row),
        )  # fmt: skip
        field = "tensor_peak" if gpu.has_tensor_cores(form) else "cuda_peak"
        sources = [
            (source.title, source.address) for source in (*gpu.source(field), *gpu.source("bandwidth"))
        ]
        if row.price and row.price.source:
            sources.append((f"{row.price.seller}, {row.price.date}", row.price.source))
        title = f"{name(row)}: {si(row.time, 's')}, {throughput_price(row)}"
        return Why(title, lines, tuple(dict.fromkeys(sources)))

    def _choose(self, field: str, value: object) -> bool:
        """Change an option, unless the question would then fit no GPU shown."""
        change: dict[str, Any] = {field: value}
        try:
            self.check(self.scenario, replace(self.options, **change))
        except ValueError as error:
            self.message = str(error)
            self.choices.show(self.options)
            return False
        return super()._choose(field, value)

    def _tell(self, key_: str) -> None:
        self._ask(key_)

    def _arrange(self, sort: str, text: str) -> None:
        self.options = replace(self.options, sort=sort, filter=text)

    def _price(self, key_: str, _column: str, text: str) -> bool:
        """Take a typed price, with the date of today; an empty one goes back to what is recorded."""
        gpu = next(row.gpu.name for row in self.rows() if key(row) == key_)
        mine = f"{gpu}="
        kept = tuple(
            each for each in self.options.prices
            if not (each.startswith(mine) and f"/{self.options.per} " in each)
        )  # fmt: skip
        if not text.strip():
            return self._choose("prices", kept)
        try:
            typed = price_text(gpu, text, self.options.per, date.today().isoformat())
        except ValueError as error:
            self.message = str(error)
            return False
        return self._choose("prices", (*kept, typed))
