"""Tile and wave quantization: how a product's output is cut up and dealt to the SMs."""

from dataclasses import dataclass

from .._quick import quick
from ..ops import Gemm
from .calibration import shipped

# Listed from the most efficient to the least, as NVIDIA's matrix multiplication guide lists cuBLAS's.
TILES = (
    (256, 128), (128, 256), (192, 128), (128, 128), (128, 64), (64, 128), (64, 64), (64, 32), (32, 64),
)  # fmt: skip


@quick
@dataclass(frozen=True)
class Tiling:
    """A product's output cut into ``tile_m`` x ``tile_n`` tiles, of which ``sms`` run at once.

    Where tiles are few, each may be split along k, so that more SMs have work: the parts are added up.
    """

    gemm: Gemm
    tile_m: int
    tile_n: int
    sms: int
    split: int = 1

    @property
    def tiles(self) -> int:
        """Tiles of all products that run at once."""
        return self.gemm.batch * -(-self.gemm.m // self.tile_m) * -(-self.gemm.n // self.tile_n)

    @property
    def parts(self) -> int:
        """Tiles, each as often as it is split: what the SMs are dealt."""
        return self.tiles * self.split

    @property
    def depth(self) -> int:
        """Elements of k that one part goes through."""
        return -(-self.gemm.k // self.split)

    @property
    def waves(self) -> int:
        """Rounds of at most one part an SM."""
        return -(-self.parts // self.sms)

    @property
    def tail(self) -> float:
        """Share of the SMs that the last wave fills."""
        return (self.parts - (self.waves - 1) * self.sms) / self.sms

    @property
    def tile_efficiency(self) -> float:
        """Share of the computed tiles that is wanted output."""
        wanted = self.gemm.batch * self.gemm.m * self.gemm.n
        return wanted / (self.tiles * self.tile_m * self.tile_n)

    @property
    def wave_efficiency(self) -> float:
        """Share of the SM slots in all waves that hold a part."""
        return self.parts / (self.waves * self.sms)

    @property
    def rate(self) -> float:
        """Tensor Core rate of this tile relative to the largest: small tiles reread their operands."""
        return 1 / slowness(self.tile_m, self.tile_n, shipped("tensor_reread"), 3 / 256)

    @property
    def efficiency(self) -> float:
        """Share of the peak rate that tile size, tile waste and wave waste leave."""
        return self.rate * self.tile_efficiency * self.wave_efficiency


def slowness(tile_m: int, tile_n: int, reread: float, least: float) -> float:
    """Return 1 + reread (1/tm + 1/tn - least), at least 1: operands read for each element of output."""
    return 1 + reread * max(1 / tile_m + 1 / tile_n - least, 0)
