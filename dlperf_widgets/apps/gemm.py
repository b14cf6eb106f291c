"""Explore one matrix product: its tiles, its waves, and the tiles it could have had."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import ipywidgets as w

from ..advice import Readout, Why, why
from ..advice.questions import QUESTIONS, Question
from ..charts.candidates import BEST, GemmOptions, found_for, looked_at, products, tile_candidates, tile_name
from ..charts.tile_plan import tile_plan
from ..charts.tile_svg import tile_svg
from ..cost import Cost, Scenario
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB
from ..language import tr
from ..layers import Linear
from ..units import si
from ..views.pane import Pane
from ..views.tile_map import TileMap
from ._swept import Swept

DEFAULT = Scenario(Linear(batch=1793, inputs=4096, outputs=1792), A100_SXM4_80GB, FP16)


class TilePane:
    """The output in tiles, and the waves over the SMs."""

    title = "Tiles and waves"

    def __init__(self) -> None:
        self.widget = w.Box()
        self.map: TileMap | None = None
        self.widget.add_class("dlp-picture")

    def draw(self, scenario: Scenario, options: Any) -> None:
        """Show the product looked at."""
        plan = tile_plan(looked_at(scenario, options))
        if self.map is None:
            self.map = TileMap(plan)
            self.map.layout.width = "100%"
            self.widget.children = (self.map,)
        elif plan != self.map.plan:
            self.map.show(plan)

    def alt(self) -> str:
        """Return what the two pictures show."""
        return self.map.plan.alt if self.map else ""

    def html(self) -> str:
        """Return both as SVG."""
        return tile_svg(self.map.plan) if self.map else ""


class GemmExplorer(Swept):
    """The output of a product cut into tiles, its waves over the SMs, and every tile it may be cut into."""

    slug = "gemm"
    title = "GEMM explorer"
    caption = "See a product cut into tiles, dealt to the SMs in waves, and what each tile would cost"
    options_kind = GemmOptions

    def __init__(self, scenario: Scenario = DEFAULT, options: GemmOptions | None = None) -> None:
        super().__init__(scenario, options)

    def _build(self) -> None:
        self.product, self.tile = (w.Dropdown(description=tr(label)) for label in ("Product", "Tile"))
        super()._build()

    def extra_controls(self) -> Sequence[w.DOMWidget]:
        """Return the pickers of the product and of its tile."""
        for picker in (self.product, self.tile):
            self.aria.set(picker, "select", **{"aria-label": picker.description})
        return (self.product, self.tile)

    def _listen(self) -> None:
        super()._listen()
        for name in ("product", "tile"):
            getattr(self, name).observe(lambda event, name=name: self._pick(name, event.new), "value")

    def _pick(self, name: str, value: str | None) -> None:
        if self._ready and value and value != getattr(self.options, name):
            self._choose(name, value)

    def accept(self, scenario: Scenario) -> Scenario:
        """Return a scenario with a product that is cut into tiles of a library's choice."""
        if not products(scenario):
            raise ValueError(f"the GEMM explorer needs a product that is cut into tiles: "
                             f"{scenario.layer.title} has none")  # fmt: skip
        return scenario

    def fitted(self, scenario: Scenario, options: Any) -> Any:
        """Return options whose product and tile there are."""
        known = products(scenario)
        if options.product not in known:
            options = replace(options, product=next(iter(known)))
        tiles = {tile_name(each.cost) for each in found_for(scenario, options.product)}
        return options if options.tile in {BEST, *tiles} else replace(options, tile=BEST)

    def panes_made(self) -> list[Pane]:
        """Return the tiles and waves, and the candidates."""
        return [TilePane(), self.pane("Candidates", tile_candidates)]

    @property
    def cost(self) -> Cost:
        """The product looked at, in the tile looked at."""
        return looked_at(self.scenario, self.options)

    def words(self) -> Sequence[str]:
        """Return how the product is cut up, what that leaves of the rate, and which tile would be best."""
        cost, plan = self.cost, tile_plan(self.cost)
        best = found_for(self.scenario, self.options.product)[0].cost
        left = tr(
            "Tiles leave {tiles} of the math rate, waves {waves}; {time} in all.",
            tiles=f"{cost.tile_efficiency:.0%}", waves=f"{cost.wave_efficiency:.0%}", time=si(cost.time, "s"),
        )  # fmt: skip
        slower = cost.time / best.time - 1
        other = ""
        if slower > 0.005:
            other = tr("In tiles of {tile} it would take {time}, {share} less.", tile=tile_name(best),
                       time=si(best.time, "s"), share=f"{1 - best.time / cost.time:.0%}")  # fmt: skip
        return (plan.matrix_alt, plan.waves_alt, left, other)

    def numbers(self) -> tuple[Readout, ...]:
        """Return the counts of the product looked at."""
        cost = self.cost
        assert cost.tiling
        t = cost.tiling
        return (
            Readout("time", tr("time"), si(cost.time, "s")),
            Readout("tiles", tr("tiles"), f"{t.tiles:,}"),
            Readout("split", tr("split along k"), f"{t.split}"),
            Readout("waves", tr("waves"), f"{t.waves:,}"),
            Readout("tile", tr("tile efficiency"), f"{cost.tile_efficiency:.1%}"),
            Readout("wave", tr("wave efficiency"), f"{cost.wave_efficiency:.1%}"),
            *(each for each in super().numbers() if each.key in ("peak", "bandwidth")),
        )

    def why(self, key: str) -> Why:
        """Return the arithmetic of a count."""
        found = {each.key: each for each in self.numbers()}
        if key not in found or key in ("peak", "bandwidth"):
            return why(self.scenario, key)
        return Why(f"{found[key].label}{tr(': ')}{found[key].text}", _arithmetic(self.cost, key))

    def questions(self) -> tuple[Question, ...]:
        """Return what can be predicted of the product looked at."""
        own = (
            Question(
                "tiles", "Into how many tiles is the output cut?", lambda s, o: looked_at(s, o).tiling.tiles
            ),
            Question("waves", "In how many waves do they run?", lambda s, o: looked_at(s, o).tiling.waves),
        )
        return (*own, *(each for each in QUESTIONS if each.key not in ("waves",)))

    def _show(self) -> None:
        found = found_for(self.scenario, self.options.product)
        tiles = [(f"{tile_name(c)} · {si(c.time, 's')}", tile_name(c)) for c, _ in found]
        _offer(self.product, [(name, name) for name in products(self.scenario)], self.options.product)
        _offer(self.tile, [(tr(BEST), BEST), *tiles], self.options.tile)
        super()._show()


def _offer(picker: w.Dropdown, options: list[tuple[str, str]], value: str) -> None:
    """Set a picker's options and value; equal options are not sent."""
    if list(picker.options) != options:
        picker.options = options
    picker.value = value


def _arithmetic(cost: Cost, key: str) -> tuple[str, ...]:
    t = cost.tiling
    assert t
    g = t.gemm
    batch = f"{g.batch:,} x " if g.batch > 1 else ""
    return {
        "time": tuple(cost.explain().split("\n")),
        "tiles": (f"{batch}ceil({g.m:,} / {t.tile_m}) x ceil({g.n:,} / {t.tile_n}) = {t.tiles:,}",),
        "split": (tr("each tile's {k} steps of k are dealt to {split} SMs", k=f"{g.k:,}", split=t.split),),
        "waves": (f"ceil({t.tiles:,} x {t.split} / {t.sms} places) = {t.waves:,}",),
        "tile": (
            f"{batch}{g.m:,} x {g.n:,} / ({t.tiles:,} x {t.tile_m} x {t.tile_n}) = {t.tile_efficiency:.1%}",
        ),
        "wave": (f"{t.parts:,} / ({t.waves:,} x {t.sms}) = {t.wave_efficiency:.1%}",),
    }[key]
