"""More numbers of guides and articles: tiles, bytes by phase, layer tables, networks, what size changes."""

from dataclasses import replace
from itertools import pairwise
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets import dtypes, gpus, models
from dlperf_widgets.cost import Launch, Library, Limiter, Scenario, Tiling
from dlperf_widgets.cost.calibration import of
from dlperf_widgets.dtypes import BF16, FP8, FP16, FP32, FP64, INT8, TF32, Format, uniform
from dlperf_widgets.layers import (
    Activation,
    Add,
    BatchNorm2d,
    Conv2d,
    Embedding,
    LayerNorm,
    Linear,
    MultiheadAttention,
    Pool2d,
    Repeat,
    Sequence,
)
from dlperf_widgets.models._transformer import pre_norm_block
from dlperf_widgets.ops import TRAINING, Gemm, Phase
from dlperf_widgets.units import MIB, si

V100, A100, T4 = gpus.V100_SXM2_16GB, gpus.A100_SXM4_80GB, gpus.T4
FPROP, DGRAD, WGRAD, UPDATE = Phase
KERNEL, EAGER = Launch.KERNEL, Launch.EAGER
MIXED = Format(weights=FP8, activations=FP16, gradients=FP32)  # 1, 2 and 4 bytes
BIG = st.integers(1, 5000)


def row(layer, gpu=A100, dtype=FP16, phase=FPROP, **how):
    return Scenario(layer, gpu, dtype, (phase,), **how).costs[0]


class TestBackground:
    def test_twelve_blocks_on_eight_sms(self):
        # two waves, the first full, the second half: (8 + 4) / (2 * 8)
        tiling = Tiling(Gemm(12 * 128, 128, 64), 128, 128, sms=8)
        assert (tiling.tiles, tiling.waves, tiling.tail) == (12, 2, 0.5)
        assert tiling.wave_efficiency == 0.75

    @given(BIG, BIG, BIG, st.sampled_from(gpus.GPUS))
    def test_the_ideal_time_is_the_larger_of_math_and_memory(self, batch, inputs, outputs, gpu):
        dtype = gpu.dtypes[0]
        found = row(Linear(batch, inputs, outputs), gpu, dtype)
        math = 2 * batch * inputs * outputs / gpu.peak(dtype)
        memory = dtype.bytes * (batch * inputs + inputs * outputs + batch * outputs) / gpu.bandwidth
        assert found.ideal_time == pytest.approx(max(math, memory))

    def test_an_addition_never_runs_on_tensor_cores(self):
        assert row(Add(1000), V100).peak == 31.4e12  # not 125e12
        assert row(Linear(), V100).peak == 125e12

    @pytest.mark.parametrize(
        ("gpu", "tensor", "cuda"),
        [
            # multiply-adds for each clock and SM
            (V100, {FP16: 512}, {FP64: 32, FP32: 64, FP16: 128}),
            (T4, {FP16: 512, INT8: 1024}, {FP64: 2, FP32: 64, FP16: 128}),
            (
                A100,
                {FP16: 1024, BF16: 1024, TF32: 512, FP64: 64, INT8: 2048},
                {FP64: 32, FP32: 64, FP16: 256},
            ),
        ],
        ids=str,
    )
    def test_multiply_adds_a_clock(self, gpu, tensor, cuda):
        for stated, peaks in ((tensor, gpu.tensor_peak), (cuda, gpu.cuda_peak)):
            found = {dtype: rate / (2 * gpu.sms * gpu.clock) for dtype, rate in peaks}
            assert found == pytest.approx(stated, rel=0.02)

    @pytest.mark.parametrize(("gpu", "size"), [(V100, 417), (A100, 460)])
    def test_a_square_product_is_math_limited_well_above_256(self, gpu, size):
        # n / 3 reaches 138.9 at 416.7, and 153.0 at 459.05
        for n, math in ((256, False), (size - 1, False), (size, True)):
            found = row(Linear(n, n, n), gpu)
            assert (found.math_time >= found.memory_time) is math


