"""The shape of figures in NVIDIA's performance guides, and of measurements: steps, flats and slopes.

What is asserted is the shape with a stated band, not the digits: constants of the model may be refitted.
Times are of a kernel alone unless said otherwise.
"""

from itertools import pairwise
from math import log

import pytest

import dlperf_widgets as dp
from dlperf_widgets import gpus
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Activation, BatchNorm2d, Conv2d, Linear, Lstm, Pool2d

A100, V100, H100, A6000 = gpus.A100_SXM4_80GB, gpus.V100_SXM2_16GB, gpus.H100_SXM5_80GB, gpus.RTX_A6000
FPROP, DGRAD = dp.Phase.FPROP, dp.Phase.DGRAD


def asked(layer, gpu=A100, phase=FPROP, launch=dp.Launch.KERNEL):
    return dp.Scenario(layer, gpu, FP16, (phase,), launch)


def seconds(layer, gpu=A100, **how):
    return asked(layer, gpu, **how).time


def rate(layer, gpu=A100):
    """FLOPS that are wanted, a second: what the guides' figures call performance."""
    scenario = asked(layer, gpu)
    return scenario.flops / scenario.time


def slope(smaller, larger):
    """Slope in a log-log picture between two points (size, time)."""
    return log(larger[1] / smaller[1]) / log(larger[0] / smaller[0])


class TestTileQuantization:
    """NVIDIA, Matrix Multiplication Background: figures on tile quantization. Rows are the batch."""

    def test_rows_128_to_129_on_an_a6000(self):
        # LLMServingSim's measurements of a layer of Llama-3.1 8B: 194 us at 128 rows, 249 us at 129
        before, after = (seconds(Linear(rows, 4096, 14336), A6000) for rows in (128, 129))
        assert before == pytest.approx(194e-6, rel=0.15)
        assert after == pytest.approx(249e-6, rel=0.15)
        assert 1.15 < after / before < 1.5  # measured 1.28

    @pytest.mark.parametrize("rows", [256, 384])
    def test_more_steps_of_the_same_layer(self, rows):
        # measured 287 to 366 us, 394 to 507 us: 1.28 and 1.29
        before, after = (seconds(Linear(n, 4096, 14336), A6000) for n in (rows, rows + 1))
        assert 1.15 < after / before < 1.5

    @pytest.mark.parametrize(("first", "last"), [(113, 128), (129, 160), (225, 256), (257, 384)])
    def test_flat_within_a_row_of_tiles(self, first, last):
        # measured 191 to 195, 251 to 256, 280 to 288 and 366 to 395 us
        start, end = (seconds(Linear(n, 4096, 14336), A6000) for n in (first, last))
        assert start <= end < 1.1 * start

    def test_steps_of_a_product_of_27648(self):
        # the guide's product: M = 27648, K = 4096, a step where N passes a multiple of 128
        at = {n: seconds(Linear(n, 4096, 27648)) for n in (97, 128, 129, 256, 257, 384, 385, 512)}
        for full in (128, 256, 384):
            assert at[full + 1] > 1.2 * at[full]
        for first, last in ((97, 128), (129, 256), (257, 384), (385, 512)):
            assert at[first] <= at[last] < 1.2 * at[first]  # tiles of 64 suit the first half of some rows

    def test_performance_rises_within_a_tile_and_falls_behind_it(self):
        peaks = [rate(Linear(n, 4096, 27648)) for n in (128, 256, 384, 512)]
        valleys = [rate(Linear(n, 4096, 27648)) for n in (129, 257, 385, 513)]
        assert all(valley < 0.85 * peak for peak, valley in zip(peaks, valleys, strict=True))
        assert all(valley < peak for valley, peak in zip(valleys, peaks[1:], strict=False))

    def test_a_step_matters_less_when_there_is_more(self):
        few, many = (
            seconds(Linear(n + 1, 4096, 27648)) / seconds(Linear(n, 4096, 27648)) for n in (128, 4096)
        )
        assert 1 < many < 1.1 < few


