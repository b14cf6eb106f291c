"""Memory against the batch: the stack, the capacities, the largest batch, and what each switch saves."""

from dataclasses import replace
from itertools import pairwise

import pytest

import dlperf_widgets as dp
from dlperf_widgets import gpus, models
from dlperf_widgets.charts import Area, Line, MemoryOptions, footprint_chart, lower, switches_html
from dlperf_widgets.charts.footprint import fitting_reach, parts_of
from dlperf_widgets.charts.memory_options import OFF, in_place, largest, need, needed
from dlperf_widgets.charts.switches import sentence, switches
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import Activation, Attention, Linear, Residual, Sequence
from dlperf_widgets.models import MODELS
from dlperf_widgets.ops import TRAINING
from dlperf_widgets.units import GIB

A100, V100 = gpus.A100_SXM4_80GB, gpus.V100_SXM2_16GB
VGG = Scenario(models.Vgg16(batch=32), A100, FP32, TRAINING)
P = 138_357_544  # parameters of VGG-16
OPTIONS = MemoryOptions(reach=400)


def asked(scenario=VGG, **options):
    return needed(need(scenario, MemoryOptions(**options)))


def marks(scenario=VGG, options=OPTIONS):
    return {mark.name: mark for mark in footprint_chart(scenario, options).marks}


def turned(scenario=VGG, **options):
    return {each.name: each for each in switches(scenario, MemoryOptions(**options))}


class TestStack:
    def test_each_part_is_as_high_as_what_it_takes(self):
        found = marks()
        areas = [mark for mark in found.values() if isinstance(mark, Area)]
        assert [area.name for area in areas] == [
            "reserve", "weights", "gradients", "optimizer state", "activations",
        ]  # fmt: skip
        assert all(below.top == above.base for below, above in pairwise(areas))
        heights = {a.name: (a.top[0] - a.base[0], a.top[1] - a.base[1]) for a in areas}
        # FP32 and Adam: 4 + 4 + 8 bytes a parameter whatever the batch
        assert heights["weights"] == pytest.approx((4 * P / GIB,) * 2)
        assert heights["optimizer state"] == pytest.approx((8 * P / GIB,) * 2)
        assert heights["reserve"] == pytest.approx((0.6, 0.6))
        full = dp.footprint(models.Vgg16(), FP32)
        assert areas[-1].top == pytest.approx((full.total(0) / GIB + 0.6, full.total(400) / GIB + 0.6))

    def test_the_point_is_the_answer(self):
        total = dp.footprint(models.Vgg16(), FP32).total(32)
        point = marks()["now"]
        assert point.x == (32,)
        assert point.y == pytest.approx((total / GIB + 0.6,))
        assert point.drag == "batch"

    def test_only_the_point_moves_with_the_batch(self):
        one, other = (lower(footprint_chart(s, OPTIONS)) for s in (VGG, VGG.resized("batch", 40)))
        assert [name for name in one if one[name] != other[name]] == ["now"]

    def test_capacities_are_those_of_the_gpus(self):
        options = replace(OPTIONS, others=("V100 SXM2 16GB", "A100 PCIe 80GB"))
        lines = [m for m in marks(options=options).values() if isinstance(m, Line) and "GiB" in m.name]
        assert [(line.name, line.y[0]) for line in lines] == [
            ("A100 SXM4 80GB, A100 PCIe 80GB: 80 GiB", 80), ("V100 SXM2 16GB: 16 GiB", 16),
        ]  # fmt: skip

    def test_labels_of_capacities_keep_apart(self):
        names = tuple(gpu.name for gpu in gpus.GPUS)
        chart = footprint_chart(VGG, replace(OPTIONS, others=names))
        labelled = sorted(m.y[0] for m in chart.marks if isinstance(m, Line) and m.label)
        top = chart.y.domain[1]
        assert len(labelled) > 3
        assert all(high - low > 0.06 * top for low, high in pairwise(labelled))

    def test_parts_add_up(self):
        found = asked(replace(VGG, dtype=FP16), precision="amp", zero=OFF)
        parts = parts_of(found)
        assert sum(constant for constant, _ in parts.values()) == pytest.approx(found.constant)
        assert sum(slope for _, slope in parts.values()) == pytest.approx(found.per_sample)

    def test_a_cache_is_a_part_of_inference(self):
        scenario = Scenario(models.Llama("2-7B"), A100, FP16)
        parts = parts_of(asked(scenario, context=4096))
        # 2 x 32 layers x 4096 tokens x 32 heads x 128 x 2 B = 2 GiB
        assert parts["cache"] == (0, 2 * GIB)
        assert "gradients" not in parts


class TestLargestBatch:
    @pytest.mark.parametrize("kind", [m for m in MODELS if m is not models.Gpt3], ids=str)
    @pytest.mark.parametrize("gpu", [A100, V100], ids=str)
    def test_it_is_that_of_the_core(self, kind, gpu):
        scenario = Scenario(kind(), gpu, FP16, TRAINING)
        found = largest(asked(scenario), gpu, 0.6 * GIB)
        if found:
            assert found == dp.largest_batch(kind(), gpu, FP16, reserve=0.6 * GIB)
        else:
            assert asked(scenario).total(1) > gpu.memory - 0.6 * GIB

    def test_the_pole_stands_there(self):
        most = largest(asked(), A100, 0.6 * GIB)
        found = marks(options=replace(OPTIONS, reach=2 * most))
        assert found["fits up to here"].x == (most, most)
        assert found["largest batch"].labels == (f"largest batch {most:,}",)
        assert asked().total(most) <= A100.memory - 0.6 * GIB < asked().total(most + 1)

    def test_none_without_room(self):
        scenario = replace(VGG, gpu=V100, layer=Linear(1, 65536, 65536, bias=False))
        # 2^32 parameters x 16 B
        assert largest(asked(scenario), V100, 0) == 0
        assert "largest batch" not in marks(scenario)

    def test_the_picture_holds_the_present_and_the_largest_batch(self):
        for kind in MODELS:
            scenario = Scenario(kind(), A100, FP16, TRAINING)
            reach = fitting_reach(scenario, MemoryOptions())
            assert reach >= (largest(asked(scenario), A100, 0.6 * GIB) or 0)
            assert reach % 4 == 0


