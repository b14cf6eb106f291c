"""INT8 and INT4: scales, errors and bytes, with the arithmetic shown."""

from math import nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost.formats import INTEGERS
from dlperf_widgets.cost.quantization import (
    Scale,
    asymmetric,
    compression_ratio,
    longest_sum,
    per_channel,
    per_tensor,
    quantized_bytes,
    symmetric,
)  # fmt: skip
from dlperf_widgets.dtypes import FP16, FP32, INT4, INT8

values = st.lists(st.floats(-1e4, 1e4, allow_subnormal=False), min_size=1, max_size=50)


class TestInt8:
    def test_scales_by_hand(self):
        scale = symmetric([-1.27, 0.5])
        assert (scale.scale, scale.zero_point) == (pytest.approx(0.01), 0)
        assert [scale.quantize(x) for x in (-1.27, 0, 0.5, 9)] == [-127, 0, 50, 127]
        scale = asymmetric([0.0, 2.55])  # after a ReLU: all 256 numbers are used
        assert (scale.scale, scale.zero_point) == (pytest.approx(0.01), -128)
        assert [scale.quantize(x) for x in (0, 2.55)] == [-128, 127]
        assert asymmetric([1.0, 3.0]).scale == 3 / 255  # the range includes zero
        assert symmetric([0.0]).error(0.0) == 0

    @given(values, st.sampled_from([INT8, INT4]))
    def test_no_error_is_above_half_the_scale_and_zero_is_exact(self, numbers, dtype):
        for scale in (symmetric(numbers, dtype), asymmetric(numbers, dtype)):
            assert max(scale.error(x) for x in numbers) <= scale.scale / 2 * (1 + 1e-9)
            assert scale.error(0.0) == 0
            assert INTEGERS[dtype].min <= scale.low <= scale.zero_point <= scale.high <= INTEGERS[dtype].max

    @given(st.lists(values, min_size=1, max_size=8))
    def test_a_scale_for_each_channel_is_never_coarser(self, rows):
        whole = per_tensor(rows)
        for row, own in zip(rows, per_channel(rows), strict=True):
            assert own.scale <= whole.scale or not any(row)

    def test_one_large_channel_costs_the_others_their_precision(self):
        rows = [[0.01, -0.02], [100.0, 50.0]]
        assert [per_tensor(rows).quantize(x) for x in rows[0]] == [0, 0]
        assert [per_channel(rows)[0].quantize(x) for x in rows[0]] == [64, -127]

    @settings(deadline=None)  # the first takes as long as importing torch
    @given(values, st.integers(-12, 8))
    def test_rounding_agrees_with_torch(self, numbers, power):
        torch = pytest.importorskip("torch")
        scale = 2.0**power  # of which torch's reciprocal is exact
        tensor = torch.tensor(numbers, dtype=torch.float32)
        made = torch.fake_quantize_per_tensor_affine(tensor, scale, 3, -128, 127)
        ours = Scale(scale, 3, -128, 127)
        assert made.tolist() == [ours.dequantize(ours.quantize(x)) for x in tensor.tolist()]

    def test_bytes(self):
        # a 64 x 256 x 3 x 3 filter: 147,456 weights and 64 scales of 4 bytes
        assert quantized_bytes(147_456, scales=64) == 147_456 + 4 * 64
        assert quantized_bytes(1001, INT4) == 501 + 4
        assert compression_ratio(FP32, INT8) == 4

    def test_int4_is_4x_smaller_than_fp16_and_8x_than_fp32(self):
        assert (compression_ratio(FP16, INT4), compression_ratio(FP32, INT4)) == (4, 8)

    def test_the_longest_sum_that_int32_holds(self):
        # 133,144 x 127^2 = 2,147,479,576 < 2^31 = 2,147,483,648
        assert longest_sum() == 133_144
        assert 133_144 * 127**2 < 2**31 <= 133_145 * 127**2
        assert longest_sum(INT8, 24) == 520

    def test_tensor_cores_take_int8_at_twice_the_rate(self):
        a100 = gpus.A100_SXM4_80GB
        assert (a100.peak(INT8), a100.peak(FP16)) == (624e12, 312e12)

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (lambda: symmetric([]), "a scale needs at least one value"),
            (lambda: asymmetric([1.0, nan]), "value must be a finite number, not nan"),
            (lambda: symmetric([1.0], FP16), "FP16 is not a whole-number format: choose INT8 or INT4"),
            (lambda: per_channel([]), "a tensor needs at least one channel"),
            (lambda: quantized_bytes(-1), "elements must be between 0 and"),
            (lambda: longest_sum(accumulator=1), "accumulator must be between 2 and 64, not 1"),
        ],
    )
    def test_nonsense_is_refused(self, call, message):
        with pytest.raises(ValueError, match=message):
            call()
