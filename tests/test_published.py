"""Worked examples of NVIDIA's deep learning performance guides, with the arithmetic shown."""

from math import ceil

import pytest

from dlperf_widgets import dtypes, gpus
from dlperf_widgets.advice import crossover
from dlperf_widgets.cost import Launch, Library, Limiter, Scenario, Tiling
from dlperf_widgets.cost.time import alignment, cost
from dlperf_widgets.dtypes import FP16, FP64, INT8, TF32, uniform
from dlperf_widgets.layers import Linear
from dlperf_widgets.ops import TRAINING, Gemm, Phase, Stream

V100 = gpus.V100_SXM2_16GB
A100 = gpus.A100_SXM4_80GB
KERNEL = Launch.KERNEL


def fprop(batch, inputs, outputs, gpu=V100, dtype=FP16, **how):
    return Scenario(Linear(batch, inputs, outputs), gpu, dtype, **how).costs[0]


def streamed(reads, writes, flops, gpu=V100, launch=KERNEL):
    op = Stream(reads, writes, flops)
    return cost("", Phase.FPROP, op, 1, gpu, uniform(FP16), launch, Library.CURRENT, False)


class TestBackground:
    """The GPU performance background guide."""

    def test_the_linear_layer_at_batch_512_is_math_limited(self):
        # 2*512*1024*4096 / (2*(1024*4096 + 512*1024 + 512*4096)) = 4294967296 / 13631488
        row = fprop(512, 1024, 4096)
        assert (row.flops, row.bytes) == (4_294_967_296, 13_631_488)
        assert row.arithmetic_intensity == pytest.approx(315.08, abs=0.005)
        assert row.limiter is Limiter.MATH

    def test_at_batch_1_it_is_memory_limited(self):
        # 2*1024*4096 / (2*(1024*4096 + 1024 + 4096)) = 8388608 / 8398848
        row = fprop(1, 1024, 4096)
        assert row.arithmetic_intensity == pytest.approx(0.9988, abs=5e-5)
        assert row.limiter is Limiter.MEMORY

    @pytest.mark.parametrize(
        ("flops", "intensity"),
        [
            pytest.param(9, 2.25, id="max pooling 3x3: 9 ops / (2 B + 2 B)"),
            pytest.param(1, 0.25, id="ReLU: 1 op / (2 B + 2 B)"),
            pytest.param(8, 2.0, id="layer norm: about 8 ops an element, below 10 FLOPS/byte"),
        ],
    )
    def test_elementwise_and_reduction_layers_are_memory_limited(self, flops, intensity):
        elements = 10_000_000
        row = streamed(elements, elements, flops * elements)
        assert row.arithmetic_intensity == intensity < 10
        assert row.limiter is Limiter.MEMORY

    def test_ops_byte_ratio_of_v100(self):
        # 125e12 / 900e9 = 138.9 from DRAM; 125e12 / 3.1e12 = 40.3 from L2
        assert V100.ops_byte_ratio(FP16) == pytest.approx(138.9, abs=0.05)
        assert V100.peak(FP16) / V100.l2_bandwidth == pytest.approx(40.3, abs=0.05)

    def test_peak_of_a100_from_its_units(self):
        # 108 SMs * 1.41e9 Hz * 1024 FP16 or 512 TF32 multiply-adds * 2
        assert pytest.approx(A100.peak(FP16), rel=0.001) == 108 * 1.41e9 * 1024 * 2
        assert pytest.approx(A100.peak(TF32), rel=0.001) == 108 * 1.41e9 * 512 * 2

    def test_a100_80gb(self):
        assert (A100.sms, A100.l2, A100.bandwidth) == (108, 40 * 2**20, 2039e9)
        assert A100.ops_byte_ratio(FP16) == pytest.approx(153.0, abs=0.05)

    def test_v100(self):
        assert (V100.sms, V100.l2) == (80, 6 * 2**20)
        assert pytest.approx(V100.peak(FP16), rel=0.003) == 80 * 1.53e9 * 512 * 2

    def test_one_thread_is_limited_by_latency_whatever_its_intensity(self):
        # 16000 ops on 16 B: 1000 FLOPS/byte, yet 16000 / 31.4e12 is half a nanosecond
        row = streamed(4, 4, 16_000, launch=Launch.GRAPH)
        assert row.arithmetic_intensity == 1000
        assert row.limiter is Limiter.LAUNCH


