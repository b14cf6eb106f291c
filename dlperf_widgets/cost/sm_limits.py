"""What one SM can hold, by compute capability: threads, registers and shared memory, with sources."""

from dataclasses import dataclass, field, fields

from .._given import shown, text
from ..gpus import Gpu, Source
from ..units import KIB

WARP = 32  # threads


@dataclass(frozen=True, kw_only=True)
class SmLimits:
    """The limits of one compute capability; a field that no source states is None."""

    compute_capability: str
    architecture: str
    threads_per_block: int
    threads_per_sm: int
    warps_per_sm: int
    blocks_per_sm: int
    registers_per_sm: int  # of 32 bits
    registers_per_block: int
    registers_per_thread: int
    shared_memory_per_sm: int  # bytes, at the largest carve-out
    shared_memory_per_block: int  # bytes; above the static limit a kernel must opt in
    static_shared_memory: int  # bytes a block gets without opting in
    reserved_shared_memory: int | None  # bytes the driver takes of each block
    l1: int | None  # bytes of the memory that L1 and shared memory divide
    carveouts: tuple[int, ...]  # bytes of shared memory that it can be divided at; empty where fixed
    grids: int  # kernels that can run at once on the GPU
    register_unit: int = 256  # registers a warp gets at a time
    warp_unit: int = 4  # warps are dealt to the SM's four parts: their number is a multiple of this
    shared_memory_unit: int  # bytes a block gets at a time
    sources: tuple[Source, ...] = field(hash=False, repr=False)

    def source(self, field: str) -> tuple[Source, ...]:
        """Return the sources of one field."""
        return tuple(source for source in self.sources if field in source.fields)


_TABLE = tuple(
    f.name
    for f in fields(SmLimits)
    if f.name not in ("reserved_shared_memory", "register_unit", "warp_unit", "shared_memory_unit", "sources")
)
_GUIDE_11 = Source(
    fields=_TABLE,
    title="CUDA C Programming Guide 11, compute capabilities, table 15",
    address="https://docs.nvidia.com/cuda/cuda-c-programming-guide/",
)
_GUIDE_13 = Source(
    fields=_TABLE,
    title="CUDA Programming Guide, compute capabilities, tables 30-32",
    address="https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/compute-capabilities.html",
)
_UNITS = Source(
    fields=("register_unit", "warp_unit", "shared_memory_unit"),
    title="derived: the allocation rules of the CUDA occupancy calculator",
)


def _reserved(how: str) -> Source:
    return Source(fields=("reserved_shared_memory",), title=f"derived: {how}")


_READ = _reserved("device attribute of reserved shared memory per block, as read on such a GPU")
_GAP = _reserved("what the guide's limits of an SM and of a block differ by")
_BEFORE = _reserved("the reservation came with compute capability 8.0")

_11, _13, _BOTH = (_GUIDE_11,), (_GUIDE_13,), (_GUIDE_11, _GUIDE_13)
_VOLTA = (0, 8, 16, 32, 64, 96)
_TURING = (32, 64)
_GA100 = (0, 8, 16, 32, 64, 100, 132, 164)
_GA10X = (0, 8, 16, 32, 64, 100)
_HOPPER = (*_GA100, 196, 228)

# fmt: off
_ROWS = (
    # capability, architecture, then of an SM: threads, blocks, registers, KiB of shared memory, of a block,
    # reserved, with L1, carve-outs; kernels at once; sources
    ("3.7", "Kepler", 2048, 16, 131072, 112, 48, None, None, (), 32, _11),
    ("5.2", "Maxwell", 2048, 32, 65536, 96, 48, None, None, (), 32, _11),
    ("6.0", "Pascal", 2048, 32, 65536, 64, 48, 0, None, (), 128, (*_11, _BEFORE)),
    ("6.1", "Pascal", 2048, 32, 65536, 96, 48, 0, None, (), 32, (*_11, _BEFORE)),
    ("7.0", "Volta", 2048, 32, 65536, 96, 96, 0, 128, _VOLTA, 128, (*_11, _READ)),
    ("7.5", "Turing", 1024, 16, 65536, 64, 64, 0, 96, _TURING, 128, (*_BOTH, _READ)),
    ("8.0", "Ampere", 2048, 32, 65536, 164, 163, 1, 192, _GA100, 128, (*_BOTH, _READ)),
    ("8.6", "Ampere", 1536, 16, 65536, 100, 99, 1, 128, _GA10X, 128, (*_BOTH, _GAP)),
    ("8.9", "Ada", 1536, 24, 65536, 100, 99, 1, 128, _GA10X, 128, (*_13, _GAP)),
    ("9.0", "Hopper", 2048, 32, 65536, 228, 227, 1, 256, _HOPPER, 128, (*_13, _READ)),
    ("10.0", "Blackwell", 2048, 32, 65536, 228, 227, 1, 256, _HOPPER, 128, (*_13, _GAP)),
    ("10.3", "Blackwell", 2048, 32, 65536, 228, 227, 1, 256, _HOPPER, 128, (*_13, _GAP)),
    ("12.0", "Blackwell", 1536, 24, 65536, 100, 99, 1, 128, _GA10X, 128, (*_13, _GAP)),
)
# fmt: on


def _record(
    capability: str, architecture: str, threads: int, blocks: int, registers: int, shared: int, block: int,
    reserved: int | None, l1: int | None, carveouts: tuple[int, ...], grids: int, sources: tuple[Source, ...],
) -> SmLimits:  # fmt: skip
    return SmLimits(
        compute_capability=capability,
        architecture=architecture,
        threads_per_block=1024,
        threads_per_sm=threads,
        warps_per_sm=threads // WARP,
        blocks_per_sm=blocks,
        registers_per_sm=registers,
        registers_per_block=65536,
        registers_per_thread=255,
        shared_memory_per_sm=shared * KIB,
        shared_memory_per_block=block * KIB,
        static_shared_memory=48 * KIB,
        reserved_shared_memory=None if reserved is None else reserved * KIB,
        l1=None if l1 is None else l1 * KIB,
        carveouts=tuple(size * KIB for size in carveouts),
        grids=grids,
        shared_memory_unit=128 if int(capability.split(".")[0]) >= 8 else 256,
        sources=(*sources, _UNITS),
    )


SM_LIMITS = tuple(_record(*row) for row in _ROWS)


def sm_limits(gpu: Gpu | str) -> SmLimits:
    """Return the limits of a GPU, or of a compute capability such as ``"8.0"``."""
    capability = (
        gpu.compute_capability if isinstance(gpu, Gpu) else text("a GPU or its compute capability", gpu)
    )
    for limits in SM_LIMITS:
        if limits.compute_capability == capability:
            return limits
    known = ", ".join(limits.compute_capability for limits in SM_LIMITS)
    raise ValueError(f"no limits are known for compute capability {shown(capability)}: choose one of {known}")
