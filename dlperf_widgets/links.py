"""Links between GPUs, hosts and nodes: how many bytes a second go one way, and where that is stated.

Makers state some links in Gbit/s, and NVLink as both directions together. A ``Link`` has one unit for all:
bytes/s in one direction. These are raw rates: packet headers take a share that is not counted here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from ._given import positive, real, shown, text
from .units import GB_S

GBIT_S = 1e9  # bit/s
_FASTEST = 1e15  # Gbit/s: no network comes near

# Latency of one step of a ring, in seconds, by what is crossed: NCCL's own model, for large messages.
# It is that of GPUs exchanging tensors, not of a copy from host memory.
_RING_STEP = {"NVLink": 3.4e-6, "PCIe": 5.7e-6, "network": 14e-6}
NCCL_MODEL = (
    "https://github.com/NVIDIA/nccl/blob/b6475625fbcaa2c3c0e50eed2fa1255d7514d4a2/src/graph/tuning.cc"
)


@dataclass(frozen=True)
class Link:
    """One link; a latency that no source states is None, and counts as nothing."""

    name: str
    bandwidth: float  # bytes/s, one direction
    latency: float | None = None  # seconds for one step of a ring
    kind: str = ""  # NVLink, PCIe, Ethernet or InfiniBand
    title: str = ""  # of the bandwidth's source, or how it was derived
    address: str = ""

    def __post_init__(self) -> None:
        text("a link's name", self.name)
        positive(f"{self.name}: bandwidth", self.bandwidth)
        if self.latency is not None:
            real(f"{self.name}: latency", self.latency)

    def __str__(self) -> str:
        return self.name

    def seconds(self, size: float, steps: float = 1) -> float:
        """Return how long ``size`` bytes take in so many steps, each with its latency where one is known."""
        size, steps = real("size", size), real("steps", steps)
        return size / self.bandwidth + steps * (self.latency or 0.0)

    @property
    def latency_source(self) -> str:
        """Where the latency is stated: NCCL's model for the links here, nothing where there is none."""
        return NCCL_MODEL if self.latency is not None and self.kind else ""


class _Cited(Protocol):
    """Where a number comes from."""

    @property
    def title(self) -> str: ...
    @property
    def address(self) -> str: ...


class _Board(Protocol):
    """What a GPU record says of its links."""

    @property
    def name(self) -> str: ...
    @property
    def nvlink(self) -> float | None: ...
    @property
    def pcie(self) -> int | None: ...
    def source(self, field: str) -> Sequence[_Cited]: ...


def one_way(both_directions: float) -> float:
    """Return the bytes/s one way of a figure that counts both directions, as NVIDIA's for NVLink do."""
    return real("both_directions", both_directions) / 2


def bytes_per_second(bits_per_second: float) -> float:
    """Return the bytes/s of a rate in bit/s, as networks state theirs: 100 Gbit/s are 12.5 GB/s."""
    return real("bits_per_second", bits_per_second) / 8


def nvlink(name: str, both_directions: float, title: str, address: str) -> Link:
    """Return the NVLink of one GPU, of whose stated total (bytes/s) half goes each way."""
    both_directions = positive("both_directions", both_directions)
    how = f"derived: half of the {both_directions / GB_S:g} GB/s of both directions in {title}"
    return Link(name, one_way(both_directions), _RING_STEP["NVLink"], "NVLink", how, address)


_TRANSFERS = {1: 2.5e9, 2: 5e9, 3: 8e9, 4: 16e9, 5: 32e9}  # of one lane a second, each a bit
_LANES = (1, 2, 4, 8, 16, 32)
_PCIE = "https://en.wikipedia.org/wiki/PCI_Express#Comparison_table"


def pcie(generation: int, lanes: int = 16) -> Link:
    """Return PCIe of a generation and lanes: transfers/s x line code x lanes / 8 bits, in bytes/s.

    Of 10 bits that generations 1 and 2 transfer 8 are data; of 130 that 3 to 5 do, 128.
    """
    if not isinstance(generation, int) or generation not in _TRANSFERS:
        raise ValueError(f"PCIe generation must be one of 1, 2, 3, 4, 5, not {shown(generation)}")
    if not isinstance(lanes, int) or lanes not in _LANES:
        raise ValueError(f"PCIe lanes must be one of {', '.join(map(str, _LANES))}, not {shown(lanes)}")
    rate, (data, sent) = _TRANSFERS[generation], (8, 10) if generation < 3 else (128, 130)
    return Link(
        name=f"PCIe {generation} x{lanes}",
        bandwidth=bytes_per_second(rate * data / sent * lanes),
        latency=_RING_STEP["PCIe"],
        kind="PCIe",
        title=f"derived: {rate / 1e9:g} GT/s x {data}/{sent} x {lanes} lanes / 8 bits",
        address=_PCIE,
    )


