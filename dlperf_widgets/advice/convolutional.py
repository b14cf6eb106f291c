"""Rules of NVIDIA's guide to convolutional layers."""

from collections.abc import Mapping
from dataclasses import replace
from math import prod

from ..cost import Layout
from ..language import tr
from ..layers import Layer
from ..layers.conv import Convolution
from ._batch import enough
from ._case import Case, Site
from ._loss import Loss, loss, note
from ._rule import Note, Rule, Source
from ._sizes import aligned, tiled
from ._words import failed, passed, swapped, useless

GUIDE = Source(
    "NVIDIA, Convolutional Layers User's Guide",
    "https://docs.nvidia.com/deeplearning/performance/dl-performance-convolutional/",
)
_PICTURE = 4  # channels that are enough for pictures of three, where the stride is 2


def channels(layer: Layer) -> Mapping[str, int]:
    """Return the channels that count, each with the number of groups; those of pictures have a rule."""
    assert isinstance(layer, Convolution)
    names = ("out_channels",) if _of_pictures(layer) else ("in_channels", "out_channels")
    return dict.fromkeys(names, layer.groups)


def _of_pictures(layer: Layer) -> bool:
    """Whether a layer takes pictures of a few channels in steps of 2."""
    if not isinstance(layer, Convolution):
        return False
    return layer.in_channels <= _PICTURE and layer.groups == 1 and layer.stride in (2, (2, 2))


def _convolutions(case: Case) -> tuple[Site, ...]:
    return case.multiplied(Convolution)


def _aligned(case: Case) -> Note | None:
    return aligned(case, _convolutions(case), channels, 16)


def _tiled(case: Case) -> Note | None:
    return tiled(case, _convolutions(case), channels, channels)


def _batch(case: Case) -> Note | None:
    return enough(case, lambda each: [site for site in each.of(Convolution) if site.products])


def _pictures(case: Case) -> Note | None:
    """Check that pictures of three channels have a fourth, of zeros."""
    sites = [site for site in _convolutions(case) if _of_pictures(site.bare)]
    if not sites:
        return None
    losses = [
        loss(case, site, {"in_channels": _PICTURE}, padding=True)
        for site in sites
        if isinstance(site.bare, Convolution) and site.bare.in_channels < _PICTURE
    ]

    def bad(each: Loss) -> str:
        return tr("pictures not padded to {channels} channels: {sizes}", sizes=each.named, channels=_PICTURE)

    good = tr("pictures have {channels} channels.", channels=_PICTURE)
    return note(case, losses, good, bad, tr("by an estimate of what misaligned rows cost"))


def _layout(case: Case) -> Note | None:
    """Check that channels are contiguous, as Tensor Cores want them: else tensors are transposed."""
    sites = _convolutions(case)
    if not sites:
        return None
    if case.scenario.layout is Layout.NHWC:
        return passed(tr("channels are contiguous (NHWC): Tensor Cores read them as they lie."))
    lost = {site.path: site.runs * _transposes(case, site) for site in sites}
    worst = max(lost, key=lambda path: lost[path])
    what = tr("in NCHW the input and output of each convolution are transposed")
    if not case.worth(sum(lost.values())):
        return useless(what, worst)
    how = tr("by an estimate, on top of the predicted time")
    change = replace(case.scenario, layout=Layout.NHWC)
    return failed(what, how, worst, sum(lost.values()), change, swapped("NHWC", "NCHW"))


def _transposes(case: Case, site: Site) -> float:
    """Return the seconds for reading and writing input and output once more for every product."""
    elements = prod(site.bare.input_shape) + prod(site.bare.output_shape)
    moved = 2 * elements * case.scenario.format.activations.bytes
    return len(site.products) * moved / case.scenario.gpu.bandwidth


ALIGNED = Rule("Channels in multiples of 16 bytes", GUIDE, _aligned)
PICTURES = Rule("Pictures padded to four channels", GUIDE, _pictures)
TILED = Rule("Channels in multiples of 64", GUIDE, _tiled)
LAYOUT = Rule("Channels last (NHWC)", GUIDE, _layout)
BATCH = Rule("Work enough for every convolution", GUIDE, _batch)
