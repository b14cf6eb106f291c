"""The range of each number format, and rounding to it against the standard library and torch."""

import struct
import sys
from fractions import Fraction
from math import copysign, inf, isinf, isnan, nan

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dlperf_widgets.cost.formats import E4M3, E5M2, FLOATINGS, INTEGERS
from dlperf_widgets.cost.precision import quantize
from dlperf_widgets.dtypes import BF16, FP8, FP16, FP32, FP64, INT8, TF32

HALF = FLOATINGS[FP16]
any_float = st.floats(allow_nan=False)
floats32 = st.floats(width=32, allow_nan=False)
# Hypothesis draws mostly huge floats: these are of a size that FP8 can tell apart.
small_floats32 = st.floats(-1000, 1000, width=32) | st.floats(-0.125, 0.125, width=32)


def same(a, b):
    return (isnan(a) and isnan(b)) or (a == b and copysign(1, a) == copysign(1, b))


class TestRange:
    def test_fp16(self):
        assert (HALF.exponent, HALF.mantissa, HALF.bits) == (5, 10, 16)
        assert (HALF.min_subnormal, HALF.min_normal, HALF.max) == (2**-24, 2**-14, 65504)
        assert HALF.min_subnormal == pytest.approx(5.96e-8, rel=1e-3)

    def test_tf32_has_19_bits_and_is_stored_in_32(self):
        tf32 = FLOATINGS[TF32]
        assert (tf32.exponent, tf32.mantissa, tf32.bits, TF32.bytes) == (8, 10, 19, 4)
        assert tf32.epsilon == HALF.epsilon and tf32.min_normal == FLOATINGS[FP32].min_normal

    def test_fp8_is_two_formats(self):
        assert (E4M3.bits, E4M3.max, E4M3.min_normal, E4M3.min_subnormal) == (8, 448, 2**-6, 2**-9)
        assert (E5M2.bits, E5M2.max, E5M2.min_normal, E5M2.min_subnormal) == (8, 57344, 2**-14, 2**-16)
        with pytest.raises(ValueError, match="FP8 is two formats: choose E4M3 or E5M2"):
            quantize(1.0, FP8)

    def test_whole_numbers(self):
        assert [(i.min, i.max) for i in INTEGERS.values()] == [(-128, 127), (-8, 7)]
        with pytest.raises(ValueError, match="INT8 is not a floating-point format"):
            quantize(1.0, INT8)

    @pytest.mark.parametrize("dtype", [FP64, FP32, FP16, BF16, E4M3, E5M2], ids=str)
    def test_ranges_agree_with_torch(self, dtype):
        torch = pytest.importorskip("torch")
        info = torch.finfo(torch_dtype(torch, dtype))
        number = FLOATINGS.get(dtype, dtype)
        assert (number.max, number.min_normal, number.epsilon) == (info.max, info.tiny, info.eps)
        assert number.bits == info.bits

    def test_fp64_is_pythons(self):
        double = FLOATINGS[FP64]
        assert (double.max, double.min_normal) == (sys.float_info.max, sys.float_info.min)
        assert double.min_subnormal == 5e-324


def torch_dtype(torch, dtype):
    names = {FP64: "float64", FP32: "float32", FP16: "float16", BF16: "bfloat16"}
    return getattr(
        torch, names.get(dtype) or f"float8_{str(dtype.name).lower()}{'fn' if dtype == E4M3 else ''}"
    )


class TestRounding:
    @pytest.mark.parametrize(
        ("value", "rounded"),
        [
            pytest.param(1 + 2**-11, 1, id="half way: to the even one below"),
            pytest.param(1 + 3 * 2**-11, 1 + 2**-9, id="half way: to the even one above"),
            pytest.param(2**-24, 2**-24, id="the smallest"),
            pytest.param(2**-25, 0, id="half the smallest: to zero"),
            pytest.param(2**-25 * 1.001, 2**-24, id="more than half of it"),
            pytest.param(65519.99, 65504, id="below half way to what comes next"),
            pytest.param(65520, inf, id="half way: overflow"),
            pytest.param(-70000, -inf, id="negative overflow"),
            pytest.param(-0.0, -0.0, id="negative zero"),
            pytest.param(-1e-30, -0.0, id="a negative number that vanishes"),
            pytest.param(nan, nan, id="nan"),
            pytest.param(inf, inf, id="infinity"),
        ],
    )
    def test_fp16(self, value, rounded):
        assert same(quantize(value, FP16), rounded)

    def test_saturation_and_a_format_without_infinity(self):
        assert quantize(1e6, FP16, saturate=True) == 65504
        assert quantize(464.0, E4M3) == 448  # half way to what would be 480: the even one
        assert isnan(quantize(465.0, E4M3)) and isnan(quantize(-inf, E4M3))
        assert quantize(-465.0, E4M3, saturate=True) == -448
        assert quantize(61440.0, E5M2) == inf and quantize(61439.0, E5M2) == 57344

    @given(any_float)
    def test_fp16_and_fp32_agree_with_the_standard_library(self, value):
        for dtype, code in ((FP16, "e"), (FP32, "f")):
            try:
                expected = struct.unpack(code, struct.pack(code, value))[0]
            except OverflowError:
                expected = copysign(inf, value)
            assert same(quantize(value, dtype), expected)
        assert same(quantize(value, FP64), value)

    @pytest.mark.parametrize("dtype", [FP16, BF16, E4M3, E5M2], ids=str)
    @given(value=floats32 | small_floats32)
    def test_agrees_with_torch(self, dtype, value):
        torch = pytest.importorskip("torch")
        expected = torch.tensor(value, dtype=torch.float32).to(torch_dtype(torch, dtype)).float().item()
        number = FLOATINGS.get(dtype, dtype)
        if number.infinite or abs(value) <= number.max:
            assert same(quantize(value, dtype), expected)
        else:  # torch saturates from 2.12 on, and gave NaN before
            assert same(quantize(value, dtype), expected) or same(quantize(value, dtype, True), expected)

    @given(any_float.filter(lambda value: not isinf(value)), st.sampled_from([FP16, BF16, TF32, E4M3, E5M2]))
    def test_no_number_of_the_format_is_nearer(self, value, dtype):
        number, rounded = FLOATINGS.get(dtype, dtype), quantize(value, dtype)
        assume(abs(value) <= number.max)
        size = max(abs(Fraction(value)), Fraction(number.min_normal))
        assert abs(Fraction(rounded) - Fraction(value)) <= size * Fraction(number.epsilon) / 2
        assert quantize(rounded, dtype) == rounded
