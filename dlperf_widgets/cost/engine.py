"""The unit that multiplies, Tensor Cores or CUDA cores, on one GPU in one format: rates and tiles."""

from functools import lru_cache
from typing import NamedTuple

from ..dtypes import FP16, FP32, DType
from ..gpus import Gpu
from .bandwidth import sustained
from .calibration import of
from .power import seconds_a_joule
from .tiles import TILES, slowness

# Tiles of the libraries' FP32 kernels, by generation: for single products, and for batched ones. Older
# than Pascal as Pascal, newer than Ampere as Ampere.
_SINGLE = {
    "Pascal": ((32, 128), (64, 64), (128, 32)),
    "Volta": ((128, 128), (128, 64), (64, 64), (128, 32), (32, 128), (64, 32), (32, 32)),
    "Ampere": ((128, 64), (128, 32), (32, 128), (64, 32), (32, 32)),
}
_BATCHED = {
    "Pascal": ((128, 64),),
    "Volta": ((128, 64), (64, 64), (128, 32), (32, 128)),
    "Ampere": ((128, 128),),
}
_MENU = {"Kepler": "Pascal", "Maxwell": "Pascal", "Pascal": "Pascal", "Volta": "Volta", "Turing": "Volta"}


class Tile(NamedTuple):
    """One size of tile and what it does to the rate."""

    m: int
    n: int
    flops: float  # for each element of k
    slowness: float  # time relative to the largest tile's, for the same flops
    energy: float  # relative to the largest tile's


# Tiles for an output that is contiguous along m, and for one that is along n.
Menu = tuple[tuple[Tile, ...], ...]


class Engine(NamedTuple):
    """What a product of one format meets on one GPU. Rates are in flops and bytes a second."""

    tensor: bool
    sms: int
    peak: float  # of the whole GPU
    rate: float  # of one SM in the largest tile, at the nominal clock
    boost: float  # clock relative to the nominal one, while power allows
    power_time: float  # seconds for one flop at the power limit
    delay: float  # seconds until that limit bites
    prologue: float  # elements of k
    dram: float
    l2: float
    room: float  # bytes of L2 that count
    between: float  # weights read from one use of a layer's to the next, relative to them
    reduction: float  # seconds for adding up a split product
    overlap: float  # p in time^p = math^p + memory^p
    tiles: Menu
    batched: Menu  # what batched products choose from by area; empty: as all others
    reach: float = 0.0  # bytes of a wave's operands that double the time: translating addresses; 0: none do
    splits: tuple[int, ...] = (1, 2, 4, 8, 16)  # along k, on CUDA cores


@lru_cache(512)
def engine(gpu: Gpu, dtype: DType, sparse: bool) -> Engine:
    """Return the unit that a GPU multiplies a format on."""
    return _tensor_cores(gpu, dtype, sparse) if gpu.has_tensor_cores(dtype) else _cuda_cores(gpu, dtype)


def _tensor_cores(gpu: Gpu, dtype: DType, sparse: bool) -> Engine:
    peak, clock = gpu.peak(dtype, sparse), gpu.tensor_clock or gpu.clock
    c = of(gpu)
    dram = gpu.bandwidth * c.tensor_bandwidth
    return Engine(
        tensor=True,
        sms=gpu.sms,
        peak=peak,
        rate=peak / gpu.sms * c.tensor_rate,
        boost=c.tensor_boost,
        power_time=c.tensor_energy * gpu.peak(FP16) / peak * seconds_a_joule(gpu),
        delay=c.tensor_delay,
        prologue=c.tensor_prologue * peak / (2 * gpu.sms * clock),
        dram=dram,
        l2=max(gpu.sms * clock * c.tensor_l2_rate, dram),
        room=c.tensor_l2_part * (gpu.l2 or 0),
        between=c.weights_between,
        reduction=c.tensor_split * c.tensor_launch / clock,
        overlap=c.tensor_overlap,
        tiles=cut(TILES, c.tensor_reread, 3 / 256, False),
        batched=(),
    )


def _cuda_cores(gpu: Gpu, dtype: DType) -> Engine:
    c, peak, single = of(gpu), gpu.peak(dtype), gpu.cuda_core_peak(FP32)
    dram = sustained(gpu) * c.cuda_bandwidth
    menu = _MENU.get(gpu.architecture, "Ampere")
    return Engine(
        tensor=False,
        sms=gpu.sms,
        peak=peak,
        # libraries convert FP16 and add up in FP32, at the rate of that
        rate=min(peak, single if dtype is FP16 else peak) / gpu.sms * c.cuda_rate,
        boost=1.0,
        power_time=c.cuda_energy * single / peak * seconds_a_joule(gpu),
        delay=c.cuda_delay,
        prologue=c.cuda_prologue,
        dram=dram,
        l2=dram,
        room=0.0,
        between=c.weights_between,
        reduction=0.0,
        reach=c.cuda_reach,
        overlap=1.0,
        tiles=cut(_SINGLE[menu], c.cuda_reread, 1 / 64, True),
        batched=cut(_BATCHED[menu], c.cuda_reread, 1 / 64, True),
    )


def cut(sizes: tuple[tuple[int, int], ...], reread: float, least: float, energetic: bool) -> Menu:
    """Return tiles of some sizes, the first of which lies along the contiguous dimension of the output.

    ``energetic`` if slower tiles take more energy for the same flops.
    """
    tiles = []
    for m, n in sizes:
        slow = slowness(m, n, reread, least)
        tiles.append(Tile(m, n, 2.0 * m * n, slow, slow if energetic else 1.0))
    return tuple(tiles), tuple(tile._replace(m=tile.n, n=tile.m) for tile in tiles)
