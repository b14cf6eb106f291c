"""What stands behind a predicted time: constants with their data, an error, and a band."""

from collections import Counter
from dataclasses import replace
from math import inf

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.cost import calibration as calibrations
from dlperf_widgets.cost.constants import CONSTANTS, FAMILIES, Calibration
from dlperf_widgets.cost.errors import ERRORS
from dlperf_widgets.cost.validation import bucket, interval, standing, trust, widest
from dlperf_widgets.dtypes import FP8, FP16, FP32
from dlperf_widgets.layers import Attention, Conv2d, LayerNorm, Linear, Matmul, Softmax
from dlperf_widgets.ops import TRAINING, Phase

A100, V100 = gpus.A100_SXM4_80GB, gpus.V100_PCIE_32GB


def row(layer, gpu=A100, dtype=FP16, launch=Launch.GRAPH, phases=(Phase.FPROP,)):
    return Scenario(layer, gpu, dtype, phases, launch).costs[-1]


class TestConstants:
    def test_each_has_a_name_a_unit_a_meaning_and_data(self):
        assert [c.name for c in CONSTANTS] == list(Calibration._fields)
        for constant in CONSTANTS:
            assert constant.unit and len(constant.meaning) > 10
            assert 0 < constant.value <= constant.most <= inf
            assert all(0 < value <= constant.most for value in constant.own.values())
            assert set(constant.guessed) <= {"", *constant.own}
        for family in FAMILIES.values():
            assert family.data and family.rows > 1000 and family.date.count("-") == 2

    def test_they_are_few(self):
        own = Counter((c.family, kind) for c in CONSTANTS for kind in c.own)
        for family in ("tensor", "cuda", "stream", "convolution", "attention"):
            shared = sum(c.family == family and "" not in c.guessed for c in CONSTANTS)
            assert shared <= 10, family
        assert max(own.values()) <= 4

    def test_every_kind_of_gpu_that_has_a_value_exists(self):
        kinds = {kind for gpu in gpus.GPUS for kind in calibrations.kinds(gpu)}
        assert {kind for c in CONSTANTS for kind in c.own} <= kinds

    def test_a_gpu_takes_the_value_of_its_kind(self):
        energy = next(c for c in CONSTANTS if c.name == "tensor_energy")
        assert calibrations.of(A100).tensor_energy == energy.own["8.0"]
        assert calibrations.of(gpus.H200_SXM_141GB).tensor_energy == energy.own["9.0"]
        assert calibrations.kind(gpus.L4, "bandwidth_share") == "slow memory"
        assert calibrations.kind(A100, "bandwidth_share") == ""

    def test_a_gpu_brings_its_own(self):
        own = replace(A100, name="own", calibration=(("tensor_rate", 0.5),))
        assert calibrations.of(own).tensor_rate == 0.5
        assert calibrations.of(own)._replace(tensor_rate=1) == calibrations.of(A100)._replace(tensor_rate=1)
        assert row(Linear(8192, 8192, 8192), own).time > 1.5 * row(Linear(8192, 8192, 8192)).time
        assert hash(own) != hash(A100)

    @pytest.mark.parametrize(
        ("gpu", "family", "like"),
        [(A100, "tensor", "8.0"), (gpus.RTX_5090, "tensor", "8.9"), (gpus.B200_SXM_180GB, "tensor", "9.0"),
         (gpus.H100_SXM5_80GB, "cuda", "8.0"), (V100, "attention", "8.0"), (gpus.P4, "cuda", "6.1")],
    )  # fmt: skip
    def test_what_was_not_measured_is_taken_to_be_like_the_nearest(self, gpu, family, like):
        found = calibrations.standing(gpu, family)
        assert found.like == like
        assert found.own(gpu) is (like == gpu.compute_capability)


class TestBands:
    def test_every_entry_is_an_error_a_count_its_data_and_three_factors(self):
        for (kind, capability), (error, rows, data, factors) in ERRORS.items():
            assert kind and float(capability) >= 6
            assert 0.01 < error < 0.45 and rows > 500 and ", " in data
            assert len(factors) == 3 and all(1 < factor < 4 for factor in factors)

    def test_a_band_lies_around_the_time(self):
        for layer, gpu, dtype, launch in (
            (Linear(512, 1024, 4096), A100, FP16, Launch.GRAPH),
            (Linear(512, 1024, 4096), V100, FP32, Launch.EAGER),
            (Softmax(4096, 512), V100, FP32, Launch.EAGER),
        ):
            cost = row(layer, gpu, dtype, launch)
            low, high = cost.interval
            assert low < cost.time < high
            assert low * high == pytest.approx(cost.time**2)

    def test_its_width_is_that_of_times_as_long(self):
        factors = ERRORS["16-bit product", "8.0"][3]
        for size, which in ((256, 0), (2048, 1), (8192, 2)):
            cost = row(Linear(size, size, size))
            assert bucket(cost.time) == which
            assert cost.interval[1] / cost.time == pytest.approx(factors[which])

    def test_a_generation_without_data_gets_the_widest(self):
        cost = row(Linear(8192, 8192, 8192), gpus.RTX_5090)
        assert cost.error is None
        factors = [entry[3][2] for (kind, _), entry in ERRORS.items() if kind == "16-bit product"]
        assert cost.interval[1] / cost.time == pytest.approx(max(factors)) == widest("16-bit product")[2]

    @pytest.mark.parametrize(
        "cost",
        [
            row(Linear(512, 1024, 4096), launch=Launch.EAGER),  # 16 bits were measured in graphs
            row(Linear(512, 1024, 4096), dtype=FP32),
            row(Linear(512, 1024, 4096), gpus.H100_SXM5_80GB, FP8),
            row(LayerNorm(512, 1024), V100, FP32, Launch.EAGER, TRAINING),
            row(Attention(8, 512, 512, 8, 64, 8)),  # without a mask
            row(Conv2d(8, 64, 64, 28, 28, 5, 5, padding=2), V100, FP32, Launch.EAGER),
        ],
    )
    def test_what_nothing_backs_has_none(self, cost):
        assert interval(cost) is cost.validation is cost.error is None
        assert trust(cost).endswith("not validated by measurement")


class TestSentences:
    def test_a_measured_kind(self):
        cost = row(Linear(512, 1024, 4096))
        low, high = (f"{seconds * 1e6:.3g} µs" for seconds in cost.interval)
        said = trust(cost)
        assert f"8 times in 10 between {low} and {high} (" in said
        assert f"{cost.validation.rows:,} measured 16-bit products" in said
        assert cost.explain().splitlines()[-1].count(said) == 1

    def test_a_generation_that_was_not_measured(self):
        cost = row(Matmul(8, 512, 512, 512), gpus.RTX_3090, FP32, Launch.EAGER)
        assert "not validated by measurement on compute capability 8.6" in trust(cost)
        assert "constants of compute capability 8.0, as none of 8.6 was measured" in standing(cost)
        assert standing(cost) in cost.explain()

    def test_a_refitted_gpu(self):
        own = replace(A100, name="own", calibration=(("tensor_rate", 0.5),))
        assert (
            standing(row(Linear(512, 1024, 4096), own)) == "constants refitted to this GPU's own measurements"
        )
        assert "fitted to NeuSight" in standing(row(Linear(512, 1024, 4096), own, FP32))
