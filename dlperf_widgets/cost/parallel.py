"""A training step on many GPUs: what each computes, what they exchange, and when they wait.

The scenario's layer is the work of one micro-batch, which a data-parallel rank runs ``microbatches`` times
a step: a batch of B trains on B x micro-batches x data-parallel ranks samples a step. Splits are ideal:
tensor ranks share products and the activations between them, stages share the time, evenly. What runs
beside a computation does not slow it; links run at their raw rates, and every collective is a ring, of which
NCCL leaves some to trees when ranks are many. None of it is measured, nor is memory asked whether it fits.
"""

from dataclasses import dataclass, replace
from math import fsum

from ..layers import Activation
from ..ops import TRAINING, Phase, Stream
from ..units import si
from ._checks import thing
from .collectives import all_gather_bytes as all_gather_bytes
from .collectives import all_gather_time as all_gather_time
from .collectives import all_reduce_bytes as all_reduce_bytes
from .collectives import all_reduce_time as all_reduce_time
from .collectives import all_to_all_bytes as all_to_all_bytes
from .collectives import all_to_all_time as all_to_all_time
from .collectives import broadcast_bytes as broadcast_bytes
from .collectives import broadcast_time as broadcast_time
from .collectives import reduce_scatter_bytes as reduce_scatter_bytes
from .collectives import reduce_scatter_time as reduce_scatter_time
from .collectives import zero_bytes as zero_bytes
from .exchange import Exchange, When, Work, exchanges, hop, slots
from .explain import Term
from .plan import Plan as Plan
from .scaling import PIPELINE, scaling_efficiency
from .scaling import amdahl as amdahl
from .scaling import in_flight as in_flight
from .scaling import pipeline_bubble as pipeline_bubble
from .scaling import pipeline_overhead as pipeline_overhead
from .scaling import pipeline_speedup as pipeline_speedup
from .scenario import Scenario
from .timeline import Span, timeline

_MODEL = "the scenario's rows"