class TestTiles:
    def test_the_order_of_tiles(self):
        # as the guide lists cuBLAS's, from the most efficient to the least
        guide = [(256, 128), (128, 256), (128, 128), (256, 64), (64, 256), (128, 64), (64, 128), (64, 64)]
        rates = [Tiling(Gemm(4096, 4096, 4096), *tile, sms=108).rate for tile in guide]
        assert rates == sorted(rates, reverse=True)
        assert rates[0] == 1

    @pytest.mark.parametrize(
        ("size", "tiles", "share"),
        [
            (512, 4, 1.0),
            (520, 5, 0.8125),  # 520 / 640
            (5120, 40, 1.0),
            (5128, 41, 0.977),  # 5128 / 5248
        ],
    )
    def test_eight_more_matter_where_there_is_little(self, size, tiles, share):
        tiling = Tiling(Gemm(size, 128, 1024), 128, 128, 108)
        assert tiling.tiles == tiles
        assert tiling.tile_efficiency == pytest.approx(share, abs=5e-4)

    def test_a_batch_multiplies_tiles(self):
        one, many = (Tiling(Gemm(300, 200, 64, batch), 128, 128, 108) for batch in (1, 16))
        assert (one.tiles, many.tiles) == (6, 96)
        assert one.tile_efficiency == many.tile_efficiency == 300 * 200 / (6 * 128 * 128)

    def test_executed_flops(self):
        # 8 * 15 tiles of 256 x 128 compute 120 * 2*256*128*K, for 2*1793*1793*K that are wanted
        gemm = Gemm(1793, 1793, 4096)
        tiling = Tiling(gemm, 256, 128, 108)
        assert gemm.flops / tiling.tile_efficiency == pytest.approx(120 * 2 * 256 * 128 * 4096)

    def test_math_takes_a_tiles_time_for_each_wave(self):
        # waves * 2 tm tn K / (peak / SMs) / rate; the pipeline, alignment and power come on top
        found = row(Linear(2000, 4096, 3000), launch=KERNEL)
        tiling = found.tiling
        each = 2 * tiling.tile_m * tiling.tile_n * tiling.depth / (A100.peak(FP16) / 108)
        waved = sum(term.seconds for term in found.terms[:3])
        assert waved == pytest.approx(tiling.waves * each / tiling.rate / of(A100).tensor_rate)
        assert found.alignment_efficiency == 0.95  # 6000 bytes are no multiple of 128

    def test_larger_is_faster_and_setup_is_spread_over_k(self):
        squares = [row(Linear(n, 4096, n)).rate for n in (256, 512, 1024, 2048, 4096, 8192)]
        deeper = [row(Linear(4096, k, 4096)).rate for k in (256, 512, 1024, 2048, 4096, 8192)]
        for rates in (squares, deeper):  # up to where the power limit flattens them
            assert all(more > 0.97 * less for less, more in pairwise(rates))
            assert rates[:4] == sorted(rates[:4])

    @pytest.mark.parametrize("field", ["batch", "inputs", "outputs"])
    @pytest.mark.parametrize("size", [64, 128, 256, 512, 1024])
    def test_doubling_a_dimension_takes_less_than_twice_the_time(self, field, size):
        layer = replace(Linear(512, 1024, 4096), **{field: size})
        assert row(replace(layer, **{field: 2 * size}), V100).time < 2 * row(layer, V100).time


class TestAlignment:
    def test_a_k_that_is_even_is_faster_than_an_odd_one(self):
        # rows of 2048, 2056, 2052 and 2050 bytes
        shares = [row(Linear(512, k, 4096), V100).alignment_efficiency for k in (1024, 1028, 1026, 1025)]
        assert shares == sorted(shares, reverse=True)
        assert len(set(shares)) == 4

    @pytest.mark.parametrize("k", [1026, 1028])
    def test_a_new_library_gains_two_to_four_times_at_an_even_k(self, k):
        old, new = (
            row(Linear(4096, k, 4096), V100, library=lib) for lib in (Library.LEGACY, Library.CURRENT)
        )
        assert 1.98 < new.alignment_efficiency / old.alignment_efficiency < 4


