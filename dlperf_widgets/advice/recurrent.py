"""Rules of NVIDIA's guide to recurrent layers."""

from collections.abc import Mapping

from ..dtypes import FP16
from ..gpus import Gpu
from ..language import tr
from ..layers import Layer
from ..layers.rnn import Recurrent
from ..units import si
from ._batch import enough
from ._case import Case, Site
from ._loss import Loss, loss, note
from ._rule import Note, Rule, Source
from ._sizes import aligned, tiled
from ._words import capital, passed

GUIDE = Source(
    "NVIDIA, Recurrent Layers User's Guide",
    "https://docs.nvidia.com/deeplearning/performance/dl-performance-recurrent/",
)
_HIDDEN, _BATCH = 32, 8  # multiples that the persistent kernel wants


def widths(layer: Layer) -> Mapping[str, int]:
    """Return the sizes that are contiguous in memory."""
    names = ("inputs", "hidden", *(["projection"] if getattr(layer, "projection", 0) else []))
    return dict.fromkeys(names, 1)


def _recurrent(case: Case) -> tuple[Site, ...]:
    return case.multiplied(Recurrent)


def _aligned(case: Case) -> Note | None:
    return aligned(case, _recurrent(case), widths, 16)


def _tiled(case: Case) -> Note | None:
    return tiled(case, _recurrent(case), lambda _: {"batch": 1, "hidden": 1}, widths)


def _batch(case: Case) -> Note | None:
    return enough(case, lambda each: each.of(Recurrent))


def _persistent(case: Case) -> Note | None:
    """Check that recurrent weights stay on the chip where a persistent kernel can keep them."""
    layers = [(site, site.bare) for site in case.of(Recurrent) if site.products]
    unmet = {site.path: _unmet(case, bare) for site, bare in layers if isinstance(bare, Recurrent)}
    if not layers:
        return None
    kept = {site.path for site, bare in layers if getattr(bare, "persistent", False)}
    for path in kept:
        if unmet[path]:
            sentence = tr("the time is that of a persistent kernel, but {wish}.", wish=unmet[path])
            return Note(False, capital(sentence), path)
    read = [site for site, _ in layers if site.path not in kept]
    able = [site for site in read if not unmet[site.path]]
    if read and not able:
        return passed(tr("the standard kernel it is: {wish}.", wish=unmet[read[0].path]))
    losses = [loss(case, site, {"persistent": True}, padding=True) for site in able]

    def bad(_: Loss) -> str:
        return tr("every time step reads the recurrent weights again")

    good = tr("recurrent weights stay on the chip for all time steps.")
    return note(case, losses, good, bad, tr("against a persistent kernel, which keeps them on the chip"))


def _unmet(case: Case, layer: Recurrent) -> str:
    """Return what the persistent kernel would want and does not get; empty if nothing."""
    form = case.scenario.format
    if form.activations is not FP16 or form.weights is not FP16:
        return tr("the persistent one is for FP16, not {format}", format=form.name)
    if layer.hidden % _HIDDEN or layer.batch % _BATCH:
        return tr(
            "the persistent one wants hidden sizes and batches in multiples of {hidden} and {batch}",
            hidden=_HIDDEN,
            batch=_BATCH,
        )
    weights = form.weights.bytes * layer.gates * layer.hidden * layer.fed_back
    room = _on_chip(case.scenario.gpu)
    if room and weights > room:
        words = {"weights": si(weights, "B"), "room": si(room, "B")}
        return tr("{weights} of weights do not fit into {room} of registers and shared memory", **words)
    return ""


def _on_chip(gpu: Gpu) -> float:
    """Return the bytes of registers and shared memory of all SMs; 0 where they are not stated."""
    if not gpu.registers_per_sm or not gpu.shared_memory_per_sm:
        return 0.0
    return gpu.sms * (4.0 * gpu.registers_per_sm + gpu.shared_memory_per_sm)


ALIGNED = Rule("Inputs and hidden units in multiples of 16 bytes", GUIDE, _aligned)
TILED = Rule("Batch and hidden units in multiples of 64", GUIDE, _tiled)
BATCH = Rule("A batch large enough for every time step", GUIDE, _batch)
PERSISTENT = Rule("A persistent kernel", GUIDE, _persistent)
