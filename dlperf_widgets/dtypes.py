"""Number formats, as a GPU stores them."""

from dataclasses import dataclass, fields

from ._given import positive, shown, text, thing


@dataclass(frozen=True)
class DType:
    """One number format: its name and its size in memory."""

    name: str
    bytes: float  # of one element

    def __post_init__(self) -> None:
        text("a number format's name", self.name)
        positive(f"the bytes of {self.name}", self.bytes)

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
class Format:
    """A number format for each role that a tensor plays.

    The product runs at the rate of ``math``: the format of its activations.
    """

    weights: DType
    activations: DType
    gradients: DType
    accumulate: DType = FP32

    def __post_init__(self) -> None:
        for f in fields(self):
            thing(f"a format's {f.name}", DType, getattr(self, f.name))

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
    dtype = thing("dtype", DType, dtype)
    return _UNIFORM[dtype] if dtype in _UNIFORM else Format(dtype, dtype, dtype)


def as_format(dtype: DType | Format) -> Format:
    """Return a format as it is, and a ``DType`` as the format that uses it for every tensor."""
    return dtype if isinstance(dtype, Format) else uniform(dtype)


def find(name: str) -> DType:
    """Return the number format of a name, in any case."""
    name = text("the name of a number format", name)
    for dtype in DTYPES:
        if dtype.name == name.strip().upper():
            return dtype
    known = ", ".join(d.name for d in DTYPES)
    raise ValueError(f"unknown number format {shown(name)}: choose one of {known}")


_UNIFORM = {dtype: Format(dtype, dtype, dtype) for dtype in DTYPES}