def ethernet(gbit_s: int) -> Link:
    """Return Ethernet of a rate in Gbit/s, which counts frames with their headers."""
    page = "https://docs.nvidia.com/networking/display/mlnxofedv24070610/release+notes"
    return _network("Ethernet", f"{gbit_s} Gbit/s", gbit_s, "NVIDIA, uplink speeds of adapters", page)


def infiniband(name: str, gbit_s: int) -> Link:
    """Return InfiniBand with its usual four lanes, of a rate in Gbit/s."""
    page = "https://atgbics.com/pages/direct-attach-infiniband-port-speed-overview"
    return _network("InfiniBand", name, gbit_s, "ATGBICS, InfiniBand port speeds of four lanes", page)


def _network(kind: str, name: str, gbit_s: int, title: str, address: str) -> Link:
    rate = bytes_per_second(positive("gbit_s", gbit_s, _FASTEST) * GBIT_S)
    how = f"derived: {gbit_s} Gbit/s / 8 bits; rate from {title}"
    return Link(f"{kind} {name}", rate, _RING_STEP["network"], kind, how, address)


_AMPERE = (
    "NVIDIA, Ampere Architecture In-Depth",
    "https://developer.nvidia.com/blog/nvidia-ampere-architecture-in-depth/",
)
NVLINK_2 = nvlink("NVLink 2 (V100)", 300 * GB_S, *_AMPERE)
NVLINK_3 = nvlink("NVLink 3 (A100)", 600 * GB_S, *_AMPERE)
_HOPPER = ("NVIDIA, H100 Tensor Core GPU Architecture", "https://nvdam.widen.net/s/95bdhpsgrs/")
_BLACKWELL = (
    "NVIDIA, Blackwell datasheet",
    "https://nvdam.widen.net/s/wwnsxrhm2w/blackwell-datasheet-3384703",
)
NVLINK_4 = nvlink("NVLink 4 (H100)", 900 * GB_S, *_HOPPER)
NVLINK_5 = nvlink("NVLink 5 (B200)", 1800 * GB_S, *_BLACKWELL)
PCIE_1, PCIE_2, PCIE_3, PCIE_4, PCIE_5 = (pcie(generation) for generation in _TRANSFERS)
ETHERNET_1, ETHERNET_10, ETHERNET_25, ETHERNET_100, ETHERNET_200, ETHERNET_400 = (
    ethernet(rate) for rate in (1, 10, 25, 100, 200, 400)
)
INFINIBAND_EDR, INFINIBAND_HDR, INFINIBAND_NDR = (
    infiniband(name, rate) for name, rate in (("EDR", 100), ("HDR", 200), ("NDR", 400))
)

LINKS = (
    NVLINK_2, NVLINK_3, NVLINK_4, NVLINK_5, PCIE_1, PCIE_2, PCIE_3, PCIE_4, PCIE_5,
    ETHERNET_1, ETHERNET_10, ETHERNET_25, ETHERNET_100, ETHERNET_200, ETHERNET_400,
    INFINIBAND_EDR, INFINIBAND_HDR, INFINIBAND_NDR,
)  # fmt: skip


def of_gpu(gpu: _Board) -> Link:
    """Return the NVLink of a GPU that has one, else its PCIe with 16 lanes."""
    if not hasattr(gpu, "nvlink"):
        raise ValueError(f"gpu must be a Gpu, not {shown(gpu)}")
    if gpu.nvlink is not None:
        source = next(iter(gpu.source("nvlink")), None)
        title, address = (source.title, source.address) if source else ("the GPU's record", "")
        return nvlink(f"NVLink of the {gpu.name}", gpu.nvlink, title, address)
    if gpu.pcie is not None:
        return pcie(gpu.pcie)
    raise ValueError(f"{gpu.name} states neither NVLink nor PCIe")


def find(name: str) -> Link:
    """Return the link a name means, by its words in any order: ``find("nvlink 3")``, ``find("hdr")``."""
    words = _words(text("the name of a link", name))
    for link in LINKS:
        if _words(link.name) == words:
            return link
    found = [link for link in LINKS if words and set(words) <= set(_words(link.name))]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{name!r} could mean {', '.join(link.name for link in found)}")
    raise ValueError(f"unknown link {shown(name)}{_hint(name)}")


@lru_cache(256)
def _words(name: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z0-9]+", name.lower()))


def _hint(name: str) -> str:
    import difflib  # slow to import, and only for an error

    names = {link.name.lower(): link.name for link in LINKS}
    close = [names[match] for match in difflib.get_close_matches(name.lower(), names, cutoff=0.4)]
    return f": did you mean {', '.join(close)}?" if close else ": links.LINKS lists those that are known"
