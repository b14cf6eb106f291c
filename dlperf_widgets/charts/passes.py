"""Which tensors a layer that memory limits reads and writes in each of its passes, and their bytes."""

from collections.abc import Iterator
from typing import NamedTuple

from ..cost import Cost, Scenario
from ..layers import Add, BatchNorm2d, Dropout, Layer, Multiply, Passes
from ..layers.pool import Pooling
from ..ops import Phase, Stream


class Tensor(NamedTuple):
    """A tensor that is moved once."""

    name: str
    bytes: float


class MemoryPass(NamedTuple):
    """What one pass over memory moves."""

    phase: Phase
    name: str
    reads: tuple[Tensor, ...]
    writes: tuple[Tensor, ...]
    kernels: int = 1  # that share the work, each moving all of it again

    @property
    def bytes(self) -> float:
        """All that is moved."""
        return sum(tensor.bytes for tensor in (*self.reads, *self.writes))


def passes(scenario: Scenario) -> tuple[MemoryPass, ...]:
    """Return the passes in the order they run. Together they move what the scenario's costs count."""
    return tuple(
        each for cost in scenario.costs for each in _split(scenario.layer, _whole(scenario.layer, cost))
    )


def _whole(layer: Layer, cost: Cost) -> MemoryPass:
    """Return all passes of an operation as one."""
    assert isinstance(cost.op, Stream)
    moved = _forward if cost.phase is Phase.FPROP else _backward
    reads, writes = moved(layer, cost.op, cost)
    return MemoryPass(cost.phase, "one pass", _moved(reads), _moved(writes), cost.op.kernels)


def _moved(tensors: list[Tensor]) -> tuple[Tensor, ...]:
    return tuple(tensor for tensor in tensors if tensor.bytes)


def _forward(layer: Layer, op: Stream, cost: Cost) -> tuple[list[Tensor], list[Tensor]]:
    size, form = op.role.dtype(cost.format).bytes, cost.format
    inputs = _inputs(layer)
    reads = [Tensor(name, op.reads * size / len(inputs)) for name in inputs]
    reads.append(Tensor(_parameters(layer), op.weights * form.weights.bytes))
    return reads, [Tensor("y", op.writes * size), Tensor(_side(layer), op.side_bytes)]


def _backward(layer: Layer, op: Stream, cost: Cost) -> tuple[list[Tensor], list[Tensor]]:
    """Gradients are in the gradients' format, what forward kept in the activations'."""
    size, form = op.role.dtype(cost.format).bytes, cost.format
    inputs = _inputs(layer)
    kept = inputs if layer.saved.input else ("y",)
    params = layer.params * size
    given = op.writes * size - params
    reads = [Tensor("dy", op.reads * size)]
    reads += [Tensor(name, op.kept * form.activations.bytes / len(kept)) for name in kept]
    reads += [Tensor("scale", op.weights * form.weights.bytes), Tensor(_side(layer), op.side_bytes)]
    writes = [Tensor(f"d{name}", given / len(inputs)) for name in inputs]
    return reads, [*writes, Tensor(f"gradients of {_parameters(layer)}", params)]


def _inputs(layer: Layer) -> tuple[str, ...]:
    return ("a", "b") if isinstance(layer, Add | Multiply) else ("x",)


def _parameters(layer: Layer) -> str:
    return "scale" if layer.params == layer.output_shape[-1] else "scale, shift"


def _side(layer: Layer) -> str:
    if isinstance(layer, Dropout):
        return "mask"
    return "indices of the maxima" if isinstance(layer, Pooling) else "statistics"


def _split(layer: Layer, whole: MemoryPass) -> Iterator[MemoryPass]:
    """Yield the passes of a batch normalization that reads its input again; any other is one pass."""
    again = (Passes.TWO_PASS, Passes.THREE_PASS)
    if not isinstance(layer, BatchNorm2d) or layer.passes not in again:
        yield whole
        return
    forward = whole.phase is Phase.FPROP
    first = ["statistics"] if forward else ["sums"]
    if forward and layer.passes == Passes.THREE_PASS:
        first = ["mean", "variance"]
    last = "normalize" if forward else "gradient of x"
    images, others = _parted(whole.reads)
    share = len(first) + 1
    once = tuple(Tensor(name, size / share) for name, size in images)
    results, small = _parted(whole.writes)
    early = () if forward else tuple(t for t in others if t.name == "statistics")
    for i, name in enumerate(first):
        written = tuple(Tensor(n, size / len(first)) for n, size in small)
        yield whole._replace(name=name, reads=(*once, *(early if not i else ())), writes=written)
    yield whole._replace(name=last, reads=(*once, *(t for t in others if t not in early)), writes=results)


_IMAGES = {"x", "y", "dx", "dy"}


def _parted(tensors: tuple[Tensor, ...]) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    """Return the tensors as large as the input, and the small ones."""
    return (
        tuple(t for t in tensors if t.name in _IMAGES),
        tuple(t for t in tensors if t.name not in _IMAGES),
    )
