"""What the ranks of a training step exchange, and what of it waits for nothing else to do.

An exchange in buckets runs beside the work that fills them: of k buckets the last is exposed whole, as the
work is over when it is full, and of the others what the link takes longer than the work between them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, fsum, prod

from ..layers import Composite, Layer, Repeat
from ..units import si
from .collectives import RING, ZERO, all_gather_time, all_reduce_time, reduce_scatter_time
from .collectives import all_reduce_bytes as _all_reduce
from .collectives import reduce_scatter_bytes as _part
from .plan import Plan, attentions
from .scaling import PIPELINE
from .scenario import Scenario

TENSOR = "https://arxiv.org/abs/1909.08053"  # Shoeybi et al., Megatron-LM, section 3
BUCKETS = "https://arxiv.org/abs/2006.15704"  # Li et al., PyTorch Distributed, section 3.2


class When(StrEnum):
    """When in a step ranks exchange something."""

    FORWARD = "forward"  # in every micro-batch's forward pass
    BACKWARD = "backward"  # in every micro-batch's backward pass
    GRADIENTS = "gradients"  # once, in and after the last micro-batch's backward pass
    WEIGHTS = "weights"  # once, after the optimizer


@dataclass(frozen=True)
class Work:
    """Seconds of computing on one rank."""

    forward: float  # of one micro-batch
    backward: float  # of one micro-batch
    update: float  # of one step


@dataclass(frozen=True)
class Exchange:
    """What one rank exchanges with others for one purpose, in a whole step."""

    name: str
    when: When
    bytes: float  # that the rank sends
    seconds: float
    exposed: float  # seconds in which the rank waits for it
    formula: str
    source: str
    staged: bool = False  # from one pipeline stage to the next

    @property
    def overlapped(self) -> float:
        """Seconds that pass while the rank computes."""
        return self.seconds - self.exposed


def exposed(seconds: float, work: float, buckets: int, overlap: bool = True) -> float:
    """Return the seconds of an exchange in equal buckets that outlast the work which fills them."""
    if not (overlap and work):
        return seconds
    each = seconds / buckets
    return min(each + (buckets - 1) * max(0.0, each - work / buckets), seconds)


def exchanges(scenario: Scenario, plan: Plan, work: Work) -> tuple[Exchange, ...]:
    """Return every exchange of a step, in the order of ``When``; none for a single rank."""
    found = [*_tensor(scenario, plan), *_data(scenario, plan, work)]
    sends = _pipeline(scenario, plan, slots(plan, work, found))
    return tuple(sorted((*found, *sends), key=lambda e: list(When).index(e.when)))


def slots(plan: Plan, work: Work, found: Iterable[Exchange]) -> tuple[float, float]:
    """Return seconds of a stage for one micro-batch, forward and backward, but for sends to the next."""
    waits = {when: [e.exposed for e in found if e.when is when and not e.staged] for when in When}
    m = plan.microbatches
    return (
        work.forward + fsum(waits[When.FORWARD]) / m,
        work.backward + fsum(waits[When.BACKWARD]) / m,
    )


def _tensor(scenario: Scenario, plan: Plan) -> Iterator[Exchange]:
    """Two all-reduces of a block's output forward and two of its input's gradient backward, never hidden."""
    if plan.tensor == 1:
        return
    link = plan.link(scenario.gpu, plan.tensor)
    roles = {When.FORWARD: scenario.format.activations, When.BACKWARD: scenario.format.gradients}
    for when, dtype in roles.items():
        sizes = [
            (a.batch * a.queries * a.heads * a.head_dim * dtype.bytes, 2 * n / plan.pipeline)
            for a, n in attentions(scenario.layer)
        ]
        once = sum(times * all_reduce_time(size, plan.tensor, link) for size, times in sizes)
        sent = sum(times * _all_reduce(size, plan.tensor) for size, times in sizes)
        many, seconds = sum(times for _, times in sizes), plan.microbatches * once
        formula = (
            f"{plan.microbatches} micro-batches x {many:g} all-reduces of {si(sizes[0][0], 'B')} over "
            f"{plan.tensor} ranks, {link}"
        )
        name = f"tensor all-reduce, {when}"
        yield Exchange(name, when, plan.microbatches * sent, seconds, seconds, formula, TENSOR)


def boundary(layer: Layer) -> int:
    """Return the elements between two stages: a repeated block's input, else the largest output of a part."""
    if isinstance(layer, Repeat):
        return prod(layer.input_shape)
    if not isinstance(layer, Composite):
        return prod(layer.output_shape)
    repeated = [prod(part.input_shape) for _, part in layer.parts if isinstance(part, Repeat)]
    return max(repeated) if repeated else max(prod(part.output_shape) for _, part in layer.parts)


