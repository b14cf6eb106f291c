"""What is asked about number formats besides the layer: a value, gradients and their scale, a tensor."""

from dataclasses import dataclass

from ..layers._fields import dim, real
from ._options import Described

SMALLEST, LARGEST = 1e-46, 1e39  # of a value: both just beyond what FP32 holds


@dataclass(frozen=True)
class PrecisionOptions(Described):
    """A value to round, a made-up distribution of gradients, and a made-up tensor to quantize."""

    value: float = real(0.1, "Value", SMALLEST, LARGEST)
    scale: int = dim(8, "Loss scale", most=65_536, limit=2**30)
    median: int = dim(24, "Median gradient: 2 to the minus", most=40, log=False, least=0, limit=60)
    spread: int = dim(5, "Spread: powers of two", most=10, log=False, limit=20)
    interval: int = dim(60, "Good steps before the scale grows", most=500, limit=100_000)
    channels: int = dim(16, "Channels", most=32, log=False, limit=64)
    wider: int = dim(16, "Widest channel over narrowest", most=1024, limit=65_536)
