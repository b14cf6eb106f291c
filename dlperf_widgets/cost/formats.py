"""The bits of number formats, and the range and the gaps that follow from them."""

from dataclasses import dataclass

from ..dtypes import BF16, FP16, FP32, FP64, INT4, INT8, TF32


@dataclass(frozen=True)
class Floating:
    """The bits of a floating-point format, besides its sign, and the range that follows from them."""

    name: str
    exponent: int  # bits
    mantissa: int  # bits that are stored, without the leading one
    infinite: bool = True  # False: the largest exponent holds numbers too, and one NaN

    @property
    def bits(self) -> int:
        """Bits with the sign; TF32's 19 are stored in 32."""
        return 1 + self.exponent + self.mantissa

    @property
    def largest_exponent(self) -> int:
        """The power of two of the largest numbers."""
        return (1 << self.exponent - 1) - (1 if self.infinite else 0)

    @property
    def smallest_exponent(self) -> int:
        """The power of two of the smallest normal number."""
        return 2 - (1 << self.exponent - 1)

    @property
    def max(self) -> float:
        """The largest number."""
        gaps = 1 if self.infinite else 2  # below 2: the topmost code is the NaN
        return (2 - gaps * self.epsilon) * 2.0**self.largest_exponent

    @property
    def min_normal(self) -> float:
        """The smallest number of full precision."""
        return 2.0**self.smallest_exponent

    @property
    def min_subnormal(self) -> float:
        """The smallest number above zero."""
        return 2.0 ** (self.smallest_exponent - self.mantissa)

    @property
    def epsilon(self) -> float:
        """The gap between 1 and the next number."""
        return 2.0**-self.mantissa


@dataclass(frozen=True)
class Integer:
    """A signed whole-number format, in two's complement."""

    name: str
    bits: int

    @property
    def min(self) -> int:
        """The smallest number."""
        return -(1 << self.bits - 1)

    @property
    def max(self) -> int:
        """The largest number."""
        return (1 << self.bits - 1) - 1


# FP8 is two formats: one for weights and activations, and one with more range for gradients.
E4M3 = Floating("E4M3", 4, 3, infinite=False)
E5M2 = Floating("E5M2", 5, 2)

# IEEE 754 for FP64, FP32 and FP16; NVIDIA's guides for TF32 and BF16.
FLOATINGS = {
    FP64: Floating("FP64", 11, 52),
    FP32: Floating("FP32", 8, 23),
    TF32: Floating("TF32", 8, 10),
    FP16: Floating("FP16", 5, 10),
    BF16: Floating("BF16", 8, 7),
}
INTEGERS = {INT8: Integer("INT8", 8), INT4: Integer("INT4", 4)}
