"""Networks against their published counts."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus, models
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.text import layer_from_data, layer_to_data
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Conv2d, Linear
from dlperf_widgets.models import MODELS
from dlperf_widgets.ops import TRAINING, Phase

A100 = gpus.A100_SXM4_80GB
every_model = pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)


@pytest.mark.parametrize(
    ("model", "params"),
    [
        (models.AlexNet(), 61_100_840),
        (models.AlexNet(grouped=True), 60_965_224),
        (models.Vgg16(), 138_357_544),
        (models.ResNet18(), 11_689_512),
        (models.ResNet34(), 21_797_672),
        (models.ResNet50(), 25_557_032),
        (models.ResNet50(version="v1"), 25_557_032),
        (models.ResNet101(), 44_549_160),
        (models.ResNet152(), 60_192_808),
        (models.MobileNetV1(), 4_231_976),
        (models.MobileNetV2(), 3_504_872),
        (models.VitB16(), 86_567_656),
        (models.Bert("base"), 109_482_240),
        (models.Bert("large"), 335_141_888),
        (models.Gpt2("small"), 124_439_808),
        (models.Gpt2("medium"), 354_823_168),
        (models.Gpt2("large"), 774_030_080),
        (models.Gpt2("xl"), 1_557_611_200),
        (models.Gpt3(), 174_604_259_328),
        (models.Llama("2-7B"), 6_738_415_616),
        (models.Llama("2-70B"), 68_976_648_192),
        (models.Llama("3-8B"), 8_030_261_248),
        (models.Llama("3-70B"), 70_553_706_496),
    ],
    ids=str,
)
def test_parameters(model, params):
    assert model.params == params


@pytest.mark.parametrize(
    ("model", "macs"),
    [
        (models.AlexNet(), 714_188_480),
        (models.AlexNet(grouped=True), 724_406_816),
        (models.ResNet50(), 8_178_368_512 // 2),  # torch counts two flops a multiply-add
    ],
    ids=str,
)
def test_multiply_adds_exactly(model, macs):
    assert model.macs == macs
    assert model.flops == 2 * macs


@pytest.mark.parametrize(
    ("model", "giga"),
    [
        (models.AlexNet(), 0.714),
        (models.Vgg16(), 15.470),
        (models.ResNet18(), 1.814),
        (models.ResNet34(), 3.664),
        (models.ResNet50(), 4.089),
        (models.ResNet50(version="v1"), 3.858),
        (models.ResNet101(), 7.801),
        (models.ResNet152(), 11.514),
        (models.MobileNetV1(), 0.5687),
        (models.MobileNetV1(separable=False), 4.867),
        (models.MobileNetV2(), 0.3008),
        (models.VitB16(), 17.564),
    ],
    ids=str,
)
def test_multiply_adds_as_published(model, giga):
    digits = len(str(giga).split(".")[1])
    assert round(model.macs / 1e9, digits) == giga


def test_alexnet_layer_by_layer():
    counts = {
        name: (layer.params, layer.macs) for name, layer, _ in models.AlexNet().leaves() if layer.params
    }
    assert counts == {
        "conv1": (23_296, 70_276_800),
        "conv2": (307_392, 223_948_800),
        "conv3": (663_936, 112_140_288),
        "conv4": (884_992, 149_520_384),
        "conv5": (590_080, 99_680_256),
        "fc6": (37_752_832, 37_748_736),
        "fc7": (16_781_312, 16_777_216),
        "fc8": (4_097_000, 4_096_000),
    }
    counts = {name: (layer.params, layer.macs) for name, layer, _ in models.AlexNet(grouped=True).leaves()}
    assert counts["conv1"] == (34_944, 105_415_200)
    assert counts["conv2"] == (307_456, 223_948_800)
    assert counts["conv3"] == (885_120, 149_520_384)
    assert counts["conv4"] == (663_936, 112_140_288)
    assert counts["conv5"] == (442_624, 74_760_192)


@pytest.mark.parametrize(
    ("grouped", "of_params", "of_macs"), [(False, 0.9596, 0.9179), (True, 0.9617, 0.9191)]
)
def test_where_alexnets_parameters_and_work_are(grouped, of_params, of_macs):
    # fully connected: 58,631,144 of 61,100,840 parameters; convolutions: 655,566,528 of 714,188,480 MACs
    model = models.AlexNet(grouped=grouped)
    leaves = [leaf for _, leaf, _ in model.leaves()]
    fc = sum(leaf.params for leaf in leaves if isinstance(leaf, Linear))
    conv = sum(leaf.macs for leaf in leaves if isinstance(leaf, Conv2d))
    assert fc / model.params == pytest.approx(of_params, abs=5e-5)
    assert conv / model.macs == pytest.approx(of_macs, abs=5e-5)


def test_depthwise_and_pointwise_parts_of_mobilenet():
    leaves = dict((name, leaf.macs) for name, leaf, _ in models.MobileNetV1().leaves())
    depthwise = sum(macs for name, macs in leaves.items() if name.startswith("dw"))
    pointwise = sum(macs for name, macs in leaves.items() if name.startswith("pw"))
    assert round(depthwise / 1e6, 2) == 17.39
    assert round(pointwise / 1e6, 1) == 539.5
    ratio = models.MobileNetV1(separable=False).macs / models.MobileNetV1().macs
    assert ratio == pytest.approx(8.56, abs=0.005)


def test_a_transformers_flops_a_token():
    # 2 P for the weights that multiply, and 4 L S D for attention without a mask, half of it with one
    model = models.Gpt2("small", sequence=1024)
    multiplied = model.params - 1024 * 768 - 2 * 768 * 25 - 12 * (4 + 5) * 768  # no positions, norms, biases
    attention = 4 * 12 * 1024 * 768 * (1025 / 2048)
    assert model.flops / 1024 == pytest.approx(2 * multiplied + attention, rel=1e-12)


def test_doubling_the_sequence_more_than_doubles_the_work():
    assert models.Llama("2-7B", sequence=16384).macs > 2 * models.Llama("2-7B", sequence=8192).macs


@every_model
def test_work_is_linear_in_the_batch_and_parameters_are_not(kind):
    one, three = kind(), kind(batch=3)
    assert three.macs == 3 * one.macs
    assert three.params == one.params


@every_model
def test_the_first_layer_has_no_gradient_of_its_input(kind):
    scenario = Scenario(kind(), A100, FP16, TRAINING)
    first = next(kind().leaves())[0]
    assert not [row for row in scenario.costs if row.path == first and row.phase is Phase.DGRAD]
    assert [row for row in scenario.costs if row.phase is Phase.DGRAD]


@every_model
def test_fields_round_trip(kind):
    assert layer_from_data(layer_to_data(kind(batch=2))) == kind(batch=2)
    scenario = Scenario(kind(), A100, FP16)
    assert Scenario.from_json(scenario.to_json()) == scenario


def test_a_repeated_block_is_listed_once_with_its_count():
    costs = Scenario(models.Gpt3(), A100, FP16, TRAINING).costs
    assert len(costs) < 100
    up = next(row for row in costs if row.path.endswith("mlp.up"))
    assert up.path == "blocks[0..95].mlp.up"
    assert up.count == 96


def test_training_is_three_times_the_forward_work_but_for_the_first_layer():
    model = replace(models.Vgg16(), batch=2)
    step = Scenario(model, A100, FP16, TRAINING)
    forward = Scenario(model, A100, FP16)
    products = [sum(c.op.macs for c in s.costs) for s in (forward, step)]
    first = next(model.leaves())[1].macs
    assert products[1] == 3 * products[0] - first


def test_the_llama_cache_is_read_by_its_key_value_heads():
    # one token after 4096 in Llama-2-70B: 8 heads of 128, 2 bytes, keys and values
    model = models.Llama("2-70B", sequence=1, context=4095)
    row = next(c for c in Scenario(model, A100, FP16).costs if c.path.endswith("attention.heads.attention"))
    assert row.bytes == pytest.approx(2 * 4096 * 8 * 128 * 2, rel=0.01)  # 16.8 MB, not the 134.2 of 64 heads


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: models.ResNet(51), "ResNet depth must be one of 18, 34, 50, 101, 152, not '51'"),
        (lambda: models.ResNet(version="v2"), "ResNet version must be one of"),
        (lambda: models.Gpt2("tiny"), "Gpt2 size must be one of small"),
        (lambda: models.Gpt3(sequence=4096), "Gpt3 sequence must be between 1 and 2,048, not 4,096"),
        (lambda: models.Llama("4-7B"), "Llama name must be one of"),
        (lambda: models.Vgg16(batch=0), "Vgg16 batch must be between 1"),
    ],
)
def test_bad_input(build, words):
    with pytest.raises(ValueError, match=words):
        build()