def hop(scenario: Scenario, plan: Plan, when: When) -> float:
    """Return seconds to send one micro-batch from a stage to the next, or its gradient back."""
    return plan.link(scenario.gpu, plan.ranks).seconds(_hop_bytes(scenario, when))


def _hop_bytes(scenario: Scenario, when: When) -> float:
    form = scenario.format
    return boundary(scenario.layer) * (form.activations if when is When.FORWARD else form.gradients).bytes


def _pipeline(scenario: Scenario, plan: Plan, busy: tuple[float, float]) -> Iterator[Exchange]:
    """Each chunk sends each micro-batch on, while the next is computed where that is allowed."""
    if plan.pipeline == 1:
        return
    sends = plan.microbatches * plan.interleave
    for when, slot in zip((When.FORWARD, When.BACKWARD), busy, strict=True):
        once, size = hop(scenario, plan, when), _hop_bytes(scenario, when)
        waits = max(0.0, once - slot / plan.interleave) if plan.overlap else once
        formula = f"{sends} sends of {si(size, 'B')}, {plan.link(scenario.gpu, plan.ranks)}"
        name = f"pipeline sends, {when}"
        yield Exchange(name, when, sends * size, sends * once, sends * waits, formula, PIPELINE, True)


def _data(scenario: Scenario, plan: Plan, work: Work) -> Iterator[Exchange]:
    """Gradients summed, or under ZeRO scattered and weights gathered. See ``collectives.zero_bytes``.

    What stages 1 and 2 gather after the optimizer runs beside nothing; what stage 3 gathers comes in
    buckets beside the pass that needs it, the first of them exposed.
    """
    if plan.data == 1:
        return
    share = scenario.layer.params / (plan.tensor * plan.pipeline)
    gradients, weights = share * scenario.format.gradients.bytes, share * scenario.format.weights.bytes
    send = _Data(scenario, plan)
    m = plan.microbatches
    if plan.zero == 0:
        yield send("gradient all-reduce", When.GRADIENTS, 1, work.backward, reduce=gradients)
    elif plan.zero == 1:
        yield send("gradient reduce-scatter", When.GRADIENTS, 1, work.backward, scatter=gradients)
        yield send("weight all-gather", When.WEIGHTS, 1, 0.0, gather=weights)
    elif plan.zero == 2:
        yield send("gradient reduce-scatter", When.BACKWARD, m, work.backward, scatter=gradients)
        yield send("weight all-gather", When.WEIGHTS, 1, 0.0, gather=weights)
    else:
        yield send("weight all-gather", When.FORWARD, m, work.forward, gather=weights)
        both = {"gather": weights, "scatter": gradients}
        yield send("weight all-gather and gradient reduce-scatter", When.BACKWARD, m, work.backward, **both)


class _Data:
    """Make the exchanges among the ranks that hold the same weights."""

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.plan, self.link = plan, plan.link(scenario.gpu, plan.tensor * plan.data)

    def __call__(
        self,
        name: str,
        when: When,
        times: int,
        work: float,
        *,
        reduce: float = 0.0,
        scatter: float = 0.0,
        gather: float = 0.0,
    ) -> Exchange:
        """Return ``times`` exchanges of so many bytes in buckets, beside ``work`` seconds each."""
        n, link, largest = self.plan.data, self.link, max(reduce, scatter, gather)
        k = max(ceil(largest / self.plan.bucket_bytes), 1)
        once = k * (
            (all_reduce_time(reduce / k, n, link) if reduce else 0.0)
            + (reduce_scatter_time(scatter / k, n, link) if scatter else 0.0)
            + (all_gather_time(gather / k, n, link) if gather else 0.0)
        )
        sent = _all_reduce(reduce, n) + _part(scatter, n) + _part(gather, n)
        beside = f", beside {si(work, 's')} of work" if work else ""
        formula = f"{times} x {si(sent, 'B')} over {link}, {n} ranks, {k:,} buckets{beside}"
        waits = times * exposed(once, work, k, self.plan.overlap)
        source = ZERO if self.plan.zero else f"{RING} {BUCKETS}"
        return Exchange(name, when, times * sent, times * once, waits, formula, source)
