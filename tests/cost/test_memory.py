"""Footprints against published figures, with the arithmetic beside each."""

from dataclasses import replace
from math import ceil, prod

import pytest

import dlperf_widgets as dp
from dlperf_widgets import gpus, models
from dlperf_widgets.cost.footprint import both
from dlperf_widgets.dtypes import BF16, FP16, FP32, INT4, INT8, Format
from dlperf_widgets.layers import (
    LAYERS,
    Activation,
    Attention,
    BatchNorm2d,
    Branches,
    Conv2d,
    Dropout,
    Embedding,
    LayerNorm,
    Linear,
    Matmul,
    MultiheadAttention,
    OptimizerStep,
    Pool2d,
    Repeat,
    Residual,
    RmsNorm,
    Sequence,
    Softmax,
    Tied,
)
from dlperf_widgets.ops import TRAINING
from dlperf_widgets.units import GIB, MIB

VGG = models.Vgg16()
P = 138_357_544  # parameters of VGG-16
NUMBERS = Linear(1, 100_000, 75_000, bias=False)  # 7.5e9 parameters


def megabytes(size):
    return round(size / 1e6, 2)


def inference(layer, dtype=FP16, **how):
    return dp.footprint(layer, dtype, training=False, **how)


class TestWeights:
    @pytest.mark.parametrize(
        ("model", "dtype", "words"),
        [
            (models.Llama("3-70B"), FP16, "141.1 GB = 131.4 GiB"),  # 70,553,706,496 x 2
            (VGG, FP32, "553.4 MB = 527.8 MiB"),  # 138,357,544 x 4
            (models.AlexNet(), FP32, "244.4 MB = 233.1 MiB"),  # 61,100,840 x 4 = 244.40 MB = 233.08 MiB
        ],
        ids=str,
    )
    def test_of_networks(self, model, dtype, words):
        assert both(inference(model, dtype).weights) == words

    def test_alexnet_to_two_decimals(self):
        weights = inference(models.AlexNet(), FP32).weights
        assert megabytes(weights) == 244.40
        assert round(weights / MIB, 2) == 233.08

    def test_a_gated_block_has_three_matrices(self):
        # Qwen1.5-72B: 80 x (4 x 8192^2 + 3 x 8192 x 24576) + 2 x 152064 x 8192; 56.18 B with two matrices
        counts = {n: _qwen(n).params for n in (2, 3)}
        assert counts[3] / 1e9 == pytest.approx(72.28, abs=0.01)
        assert counts[2] / 1e9 == pytest.approx(56.18, abs=0.01)
        assert inference(_qwen(3)).weights == 2 * counts[3]

    def test_half_is_half(self):
        # what .half() does to a module: everything but masks and statistics
        full, half = (dp.footprint(VGG, dtype) for dtype in (FP32, FP16))
        assert full.constant == 2 * half.constant
        indices = 8 * (64 * 112**2 + 128 * 56**2 + 256 * 28**2 + 512 * 14**2 + 512 * 7**2) + 2 * 4096
        assert full.per_sample - indices == 2 * (half.per_sample - indices)

    def test_four_bits_compress_by_what_was_there_before(self):
        sizes = {dtype: inference(VGG, dtype).weights for dtype in (FP32, FP16, INT8, INT4)}
        assert sizes[FP16] / sizes[INT4] == 4
        assert sizes[FP32] / sizes[INT4] == 8
        assert sizes[FP32] / sizes[INT8] == 4


def _qwen(matrices):
    h = 8192
    inner = 3 * h
    first = Linear(1, h, (matrices - 1) * inner, bias=False)
    block = Sequence.of(
        norm=RmsNorm(1, h),
        qkv=Linear(1, h, 3 * h),
        attention=Attention(1, 1, 1, 64, 128),
        out=Linear(1, h, h, bias=False),
        mlp_norm=RmsNorm(1, h),
        up=first,
        act=Activation(inner, "swiglu" if matrices == 3 else "gelu"),
        down=Linear(1, inner, h, bias=False),
    )
    vocabulary = 152_064
    return Sequence.of(
        embedding=Embedding(1, h, vocabulary),
        blocks=Repeat(block, 80),
        norm=RmsNorm(1, h),
        head=Linear(1, h, vocabulary, bias=False),
    )


