"""A product's tiles and waves as numbers, words and an SVG."""

import xml.etree.ElementTree as ET
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.charts.tile_plan import tile_plan
from dlperf_widgets.charts.tile_svg import shade, tile_svg
from dlperf_widgets.cost import Scenario, product
from dlperf_widgets.cost.candidates import in_tile
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import Activation, Conv2d, Matmul, Rnn

A100 = gpus.A100_SXM4_80GB
SIZES = st.integers(1, 3000)


def cost(m, n, k, batch=1, tile=None, gpu=A100, dtype=FP16):
    own = Scenario(Matmul(batch, m, n, k), gpu, dtype).costs[0]
    return in_tile(own, *tile) if tile else own


def plain(text):
    """Return a sentence with ordinary spaces where it has such as do not break."""
    return text.replace("\u00a0", " ")


def plan(*args, **kwargs):
    return tile_plan(cost(*args, **kwargs))


BEFORE = plan(1792, 1792, 1792, tile=(256, 128, 1))
AFTER = plan(1793, 1793, 1792, tile=(256, 128, 1))


def test_one_row_and_column_more_start_a_second_wave():
    # 1792 / 256 = 7, 1792 / 128 = 14: 98 tiles on 108 SMs. 1793 needs 8 x 15 = 120, 12 more than SMs.
    assert (BEFORE.tiles_m, BEFORE.tiles_n, BEFORE.tiles, BEFORE.waves, BEFORE.tail) == (7, 14, 98, 1, 98)
    assert (AFTER.tiles_m, AFTER.tiles_n, AFTER.tiles, AFTER.waves, AFTER.tail) == (8, 15, 120, 2, 12)
    assert BEFORE.padding == 0
    # 1793 x 1793 = 3,214,849 of 120 x 256 x 128 = 3,932,160.
    assert AFTER.padding == pytest.approx(1 - 3_214_849 / 3_932_160)


def test_waves_follow_each_other_and_hold_every_part():
    waves = [AFTER.wave(index) for index in range(AFTER.waves)]
    assert [(wave.first, wave.parts) for wave in waves] == [(0, 108), (108, 12)]
    assert waves[0].start == 0
    assert waves[1].end == 2 * AFTER.wave_time
    assert all(before.end == after.start for before, after in pairwise(waves))


def test_where_parts_lie_and_run():
    part = AFTER.part(9)  # eight to a column: the second of the second column
    assert (part.rows, part.columns, part.wave, part.sm) == (range(256, 512), range(128, 256), 0, 9)
    assert not AFTER.is_partial(9)
    last = AFTER.part(119)
    assert (last.rows, last.columns, last.wave, last.sm) == (range(1792, 1793), range(1792, 1793), 1, 11)
    assert [tile for tile in range(120) if AFTER.is_partial(tile)] == [
        tile for tile in range(120) if tile % 8 == 7 or tile >= 112
    ]


@settings(deadline=None)
@given(SIZES, SIZES, st.sampled_from([64, 8192]), st.sampled_from([1, 5]))
def test_tiles_cover_the_output_once_and_every_turn_is_one_parts(m, n, k, batch):
    each = plan(m, n, k, batch)
    parts = [each.part(index) for index in range(each.tiles)]
    assert sum(len(part.rows) * len(part.columns) for part in parts) == batch * m * n
    assert len({(part.product, part.rows, part.columns) for part in parts}) == each.tiles
    turns = Counter(slot for tile in range(each.tiles) for slot in each.slots(tile))
    assert len(turns) == each.parts and set(turns.values()) == {1}
    assert sum(each.wave(index).parts for index in range(each.waves)) == each.parts


@settings(deadline=None)
@given(SIZES, SIZES, st.integers(1, 8192), st.sampled_from([A100, gpus.V100_SXM2_16GB]))
def test_the_numbers_are_those_of_the_model(m, n, k, gpu):
    one = cost(m, n, k, gpu=gpu)
    each = tile_plan(one)
    assert (each.tiles, each.parts, each.waves) == (one.tiling.tiles, one.tiling.parts, one.tiling.waves)
    assert each.tail / each.sms == pytest.approx(one.tiling.tail)
    assert 1 - each.padding == pytest.approx(one.tile_efficiency)
    assert each.memory_time == product.moved_time(one.work)
    assert each.busy_time == one.busy_time
    math = each.waves * each.wave_time
    if each.split > 1:
        together = product.split_time(one.work, one.tiling, math, each.memory_time)
    else:
        together = product.combined(one.work.engine, math, each.memory_time)
    assert each.busy_time == pytest.approx(together)


def test_one_run_of_many_is_shown():
    # A recurrent layer multiplies once a time step: the picture is of one.
    steps = Scenario(Rnn(64, 10, 512, 512), A100, FP16).costs
    repeated = next(c for c in steps if c.tiling and c.op.repeat == 10)
    each = tile_plan(repeated)
    assert 10 * each.busy_time == pytest.approx(repeated.busy_time)
    assert each.wave_time * each.waves < repeated.busy_time / 9


