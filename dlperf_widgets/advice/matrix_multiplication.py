"""Rules of NVIDIA's guide to matrix multiplication, for the products of any layer."""

from collections.abc import Mapping
from dataclasses import replace

from ..cost import Library
from ..cost.alignment import alignment
from ..language import tr
from ..layers import Attention, Layer, Linear, Matmul
from ..layers.conv import Convolution
from ..layers.rnn import Recurrent
from ..ops import Stream
from . import convolutional, fully_connected, recurrent
from ._case import Case, Site
from ._rule import Note, Rule, Source
from ._sizes import aligned
from ._waves import full
from ._words import failed, passed, swapped, useless

GUIDE = Source(
    "NVIDIA, Matrix Multiplication Background User's Guide",
    "https://docs.nvidia.com/deeplearning/performance/dl-performance-matrix-multiplication/",
)


def contiguous(layer: Layer) -> Mapping[str, int]:
    """Return the sizes of a layer that are contiguous in memory, each with its groups."""
    match layer:
        case Linear():
            return fully_connected.contiguous(layer)
        case Convolution():
            return convolutional.channels(layer)
        case Recurrent():
            return recurrent.widths(layer)
        case Matmul():
            return {"n": 1, "k": 1}
        case Attention():
            return {"head_dim": 1} if layer.fused else {"head_dim": 1, "keys": 1}
        case _:
            return {}


def _aligned(case: Case) -> Note | None:
    return aligned(case, case.multiplied(Matmul, Attention), contiguous, 16)


def _preferred(case: Case) -> Note | None:
    """Check the coarser alignment that some GPUs prefer, of layers that have the finer one."""
    most = case.scenario.gpu.alignment
    return aligned(case, case.multiplied(Layer), contiguous, most, coarser=16) if most > 16 else None


def _library(case: Case) -> Note | None:
    """Check that misaligned products stay on Tensor Cores, as they do since cuBLAS 11.0 and cuDNN 7.6.3."""
    sites = case.multiplied(Layer)
    if not sites:
        return None
    if case.scenario.library is Library.CURRENT:
        return passed(tr("since cuBLAS 11.0 and cuDNN 7.6.3 Tensor Cores run whatever the alignment."))
    off = [site for site in sites if _misaligned(case, site)]
    if not off:
        return passed(tr("all is aligned to 16 bytes, so that earlier libraries use Tensor Cores too."))
    change, worst = replace(case.scenario, library=Library.CURRENT), max(off, key=lambda site: site.time)
    saved = case.time - case.other(change).time
    what = tr("misaligned products run on CUDA cores before cuBLAS 11.0 and cuDNN 7.6.3")
    if not case.worth(saved):
        return useless(what, worst.path)
    how = tr("by an estimate of what misaligned rows cost")
    words = swapped(tr("a current library"), tr("an earlier one"))
    return failed(what, how, worst.path, saved, change, words)


def _misaligned(case: Case, site: Site) -> bool:
    ops = (c.op for c in site.costs)
    return any(not isinstance(op, Stream) and alignment(op, case.scenario.format) < 16 for op in ops)


ALIGNED = Rule("Rows of products in multiples of 16 bytes", GUIDE, _aligned)
PREFERRED = Rule("Multiples of 128 bytes where the GPU prefers them", GUIDE, _preferred)
LIBRARY = Rule("Libraries that need no alignment", GUIDE, _library)
WAVES = Rule("Full waves of tiles", GUIDE, full)