class TestProducts:
    """The matrix multiplication background guide."""

    def test_flops(self):
        assert Gemm(3, 5, 7).flops == 2 * 3 * 5 * 7
        assert Gemm(3, 5, 7, batch=2, repeat=4).flops == 8 * 2 * 3 * 5 * 7

    @pytest.mark.parametrize("dtype", dtypes.DTYPES)
    def test_intensity_in_general(self, dtype):
        # 2MNK / (b (MK + NK + MN))
        m, n, k = 512, 256, 1024
        expected = 2 * m * n * k / (dtype.bytes * (m * k + n * k + m * n))
        op = Gemm(m, n, k)
        assert op.flops / op.traffic(uniform(dtype)) == pytest.approx(expected)

    @pytest.mark.parametrize(
        ("m", "n", "k", "intensity", "limiter"),
        [
            (8192, 128, 8192, 124.12, Limiter.MEMORY),  # 128*8192^2 / (2*128*8192 + 8192^2)
            (8192, 8192, 8192, 2730.67, Limiter.MATH),  # 8192 / 3
            (8192, 1, 8192, 0.99976, Limiter.MEMORY),  # 8192^2 / (8192^2 + 2*8192)
        ],
    )
    def test_a_product_changes_sides_with_its_shape(self, m, n, k, intensity, limiter):
        row = fprop(n, k, m)
        assert row.arithmetic_intensity == pytest.approx(intensity, rel=1e-5)
        assert row.limiter is limiter

    @pytest.mark.parametrize(("m", "n"), [(1, 8192), (8192, 1), (1, 1), (1, 17)])
    def test_a_matrix_times_a_vector_is_below_one(self, m, n):
        op = Gemm(m, n, 8192)
        assert op.flops / op.traffic(uniform(FP16)) < 1

    @pytest.mark.parametrize(
        ("tile", "tiles", "waves"),
        [
            ((256, 128), 432, 4),  # 27 * 16, exactly 4 waves of 108
            ((128, 128), 864, 8),
            ((256, 64), 864, 8),
            ((128, 64), 1728, 16),
            ((64, 64), 3456, 32),
        ],
    )
    def test_tiles_of_the_sweep_figure(self, tile, tiles, waves):
        tiling = Tiling(Gemm(6912, 2048, 4096), *tile, sms=108)
        assert (tiling.tiles, tiling.waves, tiling.wave_efficiency) == (tiles, waves, 1.0)

    def test_throughput_falls_with_smaller_tiles(self):
        rates = [
            Tiling(Gemm(6912, 2048, 4096), m, n, 108).rate
            for m, n in ((256, 128), (128, 128), (128, 64), (64, 64))
        ]
        assert rates == sorted(rates, reverse=True)
        assert len(set(rates)) == 4

    def test_tile_quantization(self):
        # 256 x 256 in 128 x 128: 4 tiles. 257 x 256: 3 * 2 = 6, 1.5 times the math for 0.39% more output
        before, after = (Tiling(Gemm(m, 256, 1024), 128, 128, 108) for m in (256, 257))
        assert (before.tiles, after.tiles) == (4, 6)
        assert pytest.approx(0.0039, abs=5e-5) == 257 / 256 - 1
        assert after.tile_efficiency == pytest.approx(257 * 256 / (6 * 128 * 128))

    def test_flat_within_a_tile(self):
        # as many tiles for every N from 129 to 256
        assert {Tiling(Gemm(256, n, 1024), 128, 128, 108).tiles for n in range(129, 257)} == {4}

    @pytest.mark.parametrize(("n", "tiles", "waves"), [(128, 108, 1), (129, 216, 2), (256, 216, 2)])
    def test_waves_of_27648_rows(self, n, tiles, waves):
        tiling = Tiling(Gemm(27648, n, 4096), 256, 128, 108)  # 27648 / 256 = 108
        assert (tiling.tiles, tiling.waves) == (tiles, waves)

    @pytest.mark.parametrize(
        ("n", "tiles", "waves", "efficiency"),
        [(1536, 108, 1, 1.0), (1537, 117, 2, 117 / 216), (1664, 117, 2, 117 / 216)],
    )
    def test_wave_quantization(self, n, tiles, waves, efficiency):
        tiling = Tiling(Gemm(2304, n, 4096), 256, 128, 108)  # 9 * 12 = 108, 9 * 13 = 117
        assert (tiling.tiles, tiling.waves) == (tiles, waves)
        assert tiling.wave_efficiency == pytest.approx(efficiency)

    def test_the_tail_of_117_tiles(self):
        # (117 - 108) / 108 = 8.3% of the SMs have work in the last wave
        assert Tiling(Gemm(2304, 1537, 4096), 256, 128, 108).tail == pytest.approx(0.083, abs=5e-4)

    def test_1792_squared_and_one_more(self):
        # 7 * 14 = 98 tiles in 1 wave (90.7%); 8 * 15 = 120 in 2 (55.6%), 81.8% of them output
        one, two = (Tiling(Gemm(s, s, 4096), 256, 128, 108) for s in (1792, 1793))
        assert (one.tiles, one.waves, two.tiles, two.waves) == (98, 1, 120, 2)
        assert one.wave_efficiency == pytest.approx(0.907, abs=5e-4)
        assert two.wave_efficiency == pytest.approx(0.556, abs=5e-4)
        assert two.tile_efficiency == pytest.approx(0.818, abs=5e-4)

    @pytest.mark.parametrize(("dtype", "multiple"), [(INT8, 16), (FP16, 8), (TF32, 4), (FP64, 2)])
    def test_sixteen_bytes_in_elements(self, dtype, multiple):
        for size in (multiple, 3 * multiple):
            assert alignment(Gemm(size, 1, size), uniform(dtype)) == 16
        assert alignment(Gemm(multiple // 2, 1, multiple), uniform(dtype)) == 8

    @pytest.mark.parametrize(("dtype", "multiple"), [(INT8, 128), (FP16, 64), (TF32, 32), (FP64, 16)])
    def test_a100_likes_128_bytes(self, dtype, multiple):
        best = fprop(256, 5 * multiple, 3 * multiple, A100, dtype)
        good = fprop(256, 5 * multiple, 3 * multiple + multiple // 2, A100, dtype)
        assert best.alignment_efficiency == 1.0
        assert good.alignment_efficiency == 0.95

    def test_old_libraries_needed_sixteen_bytes_for_tensor_cores(self):
        old = fprop(512, 1025, 4096, library=Library.LEGACY)
        new = fprop(512, 1025, 4096)
        # 31.4 of 125 TFLOPS on the CUDA cores
        assert old.alignment_efficiency == pytest.approx(31.4 / 125)
        assert old.alignment_efficiency < new.alignment_efficiency < 1
        assert fprop(512, 1024, 4096, library=Library.LEGACY).alignment_efficiency == 1

    def test_only_the_contiguous_dimension_matters(self):
        assert fprop(511, 1024, 4096).alignment_efficiency == 1
        assert fprop(512, 1024, 4095).alignment_efficiency < 1


class TestFullyConnected:
    """The guide for linear and fully-connected layers."""

    def test_the_three_products(self):
        layer = Linear(batch=3, inputs=5, outputs=7)
        shapes = [(op.m, op.n, op.k) for phase in TRAINING for op in layer.ops(phase)]
        assert shapes == [
            (7, 3, 5),  # fprop: outputs x batch x inputs
            (5, 3, 7),  # dgrad: inputs x batch x outputs
            (5, 7, 3),  # wgrad: inputs x outputs x batch
        ]

    @pytest.mark.parametrize(("gpu", "batch"), [(V100, 149), (A100, 166)])
    def test_crossover_of_4096_to_4096(self, gpu, batch):
        # 4096 B / (4096 + 2 B) reaches 138.9 or 153.0
        scenario = Scenario(Linear(1, 4096, 4096), gpu, FP16)
        assert crossover(scenario, "batch") == batch

    @pytest.mark.parametrize(
        ("batch", "intensity", "limiter"), [(128, 120.5, Limiter.MEMORY), (256, 227.6, Limiter.MATH)]
    )
    def test_sides_of_4096_to_4096_on_a100(self, batch, intensity, limiter):
        row = fprop(batch, 4096, 4096, A100)
        assert row.arithmetic_intensity == pytest.approx(intensity, abs=0.05)
        assert row.limiter is limiter

    @pytest.mark.parametrize(("gpu", "batch"), [(V100, 168), (A100, 189)])
    @pytest.mark.parametrize(("inputs", "outputs"), [(1024, 4096), (4096, 1024)])
    def test_crossover_of_1024_to_4096(self, gpu, batch, inputs, outputs):
        scenario = Scenario(Linear(1, inputs, outputs), gpu, FP16)
        assert crossover(scenario, "batch") == batch

    def test_padding_a_vocabulary(self):
        # 33708 % 8 = 4: its rows are multiples of 8 bytes; 33712 of 32; 33728 of 256
        assert (ceil(33708 / 8) * 8, ceil(33708 / 64) * 64) == (33712, 33728)
        shares = [fprop(4096, 1024, size, A100).alignment_efficiency for size in (33708, 33712, 33728)]
        assert shares == [0.75, 0.95, 1.0]

    def test_padding_50257_is_no_matter_of_tiles(self):
        # 50257 and 50304 both make 393 tiles of 128; the waste is 47 / 50304 = 0.093%
        odd, even = (Tiling(Gemm(size, 128, 1024), 128, 128, 108) for size in (50257, 50304))
        assert odd.tiles == even.tiles == 393
        assert 1 - odd.tile_efficiency == pytest.approx(0.00093, abs=5e-6)
        assert fprop(512, 1024, 50257, A100).alignment_efficiency < 0.5
        assert fprop(512, 1024, 50304, A100).alignment_efficiency == 1

    @pytest.mark.parametrize(
        ("outputs", "batch", "sms", "tiles", "waves"),
        [
            (4096, 2048, 80, 256, 4),  # 16 * 16 = 3.2 waves
            (4096, 2560, 80, 320, 4),  # 16 * 20 = 4.0 waves
            (1024, 2048, 80, 64, 1),  # 0.8
            (1024, 2560, 80, 80, 1),  # 1.0
            (4096, 2048, 108, 256, 3),  # 2.37
            (4096, 2560, 108, 320, 3),  # 2.963
            (4096, 3456, 108, 432, 4),  # 4.0
        ],
    )
    def test_wave_friendly_batches(self, outputs, batch, sms, tiles, waves):
        tiling = Tiling(Gemm(outputs, batch, 1024), 256, 128, sms)
        assert (tiling.tiles, tiling.waves) == (tiles, waves)

    def test_a_quarter_more_work_in_hardly_more_time_on_v100(self):
        # both make 4 waves of 256 x 128; other tiles may suit 2048 a little better
        small, large = (fprop(batch, 1024, 4096, launch=KERNEL) for batch in (2048, 2560))
        assert large.flops == 1.25 * small.flops
        assert small.time < large.time < 1.1 * small.time


class TestTilePolicy:
    def test_a_small_tile_is_not_chosen_just_because_it_wastes_least(self):
        tiling = fprop(4096 + 64, 4096, 4096, A100).tiling
        assert tiling.tile_m * tiling.tile_n > 64 * 64

    def test_a_small_product_takes_small_tiles_to_fill_the_gpu(self):
        tiling = fprop(512, 4096, 512, A100).tiling
        assert tiling.tiles > Tiling(Gemm(512, 512, 4096), 256, 128, 108).tiles
