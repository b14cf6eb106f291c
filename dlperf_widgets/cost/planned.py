"""A training step under one plan after another: what a plan does not change is worked out once."""

from dataclasses import replace
from functools import lru_cache

from ..links import PCIE_4
from ..ops import TRAINING
from .collapse import once
from .exchange import When, Work, exchanges, hop
from .parallel import Step, training_step
from .plan import Plan
from .scenario import Scenario


def planned(scenario: Scenario, plan: Plan) -> Step:
    """Return what ``training_step`` does, without costing any row again that another plan has costed.

    ValueError names everything that keeps the layer from being split so.
    """
    if faults := plan.check(scenario.layer):
        raise ValueError("; ".join(faults))
    training = replace(scenario, phases=TRAINING)
    whole, rank = _shares(training, plan.tensor)
    stages, updated = plan.pipeline, plan.data if plan.zero else 1
    work = Work(rank.forward / stages, rank.backward / stages, rank.update / (stages * updated))
    return Step(
        scenario=training,
        plan=plan,
        whole=whole,
        work=work,
        exchanges=exchanges(training, plan, work),
        hops=_hops(training, plan),
    )


@lru_cache(256)
def _shares(training: Scenario, tensor: int) -> tuple[Work, Work]:
    """Return the work of one GPU that does it all, and that of one of the tensor ranks.

    No link has a part in it, so that any will do: a GPU need not have one of its own.
    """
    if tensor == 1:
        alone = training_step(once(training), Plan(inside=PCIE_4.name)).work
        return alone, alone
    step = training_step(training, Plan(tensor=tensor, node=tensor, inside=PCIE_4.name))
    return step.whole, step.work


def _hops(training: Scenario, plan: Plan) -> tuple[float, float]:
    if plan.pipeline == 1:
        return 0.0, 0.0
    return hop(training, plan, When.FORWARD), hop(training, plan, When.BACKWARD)
