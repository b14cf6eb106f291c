"""Counts that other tools have got wrong, and what a size just above a tile costs."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus, models
from dlperf_widgets.charts import CHARTS, Options, svg
from dlperf_widgets.cost import Scenario, Tiling
from dlperf_widgets.cost.table import summary, tabulate
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import (
    Add,
    Attention,
    Conv2d,
    ConvTranspose2d,
    Linear,
    Lstm,
    MultiheadAttention,
)
from dlperf_widgets.ops import TRAINING, Gemm

A100 = gpus.A100_SXM4_80GB


@pytest.mark.parametrize(
    ("layer", "macs"),
    [
        # 32*1*9 for one input pixel; elsewhere 81 or, for each of 3 x 3 output pixels, 2592
        (ConvTranspose2d(1, 32, 1, 1, 1, 3, 3, bias=False), 288),
        # 3*1*4 * 2*2 input pixels, and apart a bias for each of 4 x 4 output pixels; elsewhere 208, 52, 64
        (ConvTranspose2d(1, 3, 1, 2, 2, 2, 2, stride=2), 48),
        # 64*32*16 * 16*16; elsewhere times the stride squared, 33,554,432
        (ConvTranspose2d(1, 64, 32, 16, 16, 4, 4, 2, 1, bias=False), 8_388_608),
        # all leading dimensions: 5*10 and 5*100*100; elsewhere 160 for both, or with the bias a third more
        (Linear(5 * 10, 3, 8), 1_200),
        (Linear(5 * 100 * 100, 3, 8), 1_200_000),
        # part by part below; elsewhere 173 million or 11.28 billion
        (models.VitB16(), 17_563_828_224),
        # 5 steps * 3 samples * (4*20*10 + 4*20*20); elsewhere 0, 38,400, 40,800
        (Lstm(3, 5, 10, 20), 36_000),
        # 4*580*512^2 + 2*580^2*512; elsewhere 0, 1,301,297,280
        (MultiheadAttention(1, 580, 512, 4), 952_647_680),
        # 2*12*64 * 64^2, and * 64*65/2; elsewhere 0, or the first for both
        (Attention(1, 64, 64, 12, 64), 6_291_456),
        (Attention(1, 64, 64, 12, 64, causal=True), 3_194_880),
        # twice that is 8.18 GFLOP; elsewhere "4.1 GFLOPs"
        (models.ResNet50(), 4_089_184_256),
        # 24 * 30*30 * 9; elsewhere backward counts the weights' gradient 24 times
        (Conv2d(1, 24, 24, 32, 32, 3, 3, groups=24, bias=False), 194_400),
    ],
    ids=str,
)
def test_multiply_adds_are_exact_and_named(layer, macs):
    assert layer.macs == macs
    # both counts are printed, each under its name
    table = summary(layer)
    total = dict(zip(table.columns, table.total, strict=True))
    assert (total["MACs"], total["FLOPs"]) == (macs, 2 * macs)
    assert f"{macs:,}" in str(table) and f"{2 * macs:,}" in str(table)
    assert "A multiply-add is two FLOPs" in str(table)


def test_vit_part_by_part():
    # patches 768*(3*16*16)*196; a block: 12*197*768^2 of products and 2*197^2*768 of attention; 768*1000
    rows = [(path, leaf.macs, count) for path, leaf, count in models.VitB16().leaves()]
    patches, head = (macs for path, macs, _ in rows if path in ("patches", "head"))
    attention = sum(macs for path, macs, _ in rows if path.endswith("heads.attention"))
    linear = sum(macs for _, macs, count in rows if count == 12) - attention
    assert (patches, head) == (115_605_504, 768_000)
    assert linear == 12 * 197 * 768**2 == 1_394_343_936
    assert attention == 2 * 197**2 * 768 == 59_610_624
    assert patches + 12 * (linear + attention) + head == models.VitB16().macs
    assert round(models.VitB16().flops / 1e9, 2) == 35.13


def test_resnet_50_in_both_conventions():
    model = models.ResNet50()
    assert round(model.macs / 1e9, 3) == 4.089
    assert model.flops == 8_178_368_512
    # some tables print twice the multiply-adds, small operations included, as "FLOPs(G)": 8.23 and 31.23
    for other, printed in ((model, 8.23), (models.Vgg16(), 31.23)):
        assert (other.flops + other.other_flops) / 1e9 == pytest.approx(printed, rel=0.015)


@pytest.mark.parametrize("elements", [6, 20])
def test_an_addition_is_counted_among_the_others(elements):
    total = dict(zip(summary(Add(elements)).columns, summary(Add(elements)).total, strict=True))
    assert (total["MACs"], total["Other FLOPs"]) == (0, elements)


@pytest.mark.parametrize("model", [models.Llama("2-7B"), models.Gpt2("small"), models.Bert("base")], ids=str)
def test_twice_the_sequence_is_more_than_twice_the_work(model):
    short, long = (replace(model, sequence=size) for size in (256, 512))
    assert long.macs > 2 * short.macs
    assert long.params == short.params


def test_drawing_and_printing_again_give_the_same():
    scenario = Scenario(models.AlexNet(2), A100, FP16, TRAINING)
    pictures = [[svg(chart(scenario, Options("batch"))) for chart in CHARTS] for _ in range(2)]
    assert pictures[0] == pictures[1]
    for view in (lambda: str(summary(scenario.layer)), lambda: str(tabulate(scenario))):
        assert view() == view()
    assert scenario == Scenario(models.AlexNet(2), A100, FP16, TRAINING)
    assert scenario.flops == Scenario(models.AlexNet(2), A100, FP16, TRAINING).flops


class TestTiles:
    def test_just_above_a_wave_in_time(self):
        # 1792^2 is 98 tiles of 256 x 128 in one wave; 1800^2, 0.9% more, is two waves of these: smaller
        # tiles, less efficient, take less
        one, two = (Scenario(Linear(n, 4096, n), A100, FP16).costs[0] for n in (1792, 1800))
        assert (one.tiling.tiles, one.tiling.waves) == (98, 1)
        assert Tiling(two.op, 256, 128, 108).waves == 2
        assert two.tiling.tile_m * two.tiling.tile_n < 256 * 128
        assert two.flops / one.flops == pytest.approx(1.009, abs=5e-4)
        assert two.time > 1.4 * one.time

    @pytest.mark.parametrize(
        ("rows", "tiles"), [(10, 1), (16, 1), (31, 1), (32, 1), (33, 2), (64, 2), (65, 3)]
    )
    def test_few_rows_in_tiles_of_32(self, rows, tiles):
        tiling = Tiling(Gemm(rows, 32, 4096), 32, 32, sms=1)
        assert (tiling.tiles, tiling.waves) == (tiles, tiles)  # one after another on one SM

    def test_a_vocabulary_padded_to_64(self):
        assert -(-50257 // 64) * 64 == -(-50257 // 128) * 128 == 50304 == 393 * 128
        odd, padded = (Scenario(Linear(4096, 768, size), A100, FP16).time for size in (50257, 50304))
        assert padded < odd