def test_convolutions_on_cuda_cores_count_their_transforms():
    way = Scenario(Conv2d(8, 64, 64, 56, 56, 3, 3, padding=1), gpus.GTX_1080_TI, FP32).costs[0]
    assert way.way and way.way.transforms
    assert tile_plan(way).busy_time * way.work.runs == pytest.approx(way.busy_time)


def test_what_has_no_tiles_says_so():
    with pytest.raises(ValueError, match="has no tiles to choose: a pass over memory has no output"):
        tile_plan(Scenario(Activation(1024), A100, FP16).costs[0])


def test_the_pictures_in_words():
    assert plain(BEFORE.matrix_alt) == "The output of 1792 × 1792 is cut into 7 × 14 tiles of 256 × 128."
    assert plain(AFTER.matrix_alt).endswith(
        "8 × 15 tiles of 256 × 128. 18% of their area, hatched, is padding."  # 1 - 0.818
    )
    assert "98 tiles run in 1 wave of" in BEFORE.waves_alt
    assert "It fills 91% of them; the hatched ones idle." in BEFORE.waves_alt  # 98 / 108
    assert "120 tiles run in 2 waves of" in AFTER.waves_alt
    assert "The last fills 11% of them; the hatched ones idle." in AFTER.waves_alt  # 12 / 108
    assert AFTER.alt == f"{AFTER.matrix_alt} {AFTER.waves_alt}"
    full = plan(256 * 12, 128 * 9, 512, tile=(256, 128, 1))  # 108 tiles
    assert "idle" not in full.waves_alt
    assert plain(plan(512, 512, 64, 48).matrix_alt).startswith("Each of 48 outputs of 512 × 512 is cut")
    split = plan(512, 512, 8192, tile=(128, 128, 4))
    assert split.waves_alt.startswith("16 tiles, each split in 4 along k, run in 1 wave")


def test_a_share_is_never_rounded_to_none_or_all():
    # 12,801 rows are 51 tiles of 256, the last with one row: 255 / 13,056 = 1.95%; 25,601: 0.99%.
    assert "2% of" in plan(12_801, 128, 64, tile=(256, 128, 1)).matrix_alt
    assert "<1% of" in plan(25_601, 128, 64, tile=(256, 128, 1)).matrix_alt
    assert ">99% of" in plan(1, 1, 64, tile=(256, 128, 1)).matrix_alt


EVERY = {
    "one wave": BEFORE,
    "two waves": AFTER,
    "one tile": plan(1, 1, 1),
    "sliver": plan(50_000, 64, 512),
    "batch": plan(100, 100, 64, 300),
    "split": plan(512, 512, 8192, tile=(128, 128, 4)),
    "a million tiles": plan(32_000, 64_000, 64, tile=(32, 64, 1)),
    "as long as wide": plan(12_345, 12_345, 64),
}


@pytest.mark.parametrize("each", EVERY.values(), ids=EVERY)
def test_an_svg_is_well_formed_small_and_inside_its_frame(each):
    text = tile_svg(each)
    root = ET.fromstring(text)
    assert root.get("aria-label") == each.alt
    boxes = [node for node in root.iter("{http://www.w3.org/2000/svg}rect") if node.get("x")]
    assert len(boxes) <= 2000
    _, _, width, height = map(float, root.get("viewBox").split())
    for box in boxes:
        x, y, wide, high = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        assert x >= -0.1 and x + wide <= width
        assert y >= -0.1 and y + high <= height
    words = "".join(root.itertext())
    assert ("Too many tiles to draw" in words) == (each.tiles_m * each.tiles_n > 1200)
    assert ("Too many waves to draw" in words) == (each.waves > 300)
    assert ("The first of 300 products" in words) == (each.batch == 300)


def test_an_svg_has_a_box_for_each_tile_and_wave():
    one, two = tile_svg(BEFORE), tile_svg(AFTER)
    # Two boxes are the hatch itself, one is the bar of memory; a tail that is not full has an idle box.
    assert one.count("<rect") == 2 + 98 + (1 + 1) + 1
    assert two.count("<rect") == 2 + 120 + (2 + 1) + 1
    assert two.count(f"opacity:{shade(0, 2):.2f}") == 108 + 1  # tiles of the first wave, and the wave
    assert two.count(f"opacity:{shade(1, 2):.2f}") == 12 + 1


def test_later_waves_are_darker_and_neighbours_differ():
    for waves in (2, 12, 13, 40):
        shades = [shade(wave, waves) for wave in range(waves)]
        assert all(abs(after - before) > 0.04 for before, after in pairwise(shades))
        assert min(shades) > 0.3 and max(shades) <= 1
        assert shades[-1] > shades[0]
