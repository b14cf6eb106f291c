"""Rules of NVIDIA's guide to memory-limited layers."""

from ..gpus import Gpu
from ..language import tr
from ..layers import BatchNorm2d, OptimizerStep, Passes
from ..units import si
from ._batch import enough
from ._case import Case, Site
from ._loss import Loss, loss, note
from ._rule import Note, Rule, Source
from ._words import passed

GUIDE = Source(
    "NVIDIA, Memory-Limited Layers User's Guide",
    "https://docs.nvidia.com/deeplearning/performance/dl-performance-memory-limited/",
)
_AGAIN = (Passes.TWO_PASS, Passes.THREE_PASS)


def _once(case: Case) -> Note | None:
    """Check that batch normalization reads its input once, where a channel fits on an SM."""
    training = [s for s in case.of(BatchNorm2d) if s.costs and _passes(s) in (*_AGAIN, Passes.PERSISTENT)]
    if not training:
        return None
    room = _on_an_sm(case.scenario.gpu)
    again = [site for site in training if _passes(site) in _AGAIN]
    small = [site for site in again if _slab(case, site) <= room]
    if again and not small:
        words = {"slab": si(_slab(case, again[0]), "B"), "room": si(room, "B")}
        return passed(tr("a channel of {slab} does not fit into {room} of an SM, to be read once.", **words))
    losses = [loss(case, site, {"passes": str(Passes.PERSISTENT)}, padding=True) for site in small]

    def bad(each: Loss) -> str:
        return tr("{passes} batch normalization reads its input again", passes=tr(_passes(each.site)))

    good = tr("a persistent batch normalization reads its input once.")
    return note(case, losses, good, bad, tr("against a persistent kernel"))


def _passes(site: Site) -> str:
    assert isinstance(site.bare, BatchNorm2d)
    return site.bare.passes


def _slab(case: Case, site: Site) -> float:
    assert isinstance(site.bare, BatchNorm2d)
    return site.bare.slab * case.scenario.format.activations.bytes


def _on_an_sm(gpu: Gpu) -> float:
    """Return the bytes of registers and shared memory of one SM: an estimate of what a channel can have."""
    return 4.0 * (gpu.registers_per_sm or 0) + (gpu.shared_memory_per_sm or 0)


def _batch(case: Case) -> Note | None:
    return enough(case, _passes_over_memory)


def _passes_over_memory(case: Case) -> list[Site]:
    return [s for s in case.sites if not s.products and not isinstance(s.bare, OptimizerStep)]


PERSISTENT = Rule("Batch normalization that reads its input once", GUIDE, _once)
BATCH = Rule("Passes over memory that outlast their launch", GUIDE, _batch)
