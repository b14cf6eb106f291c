"""Laws of footprints, and the largest batch that fits."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dlperf_widgets as dp
from dlperf_widgets import gpus, models
from dlperf_widgets.cost.footprint import RESERVE
from dlperf_widgets.dtypes import BF16, FP16, FP32
from dlperf_widgets.layers import Activation, Linear, Sequence
from dlperf_widgets.units import GIB

CARDS = (gpus.T4, gpus.V100_SXM2_16GB, gpus.A100_SXM4_80GB)
RESNET, GPT = models.ResNet50(), models.Gpt2()
HOWS = (
    {},
    {"optimizer": "sgd"},
    {"mixed_precision": "amp"},
    {"mixed_precision": "master", "checkpoint": True},
    {"zero": 2, "ranks": 8},
)

models_ = st.sampled_from((RESNET, GPT, models.Vgg16(), models.MobileNetV2(), models.VitB16()))
optimizers = st.sampled_from(("sgd", "momentum", "adam", "adamw"))
ranks = st.integers(1, 4096)


@given(models_, st.integers(1, 32), st.booleans())
@settings(max_examples=40, deadline=None)
def test_what_is_saved_is_affine_in_the_batch(model, batch, checkpoint):
    held = dp.footprint(model, FP16, checkpoint=checkpoint)
    assert held == dp.footprint(replace(model, batch=batch), FP16, checkpoint=checkpoint)
    if not checkpoint:
        kept = replace(model, batch=batch).saved
        exact = held.activations_constant + batch * held.activations_per_sample
        assert exact == 2 * kept.elements + kept.side_bytes


@given(models_, st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_the_total_is_a_constant_and_a_part_for_each_sample(model, batch):
    held = dp.footprint(model, FP32)
    assert held.total(batch) == held.constant + batch * held.per_sample
    assert held.total(batch + 1) > held.total(batch)
    assert held.constant == sum(term.constant for term in held.terms)
    assert held.total(2 * batch) <= 2 * held.total(batch)  # never more than proportional


@given(models_, optimizers, ranks, st.integers(1, 4096), st.sampled_from((None, "amp", "master")))
@settings(max_examples=60, deadline=None)
def test_zero_only_saves(model, optimizer, few, more, mixed):
    def constant(stage, n):
        return dp.footprint(model, BF16, optimizer, mixed, zero=stage, ranks=n).constant

    stages = [constant(stage, few) for stage in range(4)]
    assert stages == sorted(stages, reverse=True)
    assert stages[0] == constant(0, few + more)  # without a stage, ranks share nothing
    for stage in range(1, 4):
        assert constant(stage, few + more) <= constant(stage, few)


@pytest.mark.parametrize("gpu", CARDS, ids=str)
@pytest.mark.parametrize("how", HOWS, ids=str)
@pytest.mark.parametrize("model", [RESNET, GPT], ids=lambda model: type(model).__name__)
def test_the_largest_batch_fits_and_the_next_does_not(model, gpu, how):
    batch = dp.largest_batch(model, gpu, FP16, **how)
    room = gpu.memory - RESERVE
    held = dp.footprint(replace(model, batch=batch), FP16, **how)
    assert batch > 0
    assert held.total(batch) <= room < held.total(batch + 1)
    assert held.fits(gpu, batch) and not held.fits(gpu, batch + 1)


@given(st.integers(1, 5000), st.integers(0, 79 * GIB))
@settings(max_examples=60, deadline=None)
def test_it_is_exact_whatever_is_reserved(width, reserve):
    layer, gpu = Linear(1, width, width), gpus.A100_SXM4_80GB
    batch = dp.largest_batch(layer, gpu, FP16, reserve=reserve)
    held = dp.footprint(layer, FP16)
    assert held.total(batch) <= gpu.memory - reserve < held.total(batch + 1)


def test_room_to_the_byte():
    layer = Linear(1, 10, 10, bias=False)
    held = dp.footprint(layer, FP32)
    for batch in (0, 1, 7):
        exactly = gpus.T4.memory - held.total(batch)
        assert dp.largest_batch(layer, gpus.T4, FP32, reserve=exactly) == batch
        if batch:
            assert dp.largest_batch(layer, gpus.T4, FP32, reserve=exactly + 1) == batch - 1


def test_what_saves_memory_makes_room():
    def batch(model=GPT, gpu=gpus.T4, dtype=FP16, **how):
        return dp.largest_batch(model, gpu, dtype, **how)

    assert batch(GPT) > batch(dtype=FP32)
    assert batch(checkpoint=True) > batch()
    assert batch(optimizer="sgd") > batch()
    assert batch(gpu=gpus.V100_SXM2_32GB) > 2 * batch(gpu=gpus.V100_SXM2_16GB)  # the constant is paid once
    assert batch(models.ResNet50(size=112)) > 3.5 * batch(RESNET)
    assert batch(training=False) > batch()
    assert batch(reserve=2 * GIB) <= batch()


def test_sequences_of_layers_count_what_they_are_given():
    mlp = Sequence.of(up=Linear(64, 16, 32), act=Activation(64 * 32), down=Linear(64, 32, 16))
    held = dp.footprint(mlp, FP32)
    assert held.sample == "batch as given"
    assert held.activations_per_sample == 4 * 64 * (16 + 32)
    batch = dp.largest_batch(mlp, gpus.T4, FP32)
    assert held.fits(gpus.T4, batch) and not held.fits(gpus.T4, batch + 1)


def test_no_room_for_a_sample():
    # 128 Ki tokens of 32 blocks take more than the 80 GB, however small 64 ranks make the rest
    model = models.Llama("2-7B", sequence=131072)
    assert dp.largest_batch(model, gpus.A100_SXM4_80GB, FP16, zero=3, ranks=64) == 0


def test_weights_that_do_not_fit_say_how_much_they_are():
    words = (
        r"Llama, FP16, inference: 141.1 GB = 131.4 GiB without any batch do not fit A100 SXM4 80GB, "
        r"which has 85.9 GB = 80 GiB, 644.2 MB = 614.4 MiB of it reserved"
    )
    with pytest.raises(ValueError, match=words):
        dp.largest_batch(models.Llama("3-70B"), gpus.A100_SXM4_80GB, FP16, training=False)


def test_the_memory_reserved_is_a_number_to_change():
    assert pytest.approx(0.6 * GIB, abs=1) == RESERVE
    held = dp.footprint(Linear(1, 1, 1), FP32)
    assert not held.fits(gpus.T4, 1, gpus.T4.memory)
