"""The memory that a scenario takes, beside the predicted footprint."""

from datetime import UTC, datetime
from typing import Any

from ..cost import Scenario
from ..cost.footprint import both
from .device import available, choose, describe
from .errors import told
from .formats import UnsupportedError
from .need import need, trains
from .record import MemoryUse, Outcome


def measure_memory(scenario: Scenario, *, device: Any = None) -> MemoryUse:
    """Return what a scenario's phases allocate, and what its forward pass keeps for backward.

    The footprint is without an optimizer's state, which these phases do not need either. What cannot run,
    or finds no room, has a ``reason`` and no bytes.

    Parameters
    ----------
    scenario
        What is run.
    device
        A torch device; by default the GPU if there is one, else the CPU, of which nothing but the bytes
        that autograd keeps can be told.
    """
    import torch

    chosen = choose(device)
    about, now = describe(chosen), datetime.now(UTC).isoformat(timespec="seconds")
    try:
        _check_room(scenario, chosen)
        with torch.random.fork_rng([chosen] if chosen.type == "cuda" else []):
            allocated, reserved = _peak(torch, chosen, scenario)
            kept = _kept(torch, scenario, chosen)
    except UnsupportedError as error:
        return MemoryUse(about, scenario, Outcome.SKIPPED, now, reason=str(error))
    except (RuntimeError, MemoryError) as error:  # torch's own words for no memory, and for what it lacks
        outcome, reason = told(error, scenario)
        return MemoryUse(about, scenario, outcome, now, reason=reason)
    return MemoryUse(about, scenario, Outcome.MEASURED, now, allocated, reserved, kept)


def _check_room(scenario: Scenario, chosen: Any) -> None:
    """Raise MemoryError before a machine without room is brought down by trying."""
    free = available(chosen)
    if free is not None and need(scenario) > free:
        raise MemoryError(f"the device has {both(free)} free")


def _peak(torch: Any, chosen: Any, scenario: Scenario) -> tuple[int | None, int | None]:
    """Return the most that is allocated and reserved at once. A CPU does not count it."""
    from .work import work

    if chosen.type != "cuda":
        return None, None
    cuda = torch.cuda
    work(scenario, chosen).run()  # what libraries allocate once, for all that follows
    cuda.synchronize(chosen)
    cuda.empty_cache()
    cuda.reset_peak_memory_stats(chosen)
    before, held = cuda.memory_allocated(chosen), cuda.memory_reserved(chosen)
    work(scenario, chosen).run()
    cuda.synchronize(chosen)
    return cuda.max_memory_allocated(chosen) - before, cuda.max_memory_reserved(chosen) - held


def _kept(torch: Any, scenario: Scenario, chosen: Any) -> int | None:
    """Return the bytes kept for backward; None where there is none."""
    from .formats import held
    from .modules import How, inputs, module
    from .work import capability

    if not trains(scenario):
        return None
    form = held(scenario.format, chosen.type, capability(chosen))
    how = How(chosen, getattr(torch, form.weights), getattr(torch, form.activations))
    return saved_bytes(module(scenario.layer, how), inputs(scenario.layer, how))


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