class TestBytes:
    def test_a_batch_of_products(self):
        # 4 products of 3x7, 7x5 and 3x5 in FP16: 4 * 2 * (21 + 35 + 15)
        assert Gemm(3, 5, 7, batch=4).traffic(uniform(FP16)) == 568
        # twice, one after another; or with A on the chip: 4 * 2 * (21 + 2 (35 + 15))
        assert Gemm(3, 5, 7, batch=4, repeat=2).traffic(uniform(FP16)) == 1136
        assert Gemm(3, 5, 7, batch=4, repeat=2, resident=True).traffic(uniform(FP16)) == 968

    @given(st.permutations([3, 50, 700]))
    def test_intensity_does_not_tell_m_n_and_k_apart(self, sizes):
        op = Gemm(*sizes)
        assert op.flops / op.traffic(uniform(FP16)) == pytest.approx(
            2 * 3 * 50 * 700 / (2 * (150 + 2100 + 35000))
        )

    @pytest.mark.parametrize(
        ("phase", "moved"),
        [
            (FPROP, 2 * 15 + 35 + 2 * 21),  # x and y of 2 bytes, W of 1
            (DGRAD, 4 * 21 + 35 + 4 * 15),  # dy and dx of 4, W of 1
            (WGRAD, 2 * 15 + 4 * 21 + 4 * 35),  # x of 2, dy of 4, dW of 4
        ],
    )
    def test_a_linear_layer_in_three_formats(self, phase, moved):
        layer = Linear(batch=3, inputs=5, outputs=7)  # x 15, y 21, W 35 elements
        assert [op.traffic(MIXED) for op in layer.ops(phase)] == [moved]

    def test_a_bias_is_an_addition_an_output_and_moves_nothing(self):
        bare, biased = (Linear(3, 5, 7, bias=flag) for flag in (False, True))
        assert (bare.params, biased.params) == (35, 42)
        assert biased.epilogue_flops == biased.other_flops == 21
        assert biased.ops(FPROP) == bare.ops(FPROP)

    def test_no_first_layer_has_a_gradient_of_its_input(self):
        # forward and weights of all layers, input of all but the first: 3 * 2 - 1 products of 2 * 8^3 flops
        class Two(models.Model):
            def build(self):
                return Sequence.of(first=Linear(8, 8, 8), second=Linear(8, 8, 8))

        assert Scenario(Two(), A100, FP16, TRAINING).flops == 5 * 2 * 8**3


class TestFullyConnected:
    def test_four_inputs_and_eight_outputs(self):
        assert Linear(1, 4, 8, bias=False).params == 32

    def test_a_vocabulary_is_m_then_k_then_n(self):
        projection = Linear(batch=4096, inputs=1024, outputs=33708)
        shapes = [(op.m, op.n, op.k) for phase in TRAINING for op in projection.ops(phase)]
        assert shapes == [(33708, 4096, 1024), (1024, 4096, 33708), (1024, 33708, 4096)]

    @pytest.mark.parametrize("batch", [4095, 4096])
    def test_the_gradient_of_the_weights_sees_the_batch_as_k(self, batch):
        (op,) = Linear(batch, 1024, 4096).ops(WGRAD)
        assert op.k == batch


class TestMemoryLimited:
    @pytest.mark.parametrize("kind", [BatchNorm2d, Pool2d])
    @pytest.mark.parametrize("phase", [FPROP, DGRAD])
    def test_twice_the_values_take_twice_the_time(self, kind, phase):
        one, two = (row(kind(batch), phase=phase, launch=KERNEL) for batch in (256, 512))
        assert two.time == pytest.approx(2 * one.time, rel=1e-4)  # but for parameters

    @pytest.mark.parametrize("phase", [FPROP, DGRAD])
    def test_small_batches_of_a_normalization_take_equally_long(self, phase):
        def time(batch):
            return row(BatchNorm2d(batch, 64, 32, 32), phase=phase, launch=EAGER).time

        assert {time(batch) for batch in (1, 2, 4, 8, 16, 32)} == {time(1)}
        assert time(16384) == pytest.approx(2 * time(8192), rel=0.02)  # slope 1 in a log-log picture

    def test_an_activation_depends_on_the_number_of_values_alone(self):
        # N H W C = 64 * 32 * 32 * 128 = 128 * 16 * 16 * 256, and half of it
        times = [row(Activation(e), launch=KERNEL).time for e in (64 * 32 * 32 * 128, 128 * 16 * 16 * 256)]
        assert times[0] == times[1]
        small = [row(Activation(n * 32 * 32 * 64), phase=DGRAD, launch=EAGER).time for n in (1, 2, 16)]
        assert len(set(small)) == 1  # the floor

    @pytest.mark.parametrize("phase", [FPROP, DGRAD])
    def test_pooling_takes_as_long_for_each_value(self, phase):
        each = []
        for shape in ((32, 64, 112, 112), (256, 64, 112, 112), (64, 256, 56, 56)):
            layer = Pool2d(*shape, 2, 2)
            each.append(row(layer, phase=phase, launch=KERNEL).time / prod(shape))
        assert each == pytest.approx([each[0]] * 3)


class TestUnits:
    def test_a_million_numbers(self):
        elements = prod(Linear(1000, 1000, 1).input_shape)
        size = elements * FP32.bytes
        assert size == 4_000_000
        assert si(size, "B") == "4 MB"
        assert round(size / MIB, 2) == 3.81

    def test_bytes_of_a_number(self):
        sizes = {dtype.name: dtype.bytes for dtype in dtypes.DTYPES}
        assert sizes == {
            "FP64": 8, "FP32": 4, "TF32": 4, "FP16": 2, "BF16": 2, "FP8": 1, "INT8": 1, "INT4": 0.5,
        }  # fmt: skip