class TestBytesAParameter:
    @pytest.mark.parametrize(("optimizer", "times"), [("sgd", 2), ("momentum", 3), ("adam", 4), ("adamw", 4)])
    def test_fp32_training_is_a_multiple_of_the_weights(self, optimizer, times):
        assert dp.footprint(VGG, FP32, optimizer).constant == times * 4 * P

    @pytest.mark.parametrize(("optimizer", "gb"), [("sgd", 1.107), ("momentum", 1.660), ("adam", 2.214)])
    def test_vgg16(self, optimizer, gb):
        assert round(dp.footprint(VGG, FP32, optimizer).constant / 1e9, 3) == gb

    def test_master_weights_add_up_to_16(self):
        held = dp.footprint(VGG, FP16, mixed_precision="master")
        # 2 + 2 + (4 + 4 + 4)
        terms = (held.weights, held.gradients, held.master_weights, held.optimizer_state)
        assert terms == (2 * P, 2 * P, 4 * P, 8 * P)
        assert held.per_parameter == 16
        words = "2 weights + 4 master weights + 2 gradients + 8 optimizer state = 16 bytes"
        assert f"a parameter takes {words}" in held.explain()

    def test_fp32_gradients_make_it_18(self):
        form = Format(FP16, FP16, gradients=FP32)
        assert dp.footprint(VGG, form, mixed_precision="master").per_parameter == 18

    def test_fp32_is_16_too(self):
        held = dp.footprint(VGG, FP32)
        assert (held.weights, held.gradients, held.optimizer_state) == (4 * P, 4 * P, 8 * P)
        assert held.per_parameter == 16

    @pytest.mark.parametrize("dtype", [FP16, BF16], ids=str)
    def test_autocast_keeps_fp32_and_casts(self, dtype):
        held = dp.footprint(VGG, dtype, mixed_precision="amp")
        assert held.constant - held.cast_cache == 16 * P
        assert held.cast_cache == 2 * P
        plain = dp.footprint(VGG, dtype)
        assert held.activations_per_sample == plain.activations_per_sample

    def test_a_halved_model_keeps_its_state_in_halves(self):
        # torch.optim makes state like the parameter: 2 + 2 + 2 x 2
        assert dp.footprint(VGG, FP16).per_parameter == 8

    def test_inference_holds_weights_alone(self):
        assert inference(VGG).per_parameter == 2
        assert inference(VGG, mixed_precision="master").per_parameter == 2
        assert inference(VGG, mixed_precision="amp").per_parameter == 4 + 2


class TestZero:
    @pytest.mark.parametrize(("stage", "gb"), [(0, 120), (1, 31.4), (2, 16.6), (3, 1.88)])
    def test_the_papers_example(self, stage, gb):
        # 7.5e9 parameters on 64 GPUs: 16 P; 4 P + 12 P / N; 2 P + 14 P / N; 16 P / N
        held = dp.footprint(NUMBERS, FP16, mixed_precision="master", zero=stage, ranks=64)
        assert float(f"{held.constant / 1e9:.3g}") == gb
        exact = (16, 4 + 12 / 64, 2 + 14 / 64, 16 / 64)[stage]
        assert held.constant == exact * 7.5e9

    def test_one_rank_saves_nothing(self):
        assert dp.footprint(VGG, FP32, zero=3) == dp.footprint(VGG, FP32)

    def test_shares_are_whole_parameters(self):
        held = dp.footprint(Linear(1, 10, 10, bias=False), FP32, "sgd", zero=3, ranks=3)
        assert held.weights == 34 * 4


