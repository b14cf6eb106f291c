"""The rule of PyTorch's compiler: an elementwise pass should be part of the operation before it."""

from math import prod

from ..language import tr
from ..layers import Activation, Add, Dropout, Multiply
from ..ops import Phase
from ._case import Case, Site
from ._rule import Note, Rule, Source
from ._words import failed, passed, useless

GUIDE = Source(
    "PyTorch, TorchDynamo: Getting Started", "https://pytorch.org/docs/2.0/dynamo/get-started.html"
)


def _fused(case: Case) -> Note | None:
    """Check that no elementwise pass reads what the operation before it has just written."""
    leaves = [leaf for _, leaf, _ in case.scenario.layer.leaves()]
    if len(leaves) < 2:
        return None
    later = set(leaves[1:])
    sites = [s for s in case.of(Activation, Add, Multiply, Dropout) if s.leaf in later and _between(s)]
    if not sites:
        return passed(tr("no elementwise pass could be part of the operation before it."))
    lost, worst = sum(map(_between, sites)), max(sites, key=_between)
    what = tr("forward, elementwise passes read again what was just written")
    if not case.worth(lost):
        return useless(what, worst.path)
    words = tr("passes fused into the operation before, as torch.compile does")
    return failed(what, tr("against fused ones"), worst.path, lost, words=words)


def _between(site: Site) -> float:
    """Return the seconds, forward, that go into writing a tensor and reading it back, and into the launch.

    The rest of the pass, such as the other operand of an addition, would still be read.
    """
    total = 0.0
    for c in site.costs:
        if c.phase is Phase.FPROP:
            passed_on = 2 * prod(site.leaf.input_shape) * c.format.activations.bytes
            total += c.time - max(1 - passed_on / c.bytes, 0.0) * c.busy_time
    return site.runs * total


FUSED = Rule("Elementwise passes fused", GUIDE, _fused)
