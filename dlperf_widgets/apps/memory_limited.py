"""Explore a layer that memory limits: its floor, its slope, and what each pass reads and writes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import ipywidgets as w

from .. import layers
from ..advice import times, verdict
from ..charts import SizeOptions, passes_alt, passes_html, sizes
from ..charts.guide_figures import OWN, Figure, figure
from ..charts.sizes import comparable, decade, flat_until
from ..cost import Layout, Scenario
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB
from ..language import tr
from ..layers import Activation, BatchNorm2d, Layer, Passes
from ..ops import Phase
from ..units import si
from ..views.html_pane import HtmlPane
from ..views.pane import Pane
from ..widgets.controls import dims
from ._swept import Swept

KINDS = (
    "BatchNorm2d", "LayerNorm", "RmsNorm", "GroupNorm", "InstanceNorm2d", "Activation", "Softmax", "Pool2d",
    "GlobalPool2d", "Add", "Multiply", "Dropout",
)  # fmt: skip
DEFAULT = Scenario(BatchNorm2d(32, 64, 56, 56), A100_SXM4_80GB, FP16, (Phase.FPROP, Phase.DGRAD))


class MemoryLimitedExplorer(Swept):
    """Time against size on logarithmic axes, and a picture of the passes over memory."""

    slug = "memory-limited"
    title = "Memory-limited layers"
    caption = "See how normalization, activation and pooling take as long as their bytes, or as their launch"
    options_kind = SizeOptions
    pictures = (("Duration", sizes),)

    def __init__(self, scenario: Scenario = DEFAULT, options: SizeOptions | None = None) -> None:
        super().__init__(scenario, options or _fitting(self.accept(scenario), SizeOptions()))

    def kinds(self) -> Sequence[type[Layer]]:
        """Return the layers that memory limits on every GPU."""
        return tuple(getattr(layers, name) for name in KINDS)

    def shown_pickers(self) -> Sequence[str]:
        """Return the pickers that matter to a pass over memory."""
        return ("kind", "gpu", "dtype", "phases", "launch", "layout")

    def accept(self, scenario: Scenario) -> Scenario:
        """Return a scenario of a layer that memory limits, with something to run."""
        title = scenario.layer.title
        if not isinstance(scenario.layer, tuple(self.kinds())):
            raise ValueError(
                tr("{layer} is no memory-limited layer: this explorer shows {kinds}",
                   layer=title, kinds=tr(", ").join(KINDS))
            )  # fmt: skip
        if not scenario.costs:
            phases = ", ".join(scenario.phases)
            raise ValueError(
                tr("{layer} moves nothing in {phases}: it takes no time", layer=title, phases=phases)
            )
        return scenario

    def _build(self) -> None:
        self.vary = w.Dropdown(description=tr("Vary"))
        super()._build()

    def extra_controls(self) -> Sequence[w.DOMWidget]:
        """Return the picker of the size that varies."""
        self.aria.set(self.vary, "select", **{"aria-label": tr("Vary")})
        return (self.vary,)

    def panes_made(self) -> list[Pane]:
        """Return the chart, and the picture of the passes."""
        return [
            *super().panes_made(),
            HtmlPane(lambda s, _: passes_html(s), lambda s, _: passes_alt(s), "Reads and writes"),
        ]

    def _listen(self) -> None:
        super()._listen()
        self.controls.observe(lambda change: self._vary(change.new), "touched")
        self.vary.observe(lambda change: self._vary(change.new), "value")

    # --- What is shown ----------------------------------------------------------------------------------

    def fitted(self, scenario: Scenario, options: Any) -> Any:
        """Return options that suit the layer; a figure that was changed is none of the guide's any more."""
        if options.field not in {f.name for f in dims(scenario)}:
            options = _fitting(scenario, replace(options, field=scenario.layer.scale))
        if options.compare not in comparable(scenario.layer):
            options = replace(options, compare="phases")
        reach = decade(max(options.reach, _size(scenario, options.field)))
        options = replace(options, reach=reach)
        drawn = figure(options.figure)
        return options if drawn is None or _is(drawn, scenario, options) else replace(options, figure=OWN)

    def check(self, scenario: Scenario, options: Any) -> None:
        """Raise ValueError if the layer has no such size."""
        if options.field not in {f.name for f in dims(scenario)}:
            raise ValueError(f"{type(scenario.layer).__name__} has no size {options.field!r}")

    def fit(self) -> Any:
        """Return options with the present size well inside the picture."""
        return _fitting(self.scenario, self.options)

    def words(self) -> Sequence[str]:
        """Return what limits the layer, where its time begins to grow, what passes move, and times."""
        return (
            verdict(self.scenario), flat_until(self.scenario, self.options), self._about(),
            passes_alt(self.scenario), times(self.scenario),
        )  # fmt: skip

    def _about(self) -> str:
        """Return a sentence about the guide's figure shown, or about how else this layer could run."""
        if drawn := figure(self.options.figure):
            return tr(
                "As {figure} of NVIDIA's guide in shape: {shape}. The guide measured an A100 SXM4 80GB with "
                "CUDA 11.2 and cuDNN 8.1; the sizes are chosen here.",
                figure=tr(drawn.name.partition(":")[0]), shape=tr(drawn.shape),
            )  # fmt: skip
        layer = self.scenario.layer
        if isinstance(layer, BatchNorm2d):
            return f"{_against_persistent(self.scenario)} {_layout(self.scenario)}"
        return _functions(self.scenario) if isinstance(layer, Activation) else ""

    # --- What the user does -----------------------------------------------------------------------------

    def _choose(self, field: str, value: object) -> bool:
        chosen = figure(str(value)) if field == "figure" else None
        if chosen is None:
            return super()._choose(field, value)
        self.message = ""
        with self.hold_trait_notifications():
            self.options = _options(chosen)
            self.scenario = chosen.scenario
        return True

    def _vary(self, field: str | None) -> None:
        """The chart follows the size last touched."""
        if field and field != self.options.field:
            self.options = _fitting(self.scenario, replace(self.options, field=field))

    def _show(self) -> None:
        varied = [(tr(f.metadata["label"]), f.name) for f in dims(self.scenario)]
        if list(self.vary.options) != varied:
            self.vary.options = varied
        self.vary.value = self.options.field
        super()._show()


