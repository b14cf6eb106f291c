"""Explorers whose Measure button times the question at sizes around the present one, over the predictions."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from ..charts import Chart, Options
from ..charts.measured import MeasuredPoint, measured
from ..cost import Scenario
from ..cost.sweep import possible
from ..measure import Measurement
from ..views.pane import Pane
from ._explorer import Explorer
from ._measured_words import note


class Swept(Explorer):
    """An explorer with a last tab of measured times over the predicted ones."""

    powers: ClassVar[Sequence[int]] = range(-4, 3)  # of two: the sizes measured, as shares of the present one

    @property
    def swept(self) -> str:
        """The size that varies: the one that the pictures vary, or the layer's own; "" if it has none."""
        layer = self.scenario.layer
        field = getattr(self.options, "field", "") or layer.scale
        return field if field in layer.__dataclass_fields__ else ""

    def to_measure(self) -> Sequence[Scenario]:
        """Return the question at sizes around the present one."""
        if not self.swept:
            return (self.scenario,)
        now: int = getattr(self.scenario.layer, self.swept)
        sizes = sorted({max(round(now * 2**power), 1) for power in self.powers})
        return [each for _, each in possible(self.scenario, self.swept, sizes)]

    def of_this(self, measurement: Measurement) -> bool:
        """Return whether a measurement is of the present question, at whatever size."""
        asked, here = measurement.scenario, self.scenario
        if type(asked.layer) is not type(here.layer):
            return False
        if not self.swept:
            return super().of_this(measurement)
        try:
            same = asked.resized(self.swept, getattr(here.layer, self.swept))
        except ValueError:  # its other sizes are others
            return False
        return super().of_this(replace(measurement, scenario=same))

    def measured_panes(self) -> list[Pane]:
        """Return measured times over the predicted ones."""
        return [self.pane("Measured", self._measured)]

    def _measured(self, scenario: Scenario, _options: Any) -> Chart:
        field = self.swept
        shown = [m for m in self.measuring.shown() if m.summary]
        return measured(scenario, Options(field), tuple(self._point(m, field) for m in shown))

    def _point(self, m: Measurement, field: str) -> MeasuredPoint:
        assert m.summary
        s, size = m.summary, getattr(m.scenario.layer, field) if field else 1
        return MeasuredPoint(
            field, size, s.lower, s.median, s.upper, str(m.device), note(m, self.scenario.gpu)
        )

    def show_measured(self) -> None:
        """Bring the tab of measured times into view."""
        if self.measuring.shown():
            self.tabs.selected_index = len(self.panes) - 1
        self._draw()
