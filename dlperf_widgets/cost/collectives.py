"""What a rank sends when many exchange a tensor, and how long that takes.

Sizes are bytes of the whole tensor, whatever part of it a rank holds. All go round a ring, in which every
rank sends and receives at once: what is counted is what one rank sends. A rank alone sends nothing.
"""

from ..links import Link
from ._checks import real, thing, whole

RING = "https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md"
ZERO = "https://arxiv.org/abs/1910.02054"  # Rajbhandari et al., ZeRO, section 7


def all_reduce_bytes(size: float, ranks: int) -> float:
    """Return the bytes a rank sends to sum a tensor on all ranks: 2 (n - 1) / n of it.

    As NCCL's tests count a ring: https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md.

    Parameters
    ----------
    size
        Bytes of the tensor.
    ranks
        GPUs that have one each.
    """
    return 2 * reduce_scatter_bytes(size, ranks)


def reduce_scatter_bytes(size: float, ranks: int) -> float:
    """Return the bytes a rank sends to leave every rank its part of the sum: (n - 1) / n of the tensor."""
    whole("ranks", ranks, least=1)
    return real("size", size) * (ranks - 1) / ranks


def all_gather_bytes(size: float, ranks: int) -> float:
    """Return the bytes a rank sends to give every rank all parts: (n - 1) / n of the tensor."""
    return reduce_scatter_bytes(size, ranks)


def all_to_all_bytes(size: float, ranks: int) -> float:
    """Return the bytes a rank sends to give each other rank another n-th of its tensor."""
    return reduce_scatter_bytes(size, ranks)


def broadcast_bytes(size: float, ranks: int) -> float:
    """Return the bytes a rank sends on so that one rank's tensor reaches all: the tensor, in small pieces."""
    return float(size) if reduce_scatter_bytes(size, ranks) else 0.0


def zero_bytes(size: float, ranks: int, stage: int, microbatches: int = 1) -> float:
    """Return the bytes a rank sends in a data-parallel step under ZeRO, for ``size`` bytes of weights.

    Stage 0 sums gradients; 1 scatters their sum and gathers the new weights, which is as much; 2 keeps
    only its part of the gradients, so it scatters after every micro-batch; 3 keeps only its part of the
    weights too, so it gathers them for forward and again for backward. Weights and gradients are taken to
    be of one size. With one micro-batch: 2, 2, 2 and 3 times the (n - 1) / n of a tensor.
    """
    whole("ZeRO stage", stage, most=3)
    whole("microbatches", microbatches, least=1)
    tensors = {2: microbatches + 1, 3: 3 * microbatches}.get(stage, 2)
    return tensors * reduce_scatter_bytes(size, ranks)


def all_reduce_time(size: float, ranks: int, link: Link) -> float:
    """Return seconds: what a rank sends at the link's rate, and 2 (n - 1) latencies."""
    link = thing("link", Link, link)
    return link.seconds(all_reduce_bytes(size, ranks), 2 * (ranks - 1))


def reduce_scatter_time(size: float, ranks: int, link: Link) -> float:
    """Return seconds: what a rank sends at the link's rate, and n - 1 latencies."""
    link = thing("link", Link, link)
    return link.seconds(reduce_scatter_bytes(size, ranks), ranks - 1)


def all_gather_time(size: float, ranks: int, link: Link) -> float:
    """Return seconds: what a rank sends at the link's rate, and n - 1 latencies."""
    link = thing("link", Link, link)
    return link.seconds(all_gather_bytes(size, ranks), ranks - 1)


def all_to_all_time(size: float, ranks: int, link: Link) -> float:
    """Return seconds: what a rank sends at the link's rate, and n - 1 latencies."""
    link = thing("link", Link, link)
    return link.seconds(all_to_all_bytes(size, ranks), ranks - 1)


def broadcast_time(size: float, ranks: int, link: Link) -> float:
    """Return seconds: the tensor at the link's rate, and n - 1 latencies until its first piece is round."""
    link = thing("link", Link, link)
    return link.seconds(broadcast_bytes(size, ranks), ranks - 1)
