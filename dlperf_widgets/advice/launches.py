"""The rule of NVIDIA's guide to CUDA graphs: the GPU should not wait for the host."""

from dataclasses import replace

from ..cost import Launch
from ..language import tr
from ._case import Case
from ._rule import Note, Rule, Source
from ._words import failed, passed, percent, swapped, time, useless

GUIDE = Source("NVIDIA, CUDA Graph Best Practice for PyTorch", "https://docs.nvidia.com/dl-cuda-graph/latest")


def _launched(case: Case) -> Note | None:
    if case.scenario.launch is Launch.KERNEL or not case.time:
        return None
    waits: dict[str, float] = {}
    for cost in case.scenario.costs:
        waits[cost.path] = waits.get(cost.path, 0.0) + cost.count * cost.exposed_launch
    waiting, worst = sum(waits.values()), max(waits, key=lambda path: waits[path])
    if case.scenario.launch is Launch.GRAPH:
        share = percent(waiting / case.time)
        return passed(tr("launches from a CUDA graph take {share} of the time.", share=share))
    change = replace(case.scenario, launch=Launch.GRAPH)
    saved = case.time - case.other(change).time
    what = tr("the GPU waits {time} for kernels launched one by one", time=time(waiting))
    if not case.worth(saved):
        return useless(what, worst)
    how, words = tr("against a CUDA graph"), swapped(tr("a CUDA graph"), tr("eager launches"))
    return failed(what, how, worst, saved, change, words)


GRAPH = Rule("Launches from a CUDA graph", GUIDE, _launched)
