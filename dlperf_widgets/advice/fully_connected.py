"""Rules of NVIDIA's guide to fully-connected layers."""

from collections.abc import Mapping

from ..language import tr
from ..layers import Layer, Linear
from ._batch import enough
from ._case import Case, Site
from ._loss import Loss, loss, note
from ._rule import Note, Rule, Source
from ._sizes import TILE, aligned, misfits, tiled, up

GUIDE = Source(
    "NVIDIA, Linear/Fully-Connected Layers User's Guide",
    "https://docs.nvidia.com/deeplearning/performance/dl-performance-fully-connected/",
)
# A layer is taken to project to a vocabulary if it has so many outputs, so many times its inputs, as
# hidden layers have not; or half as often if the number is no multiple of a tile, as no hidden size is.
VOCABULARY, _WIDENS = 8192, 8


def contiguous(layer: Layer) -> Mapping[str, int]:
    """Return the sizes that are contiguous in memory; a vocabulary has a rule of its own."""
    return {"inputs": 1} if _vocabulary(layer) else {"inputs": 1, "outputs": 1}


def _vocabulary(layer: Layer) -> bool:
    if not isinstance(layer, Linear) or layer.outputs < VOCABULARY:
        return False
    widens = layer.outputs / layer.inputs
    return widens >= _WIDENS or (widens >= _WIDENS / 2 and layer.outputs % TILE != 0)


def _linear(case: Case) -> tuple[Site, ...]:
    return case.multiplied(Linear)


def _aligned(case: Case) -> Note | None:
    return aligned(case, _linear(case), contiguous, 16)


def _tiled(case: Case) -> Note | None:
    return tiled(case, _linear(case), lambda layer: {"batch": 1, **contiguous(layer)}, contiguous)


def _batch(case: Case) -> Note | None:
    return enough(case, lambda each: each.of(Linear))


def _padded(case: Case) -> Note | None:
    """Check that a vocabulary is padded, which adds outputs that nobody reads."""
    sites = [site for site in _linear(case) if _vocabulary(site.bare)]
    if not sites:
        return None
    losses = [
        loss(case, site, up(found), padding=True)
        for site in sites
        if (found := misfits(site, lambda _: {"outputs": 1}, TILE))
    ]

    def bad(each: Loss) -> str:
        return tr("vocabulary not padded to a multiple of {tile}: {sizes}", sizes=each.named, tile=TILE)

    good = tr("the vocabulary is a multiple of {tile}.", tile=TILE)
    return note(case, losses, good, bad, tr("by an estimate of what misaligned rows cost"))


ALIGNED = Rule("Inputs and outputs in multiples of 16 bytes", GUIDE, _aligned)
PADDED = Rule("A padded vocabulary", GUIDE, _padded)
TILED = Rule("Batch, inputs and outputs in multiples of 64", GUIDE, _tiled)
BATCH = Rule("A batch large enough for the GPU's math", GUIDE, _batch)
