"""The live picture: what goes over the wire, what comes back, and what is left without a kernel."""

import json

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.charts.tile_plan import tile_plan
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.candidates import in_tile
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Matmul

tile_map = pytest.importorskip("dlperf_widgets.views.tile_map")


def plan(size, *tile):
    own = Scenario(Matmul(1, size, size, 64), gpus.A100_SXM4_80GB, FP16).costs[0]
    return tile_plan(in_tile(own, *tile))


SMALL, LARGE = plan(1793, 256, 128, 1), plan(20_000, 32, 64, 1)


def test_a_hundred_thousand_tiles_are_a_few_numbers():
    assert LARGE.tiles == 625 * 313
    sent = tile_map.TileMap(LARGE).get_state(["plan"])["plan"]
    assert sent == LARGE.numbers()
    assert len(json.dumps(sent)) < 600
    assert (sent["tiles"], sent["waves"], sent["tail"]) == (195_625, 1812, 37)  # 1811 x 108 = 195,588


def test_another_plan_brings_its_words_and_forgets_tiles_that_are_no_more():
    picture = tile_map.TileMap(LARGE)
    picture.pointed = picture.chosen = 119
    picture.show(SMALL)
    assert (picture.pointed, picture.chosen) == (119, 119)
    assert picture.alt == SMALL.alt
    assert picture.words["matrix"] == SMALL.matrix_alt
    assert picture.words["waves"] == SMALL.waves_alt
    picture.show(LARGE)
    picture.pointed, picture.chosen = 120, 121
    picture.show(SMALL)
    assert (picture.pointed, picture.chosen) == (-1, -1)


def test_the_browser_has_every_word_it_asks_for():
    words = tile_map.TileMap(SMALL).words
    fields = {"tile": ("rows", "columns", "slots"), "product": ("product", "tile"), "padding": ("share",)}
    fields |= {"slot": ("wave", "sm", "start", "end"), "idle": ("wave", "sm", "start", "end")}
    for name, each in fields.items():
        assert all(f"{{{field}}}" in words[name] for field in each), name
    script = (tile_map._HERE / "static" / "tile_map.js").read_text()
    for name in words:
        assert f".{name}" in script, f"the browser never says {name!r}"


def test_a_page_without_a_kernel_has_the_picture_and_its_words():
    data, _ = tile_map.TileMap(SMALL)._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"]
    assert data["text/html"].startswith("<svg")
    assert "<p>The output of 1793\u00a0×\u00a01793" in data["text/html"]


def test_the_style_sheet_brings_the_roles_in_both_themes():
    style = str(tile_map.TileMap(SMALL)._css)
    assert ":root{--dlp-math:#d55e00" in style
    assert '[data-jp-theme-light="false"],[data-theme="dark"]{--dlp-math:#ff8c42' in style
    assert ".dlp-tiles-stage" in style
