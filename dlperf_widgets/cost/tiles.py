"""Tile and wave quantization: how a product's output is cut up and dealt to the SMs."""

from dataclasses import dataclass

from ..ops import Gemm
from .calibration import TILE_REREAD

# Listed from the most efficient to the least, as NVIDIA's matrix multiplication guide lists cuBLAS's.
TILES = (
    (256, 128), (128, 256), (128, 128), (256, 64), (64, 256), (128, 64), (64, 128), (64, 64),
)  # fmt: skip


@dataclass(frozen=True)
class Tiling:
    """A product's output cut into ``tile_m`` x ``tile_n`` tiles, of which ``sms`` run at once."""

    gemm: Gemm
    tile_m: int
    tile_n: int
    sms: int

    @property
    def tiles(self) -> int:
        """Tiles of all products that run at once."""
        return self.gemm.batch * -(-self.gemm.m // self.tile_m) * -(-self.gemm.n // self.tile_n)

    @property
    def waves(self) -> int:
        """Rounds of at most one tile an SM."""
        return -(-self.tiles // self.sms)

    @property
    def tail(self) -> float:
        """Share of the SMs that the last wave fills."""
        return (self.tiles - (self.waves - 1) * self.sms) / self.sms

    @property
    def tile_efficiency(self) -> float:
        """Share of the computed tiles that is wanted output."""
        wanted = self.gemm.batch * self.gemm.m * self.gemm.n
        return wanted / (self.tiles * self.tile_m * self.tile_n)

    @property
    def wave_efficiency(self) -> float:
        """Share of the SM slots in all waves that hold a tile."""
        return self.tiles / (self.waves * self.sms)

    @property
    def rate(self) -> float:
        """Math rate of this tile relative to the largest: small tiles reread their operands."""
        return tile_rate(self.tile_m, self.tile_n)

    @property
    def efficiency(self) -> float:
        """Share of the peak rate that tile size, tile waste and wave waste leave."""
        return self.rate * self.tile_efficiency * self.wave_efficiency


def tile_rate(tile_m: int, tile_n: int) -> float:
    """Return 1 for a 256 x 128 tile and less for smaller ones."""
    return 1 / (1 + TILE_REREAD * max(1 / tile_m + 1 / tile_n - 3 / 256, 0))


_COSTS = tuple((m, n, m * n / tile_rate(m, n)) for m, n in TILES)


def choose(gemm: Gemm, sms: int) -> Tiling:
    """Return the tiling with the least math time; of equals, the first listed."""
    batch, rows, columns = gemm.batch, gemm.m, gemm.n
    best, least = (0, 0), float("inf")
    for m, n, cost in _COSTS:
        tiles = batch * -(-rows // m) * -(-columns // n)
        time = -(-tiles // sms) * cost
        if time < least:
            best, least = (m, n), time
    return Tiling(gemm, *best, sms)
