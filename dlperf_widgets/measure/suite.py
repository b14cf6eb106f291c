"""Standard sets of scenarios: what NVIDIA's guides are about, as rows that a campaign measures."""

from collections.abc import Iterator

from ..cost import Scenario
from ..dtypes import BF16, FP16, INT8, TF32, DType
from ..gpus import Gpu
from ..layers import Activation, Attention, BatchNorm2d, Conv2d, Layer, Linear, Lstm, Pool2d
from ..ops import Phase

FORMATS = (FP16, BF16, TF32, INT8)
_WHOLE = (Phase.FPROP, Phase.DGRAD, Phase.WGRAD)


def guide(gpu: Gpu, quick: bool = False) -> tuple[Scenario, ...]:
    """Return the guides' layers in every format that the GPU has, forward and, but for INT8, backward."""
    return tuple(
        Scenario(layer, gpu, dtype, phases=(phase,))
        for layer in dict.fromkeys(_small() if quick else _layers())
        for dtype in FORMATS
        if dtype in gpu.dtypes
        for phase in _phases(layer, dtype)
    )


def _phases(layer: Layer, dtype: DType) -> Iterator[Phase]:
    for phase in _WHOLE[:1] if dtype == INT8 else _WHOLE:
        if layer.ops(phase) and not (isinstance(layer, Lstm) and phase is Phase.WGRAD):
            yield phase


def _layers() -> Iterator[Layer]:
    for batch in (32, 128, 512, 2048, 4096):  # from memory limited to math limited
        yield Linear(batch, 1024, 4096)
        yield Linear(batch, 4096, 1024)
    for outputs in (4096, 4095, 4094, 4092, 4088):  # outputs and then inputs off the multiples
        yield Linear(2048, 4096, outputs)
        yield Linear(2048, outputs, 4096)
    for channels, size in ((64, 56), (128, 28), (256, 14), (512, 7)):
        yield Conv2d(32, channels, channels, size, size, 3, 3, padding=1)
        yield Conv2d(32, channels, 4 * channels, size, size, 1, 1)
    yield Conv2d(32, 3, 64, 224, 224, 7, 7, stride=2, padding=3)
    for batch in (1, 8, 32, 128):
        yield BatchNorm2d(batch, 64, 56, 56)
        yield Pool2d(batch, 64, 112, 112, stride=2, padding=1)
    for kind in ("relu", "sigmoid", "tanh"):
        for elements in (2**14, 2**18, 2**22, 2**26):
            yield Activation(elements, kind)
    for sequence in (512, 2048, 8192):
        yield Attention(8, sequence, sequence, 16, 64, causal=True)
    yield Attention(32, 1, 2048, 16, 64)
    for batch in (64, 128, 256):
        yield Lstm(batch, 25, 1024, 1024)


def _small() -> Iterator[Layer]:
    """One of each kind, of sizes that a laptop's CPU runs in milliseconds."""
    yield Linear(64, 256, 512)
    yield Linear(64, 256, 511)
    yield Linear(64, 255, 512)
    yield Conv2d(2, 16, 16, 28, 28, 3, 3, padding=1)
    yield BatchNorm2d(4, 16, 28, 28)
    yield Activation(2**16)
    yield Pool2d(4, 16, 28, 28)
    yield Attention(2, 64, 64, 4, 32, causal=True)
    yield Lstm(8, 5, 64, 64)