@dataclass(frozen=True)
class Step:
    """One training step. Times are in seconds, on the first stage, which is the last to finish."""

    scenario: Scenario  # one micro-batch, all phases
    plan: Plan
    whole: Work  # were one GPU to do all of it
    work: Work  # of one rank
    exchanges: tuple[Exchange, ...]
    hops: tuple[float, float]  # from stage to stage: a micro-batch forward, its gradient back

    @property
    def compute(self) -> float:
        """Forward, backward and update on one rank."""
        return self.plan.microbatches * (self.work.forward + self.work.backward) + self.work.update

    @property
    def communication(self) -> float:
        """All exchanges of one rank, hidden or not."""
        return fsum(e.seconds for e in self.exchanges)

    @property
    def exposed(self) -> float:
        """The part of the communication that the rank waits for."""
        return fsum(e.exposed for e in self.exchanges)

    @property
    def overlapped(self) -> float:
        """The part of the communication that passes while the rank computes."""
        return fsum(e.overlapped for e in self.exchanges)

    @property
    def slots(self) -> tuple[float, float]:
        """What a stage takes for one micro-batch, forward and backward, its sends to the next apart."""
        return slots(self.plan, self.work, self.exchanges)

    @property
    def bubble(self) -> float:
        """What a stage waits for the others: one chunk and one send of each, there and back."""
        forward, backward = (s / self.plan.interleave + h for s, h in zip(self.slots, self.hops, strict=True))
        return (self.plan.pipeline - 1) * (forward + backward)

    @property
    def seconds(self) -> tuple[float, ...]:
        """What each term adds."""
        work, m = self.work, self.plan.microbatches
        waits = (e.exposed for e in self.exchanges)
        return (m * work.forward, m * work.backward, *waits, self.bubble, work.update)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The parts of the step in a fixed order; their seconds add up to its time."""
        plan, m = self.plan, self.plan.microbatches
        split = f"{plan.tensor} tensor x {plan.pipeline} pipeline ranks"
        chunk = f"1/{plan.interleave} micro-batch" if plan.interleave > 1 else "1 micro-batch"
        waits = f"{plan.pipeline - 1} x ({chunk} and a send, forward and backward)"
        told = (
            ("forward", f"{m} x {si(self.work.forward, 's')}, {split}", _MODEL),
            ("backward", f"{m} x {si(self.work.backward, 's')}, {split}", _MODEL),
            *((e.name, _formula(e), e.source) for e in self.exchanges),
            ("bubble", waits, PIPELINE),
            ("update", "the optimizer, where the layer has one", _MODEL),
        )
        pairs = zip(told, self.seconds, strict=True)
        return tuple(Term(name, seconds, formula, source) for (name, formula, source), seconds in pairs)

    @property
    def time(self) -> float:
        """The whole step: the sum of the terms."""
        return fsum(self.seconds)

    @property
    def samples(self) -> int:
        """What the leading dimension counts, over all micro-batches and data-parallel ranks."""
        layer = self.scenario.layer
        one = int(getattr(layer, layer.scale, layer.input_shape[0]))
        return one * self.plan.microbatches * self.plan.data

    @property
    def samples_per_second(self) -> float:
        """Samples trained on for each second of the step."""
        return self.samples / self.time

    @property
    def one_gpu(self) -> float:
        """What a single GPU would take for all samples, were its memory large enough."""
        times = self.plan.microbatches * self.plan.data
        return times * (self.whole.forward + self.whole.backward) + self.whole.update

    @property
    def scaling_efficiency(self) -> float:
        """The speedup over a single GPU as a share of the GPUs: T1 / (n Tn)."""
        return scaling_efficiency(self.one_gpu, self.plan.ranks, self.time)

    @property
    def timeline(self) -> tuple[Span, ...]:
        """What each stage and link does when, for a picture."""
        return timeline(self)

    def explain(self) -> str:
        """Return the terms as lines, each with the numbers put in."""
        head = f"{type(self.scenario.layer).__name__} on {self.plan.ranks} x {self.scenario.gpu.name}"
        width = max(len(term.name) for term in self.terms)
        lines = [f"{t.name:<{width}} {t.seconds * 1e3:>12.3f} ms   {t.formula}" for t in self.terms]
        total = (
            f"{'time':<{width}} {self.time * 1e3:>12.3f} ms   the sum; a model not validated by measurement"
        )
        rate = f"{si(self.samples_per_second)} samples/s at {self.scaling_efficiency:.1%} of ideal scaling"
        return "\n".join([head, *lines, total, rate])


def training_step(scenario: Scenario, plan: Plan | None = None) -> Step:
    """Return a training step of a scenario, whatever its phases, split as a plan says.

    Parameters
    ----------
    scenario
        One micro-batch's work on one GPU, before it is split.
    plan
        Tensor, pipeline and data ranks, ZeRO, micro-batches and links; one GPU where there is none.

    Raises
    ------
    ValueError
        Names everything that keeps the layer from being split so.
    """
    scenario = thing("scenario", Scenario, scenario)
    plan = Plan() if plan is None else thing("plan", Plan, plan)
    if faults := plan.check(scenario.layer):
        raise ValueError("; ".join(faults))
    training = replace(scenario, phases=TRAINING)
    work = _work(training, plan.tensor, plan.pipeline, plan.data if plan.zero else 1)
    hops = (0.0, 0.0)
    if plan.pipeline > 1:
        hops = (hop(training, plan, When.FORWARD), hop(training, plan, When.BACKWARD))
    return Step(
        scenario=training,
        plan=plan,
        whole=_work(training),
        work=work,
        exchanges=exchanges(training, plan, work),
        hops=hops,
    )


def _work(scenario: Scenario, tensor: int = 1, pipeline: int = 1, update: int = 1) -> Work:
    """Return a rank's share of each phase. Norms and residuals are computed by every tensor rank."""
    shared = {path for path, leaf, _ in scenario.layer.leaves() if isinstance(leaf, Activation)}
    times: dict[Phase, list[float]] = {phase: [] for phase in Phase}
    for row in scenario.costs:
        divided = row.phase is Phase.UPDATE or not isinstance(row.op, Stream) or row.path in shared
        times[row.phase].append(row.time * row.count / (tensor if divided else 1))
    return Work(
        forward=fsum(times[Phase.FPROP]) / pipeline,
        backward=fsum(times[Phase.DGRAD] + times[Phase.WGRAD]) / pipeline,
        update=fsum(times[Phase.UPDATE]) / (pipeline * update),
    )


def _formula(exchange: Exchange) -> str:
    if exchange.exposed == exchange.seconds:
        return exchange.formula
    return f"{exchange.formula}: {si(exchange.overlapped, 's')} of {si(exchange.seconds, 's')} hidden"
