"""The rule of 2:4 sparsity: it is for pruned weights."""

from dataclasses import replace

from ..cost import Cost
from ..language import tr
from ..ops import Attention, Conv, Gemm, Operand, Phase
from ._case import Case, Site
from ._rule import Note, Rule, Source
from ._words import capital, passed, time

GUIDE = Source(
    "NVIDIA, Ampere Architecture In-Depth",
    "https://developer.nvidia.com/blog/nvidia-ampere-architecture-in-depth/",
)


def _weights_alone(case: Case) -> Note | None:
    """Check that the sparse rate is not counted for products that have no weights to prune."""
    if not case.scenario.sparse:
        return None
    dense = case.other(replace(case.scenario, sparse=False))
    short = [
        (site.runs * _shortfall(site, full), site.path)
        for site, full in zip(case.sites, dense.sites, strict=True)
        if any(map(_unpruned, site.costs))
    ]
    if not short:
        return passed(tr("every product multiplies weights, of which 2 in every 4 can be pruned."))
    sentence = tr(
        "products without weights have nothing to prune: without sparsity they take {time} more.",
        time=time(sum(seconds for seconds, _ in short)),
    )
    return Note(False, capital(sentence), max(short)[1])


def _shortfall(site: Site, dense: Site) -> float:
    """Return the seconds by which the time of products without weights is too short."""
    rows = zip(site.costs, dense.costs, strict=True)
    return sum(full.time - sparse.time for sparse, full in rows if _unpruned(sparse))


def _unpruned(cost: Cost) -> bool:
    match cost.op:
        case Gemm(a=a, b=b):
            return Operand.WEIGHT not in (a, b)
        case Conv(phase=phase):
            return phase is Phase.WGRAD
        case Attention():
            return True
        case _:
            return False


WEIGHTS = Rule("Sparsity of weights alone", GUIDE, _weights_alone)