class TestWaveQuantization:
    """NVIDIA, Matrix Multiplication Background: figures on wave quantization (M = 2304, K = 4096)."""

    @pytest.mark.parametrize("gpu", [V100, A100, H100, A6000, gpus.RTX_3090], ids=str)
    def test_steps_follow_full_waves(self, gpu):
        # every column of tiles adds at most a few percent, unless the tiles before it filled the SMs
        costs = [asked(Linear(n, 4096, 2304), gpu).costs[0] for n in range(512, 8193, 128)]
        steps = [before for before, after in pairwise(costs) if after.time > 1.08 * before.time]
        assert len(steps) >= 4
        for before in steps:
            tiling = before.tiling
            assert tiling.waves - 0.15 * tiling.waves <= tiling.parts / gpu.sms <= tiling.waves

    def test_the_guides_step_on_an_a100(self):
        # 9 x 12 tiles of 256 x 128 are 108, one for each SM; 9 x 13 are 117, a second wave for 9 of them
        full, more = (asked(Linear(n, 4096, 2304)).costs[0] for n in (1536, 1537))
        assert full.tiling.parts == A100.sms
        assert 1.25 < more.time / full.time < 2.1

    def test_the_first_waves_matter_most(self):
        first, later = (
            seconds(Linear(n + 128, 4096, 2304)) / seconds(Linear(n, 4096, 2304)) for n in (1536, 7680)
        )
        assert later < 1.12 < 1.25 < first

    @pytest.mark.parametrize("gpu", [V100, A100], ids=str)
    def test_as_many_tiles_as_sms_do_best(self, gpu):
        # NVIDIA, GPU Performance Background: utilization against the number of thread blocks
        wide = 128 * gpu.sms
        best, worse = (asked(Linear(256, 4096, n), gpu).costs[0] for n in (wide, wide + 128))
        assert best.wave_efficiency > 0.9 > worse.wave_efficiency
        assert best.rate > 1.1 * worse.rate

    def test_a_convolution_of_one_more_image(self):
        # NVIDIA, Convolutional Layers: 27 images of 16 x 16 pixels and 256 filters are 54 x 2 = 108 tiles
        # of 128 x 128, one wave; 28 are 112
        times = [seconds(Conv2d(batch, 256, 256, 16, 16, 3, 3, padding=1)) for batch in (26, 27, 28, 29)]
        assert 1.25 < times[2] / times[1] < 2.1
        assert times[1] < 1.05 * times[0] and times[3] < 1.05 * times[2]


class TestSize:
    """What larger sizes do to the rate."""

    def test_larger_products_reach_a_higher_rate(self):
        # NVIDIA, Matrix Multiplication Background: M = N grows at K = 4096
        rates = [rate(Linear(n, 4096, n)) for n in (256, 512, 1024, 2048, 4096)]
        assert rates == sorted(rates) and rates[-1] > 2 * rates[0]

    def test_and_deeper_ones_until_setup_no_longer_shows(self):
        # the same guide: K grows at M = N = 4096
        rates = [rate(Linear(4096, k, 4096)) for k in (128, 256, 512, 1024, 2048, 4096, 8192)]
        assert rates[:4] == sorted(rates[:4]) and rates[3] > 1.5 * rates[0]
        assert min(rates[3:]) > 0.9 * max(rates[3:])

    def test_a_small_batch_costs_hardly_less_than_a_larger_one(self):
        # NVIDIA, Linear/Fully-Connected Layers: the weights must be read however small the batch
        one, few, many = (seconds(Linear(batch, 1024, 4096), V100) for batch in (1, 32, 2048))
        assert one <= few < 1.15 * one and many > 8 * one

    def test_a_larger_batch_reaches_a_higher_rate(self):
        rates = [rate(Linear(batch, 1024, 4096), V100) for batch in (32, 128, 512, 2560)]
        assert rates == sorted(rates) and rates[-1] > 3 * rates[0]

    def test_2560_is_as_quick_as_2048(self):
        # the same guide's case study, V100: both make 4 waves of 256 x 128 tiles
        small, large = (seconds(Linear(batch, 1024, 4096), V100) for batch in (2048, 2560))
        assert small <= large < 1.1 * small

    def test_more_channels_are_more_efficient_and_take_longer(self):
        # NVIDIA, Convolutional Layers: larger parameters give efficiency, not a shorter time
        layers = [Conv2d(32, c, c, 28, 28, 3, 3, padding=1) for c in (16, 32, 64, 128)]
        for measure in (rate, seconds):
            found = [measure(layer) for layer in layers]
            assert found == sorted(found) and len(set(found)) == 4

    @pytest.mark.parametrize("batch", [8, 16, 32, 64, 128])
    def test_twice_the_sequences_take_less_than_twice_as_long(self, batch):
        # NVIDIA, Recurrent Layers
        one, two = (seconds(Lstm(b, 50, 1024, 1024), V100) for b in (batch, 2 * batch))
        assert one < two < 1.9 * one

    def test_a_persistent_lstm_is_faster_where_batches_are_small(self):
        # the same guide: weights that stay on the chip are not read at every time step
        gains = [
            seconds(Lstm(b, 50, 1024, 1024), V100) / seconds(Lstm(b, 50, 1024, 1024, persistent=True), V100)
            for b in (8, 32, 128)
        ]
        assert gains == sorted(gains, reverse=True)
        assert gains[0] > 1.15 and gains[-1] >= 1


