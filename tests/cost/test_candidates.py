"""Every tile that a product may be cut into has its cost, and the model's own choice is among them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario, product
from dlperf_widgets.cost.candidates import best_split, candidates, in_tile, menu
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import Activation, Attention, Conv2d, Matmul
from dlperf_widgets.ops import TRAINING

A100 = gpus.A100_SXM4_80GB
SIZES = st.integers(1, 8192)
GPUS = st.sampled_from([A100, gpus.V100_SXM2_16GB, gpus.H100_SXM5_80GB])


def cost(m, n, k, batch=1, gpu=A100, dtype=FP16):
    return Scenario(Matmul(batch, m, n, k), gpu, dtype).costs[0]


@settings(deadline=None)
@given(SIZES, SIZES, SIZES, st.sampled_from([1, 1, 3, 48]), GPUS, st.sampled_from([FP16, FP32]))
def test_the_choice_of_the_model_is_one_of_them_and_costs_the_same(m, n, k, batch, gpu, dtype):
    own = cost(m, n, k, batch, gpu, dtype)
    found = candidates(own)
    assert [each.cost for each in found if each.chosen] == [own]
    assert len(found) == len(menu(own.work)) == len({each.cost.tile for each in found})
    assert [each.cost.time for each in found] == sorted(each.cost.time for each in found)
    for each in found:
        assert each.cost.tiling.split == best_split(own.work, each.cost.tile)


@settings(deadline=None)
@given(SIZES, SIZES, SIZES, GPUS)
def test_no_other_split_that_was_tried_is_faster(m, n, k, gpu):
    own = cost(m, n, k, gpu=gpu)
    for each, _ in candidates(own):
        assert each.time <= in_tile(own, each.tile.m, each.tile.n, 1).time * (1 + 1e-9)


def test_a_tile_of_ones_own_choice_says_what_it_would_cost():
    own = cost(1792, 1792, 1792)
    forced = in_tile(own, 64, 64)
    assert (forced.tiling.tile_m, forced.tiling.tile_n) == (64, 64)
    assert forced.time == product.steps(own.work, forced.tile, forced.tiling)[-1] + own.exposed_launch
    assert forced.time > own.time
    assert in_tile(forced, own.tile.m, own.tile.n) == own  # and back: forcing loses nothing
    assert [each.chosen for each in candidates(forced) if each.cost == own] == [True]


def test_a_split_of_ones_own_choice():
    # 16 tiles of 128 x 128 leave 92 of 108 SMs idle; four parts each give 64 of them work.
    own = cost(512, 512, 8192)
    whole, split = in_tile(own, 128, 128, 1), in_tile(own, 128, 128, 4)
    assert (whole.tiling.parts, split.tiling.parts) == (16, 64)
    assert split.time < whole.time
    best = in_tile(own, 128, 128)
    assert best.tiling.split > 1 and best.time <= split.time


def test_of_all_phases_and_of_convolutions_on_cuda_cores():
    layer = Conv2d(8, 64, 64, 56, 56, 3, 3, padding=1)
    for own in Scenario(layer, gpus.GTX_1080_TI, FP32, TRAINING).costs:
        assert own.way is not None
        assert own in [each.cost for each in candidates(own)]
        other = max(candidates(own), key=lambda each: each.cost.time).cost
        assert other.way.tile == other.tile and other.way.tiling == other.tiling
        assert len(menu(own.work)) == 1 or other.time > own.time


def test_what_cannot_be_chosen_is_refused_in_words():
    own = cost(512, 512, 512)
    with pytest.raises(ValueError, match=r"no tile of 100 x 100 here: choose from 128 x 256, "):
        in_tile(own, 100, 100)
    with pytest.raises(ValueError, match="k of 512 cannot be split into 513 parts"):
        in_tile(own, 128, 128, 513)
    for layer, why in (
        (Activation(1024), "a pass over memory has no output"),
        (Attention(1, 512, 512, 8, 64), "fused attention walks along its keys"),
    ):
        with pytest.raises(ValueError, match=why):
            candidates(Scenario(layer, A100, FP16).costs[0])
