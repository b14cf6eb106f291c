"""The memory that a scenario takes, beside the predicted footprint."""

from dataclasses import dataclass
from typing import Any

from ..cost import Scenario
from ..cost.memory import footprint
from ..ops import Phase
from .device import Device, choose, describe
from .need import need, samples


@dataclass(frozen=True)
class MemoryUse:
    """Bytes measured and predicted; None is what the device cannot tell."""

    device: Device
    scenario: Scenario
    allocated: int | None  # most at once, by tensors: of a GPU
    reserved: int | None  # most at once, by torch's allocator: of a GPU
    saved: int | None  # by autograd for backward, without parameters
    predicted: float  # the footprint, to be compared with what is allocated
    predicted_saved: float | None  # to be compared with what is saved


def measure_memory(scenario: Scenario, *, device: Any = None) -> MemoryUse:
    """Return what a scenario's phases allocate, and what its forward pass keeps for backward.

    The footprint is without an optimizer's state, which these phases do not need either.
    """
    import torch

    from .formats import held
    from .modules import How, inputs, module
    from .work import capability, work

    chosen = choose(device)
    backward = {Phase.DGRAD, Phase.WGRAD} & set(scenario.phases)
    kept = predicted = None
    allocated, reserved = _peak(torch, chosen, lambda: work(scenario, chosen).run())
    if backward:
        form = held(scenario.format, chosen.type, capability(chosen))
        how = How(chosen, getattr(torch, form.weights), getattr(torch, form.activations))
        kept = saved_bytes(module(scenario.layer, how), inputs(scenario.layer, how))
        terms = footprint(scenario.layer, scenario.format, "sgd")
        predicted = terms.activations_constant + samples(scenario) * terms.activations_per_sample
    return MemoryUse(describe(chosen), scenario, allocated, reserved, kept, need(scenario), predicted)


def _peak(torch: Any, chosen: Any, run: Any) -> tuple[int | None, int | None]:
    if chosen.type != "cuda":
        return None, None
    cuda = torch.cuda
    cuda.synchronize(chosen)
    cuda.empty_cache()
    cuda.reset_peak_memory_stats(chosen)
    before, held = cuda.memory_allocated(chosen), cuda.memory_reserved(chosen)
    run()
    cuda.synchronize(chosen)
    return cuda.max_memory_allocated(chosen) - before, cuda.max_memory_reserved(chosen) - held


def saved_bytes(net: Any, given: tuple[Any, ...]) -> int:
    """Return the bytes of the distinct tensors that autograd keeps, but for the module's own."""
    import torch

    from .work import operands

    own = {tensor.untyped_storage().data_ptr() for tensor in (*net.parameters(), *net.buffers())}
    kept: dict[int, Any] = {}

    def pack(tensor: Any) -> Any:
        address = tensor.untyped_storage().data_ptr()
        if address not in own:
            kept[address] = tensor  # held, so that no address is used twice
        return tensor

    for tensor in (*given, *operands(net)):
        tensor.requires_grad_(tensor.is_floating_point())
    starts = [tensor * 1 if tensor.is_floating_point() else tensor for tensor in given]  # may be overwritten
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        net(*starts)
    return sum(tensor.untyped_storage().nbytes() for tensor in kept.values())
