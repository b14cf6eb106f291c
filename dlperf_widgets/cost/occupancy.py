"""Occupancy: how many blocks of a kernel an SM holds at once, and what keeps more out.

The allocation rules are those of NVIDIA's occupancy calculator; they were not confirmed on every GPU.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from ..gpus import Gpu
from ._checks import many, real, shown, whole
from .sm_limits import WARP, SmLimits, sm_limits


class OccupancyLimiter(StrEnum):
    """What an SM runs out of first."""

    WARPS = "warps"
    REGISTERS = "registers"
    SHARED_MEMORY = "shared memory"
    BLOCKS = "blocks"


@dataclass(frozen=True, repr=False)
class Occupancy:
    """How one kernel fills an SM."""

    limits: SmLimits
    warps_per_block: int
    room: tuple[tuple[OccupancyLimiter, int], ...]  # the blocks that each resource has room for
    fails: str = ""  # why the launch fails, where it does

    def __repr__(self) -> str:
        return (
            f"Occupancy(blocks={self.blocks}, warps={self.warps}, occupancy={self.occupancy:g}, "
            f"limiter={self.limiter.value!r})"
        )

    @property
    def blocks(self) -> int:
        """Blocks that are on the SM at once; 0 where the launch fails."""
        return min(blocks for _, blocks in self.room)

    @property
    def warps(self) -> int:
        """Warps of all those blocks."""
        return self.blocks * self.warps_per_block

    @property
    def occupancy(self) -> float:
        """Share of the SM's warps, from 0 to 1."""
        return self.warps / self.limits.warps_per_sm

    @property
    def limiters(self) -> tuple[OccupancyLimiter, ...]:
        """All resources that leave room for no more blocks."""
        return tuple(limiter for limiter, blocks in self.room if blocks == self.blocks)

    @property
    def limiter(self) -> OccupancyLimiter:
        """The first of ``limiters``."""
        return self.limiters[0]


class Path(NamedTuple):
    """One side of a branch: how many lanes of a warp take it, and how long it is."""

    lanes: int
    length: float  # instructions or seconds


class Divergence(NamedTuple):
    """What a branch costs a warp, whose lanes run one path at a time."""

    time: float  # the taken paths, one after another
    efficiency: float  # share of the warp's lanes that work, over that time


def occupancy(gpu: Gpu | str, threads: int, registers: int = 32, shared_memory: int = 0) -> Occupancy:
    """Return how many blocks of a kernel fit on an SM.

    A block whose registers do not fit gives 0 blocks and says why in ``fails``; a number that no launch
    can have is a ValueError.

    Parameters
    ----------
    gpu
        A GPU, or a compute capability such as ``"8.0"``.
    threads
        Threads of a block.
    registers
        32-bit registers of a thread.
    shared_memory
        Bytes of a block; above 48 KiB the kernel must ask for it.
    """
    limits = sm_limits(gpu)
    name = f"compute capability {limits.compute_capability}:"
    threads = whole(f"{name} threads", threads, 1, limits.threads_per_block)
    registers = whole(f"{name} registers", registers, 1, limits.registers_per_thread)
    shared_memory = whole(f"{name} shared_memory", shared_memory, 0, limits.shared_memory_per_block)
    warps = -(-threads // WARP)
    by_registers = _by_registers(limits, warps, registers)
    room = [
        (OccupancyLimiter.WARPS, limits.warps_per_sm // warps),
        (OccupancyLimiter.REGISTERS, by_registers),
        (OccupancyLimiter.BLOCKS, limits.blocks_per_sm),
    ]
    if taken := _shared(limits, shared_memory):
        room.insert(2, (OccupancyLimiter.SHARED_MEMORY, limits.shared_memory_per_sm // taken))
    return Occupancy(limits, warps, tuple(room), "" if by_registers else _why(limits, threads, registers))


def lane_efficiency(threads: int) -> float:
    """Return the share of a block's lanes that have a thread: its last warp may be partly empty."""
    threads = whole("threads", threads, 1, 1024)
    return threads / (WARP * -(-threads // WARP))


def divergence(paths: Iterable[tuple[int, float]]) -> Divergence:
    """Return what a branch costs one warp, given the (lanes, length) of each path.

    A path without a lane is not run, so a branch that all lanes take alike costs nothing extra.
    """
    taken = [
        Path(whole("lanes of a path", lanes, 0, WARP), real("length of a path", length))
        for lanes, length in (_pair(path) for path in many("paths", paths))
    ]
    lanes = sum(path.lanes for path in taken)
    if not 1 <= lanes <= WARP:
        raise ValueError(f"the paths of a warp must have between 1 and {WARP} lanes together, not {lanes}")
    time = sum(path.length for path in taken if path.lanes)
    work = sum(path.lanes * path.length for path in taken)
    return Divergence(time, work / (WARP * time) if time else lanes / WARP)


def _pair(path: Any) -> tuple[Any, Any]:
    parts = many("a path", path)
    if len(parts) != 2:
        raise ValueError(f"a path is its lanes and its length, not {shown(path)}")
    return parts[0], parts[1]


def _per_warp(limits: SmLimits, registers: int) -> int:
    return _round_up(WARP * registers, limits.register_unit)


def _warps(limits: SmLimits, available: int, registers: int) -> int:
    """Return the warps that some registers are enough for, dealt evenly to the SM's four parts."""
    warps = available // _per_warp(limits, registers)
    return warps - warps % limits.warp_unit


def _by_registers(limits: SmLimits, warps: int, registers: int) -> int:
    if warps > _warps(limits, limits.registers_per_block, registers):
        return 0
    return _warps(limits, limits.registers_per_sm, registers) // warps


def _why(limits: SmLimits, threads: int, registers: int) -> str:
    warps = _round_up(-(-threads // WARP), limits.warp_unit)
    return (
        f"a block of {threads:,} threads at {registers} registers takes "
        f"{warps * _per_warp(limits, registers):,} registers, and can have {limits.registers_per_block:,}"
    )


def _shared(limits: SmLimits, size: int) -> int:
    return _round_up(size + (limits.reserved_shared_memory or 0), limits.shared_memory_unit)


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
