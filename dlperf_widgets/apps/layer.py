"""Explore one layer: what limits it, and how its time follows its sizes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import ipywidgets as w

from ..advice import crossing, times, trusted, verdict
from ..charts import CHARTS, Options
from ..charts.duration import fitting
from ..charts.shapes import Dots
from ..cost import Scenario
from ..cost.sweep import size_for
from ..dtypes import FP16
from ..gpus import V100_SXM2_16GB
from ..language import tr
from ..layers import Linear
from ..units import figures
from ..widgets.controls import dims
from ._swept import Swept

DEFAULT = Scenario(Linear(batch=512, inputs=1024, outputs=4096), V100_SXM2_16GB, FP16)


class LayerExplorer(Swept):
    """Sliders for a layer's sizes, pickers, four charts, a verdict and a checklist."""

    slug = "layer"
    title = "Layer explorer"
    caption = "See what limits a layer on a GPU: math, memory or launch, and how its time follows its sizes"
    options_kind = Options
    pictures = tuple((chart.__name__.capitalize(), chart) for chart in CHARTS)

    def __init__(self, scenario: Scenario = DEFAULT, options: Options | None = None) -> None:
        super().__init__(scenario, options or _fitting(self.accept(scenario), scenario.layer.scale))

    def _build(self) -> None:
        self.vary = w.Dropdown(description=tr("Vary"))
        super()._build()

    def extra_controls(self) -> Sequence[w.DOMWidget]:
        """Return the picker of the size that charts vary."""
        self.aria.set(self.vary, "select", **{"aria-label": tr("Vary")})
        return (self.vary,)

    def _listen(self) -> None:
        super()._listen()
        self.controls.observe(lambda change: self._vary(change.new), "touched")
        self.vary.observe(lambda change: self._vary(change.new), "value")

    def accept(self, scenario: Scenario) -> Scenario:
        """Return a scenario whose layer has a size to vary."""
        if not dims(scenario):
            raise ValueError(
                f"the layer explorer needs a layer with a size to vary: {scenario.layer.title} has none"
            )
        return scenario

    def fitted(self, scenario: Scenario, options: Any) -> Any:
        """Return options that show the present size: the picture stays until its point would leave it."""
        if options.field not in {f.name for f in dims(scenario)}:
            return _fitting(scenario, scenario.layer.scale)
        now = _size(scenario, options.field)
        return replace(options, reach=fitting(now)) if now > options.reach else options

    def check(self, scenario: Scenario, options: Any) -> None:
        """Raise ValueError if the layer has no such size."""
        if options.field not in {f.name for f in dims(scenario)}:
            raise ValueError(f"{type(scenario.layer).__name__} has no size {options.field!r}")

    def fit(self) -> Options:
        """Return options that show the present size well inside the duration chart."""
        return replace(self.options, reach=fitting(_size(self.scenario, self.options.field)))

    def words(self) -> Sequence[str]:
        """Return what limits the layer, where that changes, and the time."""
        asked = self.scenario
        each = times(asked) if len(asked.costs) > 1 else ""
        return (verdict(asked), crossing(asked, self.options.field), each, trusted(asked))

    def moved(self, name: str, shape: Dots, index: int, x: float) -> None:
        """Resize the layer to where a point was dragged, or so that it gets the point's intensity."""
        if not shape.solve:
            super().moved(name, shape, index, x)
            return
        row = self._row(name, index)
        size = size_for(self.scenario, shape.drag, lambda s: s.costs[row].arithmetic_intensity, x)
        if size is None:
            label = self.scenario.layer.__dataclass_fields__[shape.drag].metadata["label"]
            self.message = tr(
                "No {label} gives {intensity} FLOPS/byte.", label=tr(label).lower(), intensity=figures(x)
            )
            self._draw()
        else:
            self.controls.resize(shape.drag, size)

    def _row(self, phase: str, index: int) -> int:
        """Return which of the scenario's rows a point of the roofline stands for."""
        return next(row for row, cost in enumerate(self.scenario.costs) if cost.phase == phase) + index

    def _vary(self, field: str | None) -> None:
        """Charts follow the size last touched."""
        if field and field != self.options.field:
            self.options = replace(self.options, field=field, reach=fitting(_size(self.scenario, field)))

    def _show(self) -> None:
        sizes = [(tr(f.metadata["label"]), f.name) for f in dims(self.scenario)]
        if list(self.vary.options) != sizes:
            self.vary.options = sizes
        self.vary.value = self.options.field
        super()._show()


def _size(scenario: Scenario, field: str) -> int:
    size: int = getattr(scenario.layer, field)
    return size


def _fitting(scenario: Scenario, field: str) -> Options:
    return Options(field, fitting(_size(scenario, field)))