class TestLayerTables:
    """B images, C channels to D, H x W pixels, a window of K x K."""

    B, C, D, H, W, K = 4, 16, 24, 20, 18, 3

    @pytest.mark.parametrize(
        ("layer", "params"),
        [
            (Linear(B, 30, 50, bias=False), 30 * 50),
            (Conv2d(B, C, D, H, W, K, K, bias=False), 16 * 24 * 9),
            (BatchNorm2d(B, C, H, W), 2 * 16),
            (Embedding(100, 64, 5000), 5000 * 64),
            (Pool2d(B, C, H, W, K, K), 0),
            (Activation(B * C * H * W), 0),
        ],
        ids=str,
    )
    def test_parameters(self, layer, params):
        assert layer.params == params

    def test_multiply_adds(self):
        assert Linear(self.B, 30, 50).macs == self.B * 30 * 50
        conv = Conv2d(self.B, self.C, self.D, self.H, self.W, self.K, self.K, padding=1)
        # of the output's pixels, here as many as the input's: 4 * 20*18 * 16*24*9
        assert conv.macs == self.B * self.H * self.W * self.C * self.D * self.K**2 == 4_976_640
        strided = replace(conv, stride=2)
        assert strided.output == (10, 9)
        assert strided.macs == conv.macs // 4

    def test_other_flops(self):
        values = self.B * self.H * self.W * self.C
        assert Activation(values).other_flops == values
        assert 4 * values <= BatchNorm2d(self.B, self.C, self.H, self.W).other_flops <= 6 * values
        pool = Pool2d(self.B, self.C, self.H, self.W, self.K, self.K, stride=1, padding=1)
        assert pool.other_flops == values * self.K**2
        assert (pool.macs, Activation(values).macs) == (0, 0)


class TestTransformers:
    @pytest.mark.parametrize("width", [128, 768, 12288])
    def test_parameters_of_a_block(self, width):
        # attention 4 D^2 + 4 D, the two linear layers 8 D^2 + 5 D, two norms 4 D: 12 D^2 + 13 D
        block = pre_norm_block(64, width, MultiheadAttention(1, 64, width, 4), 4 * width)
        assert block.params == 12 * width**2 + 13 * width

    def test_flops_a_token_of_blocks_without_a_mask(self):
        # 2 for each of L * 12 D^2 weights, and 4 L S D for attention
        blocks, s, d = 12, 1024, 768
        layer = Repeat(pre_norm_block(s, d, MultiheadAttention(1, s, d, 12), 4 * d), blocks)
        assert layer.flops / s == 2 * blocks * 12 * d**2 + 4 * blocks * s * d

    def test_flops_a_token_are_about_twice_the_parameters(self):
        # GPT-3: 2 P + 4 L S D, the second half as much with a causal mask
        model = models.Gpt3()
        attention = 4 * 96 * 2048 * 12288 / 2
        assert model.flops / 2048 == pytest.approx(2 * model.params + attention, rel=0.001)

    def test_training_is_about_six_flops_a_parameter_and_token(self):
        step = Scenario(models.Gpt3(), A100, BF16, TRAINING)
        flops = sum(2 * c.count * c.op.macs for c in step.costs)
        assert flops / 2048 == pytest.approx(6 * models.Gpt3().params, rel=0.02)

    def test_projections_of_heads_that_share_keys(self):
        # 2 B S D (D + 2 hk d) + 2 B S D^2
        b, s, d, heads, kv_heads = 2, 100, 512, 8, 2
        layer = MultiheadAttention(b, s, d, heads, kv_heads)
        projections = sum(part.flops for _, part in layer.parts if isinstance(part, Linear))
        assert projections == 2 * b * s * d * (d + 2 * kv_heads * 64) + 2 * b * s * d * d


