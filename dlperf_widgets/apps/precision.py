"""Explore number formats: what they hold, what they round, and what narrow ones cost and save."""

from collections.abc import Sequence
from typing import Any

import ipywidgets as w

from ..advice import Question, Readout, Why
from ..charts import (
    PrecisionOptions,
    dynamic,
    gaps,
    kept_alt,
    kept_html,
    loss_scale,
    number_line,
    quantized_html,
    quantized_words,
    rounding_alt,
    rounding_html,
)  # fmt: skip
from ..charts.gradients import HALF, dynamic_words, example, outcome, published, run, scaling_words
from ..charts.kept_in_fp32 import update_words
from ..charts.precision_options import LARGEST, SMALLEST
from ..charts.quantized import percent, quantized
from ..charts.rounding import all_rounded, exactly, label, note
from ..charts.shapes import Dots
from ..cost import Scenario
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB
from ..language import tr
from ..layers import Linear
from ..units import figures, si
from ..views.html_pane import HtmlPane
from ..views.pane import Pane
from ._power import PowerControl
from ._precision_why import precision_why
from ._tabbed import LAYER, TabbedExplorer

DEFAULT = Scenario(Linear(batch=4096, inputs=4096, outputs=4096), A100_SXM4_80GB, FP16)
_VALUE, _GRADIENTS = ("value",), ("median", "spread")


class PrecisionExplorer(TabbedExplorer):
    """Formats on a number line, loss scaling on a histogram, INT8 against FP16, and what stays in FP32."""

    slug = "precision"
    title = "Precision"
    caption = "See what each number format holds and rounds, what loss scaling saves, and what INT8 costs"
    options_kind = PrecisionOptions
    asked = (
        _VALUE, _VALUE, _VALUE, ("scale", *_GRADIENTS), ("interval", *_GRADIENTS),
        (LAYER, "kind", "gpu", "launch", "channels", "wider"), _VALUE,
    )  # fmt: skip

    def __init__(self, scenario: Scenario = DEFAULT, options: PrecisionOptions | None = None) -> None:
        super().__init__(scenario, options)

    def shown_pickers(self) -> Sequence[str]:
        """Return the pickers that the speed of INT8 depends on."""
        return ("kind", "gpu", "launch")

    def _build(self) -> None:
        self.power = PowerControl(self._to, lambda text: self.set_trait("message", text))
        super()._build()

    def extra_controls(self) -> Sequence[w.DOMWidget]:
        """Return the slider of the value's magnitude."""
        return (self.power.widget,)

    def panes_made(self) -> list[Pane]:
        """Return the number line, gaps, rounding, both loss scales, INT8 and what stays in FP32."""
        return [
            self.pane("Number line", number_line),
            self.pane("Gaps", gaps),
            HtmlPane(rounding_html, rounding_alt, "Rounding"),
            self.pane("Loss scale", loss_scale),
            self.pane("Dynamic", dynamic),
            HtmlPane(quantized_html, quantized_words, "INT8"),
            HtmlPane(kept_html, kept_alt, "In FP32"),
        ]

    def moved(self, _name: str, shape: Dots, _index: int, x: float) -> None:
        """Take the value that a point was dragged to, or the scale that puts the median there."""
        if shape.drag == "scale":
            self.choose("scale", x * 2.0**self.options.median)
        else:
            self._to(float(f"{x:.3g}"))

    def _to(self, value: float) -> bool:
        """Take a value, or the nearest one on the line."""
        return self._choose("value", min(max(value, SMALLEST), LARGEST))

    def _offer(self) -> None:
        super()._offer()
        self.power.show(self.options.value)
        self.power.widget.layout.display = "" if self.pictured == "value" else "none"

    def _decorated(self, chart: Any, function: Any) -> Any:
        """Leave charts alone: they show no scenario, so one that is pinned has no other picture."""
        return chart

    # --- What is said -----------------------------------------------------------------------------------

    def words(self) -> Sequence[str]:
        """Return the answer of the picture in view."""
        options = self.options
        match self.pictured:
            case "loss scale":
                return (scaling_words(options), published())
            case "dynamic":
                return (dynamic_words(options), example(), published())
            case "INT8":
                return tuple(quantized_words(self.scenario, options).split("\n"))
        half = next(note(each) for each in all_rounded(options.value) if each.format == HALF)
        return (half, update_words(options.value))

    @property
    def pictured(self) -> str:
        """What the tab in view is about."""
        return _PICTURED.get(self.tabs.selected_index or 0, "value")

    def numbers(self) -> tuple[Readout, ...]:
        """Return the numbers of the picture in view."""
        return _NUMBERS[self.pictured](self.scenario, self.options)

    def why(self, key: str) -> Why:
        """Return the arithmetic of a number."""
        readout = next((each for each in self.numbers() if each.key == key), None)
        if readout is None:
            raise ValueError(f"there is no number {key!r} to ask about")
        return precision_why(readout, self.scenario, self.options)

    def questions(self) -> tuple[Question, ...]:
        """Return what can be predicted of formats."""
        return _QUESTIONS


