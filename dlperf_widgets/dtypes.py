"""Number formats, as a GPU stores them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DType:
    """One number format: its name and its size in memory."""

    name: str
    bytes: float  # of one element

    def __str__(self) -> str:
        return self.name


FP64 = DType("FP64", 8)
FP32 = DType("FP32", 4)
TF32 = DType("TF32", 4)  # FP32's range with 10 bits of mantissa; stored in 32 bits
FP16 = DType("FP16", 2)
BF16 = DType("BF16", 2)
FP8 = DType("FP8", 1)
INT8 = DType("INT8", 1)
INT4 = DType("INT4", 0.5)

DTYPES = (FP64, FP32, TF32, FP16, BF16, FP8, INT8, INT4)


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


@dataclass(frozen=True)
class Format:
    """A number format for each role that a tensor plays.

    The product runs at the rate of ``math``: the format of its activations.
    """

    weights: DType
    activations: DType
    gradients: DType
    accumulate: DType = FP32

    @property
    def name(self) -> str:
        """The one name if the stored formats agree, else all three."""
        parts = (self.weights.name, self.activations.name, self.gradients.name)
        return parts[0] if len(set(parts)) == 1 else "/".join(parts)

    @property
    def math(self) -> DType:
        """The format whose rate the multiply-adds run at."""
        return self.activations

    def __str__(self) -> str:
        return self.name


def uniform(dtype: DType) -> Format:
    """Return the format that stores every tensor in one ``dtype``."""
    return _UNIFORM[dtype] if dtype in _UNIFORM else Format(dtype, dtype, dtype)


def as_format(dtype: DType | Format) -> Format:
    """Return a format as it is, and a ``DType`` as the format that uses it for every tensor."""
    return dtype if isinstance(dtype, Format) else uniform(dtype)


def find(name: str) -> DType:
    """Return the number format of a name, in any case."""
    for dtype in DTYPES:
        if dtype.name == name.strip().upper():
            return dtype
    known = ", ".join(d.name for d in DTYPES)
    raise ValueError(f"unknown number format {name!r}: choose one of {known}")


_UNIFORM = {dtype: Format(dtype, dtype, dtype) for dtype in DTYPES}