def _size(scenario: Scenario, field: str) -> int:
    size: int = getattr(scenario.layer, field)
    return size


def _fitting(scenario: Scenario, options: SizeOptions) -> SizeOptions:
    """Return options whose picture ends two decades behind the present size, of a field the layer has."""
    named = {f.name for f in dims(scenario)}
    field = options.field if options.field in named else scenario.layer.scale
    return replace(options, field=field, reach=decade(100 * _size(scenario, field)))


def _options(chosen: Figure) -> SizeOptions:
    return SizeOptions(chosen.name, chosen.compare, chosen.per_value, chosen.field, chosen.reach)


def _is(drawn: Figure, scenario: Scenario, options: SizeOptions) -> bool:
    """Whether a figure is what is shown, at whatever size."""
    there = drawn.scenario.resized(drawn.field, getattr(scenario.layer, drawn.field, 1))
    return scenario == there and replace(options, reach=drawn.reach) == _options(drawn)


def _against_persistent(scenario: Scenario) -> str:
    """Return how much longer the present passes take than a persistent kernel."""
    layer = scenario.layer
    assert isinstance(layer, BatchNorm2d)
    if layer.passes == Passes.PERSISTENT:
        return tr("A persistent kernel reads its input once: a channel must fit on the chip.")
    best = replace(scenario, layer=replace(layer, passes=str(Passes.PERSISTENT)))
    return tr(
        "{now} takes {time}, a persistent kernel {best}.",
        now=tr(layer.passes).capitalize(), time=si(scenario.time, "s"), best=si(best.time, "s"),
    )  # fmt: skip


def _layout(scenario: Scenario) -> str:
    """Return where the values of a channel lie: they are as many bytes in either layout."""
    layer = scenario.layer
    assert isinstance(layer, BatchNorm2d)
    image = f"{layer.height * layer.width:,}"
    if scenario.layout is Layout.NCHW:
        text = "In NCHW a channel is {batch} runs of {image} neighbours; the bytes are those of NHWC."
        return tr(text, batch=f"{layer.batch:,}", image=image)
    text = "In NHWC a channel is one value of every {channels}; the bytes are those of NCHW."
    return tr(text, channels=f"{layer.channels:,}")


def _functions(scenario: Scenario) -> str:
    """Return whether the common functions take as long as one another: bytes decide."""
    kinds = ("sigmoid", "tanh", "relu")
    found = [replace(scenario, layer=replace(scenario.layer, kind=kind)).time for kind in kinds]
    if max(found) < 1.01 * min(found):
        return tr("Sigmoid, tanh and ReLU take as long: {time}. Their bytes decide.", time=si(found[0], "s"))
    listed = tr(", ").join(f"{kind} {si(time, 's')}" for kind, time in zip(kinds, found, strict=True))
    return tr("The function decides here: {times}.", times=listed)