class TestMemoryLimited:
    """NVIDIA, Memory-Limited Layers: time against batch size, both axes logarithmic, A100."""

    SMALL = (1, 2, 4, 8, 16)
    LARGE = (1024, 2048, 4096, 8192)
    every = pytest.mark.parametrize(
        "layer",
        [
            # batch normalization NCHW in several passes, and NHWC persistent
            pytest.param(lambda n: BatchNorm2d(n, 64, 32, 32, "three-pass"), id="batch norm"),
            pytest.param(lambda n: BatchNorm2d(n, 64, 32, 32), id="persistent batch norm"),
            pytest.param(lambda n: Activation(n * 32 * 32 * 64), id="activation"),
            pytest.param(lambda n: Pool2d(n, 64, 32, 32, 2, 2), id="pooling"),
        ],
    )
    both = pytest.mark.parametrize("phase", [FPROP, DGRAD])

    @every
    @both
    def test_flat_while_small(self, layer, phase):
        # each operation launched from the host, as the guide's were
        times = [seconds(layer(n), phase=phase, launch=dp.Launch.EAGER) for n in self.SMALL]
        assert max(times) < 1.05 * min(times)

    @every
    @both
    def test_slope_one_when_large(self, layer, phase):
        points = [(n, seconds(layer(n), phase=phase, launch=dp.Launch.EAGER)) for n in self.LARGE]
        for smaller, larger in pairwise(points):
            assert slope(smaller, larger) == pytest.approx(1, abs=0.12)
        assert slope(*points[-2:]) == pytest.approx(1, abs=0.03)

    @every
    def test_never_steeper_than_one_nor_falling(self, layer):
        sizes = [2**k for k in range(14)]
        points = [(n, seconds(layer(n), launch=dp.Launch.GRAPH)) for n in sizes]
        for smaller, larger in pairwise(points):
            assert -1e-9 < slope(smaller, larger) < 1.01

    @both
    @pytest.mark.parametrize("batch", [1, 64, 4096])
    def test_sigmoid_relu_and_tanh_are_equal(self, phase, batch):
        sizes = {
            seconds(Activation(batch * 32 * 32 * 64, kind), phase=phase)
            for kind in ("sigmoid", "relu", "tanh")
        }
        assert len(sizes) == 1

    def test_an_activation_takes_longer_backward(self):
        # it reads y and dy and writes dx, instead of reading x and writing y: 3 / 2
        back, ahead = (seconds(Activation(2**28), phase=phase) for phase in (DGRAD, FPROP))
        assert back / ahead == pytest.approx(3 / 2, rel=0.02)

    @both
    @pytest.mark.parametrize("batch", [64, 512, 4096])
    def test_persistent_batch_norm_is_faster(self, phase, batch):
        times = [
            seconds(BatchNorm2d(batch, 64, 32, 32, passes), phase=phase)
            for passes in ("persistent", "two-pass", "three-pass")
        ]
        assert times == sorted(times)
        assert times[0] < 0.75 * times[1]

    def test_by_what_it_reads(self):
        # forward: one read and one write against two or three reads and one write, once saturated
        one, two, three = (
            seconds(BatchNorm2d(8192, 64, 32, 32, passes))
            for passes in ("persistent", "two-pass", "three-pass")
        )
        assert two / one == pytest.approx(3 / 2, rel=0.03)
        assert three / one == pytest.approx(4 / 2, rel=0.03)

    @both
    def test_pooling_takes_as_long_for_each_value(self, phase):
        # the figure of pooling divides the time by N H W C
        shapes = [(n, 64, 56, 56) for n in (256, 512, 1024)] + [(256, 256, 56, 56), (256, 64, 112, 112)]
        each = [seconds(Pool2d(n, c, h, w, 2, 2), phase=phase) / (n * c * h * w) for n, c, h, w in shapes]
        assert max(each) < 1.05 * min(each)
