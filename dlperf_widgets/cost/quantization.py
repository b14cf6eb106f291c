"""INT8 and INT4: scales, zero points, the error they cost and the bytes they save."""

from collections.abc import Sequence
from dataclasses import dataclass

from .._given import LARGEST_REAL
from ..dtypes import INT8, DType
from ._checks import many, real, thing, whole
from .formats import INTEGERS, Integer

SCALE_BYTES = 4  # an FP32 scale


@dataclass(frozen=True)
class Scale:
    """How real numbers map to whole ones: x = scale (q - zero_point)."""

    scale: float
    zero_point: int
    low: int  # the whole numbers that are used
    high: int

    def quantize(self, value: float) -> int:
        """Return the whole number for a real one; beyond the range, the nearest there is."""
        return min(max(round(value / self.scale) + self.zero_point, self.low), self.high)

    def dequantize(self, number: int) -> float:
        """Return the real number that a whole one stands for."""
        return self.scale * (number - self.zero_point)

    def error(self, value: float) -> float:
        """Return how far a number is moved: at most half the scale inside the range."""
        return abs(self.dequantize(self.quantize(value)) - value)


def symmetric(values: Sequence[float], dtype: DType = INT8) -> Scale:
    """Return the scale ``max|x| / 127`` (INT8): zero stays zero, and -128 is left unused."""
    checked, high = _values(values), integer(dtype).max
    return Scale(_step(max(abs(value) for value in checked), high), 0, -high, high)


def asymmetric(values: Sequence[float], dtype: DType = INT8) -> Scale:
    """Return the scale ``(max - min) / 255`` (INT8) and the zero point of a range that includes zero."""
    checked, whole_numbers = _values(values), integer(dtype)
    least, most = min(0.0, *checked), max(0.0, *checked)
    scale = _step(most - least, whole_numbers.max - whole_numbers.min)
    return Scale(scale, round(whole_numbers.min - least / scale), whole_numbers.min, whole_numbers.max)


def per_channel(rows: Sequence[Sequence[float]], dtype: DType = INT8) -> tuple[Scale, ...]:
    """Return a symmetric scale for each row, such as each filter of a convolution."""
    channels = many("rows", rows)
    if not channels:
        raise ValueError("a tensor needs at least one channel in its rows")
    return tuple(symmetric(row, dtype) for row in channels)


def per_tensor(rows: Sequence[Sequence[float]], dtype: DType = INT8) -> Scale:
    """Return the one symmetric scale for all rows."""
    return symmetric([value for row in many("rows", rows) for value in many("a row of rows", row)], dtype)


def quantized_bytes(elements: int, dtype: DType = INT8, scales: int = 1) -> int:
    """Return the bytes of quantized numbers and their FP32 scales: 1 for a tensor, K for K channels."""
    bits = whole("elements", elements, most=2**63) * integer(dtype).bits
    return -(-bits // 8) + SCALE_BYTES * whole("scales", scales)


def compression_ratio(before: DType, after: DType) -> float:
    """Return how many times smaller numbers become: INT4 is 4x smaller than FP16 and 8x than FP32."""
    return thing("before", DType, before).bytes / thing("after", DType, after).bytes


def longest_sum(dtype: DType = INT8, accumulator: int = 32) -> int:
    """Return the most products of symmetric numbers that a signed sum holds for sure: 133,144 for INT8."""
    largest = 2 ** (whole("accumulator", accumulator, 2, 64) - 1) - 1
    return int(largest // integer(dtype).max ** 2)


def integer(dtype: DType) -> Integer:
    """Return the range of a whole-number format."""
    if not isinstance(dtype, DType) or dtype not in INTEGERS:
        raise ValueError(
            f"dtype {dtype} is not a whole-number format: choose {' or '.join(map(str, INTEGERS))}"
        )
    return INTEGERS[dtype]


def _values(values: Sequence[float]) -> list[float]:
    found = many("values", values)
    if not found:
        raise ValueError("a scale needs at least one value in its values")
    return [real("value", value, -LARGEST_REAL) for value in found]


def _step(span: float, steps: int) -> float:
    return span / steps or 1.0  # of nothing but zeros any scale is exact
