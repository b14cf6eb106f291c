"""Explore a whole network: which layers take its time, its work, its traffic and its parameters."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import ipywidgets as w

from ..advice import Readout, Why, readouts, why
from ..advice.network import directions, kinds, longest, network_verdict, room, where
from ..bridge import from_torch
from ..charts import ModelOptions, bubbles, layers_roofline, separable, shares
from ..cost import Scenario
from ..cost.collapse import once
from ..cost.layerwise import layer_rows
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB
from ..language import tr
from ..layers import Layer
from ..layers.repeat import Tied
from ..models import MODELS, ResNet50
from ..ops import TRAINING
from ..units import si
from ..views.pane import Pane
from ..widgets.closing import close_all
from ._model_panes import BarsPane, TablePane
from ._swept import Swept
from .layer import LayerExplorer

DEFAULT = Scenario(ResNet50(batch=32), A100_SXM4_80GB, FP16, TRAINING)


class ModelExplorer(Swept):
    """Linked bars and a table of a network's layers, its roofline, and where its parameters and work are."""

    slug = "model"
    title = "Model explorer"
    caption = "See which layers of a network take its time, work, traffic and parameters"
    options_kind = ModelOptions
    powers = range(-2, 1)  # a network runs long
    pictures = (
        ("Roofline", layers_roofline), ("Shares", shares), ("Separable", separable), ("Accuracy", bubbles),
    )  # fmt: skip

    def __init__(self, scenario: Scenario = DEFAULT, options: ModelOptions | None = None) -> None:
        self.opened: LayerExplorer | None = None
        self._followed: tuple[str, Scenario] | None = None  # what the opened layer was last asked
        super().__init__(scenario, options)

    # --- What is shown -----------------------------------------------------------------------------------

    def kinds(self) -> Sequence[type[Layer]]:
        """Return the networks on offer; a traced one joins them while it is shown."""
        return MODELS

    def panes_made(self) -> list[Pane]:
        """Return bars and table before the charts."""
        return [BarsPane(self.open_layer), TablePane(self.open_layer, self._arrange), *super().panes_made()]

    def words(self) -> Sequence[str]:
        """Return what limits the network, its passes, its longest layer, and where its parameters are."""
        asked = self.scenario
        missing = getattr(asked.layer, "unplaced", ()) and str(asked.layer)
        return (network_verdict(asked), directions(asked), longest(asked), where(asked), room(asked), missing)

    def numbers(self) -> tuple[Readout, ...]:
        """Return times, work and traffic, and what the network consists of."""
        rows = layer_rows(self.scenario, collapse=True)
        counts = (
            Readout("macs", tr("multiply-adds"), si(sum(row.macs for row in rows))),
            Readout("params", tr("parameters"), si(sum(row.params for row in rows))),
        )
        return (*readouts(once(self.scenario)), *counts)

    def why(self, key: str) -> Why:
        """Return where a number comes from; counts are told by kind of layer."""
        if key not in ("macs", "params"):
            return why(once(self.scenario), key)
        at = ("params", "macs").index(key)
        readout = next(each for each in self.numbers() if each.key == key)
        parts = [kind for kind in kinds(self.scenario) if kind.counts[at]]
        lines = [f"{kind.title} × {kind.layers}: {kind.counts[at]:,.0f}" for kind in parts]
        about = tr("of one forward pass") if key == "macs" else tr("every trainable number once")
        return Why(f"{readout.label}: {readout.text}", (about, *lines))

    # --- Networks from torch -----------------------------------------------------------------------------

    def trace(self, module: Any, *inputs: Any, **named_inputs: Any) -> None:
        """Show a torch module, for inputs of the given shapes; one that cannot be traced is said so."""
        try:
            network = from_torch(module, *inputs, **named_inputs)
        except ValueError as error:
            self.message = str(error)
            return
        self.controls.ask(lambda: replace(self.scenario, layer=network))

    # --- One layer by itself -----------------------------------------------------------------------------

    def open_layer(self, path: str) -> None:
        """Open a layer explorer on a layer of the network, below; once more on the same closes it."""
        self._choose("opened", "" if path == self.options.opened else path)

    def fitted(self, scenario: Scenario, options: Any) -> Any:
        """Return options whose opened layer the network has."""
        if options.opened and _layer(scenario, options.opened) is None:
            return replace(options, opened="")
        return options

    def _arrange(self, sort: str, text: str) -> None:
        self.options = replace(self.options, sort=sort, filter=text)

    def _build(self) -> None:
        self._close_layer()
        self.below = w.VBox()
        self.below.add_class("dlp-below")
        super()._build()

    def _arranged(self) -> list[w.Widget]:
        return [*super()._arranged(), self.below]

    def _listen(self) -> None:
        super()._listen()
        self.controls.pickers["kind"].description = tr("Network")

    def _show(self) -> None:
        if (self._followed or ("",))[0] != self.options.opened:
            self._open()
        super()._show()

    def _settle(self) -> None:
        super()._settle()
        if self._followed and self._followed[1] is not self.scenario:
            self._follow_layer()

    def _open(self) -> None:
        self._close_layer()
        path = self.options.opened
        if not path:
            return
        self._followed = (path, self.scenario)
        try:
            self.opened = LayerExplorer(self._question(path))
        except ValueError as error:
            self.message = str(error)
            return
        close = w.Button(description=tr("Close"), tooltip=tr("Close this layer"))
        close.on_click(lambda _: self.open_layer(path))
        heading = w.HBox([w.HTML(f"<b>{tr('{path} by itself', path=path)}</b>"), close])
        heading.add_class("dlp-below-head")
        self.below.children = (heading, self.opened)

    def _follow_layer(self) -> None:
        """The network changed: ask the opened layer's explorer the same of the layer as it is now."""
        assert self._followed
        self._followed = (self._followed[0], self.scenario)
        if self.opened is not None:
            self.opened.scenario = self._question(self._followed[0])

    def _question(self, path: str) -> Scenario:
        layer = _layer(self.scenario, path)
        assert layer is not None
        return replace(self.scenario, layer=layer)

    def _close_layer(self) -> None:
        self._followed = None
        if self.opened is not None:
            shown, self.below.children = self.below.children, ()
            self.opened.close()
            self.opened = None
            close_all(*shown)

    def close(self) -> None:
        """End this explorer, the opened layer's with it."""
        if self.comm is not None:
            self._close_layer()
        super().close()


def _layer(scenario: Scenario, name: str) -> Layer | None:
    """Return the simple layer of a path; of one with another's weights, the layer itself."""
    for path, leaf, _ in scenario.layer.leaves():
        if name == (path or leaf.title):
            return leaf.layer if isinstance(leaf, Tied) else leaf
    return None
