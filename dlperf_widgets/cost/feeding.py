"""The copy of a step's samples from the host, which a loader makes beside the step before."""

from math import prod

from ..layers import Embedding
from ..links import pcie
from .parallel import Step
from .transfer import Transfer, host_copy

_TOKEN = 8  # bytes of an INT64 index


def samples_copy(one: Step) -> Transfer | None:
    """Return what copying a rank's samples of a step takes from pinned memory; None without PCIe."""
    gpu = one.scenario.gpu
    if gpu.pcie is None:
        return None
    _, first, _ = next(one.scenario.layer.leaves())
    each = _TOKEN if isinstance(first, Embedding) else one.scenario.format.activations.bytes
    size = prod(first.input_shape) * one.plan.microbatches * each
    return host_copy(round(size), pcie(gpu.pcie))
