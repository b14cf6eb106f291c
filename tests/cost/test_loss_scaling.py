"""What gradients and updates lose in FP16, and the scaling that saves them."""

from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets.cost.precision import (
    MULTIBOX_SSD,
    dynamic_scaling,
    loss_scaling,
    lost_ratio,
    quantize,
    update_is_lost,
)  # fmt: skip
from dlperf_widgets.dtypes import BF16, FP16, FP32


class TestLossScaling:
    def test_shares(self):
        # 2^-26 vanishes in FP16; 8 x it is 2^-23, which FP16 has; 2^14 x 8 overflows
        assert loss_scaling([0.0, 2.0**-26, 2.0**-10, 2.0**14]) == (0.25, 0.25, 0.5, 0)
        assert loss_scaling([0.0, 2.0**-26, 2.0**-10, 2.0**14], 8) == (0.25, 0, 0.5, 0.25)
        assert not loss_scaling([2.0**14], 8).usable

    def test_a_histogram_is_weighted(self):
        histogram = {0.0: 67, 2.0**-27: 2, -(2.0**-20): 31}
        assert loss_scaling(histogram) == (0.67, 0.02, 0.31, 0)
        assert loss_scaling(histogram, 8) == (0.67, 0, 0.33, 0)

    @pytest.mark.parametrize("scale", [8, 32, 1024, 32_768])
    def test_constant_scales_need_the_product_in_range(self, scale):
        assert loss_scaling([65504 / scale], scale).kept == 1
        assert loss_scaling([65504 / scale * 1.01], scale).overflow == 1

    @given(st.lists(st.floats(-1e4, 1e4), min_size=1), st.integers(-10, 20))
    def test_shares_add_up_and_a_larger_scale_loses_no_more(self, gradients, power):
        shares = loss_scaling(gradients, 2.0**power)
        assert sum(shares) == pytest.approx(1)
        assert loss_scaling(gradients, 2.0 ** (power + 1)).lost <= shares.lost

    def test_bf16_needs_no_scale(self):
        assert loss_scaling([2.0**-60], dtype=BF16).kept == 1

    def test_the_published_histogram(self):
        # scale 8 moves gradients by 3 exponents, 32K by 15: 2^-27 and 2^-39 still become the smallest FP16
        ssd = MULTIBOX_SSD
        assert (ssd.zero, ssd.becomes_zero, ssd.nonzero) == (0.668, 0.31, 0.053)
        assert ssd.smallest == (-32, -30, 0.04) and ssd.diverged
        assert ssd.enough == 2**3 and ssd.recovers == (2**15, 0.001)
        assert quantize(2.0**-27 * ssd.enough, FP16) == 2**-24
        assert quantize(2.0**-28 * ssd.enough, FP16) == 0
        low, high, _ = ssd.smallest
        assert loss_scaling([2.0**low, 2.0**high]).lost == 1
        assert loss_scaling([2.0**low, 2.0**high], ssd.recovers[0]).kept == 1
        assert "Mixed Precision" in ssd.source and ssd.address.startswith("https://docs.nvidia.com/")

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: loss_scaling([]), "loss scaling needs at least one gradient"),
            (lambda: loss_scaling([1.0], 0), "scale must be positive, not 0"),
            (lambda: loss_scaling([nan]), "gradient must be a finite number, not nan"),
            (lambda: loss_scaling({1.0: -1}), "weight must be at least 0, not -1"),
            (lambda: dynamic_scaling([1.0], interval=0), "interval must be between 1 and"),
            (lambda: dynamic_scaling([1.0], backoff=2), "backoff must be at most 1, not 2"),
            (lambda: dynamic_scaling([1.0], growth=0.5), "growth must be at least 1, not 0.5"),
            (lambda: update_is_lost(inf, 1), "weight must be a finite number, not inf"),
        ],
    )
    def test_nonsense_is_refused(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()


class TestDynamicScaling:
    def test_doubles_after_2000_good_steps_and_halves_on_overflow(self):
        steps = dynamic_scaling([1e-3] * 4001, scale=1024)
        assert [steps[i].scale for i in (0, 1999, 2000, 3999, 4000)] == [1024, 1024, 2048, 2048, 4096]
        assert not any(step.skipped for step in steps)
        # 1 x 2^17 and 1 x 2^16 are beyond 65504, 2^15 is not
        assert dynamic_scaling([1.0] * 4, scale=2**17) == (
            (2**17, True), (2**16, True), (2**15, False), (2**15, False),
        )  # fmt: skip

    def test_an_overflow_starts_the_count_again(self):
        largest = [1.0, 1.0, 1e9, 1.0, 1.0, 1.0, 1.0]
        scales = [step.scale for step in dynamic_scaling(largest, scale=4, interval=3)]
        assert scales == [4, 4, 4, 2, 2, 2, 4]

    def test_a_gradient_that_is_no_number_is_an_overflow(self):
        assert dynamic_scaling([nan, inf], scale=4) == ((4, True), (2, True))

    @given(st.lists(st.sampled_from([1e-3, 1.0, 1e3, 1e6]), max_size=60), st.integers(1, 5))
    def test_agrees_with_torch(self, largest, interval):
        torch = pytest.importorskip("torch")
        scale, tracker = torch.tensor(65_536.0), torch.tensor(0, dtype=torch.int32)
        for gradient, step in zip(largest, dynamic_scaling(largest, interval=interval), strict=True):
            assert step.scale == scale.item()
            found = torch.isinf((torch.tensor(gradient) * scale).half()).float()
            assert step.skipped == bool(found)
            torch._amp_update_scale_(scale, tracker, found, 2.0, 0.5, interval)


class TestLostUpdates:
    def test_the_rule_for_a_power_of_two(self):
        assert lost_ratio() == 2048 and lost_ratio(BF16) == 256
        assert update_is_lost(1.0, 1 / 2049) and not update_is_lost(1.0, 1 / 2047)
        assert not update_is_lost(1.0, 1 / 2049, FP32)
        assert update_is_lost(1.0, 1 / 300, BF16)

    def test_the_mantissa_decides_between_2048_and_4096(self):
        # the numbers around 1.99 are as far apart as those around 1: 1.99 / 2049 is most of a step
        assert not update_is_lost(1.99, 1.99 / 2049) and update_is_lost(1.99, 1.99 / 4100)

    @given(st.floats(2**-13, 60_000), st.floats(1, 1e6), st.sampled_from([1, -1]))
    def test_never_below_the_ratio_and_always_above_twice_it(self, weight, ratio, sign):
        weight = quantize(weight, FP16)
        lost = update_is_lost(weight, sign * weight / ratio)
        if ratio < lost_ratio():
            assert not lost
        if ratio > 2 * lost_ratio():
            assert lost
