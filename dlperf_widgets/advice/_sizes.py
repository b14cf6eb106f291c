"""Checks of sizes that several guides ask for: aligned rows and whole tiles."""

from collections.abc import Callable, Iterable, Mapping
from itertools import product

from ..language import tr
from ..layers import Layer
from ._case import Case, Site
from ._loss import Loss, loss, note
from ._rule import Note

TILE = 64  # elements: the sides of all but the smallest tiles are multiples of it

# The sizes of a layer that count, each with the number of groups that share it.
Shares = Callable[[Layer], Mapping[str, int]]


def elements(case: Case, size: int) -> int:
    """Return how many elements are a multiple of ``size`` bytes in every role of the format."""
    form = case.scenario.format
    return max(int(size // each.bytes) for each in (form.weights, form.activations, form.gradients))


def misfits(site: Site, shares: Shares, step: int, least: int = 1) -> dict[str, tuple[int, int]]:
    """Return the sizes from ``least`` up that are no multiple of ``step`` a group, rounded up and down."""
    found = {}
    for name, groups in shares(site.bare).items():
        size, many = getattr(site.bare, name), step * groups
        if size >= least * groups and size % many:
            found[name] = (size + many - size % many, size - size % many)
    return found


def up(found: Mapping[str, tuple[int, int]]) -> dict[str, int]:
    """Return sizes rounded up."""
    return {name: above for name, (above, _) in found.items()}


def aligned(case: Case, sites: tuple[Site, ...], shares: Shares, size: int, coarser: int = 0) -> Note | None:
    """Check that sizes are multiples of ``size`` bytes, of layers whose sizes are multiples of ``coarser``.

    Padding computes nothing of use: it helps if the padded layer takes less time.
    """
    step, coarse = elements(case, size), elements(case, coarser) or 1
    able = [site for site in sites if not misfits(site, shares, coarse)]
    if not able:
        return None
    words = {"step": step, "bytes": size, "format": case.scenario.format.name}
    wrong = [(site, found) for site in able if (found := misfits(site, shares, step))]

    def bad(each: Loss) -> str:
        return tr("not a multiple of {step} ({bytes} bytes in {format}): {sizes}", sizes=each.named, **words)

    losses = [loss(case, site, up(found), padding=True) for site, found in wrong]
    good = tr("sizes are multiples of {step} ({bytes} bytes in {format}).", **words)
    return note(case, losses, good, bad, tr("by an estimate of what misaligned rows cost"))


def tiled(case: Case, sites: tuple[Site, ...], shares: Shares, aligns: Shares) -> Note | None:
    """Check that sizes of a tile or more are multiples of its side, of layers that are aligned.

    Other sizes do other work: they help if each flop takes less time.
    """
    able = [site for site in sites if not misfits(site, aligns, elements(case, 16))]
    if not able:
        return None
    wrong = [(site, found) for site in able if (found := misfits(site, shares, TILE, least=TILE))]

    def bad(each: Loss) -> str:
        return tr("not a multiple of {tile}, which fills whole tiles: {sizes}", sizes=each.named, tile=TILE)

    losses = [
        max((loss(case, site, sizes) for sizes in _rounded(found)), key=lambda each: each.seconds)
        for site, found in wrong
    ]
    good = tr("sizes of {tile} and more are multiples of {tile}, which fill whole tiles.", tile=TILE)
    return note(case, losses, good, bad, tr("against whole tiles, by the time of each flop"))


def _rounded(found: Mapping[str, tuple[int, int]]) -> Iterable[dict[str, int]]:
    """Yield sizes with each rounded up or down."""
    for chosen in product(*found.values()):
        yield dict(zip(found, chosen, strict=True))