_PICTURED = {3: "loss scale", 4: "dynamic", 5: "INT8"}


def _values(_scenario: Scenario, options: PrecisionOptions) -> tuple[Readout, ...]:
    return tuple(
        Readout(each.format.name, label(each.format), exactly(each.nearest))
        for each in all_rounded(options.value)
    )


def _fates(_scenario: Scenario, options: PrecisionOptions) -> tuple[Readout, ...]:
    found = outcome(options)
    return (
        Readout("kept", tr("kept"), percent(found.kept)),
        Readout("lost", tr("become zero"), percent(found.lost)),
        Readout("overflow", tr("overflow"), percent(found.overflow)),
    )


def _skipped(_scenario: Scenario, options: PrecisionOptions) -> tuple[Readout, ...]:
    steps = run(options.median, options.spread, options.interval)
    return (
        Readout("skipped", tr("skipped steps"), f"{sum(step.skipped for step in steps):,}"),
        Readout("last", tr("last scale"), f"{steps[-1].scale:,.10g}"),
    )


def _saved(scenario: Scenario, options: PrecisionOptions) -> tuple[Readout, ...]:
    _, half, one, many = quantized(scenario, options)
    speed = figures(half.time / many.time) if half.time and many.time else tr("unknown")
    return (
        Readout("tensor", tr("error, one scale"), percent(one.error)),
        Readout("channel", tr("error, a scale for each channel"), percent(many.error)),
        Readout("size", tr("INT8 weights"), si(many.bytes, "B")),
        Readout("speed", tr("speed over FP16"), speed),
    )


_NUMBERS = {"value": _values, "loss scale": _fates, "dynamic": _skipped, "INT8": _saved}


def _fate_in_half(_scenario: Scenario, options: PrecisionOptions) -> str:
    found = next(each for each in all_rounded(options.value) if each.format == HALF)
    if found.overflows:
        return "it overflows"
    return "it becomes zero" if found.lost else "it is exact" if not found.error else "it is rounded"


def _speed(scenario: Scenario, options: PrecisionOptions) -> float | None:
    _, half, _, many = quantized(scenario, options)
    return 100 * half.time / many.time if half.time and many.time else None


_QUESTIONS = (
    Question("half", "What becomes of the value in FP16?", _fate_in_half,
             ("it is exact", "it is rounded", "it becomes zero", "it overflows")),
    Question("lost", "Which share of the gradients becomes zero in FP16?",
             lambda _, o: 100 * outcome(o).lost, unit="%"),
    Question("skipped", "How many steps does the dynamic scale skip?",
             lambda _, o: sum(step.skipped for step in run(o.median, o.spread, o.interval))),
    Question("size", "How many bytes are the weights in INT8, with a scale for each channel?",
             lambda s, o: quantized(s, o)[-1].bytes or None, unit="B"),
    Question("speed", "How fast is INT8, as a share of the speed of FP16?", _speed, unit="%"),
)  # fmt: skip
