"""Copies between host and GPU memory: over a link, from pinned or pageable memory, or page by page."""

from dataclasses import dataclass
from enum import StrEnum
from math import fsum

from ..links import Link
from ..units import GB_S, KIB, si
from ._checks import choice, positive, real, thing, whole
from .explain import Term

# Host copy into a pinned buffer, bytes/s: an estimate of what one core does.
HOST_COPY = 10 * GB_S
# Seconds that a page fault of the GPU takes to be served: an estimate, of the order published for it.
PAGE_FAULT = 20e-6
SMALL_PAGE = 64 * KIB  # what the driver moves at a time, at least

_GUIDE = "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/#data-transfer-between-host-and-device"
_ESTIMATE = "an estimate, not validated"


class HostMemory(StrEnum):
    """How host memory is allocated."""

    PINNED = "pinned"
    PAGEABLE = "pageable"  # the driver first copies it into a pinned buffer


@dataclass(frozen=True)
class Transfer:
    """What moving some bytes takes, as terms that add up."""

    bytes: int
    terms: tuple[Term, ...]
    estimate: bool = False  # whether it rests on estimated constants

    @property
    def time(self) -> float:
        """Seconds."""
        return fsum(term.seconds for term in self.terms)

    @property
    def bandwidth(self) -> float:
        """Bytes/s, all terms counted."""
        return self.bytes / self.time if self.time else 0.0


def host_copy(
    size: int,
    link: Link,
    memory: HostMemory | str = HostMemory.PINNED,
    *,
    efficiency: float = 1.0,
    latency: float = 0.0,
    staging: float = HOST_COPY,
) -> Transfer:
    """Return what an explicit copy takes: latency + bytes / (efficiency x raw rate of the link).

    Parameters
    ----------
    size
        Bytes.
    link
        Such as ``links.pcie(3, 16)``.
    memory
        ``pinned``, or ``pageable`` for one more copy on the host, which is taken not to overlap.
    efficiency
        Share of the link's raw rate that is left after packet headers and flow control.
    latency
        Seconds that any copy takes.
    staging
        Bytes/s of the extra host copy.
    """
    size = whole("size", size, most=2**63)
    pageable = _memory(memory) is HostMemory.PAGEABLE
    terms = [Term("latency", real("latency", latency), "of any copy", _GUIDE), _link(size, link, efficiency)]
    if pageable:
        rate = positive("staging", staging)
        terms.append(
            Term("host copy", size / rate, f"{si(size, 'B')} / {si(rate, 'B/s')} into pinned memory", _GUIDE)
        )
    return Transfer(size, tuple(terms), pageable and staging == HOST_COPY)


def zero_copy(size: int, link: Link, reads: float = 1.0, efficiency: float = 1.0) -> Transfer:
    """Return what a kernel waits for that reads host memory in place: every read crosses the link.

    Parameters
    ----------
    size
        Bytes of the data.
    link
        Between host and GPU, such as ``links.pcie(4)``.
    reads
        How often each byte is read.
    efficiency
        Share of the link's raw rate that is reached.
    """
    moved = round(whole("size", size, most=2**63) * real("reads", reads))
    return Transfer(moved, (_link(moved, link, efficiency),))


def unified(
    size: int, link: Link, page: int = SMALL_PAGE, *, fault: float = PAGE_FAULT, efficiency: float = 1.0
) -> Transfer:
    """Return an estimate of moving managed memory on demand: whole pages, and one fault for each.

    A model to think with: the driver serves faults in groups and moves larger pages as it sees a pattern,
    so reality lies between 64 KiB and 2 MiB pages. A prefetch is ``fault=0``.

    Parameters
    ----------
    size
        Bytes that the GPU touches, in one piece.
    link
        Such as ``links.pcie(3, 16)``.
    page
        Bytes that are moved for a fault.
    fault
        Seconds that serving a fault takes, one after another.
    efficiency
        Share of the link's raw rate that is left.
    """
    page = whole("page", page, 4 * KIB)
    pages = -(-whole("size", size, most=2**63) // page)
    fault = real("fault", fault)
    seconds = pages * fault
    faults = Term(
        "page faults", seconds, f"{pages:,} x {si(fault, 's')}, one for each {page / KIB:g} KiB", _ESTIMATE
    )
    return Transfer(pages * page, (faults, _link(pages * page, link, efficiency)), True)


def _link(size: int, link: Link, efficiency: float) -> Term:
    rate = positive("efficiency", efficiency, 1.0) * thing("link", Link, link).bandwidth
    return Term("link", size / rate, f"{si(size, 'B')} / {si(rate, 'B/s')}", _GUIDE)


def _memory(memory: HostMemory | str) -> HostMemory:
    return HostMemory(choice("memory", memory, HostMemory))
