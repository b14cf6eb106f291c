"""What is asked about a kernel: the shape of its blocks, and how its lanes use memory."""

from dataclasses import dataclass

from ..cost import Scenario
from ..cost.occupancy import Occupancy, OccupancyLimiter, occupancy
from ..language import remembered
from ..layers._fields import choice, dim
from ..units import figures
from ._options import Described

BLOCKS, WARPS = "blocks per SM", "warps per SM"
LIMITERS = {  # what users call each; a limit on warps is one on threads
    OccupancyLimiter.WARPS: "threads",
    OccupancyLimiter.REGISTERS: "registers",
    OccupancyLimiter.SHARED_MEMORY: "shared memory",
    OccupancyLimiter.BLOCKS: "block cap",
}


@dataclass(frozen=True)
class OccupancyOptions(Described):
    """The shape of a kernel, as far as an SM's room and its memory's speed depend on it."""

    threads: int = dim(256, "Threads per block", most=1024, limit=1024)
    registers: int = dim(40, "Registers per thread", most=255, limit=255)
    shared_memory: int = dim(0, "Shared memory per block (B)", most=232_448, least=0)
    show: str = choice(BLOCKS, "Show", (BLOCKS, WARPS))
    stride: int = dim(1, "Access stride (elements)", most=32, log=False, least=0, limit=65_536)
    element: str = choice("4", "Bytes per element", ("1", "2", "4", "8", "16"))
    offset: int = dim(0, "First address (B)", most=128, log=False, least=0, limit=2**20)
    bank_stride: int = dim(1, "Shared memory stride (words)", most=64, log=False, least=0, limit=32_768)
    in_flight: int = dim(16, "Bytes in flight per thread", most=256, log=False, limit=65_536)
    latency: int = dim(500, "Latency of memory (ns)", most=5000, log=False, limit=10_000)

    @property
    def bytes(self) -> int:
        """Bytes that a lane reads at once."""
        return int(self.element)


def percent(share: float) -> str:
    """Return a share in percent, three significant figures."""
    return f"{figures(100 * share)}%"


def resident(scenario: Scenario, options: OccupancyOptions) -> Occupancy:
    """Return how the kernel fills an SM of the scenario's GPU."""
    return _resident(
        scenario.gpu.compute_capability, options.threads, options.registers, options.shared_memory
    )


@remembered(256)
def _resident(capability: str, threads: int, registers: int, shared_memory: int) -> Occupancy:
    return occupancy(capability, threads, registers, shared_memory)
