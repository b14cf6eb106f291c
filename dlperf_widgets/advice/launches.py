"""The rule of NVIDIA's guide to CUDA graphs: the GPU should not wait for the host."""

from dataclasses import replace

from ..cost import Launch
from ..language import tr
from ._case import Case, Site
from ._rule import Note, Rule, Source
from ._words import failed, passed, percent, swapped, time

GUIDE = Source("NVIDIA, CUDA Graph Best Practice for PyTorch", "https://docs.nvidia.com/dl-cuda-graph/latest")


def _launched(case: Case) -> Note | None:
    if case.scenario.launch is Launch.KERNEL or not case.time:
        return None
    waiting, worst = sum(map(_waits, case.sites)), max(case.sites, key=_waits).path
    if case.scenario.launch is Launch.GRAPH:
        share = percent(waiting / case.time)
        return passed(tr("launches from a CUDA graph take {share} of the time.", share=share))
    change = replace(case.scenario, launch=Launch.GRAPH)
    saved = case.time - case.other(change).time
    if not case.worth(saved):
        return passed(tr("launches hide behind the kernels before them."))
    what = tr("the GPU waits {time} for kernels launched one by one", time=time(waiting))
    how, words = tr("against a CUDA graph"), swapped(tr("a CUDA graph"), tr("eager launches"))
    return failed(what, how, worst, saved, change, words)


def _waits(site: Site) -> float:
    """Return the seconds that the GPU waits for launches of some layers."""
    return site.runs * sum(row.exposed_launch for row in site.costs)


GRAPH = Rule("Launches from a CUDA graph", GUIDE, _launched)
