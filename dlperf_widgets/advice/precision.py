"""Rules of number formats: Tensor Cores for products, half the bytes for the rest."""

from collections.abc import Callable
from dataclasses import replace

from ..cost import Cost, Limiter
from ..dtypes import FP16, FP32, TF32, DType
from ..language import tr
from ..ops import Stream
from ._case import Case, Site
from ._rule import Note, Rule, Source
from ._words import failed, passed, swapped, useless

GUIDE = Source(
    "NVIDIA, Get Started With Deep Learning Performance",
    "https://docs.nvidia.com/deeplearning/performance/dl-performance-getting-started/",
)
TRAFFIC = Source(
    "NVIDIA, Using Nsight Compute or Nvprof to Show Mixed Precision Use in Deep Learning Models",
    "https://forums.developer.nvidia.com/t/"
    "using-nsight-compute-or-nvprof-to-show-mixed-precision-use-in-deep-learning-models/148794",
)


def _tensor_cores(case: Case) -> Note | None:
    """Check that products run on Tensor Cores where the GPU has some for a smaller format."""
    gpu, form = case.scenario.gpu, case.scenario.format
    if not gpu.tensor_peak or not any(site.products for site in case.sites):
        return None
    if gpu.has_tensor_cores(form.math):
        return passed(tr("products run on Tensor Cores in {format}.", format=form.math.name))
    smaller = next((dtype for dtype in (TF32, FP16) if gpu.has_tensor_cores(dtype)), None)
    if form.math is not FP32 or smaller is None:
        return None
    what = tr("products in {format} leave the Tensor Cores idle", format=form.math.name)
    return _in_format(case, smaller, what, lambda cost: not isinstance(cost.op, Stream))


def _half_the_bytes(case: Case) -> Note | None:
    """Check that what memory limits moves 2 bytes an element, not 4."""
    stored = case.scenario.format.activations
    if FP16 not in case.scenario.gpu.dtypes or stored.bytes > 4:
        return None
    if not any(map(_by_memory, (c for site in case.sites for c in site.costs))):
        return None
    if stored.bytes <= 2:
        return passed(tr("{format} moves no more than 2 bytes an element.", format=stored.name))
    what = tr("{format} moves 4 bytes an element where memory is the limit", format=stored.name)
    return _in_format(case, FP16, what, _by_memory)


def _by_memory(cost: Cost) -> bool:
    return cost.limiter is Limiter.MEMORY


def _in_format(case: Case, dtype: DType, what: str, concerned: Callable[[Cost], bool]) -> Note:
    """Return what the rows concerned would save in another format, if the whole is faster in it too."""
    change = replace(case.scenario, dtype=dtype)
    then = case.other(change)
    pairs = zip(case.sites, then.sites, strict=True)
    saved = {site.path: _saved(site, other, concerned) for site, other in pairs}
    worst, lost = max(saved, key=lambda path: saved[path]), sum(saved.values())
    if not case.worth(case.time - then.time) or not case.worth(lost):
        return useless(what, worst)
    how = tr("against {format}, if its precision will do", format=dtype.name)
    return failed(what, how, worst, lost, change, swapped(dtype.name, case.scenario.format.name))


def _saved(site: Site, other: Site, concerned: Callable[[Cost], bool]) -> float:
    rows = zip(site.costs, other.costs, strict=True)
    return site.runs * sum(now.time - then.time for now, then in rows if concerned(now))


TENSOR_CORES = Rule("Tensor Cores for products", GUIDE, _tensor_cores)
HALF = Rule("Two bytes an element where memory is the limit", TRAFFIC, _half_the_bytes)