class TestInPlace:
    @pytest.mark.parametrize("kind", MODELS, ids=str)
    @pytest.mark.parametrize("training", [True, False])
    def test_networks_are_built_as_their_option_says(self, kind, training):
        built = dp.footprint(kind(), FP16, training=training)
        alike = dp.footprint(in_place(kind(batch=1), True), FP16, training=training)
        assert (built.constant, built.per_sample) == (alike.constant, alike.per_sample)

    def test_it_reaches_every_activation_that_can(self):
        block = Residual(Sequence.of(up=Linear(1, 8, 8), act=Activation(8), down=Linear(1, 8, 8)))
        layer = Sequence.of(block=block, gelu=Activation(8, "gelu"))
        changed = in_place(layer, True)
        assert changed.layers[0][1].body.layers[1][1].inplace
        assert not changed.layers[1][1].inplace  # its backward pass reads the input
        assert in_place(changed, False) == layer
        assert in_place(layer, False) is layer

    def test_training_saves_nothing_and_inference_a_tensor(self):
        switch = turned(Scenario(Activation(10**6), A100, FP16, TRAINING))["Activations in place"]
        assert switch.saved == 0
        assert sentence(switch).startswith("Saves nothing here.")
        inference = turned(Scenario(Activation(10**6), A100, FP16))["Activations in place"]
        assert inference.saved == 2 * 10**6
        assert inference.on is False
        assert sentence(inference).startswith("Would save 2 MB = 1.907 MiB.")


class TestSwitches:
    def test_each_is_the_difference_that_the_core_makes(self):
        layer = models.Vgg16()
        found = turned(batch_of(32), zero="2: and gradients", ranks=4)
        now = dp.footprint(layer, FP32, zero=2, ranks=4).total(32)
        assert found["ZeRO"].sizes == (dp.footprint(layer, FP32).total(32), now)
        assert found["ZeRO"].on
        plain = dp.footprint(layer, FP32, "sgd", zero=2, ranks=4).total(32)
        assert found["Plain SGD"].sizes == (now, plain)
        assert found["Plain SGD"].labels == ("adam", "sgd")

    def test_zero_of_a_large_model(self):
        # 7.5e9 parameters x 16 B over 64 ranks: 120 GB, and at stage 3 16 / 64 of it
        scenario = Scenario(Linear(1, 100_000, 75_000, bias=False), A100, FP16, TRAINING)
        zero = turned(scenario, precision="master", zero="3: and weights", ranks=64)["ZeRO"]
        assert zero.saved == pytest.approx(120e9 * 63 / 64)

    def test_mixed_precision_is_compared_with_fp32(self):
        half = Scenario(models.Vgg16(batch=32), A100, FP16, TRAINING)
        both_16 = turned(half)["Mixed precision"]
        assert both_16.on is None
        assert "Now all is FP16" in sentence(both_16)
        # FP32: 16 B a parameter; 16 bits with master weights: 2 + 2 + 4 + 8, as many
        switch = turned(half, precision="master")["Mixed precision"]
        assert switch.on
        halves = dp.footprint(models.Vgg16(), FP32).per_sample, asked(half).per_sample
        assert switch.saved == pytest.approx(32 * (halves[0] - halves[1]))
        assert turned(VGG)["Mixed precision"].on is False

    def test_checkpointing_says_what_runs_again(self):
        switch = turned(Scenario(models.Gpt2(batch=8), A100, FP16, TRAINING), checkpoint=True)[
            "Checkpointing"
        ]
        assert switch.on
        assert sentence(switch).startswith("Saves ")
        share = dp.footprint(models.Gpt2(), FP16, checkpoint=True).recomputed
        assert f"{share:.0%} of the forward pass runs again" in sentence(switch)
        assert "no block" in sentence(turned(Scenario(Linear(), A100, FP16, TRAINING))["Checkpointing"])

    def test_what_takes_more_says_so(self):
        scenario = Scenario(Attention(1, 1, 4096, 8, 64), A100, FP16)
        cache = turned(scenario, context=1024)["Cache of 1,024 tokens"]
        # 2 x 8 heads x 64 x 2 B x 1024 tokens
        assert cache.saved == -2 * 8 * 64 * 2 * 1024
        assert sentence(cache).startswith("Takes 2.097 MB = 2 MiB more.")

    def test_inference_has_no_training_switches(self):
        assert set(turned(Scenario(models.Vgg16(), A100, FP16))) == {"Activations in place", "ZeRO"}

    def test_the_table_lists_switches_and_gpus(self):
        html = switches_html(VGG, MemoryOptions())
        for word in ("Checkpointing", "ZeRO", "Mixed precision", "V100 SXM2 16GB", "Batch 32 fits"):
            assert word in html


def batch_of(size):
    return VGG.resized("batch", size)