class TestNetworks:
    @pytest.mark.parametrize(
        ("model", "megabytes"),
        [
            (models.AlexNet(), 244.4),
            (models.Vgg16(), 553.4),
            (models.ResNet18(), 46.8),
            (models.ResNet34(), 87.2),
            (models.ResNet50(), 102.2),
            (models.ResNet101(), 178.2),
            (models.ResNet152(), 240.8),
            (models.MobileNetV1(), 16.9),
            (models.MobileNetV2(), 14.0),
        ],
        ids=str,
    )
    def test_weights_in_fp32(self, model, megabytes):
        assert round(4 * model.params / 1e6, 1) == megabytes

    def test_alexnet_without_groups_for_227_pixels(self):
        leaves = [leaf for _, leaf, _ in models.AlexNet(grouped=True).leaves() if leaf.params]
        whole = [replace(leaf, groups=1) if isinstance(leaf, Conv2d) else leaf for leaf in leaves]
        assert sum(leaf.params for leaf in whole) == 62_378_344
        assert sum(leaf.macs for leaf in whole) == 1_135_256_096

    def test_a_table_that_mixes_two_variants_of_alexnet(self):
        # 1.3M parameters of the fourth convolution belong to 224M multiply-adds, 112M to 0.66M
        conv4 = dict((name, leaf) for name, leaf, _ in models.AlexNet(grouped=True).leaves())["conv4"]
        whole = replace(conv4, groups=1)
        assert (whole.params, whole.macs) == (1_327_488, 224_280_576)
        assert (conv4.params, conv4.macs) == (663_936, 112_140_288)

    @pytest.mark.parametrize(
        ("name", "giga"), [("conv1", 1.05), ("conv2", 2.24), ("conv4", 1.12), ("conv5", 0.7476)]
    )
    def test_alexnet_of_ten_pictures(self, name, giga):
        leaves = dict((name, leaf) for name, leaf, _ in models.AlexNet(10, grouped=True).leaves())
        assert leaves[name].macs / 1e9 == pytest.approx(giga, abs=0.005)

    def test_half_the_picture_is_about_a_quarter_of_the_activations(self):
        def activations(size):
            leaves = [leaf for _, leaf, _ in models.ResNet50(size=size).leaves()]
            return sum(prod(leaf.output_shape) for leaf in leaves if isinstance(leaf, Conv2d))

        # a little more: the last stage has 4 x 4 pixels of 3.5 x 3.5
        assert activations(112) / activations(224) == pytest.approx(0.25, abs=0.01)
        assert models.ResNet50(size=112).params == models.ResNet50().params

    def test_half_the_picture_in_alexnets_convolutions(self):
        # 55, 27 and three times 13 pixels become 27, 13 and three times 6: 111,360 of 484,992 values
        values = {}
        for size, pooled in ((224, (27, 13)), (112, (13, 6))):
            shapes = ((3, 64, size, 11, 4, 2), (64, 192, pooled[0], 5, 1, 2), (192, 896, pooled[1], 3, 1, 1))
            convs = [
                Conv2d(1, c, k, n, n, r, r, u, p) for c, k, n, r, u, p in shapes
            ]  # the last three as one
            values[size] = sum(prod(conv.output_shape) for conv in convs)
        assert values == {224: 484_992, 112: 111_360}

    def test_passes_over_memory_are_a_larger_share_of_small_networks(self):
        shares = []
        for width in (64, 256, 1024, 4096):
            layer = Sequence.of(
                up=Linear(4096, width, 4 * width), act=Activation(4096 * 4 * width),
                down=Linear(4096, 4 * width, width), norm=LayerNorm(4096, width),
            )  # fmt: skip
            step = Scenario(layer, A100, FP16, TRAINING, KERNEL)
            assert step.time == pytest.approx(sum(c.time for c in step.costs))
            memory = sum(c.time for c in step.costs if c.limiter is Limiter.MEMORY)
            shares.append(memory / step.time)
        assert shares == sorted(shares, reverse=True)
        assert shares[0] == pytest.approx(1) and shares[-1] < 0.1

    def test_throughput_rises_with_the_batch_and_levels_off(self):
        batches = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
        times = [Scenario(models.ResNet50(batch), A100, FP16, TRAINING).time for batch in batches]
        rates = [batch / time for batch, time in zip(batches, times, strict=True)]
        assert rates == sorted(rates)
        assert rates[1] > 1.5 * rates[0]
        assert rates[-1] < 1.05 * rates[-2]  # twice the batch, nearly twice the time
        assert times[-1] == pytest.approx(2 * times[-2], rel=0.05)

    @pytest.mark.parametrize("kind", [models.AlexNet, models.ResNet50, models.Vgg16])
    def test_backward_is_about_twice_the_forward_work(self, kind):
        step = Scenario(kind(8), A100, FP16, TRAINING)
        work = {phase: sum(c.count * c.op.macs for c in step.costs if c.phase is phase) for phase in TRAINING}
        assert (work[DGRAD] + work[WGRAD]) / work[FPROP] == pytest.approx(2, abs=0.1)
        assert work[DGRAD] < work[WGRAD] == work[FPROP]
        assert work[UPDATE] == 0
