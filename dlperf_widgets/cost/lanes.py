"""What the 32 lanes of a warp do to memory: sectors, banks, atomics, and the bytes that hide a latency."""

from collections import Counter
from collections.abc import Sequence
from math import gcd

from ._checks import positive, whole
from .sm_limits import WARP

SECTOR = 32  # bytes: the unit that L2 and DRAM deliver, a quarter of a 128-byte cache line
LARGEST_ELEMENT = 16  # bytes that one lane reads or writes at once
BANKS = 32  # of shared memory, each a 4-byte word wide


def sectors(addresses: int | Sequence[int], element: int = 4, offset: int = 0) -> int:
    """Return the distinct 32-byte sectors that one access of a warp touches.

    Parameters
    ----------
    addresses
        Bytes between the elements of neighbouring lanes, or the byte address of each lane's element.
    element
        Bytes that a lane reads or writes.
    offset
        Bytes between the first lane's element, or address 0, and the start of a sector.
    """
    size = whole("element", element, 1, LARGEST_ELEMENT)
    start = whole("offset", offset)
    touched: set[int] = set()
    for address in _addresses(addresses):
        first, last = (start + address) // SECTOR, (start + address + size - 1) // SECTOR
        touched.update(range(first, last + 1))
    return len(touched)


def sector_efficiency(addresses: int | Sequence[int], element: int = 4, offset: int = 0) -> float:
    """Return the share of the moved bytes that the lanes asked for; each byte counts once."""
    moved = SECTOR * sectors(addresses, element, offset)
    wanted = {address + byte for address in _addresses(addresses) for byte in range(element)}
    return len(wanted) / moved


def bank_conflicts(stride: int) -> int:
    """Return how many rounds shared memory takes for lanes that are ``stride`` 4-byte words apart.

    1 is free of conflicts. At stride 0 all lanes read one word, which is broadcast in one round.
    """
    words = abs(whole("stride", stride, -BANKS * 1024, BANKS * 1024))
    return gcd(words, BANKS) if words else 1


def atomic_rounds(addresses: Sequence[int]) -> int:
    """Return how many atomic operations of a warp follow one another: as many as share an address."""
    return max(Counter(_addresses(addresses)).values())


def bytes_in_flight(bandwidth: float, latency: float) -> float:
    """Return the bytes that must be under way to keep a memory busy (Little's law).

    ``bandwidth`` is in bytes/s, ``latency`` in seconds.
    """
    return positive("bandwidth", bandwidth) * positive("latency", latency)


def _addresses(addresses: int | Sequence[int]) -> list[int]:
    if not isinstance(addresses, Sequence):
        stride = whole("stride", addresses)
        return [lane * stride for lane in range(WARP)]
    if not 1 <= len(addresses) <= WARP:
        raise ValueError(f"a warp has between 1 and {WARP} addresses, not {len(addresses)}")
    return [whole("address", address, most=2**63) for address in addresses]