class TestActivations:
    def test_forward_outputs_of_vgg16(self):
        # convolutions, pools and linear layers: 15,087,080 elements, 60.35 MB in FP32; ReLUs are in place
        kinds = Conv2d, Pool2d, Linear
        elements = sum(prod(leaf.output_shape) for _, leaf, _ in VGG.leaves() if isinstance(leaf, kinds))
        assert elements == 15_087_080
        assert megabytes(4 * elements) == 60.35

    def test_saved_activations_of_vgg16_by_hand(self):
        # the picture; 13 ReLU outputs and 5 pool outputs, each the next layer's input, and fc6's; indices
        stages = ((64, 2, 224), (128, 2, 112), (256, 3, 56), (512, 3, 28), (512, 3, 14))
        relus = sum(n * c * size**2 for c, n, size in stages)
        pools = sum(c * (size // 2) ** 2 for c, n, size in stages)
        # fc6 and fc7: the ReLU's output and the dropout's are two tensors, and a mask of a byte
        elements = 3 * 224**2 + relus + pools + 2 * 2 * 4096
        assert dp.footprint(VGG, FP32).activations_per_sample == 4 * elements + 8 * pools + 2 * 4096

    def test_one_layer_applied_a_hundred_times(self):
        # 101 tensors of 10240 x 1024 FP32 and 4,198,400 bytes of weights: 4044.0039 MiB, as torch allocates
        layer = Linear(10240, 1024, 1024)
        held = dp.footprint(Sequence((layer, *[Tied(layer)] * 99)), FP32)
        assert held.weights == 4_198_400
        forward = held.weights + held.activations_per_sample + held.output_per_sample
        assert forward == 101 * 10240 * 1024 * 4 + 4_198_400
        assert round(forward / MIB, 4) == 4044.0039

    def test_a_batch_of_pictures(self):
        first = Conv2d(32, 3, 64, 224, 224, 7, 7, stride=2, padding=3)
        assert 32 * dp.footprint(first, FP32).activations_per_sample == 19_267_584  # 32 x 3 x 224 x 224 x 4

    def test_in_place_takes_no_memory(self):
        usual, in_place = (inference(Activation(2**20, inplace=each)) for each in (False, True))
        assert usual.activations_per_sample == 2 * in_place.activations_per_sample == 4
        kept = [dp.footprint(Activation(1, inplace=each), FP32) for each in (False, True)]
        assert kept[0].activations_per_sample == kept[1].activations_per_sample  # backward needs the output

    def test_statistics_of_a_batch_do_not_grow_with_it(self):
        held = dp.footprint(BatchNorm2d(8, 64, 7, 7), FP32)
        assert (held.activations_constant, held.activations_per_sample) == (8 * 64, 4 * 64 * 49)

    def test_smaller_pictures(self):
        large, small = (dp.footprint(models.ResNet50(size=size), FP32) for size in (224, 112))
        assert large.activations_per_sample / small.activations_per_sample == pytest.approx(4, rel=0.03)
        assert large.constant - large.activations_constant == small.constant - small.activations_constant

    def test_pooling_and_stride_save_what_follows(self):
        first, second = Conv2d(1, 3, 8, 32, 32, 3, 3, padding=1), Conv2d(1, 8, 8, 32, 32, 3, 3, padding=1)
        strided = replace(first, stride=2)
        smaller = replace(second, height=16, width=16)
        kept = [
            dp.footprint(Sequence(pair), FP32).activations_per_sample
            for pair in ((first, second), (strided, smaller))
        ]
        assert [each - 4 * 3 * 32 * 32 for each in kept] == [4 * 8 * 32 * 32, 4 * 8 * 16 * 16]

    def test_most_of_alexnet_is_fully_connected(self):
        model = models.AlexNet()
        fc = sum(leaf.params for _, leaf, _ in model.leaves() if isinstance(leaf, Linear))
        # 58,631,144 of 61,100,840: leaving them out leaves 4.04% of what training holds whatever the batch
        assert 4 * 4 * fc / dp.footprint(model, FP32).constant == pytest.approx(0.9596, abs=5e-5)

    def test_live_gradients_are_a_layers_two_and_a_residuals(self):
        up, down = Linear(1, 16, 64), Linear(1, 64, 16)
        plain = dp.footprint(Sequence.of(up=up, down=down), FP32)
        assert plain.live_gradients_per_sample == 4 * (16 + 64)
        skipped = dp.footprint(Residual(Sequence.of(up=up, down=down)), FP32)
        assert skipped.live_gradients_per_sample == 4 * (16 + 64 + 16)  # in up, down's output waits

    def test_in_a_format_of_each_role(self):
        held = dp.footprint(Linear(1, 10, 10, bias=False), Format(FP16, INT8, FP32), "sgd")
        assert (held.weights, held.gradients, held.activations_per_sample) == (200, 400, 10)


class TestMegatron:
    """Bytes of a 16-bit transformer layer: s b h (34 + 5 a s / h), Korthikanti et al., 2022."""

    s, h, a = 2048, 12288, 96

    def block(self, attention):
        rows = self.s
        drop = Dropout(rows * self.h)
        heads = Sequence.of(
            norm=LayerNorm(rows, self.h), qkv=Linear(rows, self.h, 3 * self.h), attention=attention,
            out=Linear(rows, self.h, self.h), drop=drop,
        )  # fmt: skip
        mlp = Sequence.of(
            norm=LayerNorm(rows, self.h), up=Linear(rows, self.h, 4 * self.h),
            act=Activation(rows * 4 * self.h, "gelu"), down=Linear(rows, 4 * self.h, self.h), drop=drop,
        )  # fmt: skip
        return Sequence.of(heads=Residual(heads), mlp=Residual(mlp))

    def kept(self, attention, dtype=FP16):
        return dp.footprint(self.block(attention), dtype).activations_per_sample

    def attention(self, fused):
        return Attention(1, self.s, self.s, self.a, self.h // self.a, fused=fused)

    def test_the_formula(self):
        sbh, scores = self.s * self.h, self.a * self.s**2
        assert sbh * 34 + 5 * scores == sbh * (34 + 80) == 2.671875 * GIB
        statistics = 2 * 8 * self.s  # of two norms, which the formula leaves out
        # our unfused attention has no dropout of its own: two of the five bytes a score, the probabilities.
        # The other three are its mask and the probabilities after it.
        assert self.kept(self.attention(fused=False)) == sbh * 34 + 2 * scores + statistics

    def test_with_dropout_written_out_all_of_it(self):
        a, s, d = self.a, self.s, self.h // self.a
        inside = Sequence.of(
            scores=Matmul(a, s, s, d), softmax=Softmax(a * s, s), drop=Dropout(a * s * s),
            values=Matmul(a, s, d, s),
        )  # fmt: skip
        unfused = self.kept(self.attention(fused=False))
        scores = a * s**2
        written = dp.footprint(inside, FP16).activations_per_sample
        held = unfused - 2 * (3 * s * self.h + scores) + written  # Q, K, V and P replaced
        assert held - 2 * 8 * s == 2.671875 * GIB

    def test_fused_attention_is_34_and_a_statistic_a_row(self):
        # Flash attention keeps its output, which the projection needs anyway, and 4 bytes a row
        kept = self.kept(self.attention(fused=True))
        assert kept == self.s * self.h * 34 + 2 * 8 * self.s + 4 * self.a * self.s

    def test_with_full_recomputation_two_bytes_are_left(self):
        blocks = Repeat(self.block(self.attention(fused=True)), 96)
        kept = dp.footprint(blocks, FP16, checkpoint=True)
        one = self.kept(self.attention(fused=True))
        sbh = self.s * self.h
        assert kept.activations_per_sample == 96 * 2 * sbh + one - 2 * sbh
        assert kept.recomputed == 1


class TestCheckpoint:
    def test_a_network_without_blocks_stays_as_it_is(self):
        assert dp.footprint(VGG, FP32, checkpoint=True).total(8) == dp.footprint(VGG, FP32).total(8)
        assert dp.footprint(VGG, FP32, checkpoint=True).recomputed == 0

    @pytest.mark.parametrize("model", [models.ResNet50(), models.Gpt2(), models.Bert(), models.Llama()])
    def test_it_saves_activations_and_runs_blocks_again(self, model):
        plain, saving = dp.footprint(model, FP32), dp.footprint(model, FP32, checkpoint=True)
        assert saving.activations_per_sample < 0.55 * plain.activations_per_sample
        assert saving.weights == plain.weights
        assert 0.7 < saving.recomputed <= 1
        assert "of the forward pass a second time" in saving.explain()

    def test_more_blocks_cost_their_inputs_alone(self):
        block = Residual(Sequence.of(norm=LayerNorm(4, 8), up=Linear(4, 8, 32), down=Linear(4, 32, 8)))
        few, many = (dp.footprint(Repeat(block, n), FP32, checkpoint=True) for n in (2, 12))
        assert many.activations_per_sample - few.activations_per_sample == 10 * 4 * 8 * 4


class TestInference:
    def test_a_residual_keeps_its_input_alive(self):
        body = Sequence.of(up=Linear(1, 8, 8), down=Linear(1, 8, 8))
        assert inference(body).activations_per_sample == 2 * (8 + 8)
        assert inference(Residual(body)).activations_per_sample == 2 * 3 * 8

    def test_a_shortcut_runs_beside_the_bodys_output(self):
        wide = Residual(Linear(1, 8, 32), Linear(1, 8, 32))
        # body 8 + 32; shortcut 8 + 32 beside 32; the sum of two 32 is a third
        assert inference(wide).activations_per_sample == 2 * 3 * 32

    def test_branches_hold_their_input_until_the_last(self):
        same = Conv2d(1, 4, 4, 8, 8, 1, 1)
        both_sides = Branches.of(a=same, b=same)
        one = 4 * 8 * 8
        assert inference(both_sides).activations_per_sample == 2 * 2 * 2 * one  # joined: 2 outputs, twice

    def test_dropout_is_nothing(self):
        assert inference(Dropout(1)).activations_per_sample == 2

    def test_scores_of_unfused_attention(self):
        layer = Attention(1, 1024, 1024, 8, 64, fused=False)
        fused = replace(layer, fused=True)
        token = 1024 * 8 * 64
        assert inference(fused).activations_per_sample == 2 * 4 * token
        assert inference(layer).activations_per_sample == 2 * (3 * token + 2 * 8 * 1024**2)

    def test_less_than_training(self):
        for kind in models.MODELS:
            assert inference(kind()).total(4) < dp.footprint(kind(), FP16).total(4)


class TestCache:
    def test_llama_2_7b(self):
        # 2 x 32 layers x 4096 tokens x 32 heads x 128 x 2 bytes
        assert inference(models.Llama("2-7B"), context=4096).cache == 2 * GIB
        assert inference(models.Llama("2-7B", batch=7, sequence=1), context=4096).cache == 2 * GIB

    def test_8_heads_at_8192_tokens_are_1_gib(self):
        assert inference(models.Llama("3-8B"), context=8192).cache == GIB

    def test_one_layer_of_llama_2_70b(self):
        layer = Attention(1, 1, 4096, 64, 128, kv_heads=8)
        assert inference(layer, context=4096).cache == 2 * 4096 * 8 * 128 * 2  # 16.8 MB, not 134.2
        assert both(2 * 4096 * 8 * 128 * 2) == "16.78 MB = 16 MiB"

    def test_a_head_dimension_of_its_own(self):
        # Qwen3-32B: 64 layers of 8 key-value heads of 128, though 5120 / 64 heads is 80
        blocks = Repeat(MultiheadAttention(1, 1, 5120, 64, kv_heads=8, head_dim=128), 64)
        assert inference(blocks, context=1).cache == 262_144

    @pytest.mark.parametrize(
        ("name", "tokens", "gib"),
        [("3-8B", 128_000, 15.62), ("3-8B", 131_072, 16), ("3-70B", 128_000, 39.06), ("3-70B", 131_072, 40)],
    )
    def test_128k_is_128000_or_131072_tokens(self, name, tokens, gib):
        cache = inference(models.Llama(name), context=tokens).cache
        assert cache / GIB == pytest.approx(gib, abs=0.006)

    def test_it_is_a_term(self):
        held = inference(models.Llama("2-7B"), context=4096)
        words = "524,288 B a token x 4,096 tokens: 2,147,483,648 B a sample"
        assert words in held.explain()
        assert held.total(2) - held.total(1) == held.cache + held.activations_per_sample


class TestExplain:
    def test_every_term_in_both_units(self):
        lines = dp.footprint(VGG, FP32).explain(8).splitlines()
        assert lines[0] == "Vgg16, FP32, training with adam, batch 8"
        assert lines[1].split("  ")[-1].strip() == "138,357,544 parameters x 4 B (FP32)"
        assert "553.4 MB = 527.8 MiB" in lines[1]
        assert "2.214 GB = 2.062 GiB + 8 x " in next(line for line in lines if line.startswith("total"))

    def test_ranks_are_named(self):
        words = dp.footprint(VGG, FP32, zero=1, ranks=8).explain()
        assert "(FP32, adam: momentum and variance) / 8 ranks" in words

    @pytest.mark.parametrize(
        ("layer", "sample"),
        [(VGG, "sample"), (LayerNorm(8, 8), "row"), (Embedding(8, 8, 8), "token"), (Dropout(8), "element")],
    )
    def test_what_a_batch_counts(self, layer, sample):
        assert dp.footprint(layer, FP32).sample == sample

    def test_units(self):
        # 1000 x 1000 FP32
        assert both(4 * 1000 * 1000) == "4 MB = 3.815 MiB"
        assert both(1.5 * GIB) == "1.611 GB = 1.5 GiB"
        assert both(2e12) == "2,000 GB = 1,863 GiB"
        assert both(12) == "12 B"
        assert (INT8.bytes, FP16.bytes, FP32.bytes) == (1, 2, 4)


def test_twice_the_batch():
    # steps in an epoch of 1,281,167 pictures, and a step twice as long where the GPU is busy
    assert [ceil(1_281_167 / batch) for batch in (256, 512)] == [5005, 2503]
    small, large = (
        dp.Scenario(models.ResNet50(batch), gpus.V100_SXM2_16GB, FP16, TRAINING).time for batch in (256, 512)
    )
    assert large / small == pytest.approx(2, rel=0.05)
    held = dp.footprint(models.ResNet50(), FP16)
    assert held.total(512) < 2 * held.total(256)  # the constant part does not grow


@pytest.mark.parametrize("kind", LAYERS, ids=lambda kind: kind.__name__)
def test_every_layer_has_a_footprint(kind):
    if kind is OptimizerStep:
        with pytest.raises(ValueError, match="OptimizerStep has no footprint of its own"):
            dp.footprint(kind(), FP32)
        return
    held = dp.footprint(kind(), FP16)
    assert held.weights == 2 * kind().params
    layer = replace(kind(), **{kind.scale: 64})
    expected = 2 * layer.saved.elements + layer.saved.side_bytes
    assert held.activations_constant + 64 * held.activations_per_sample == expected


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"optimizer": "lion"}, "optimizer must be one of sgd, momentum, adam, adamw, not 'lion'"),
        ({"mixed_precision": "fp16"}, "mixed_precision must be None, amp or master, not 'fp16'"),
        ({"zero": 4}, "zero must be between 0 and 3, not 4"),
        ({"zero": 1, "ranks": 0}, "ranks must be between 1 and .*, not 0"),
        ({"context": -1, "training": False}, "context must be between 0 and .*, not -1"),
        ({"context": 4096}, "training keeps no cache: a context of 4,096 tokens needs training=False"),
        (
            {"context": 1, "training": False},
            "Vgg16 has no attention: a decode step needs the keys and values",
        ),
    ],
)
def test_bad_input(how, words):
    with pytest.raises(ValueError, match=words):
        dp.footprint(VGG, FP16, **how)


def test_mixed_precision_needs_a_small_format():
    with pytest.raises(ValueError, match="mixed precision computes in 16 bits or fewer, not in FP32"):
        dp.footprint(VGG, FP32, mixed_precision="amp")
    with pytest.raises(ValueError, match="a batch cannot be -1"):
        dp.footprint(VGG, FP32).total(-1)
