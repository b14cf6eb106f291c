"""The check of the batch: enough work for each launch and for each time that weights are read."""

from collections.abc import Callable, Sequence

from ..cost import Cost, Limiter
from ..language import tr
from ..ops import Stream
from ._case import Case, Site, longest, seconds
from ._loss import Loss, loss, note
from ._rule import Note
from ._words import percent

DOUBLING = 0.05  # share of a sample's time that doubling the batch must save
_MOST = 31  # doublings: sizes have 31 bits
_TRIED = 8  # kinds of layer in a network, those that take longest


def enough(case: Case, select: Callable[[Case], Sequence[Site]]) -> Note | None:
    """Check that twice the batch would not save a sample much time, where launch or memory limits."""
    sites = [site for site in select(case) if site.costs]
    if not sites:
        return None
    losses = _short(case, sites)

    def bad(each: Loss) -> str:
        if longest(each.site.costs).limiter is Limiter.LAUNCH:
            return tr("{sizes} makes less work than a launch takes", sizes=each.named)
        return tr("{sizes} leaves the product limited by memory", sizes=each.named)

    good = tr("twice the batch would not save a sample {share} of its time.", share=percent(DOUBLING))
    most = [each for each in losses if case.worth(each.seconds)]  # a small layer is not worth its batch
    whole = max(most, key=_factor, default=None)
    how = tr("against a larger batch, by the time of each sample")
    found = note(case, losses, good, bad, how, whole)
    if found.change and whole and not case.alone(whole.site):
        after = case.other(found.change)
        if after.worth(sum(each.seconds for each in _short(after, select(after)))):
            return found._replace(change=None)  # other layers would want more
    return found


def _short(case: Case, sites: Sequence[Site]) -> list[Loss]:
    """Return what the sites that take longest lose by too small a batch."""
    running = sorted((site for site in sites if site.costs), key=lambda site: -site.time)
    tried = [(site, _doublings(case, site)) for site in running[:_TRIED]]
    return [loss(case, site, _times(site, 2**many)) for site, many in tried if many]


def _doublings(case: Case, site: Site) -> int:
    """Return how often the batch must be doubled until math limits it, or doubling does not help."""
    costs = site.costs
    for many in range(_MOST):
        twice = () if _saturated(costs) else case.resized(site, _times(site, 2 ** (many + 1)))
        if not twice or seconds(twice) > 2 * (1 - DOUBLING) * seconds(costs):
            return many
        costs = twice
    return _MOST


def _saturated(costs: tuple[Cost, ...]) -> bool:
    """Whether a larger batch can be of no use: math limits, or a pass over memory has left its launch."""
    most = longest(costs)
    return most.limiter is (Limiter.MEMORY if isinstance(most.op, Stream) else Limiter.MATH)


def _times(site: Site, factor: int) -> dict[str, int]:
    scale = site.bare.scale
    return {scale: getattr(site.bare, scale) * factor}


def _factor(each: Loss) -> float:
    scale = each.site.bare.scale
    return float(each.sizes[scale] / getattr(each.site.bare, scale))
