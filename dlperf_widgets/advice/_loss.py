"""What layers lose by their sizes, and the note that says so."""

from collections.abc import Callable
from typing import NamedTuple

from ..cost import Cost, Scenario
from ..cost.room import has_room
from ..language import tr
from ._case import Case, Site, Sizes, flops, seconds
from ._rule import Note
from ._words import differences, failed, instead, named, passed, useless


class Loss(NamedTuple):
    """What a layer loses by its sizes, and those that would not lose it."""

    site: Site
    sizes: Sizes
    seconds: float  # of all such layers, for the work that they do now
    padding: bool  # the larger sizes do no more work of use

    @property
    def named(self) -> str:
        """The present sizes in words."""
        return named(self.site.bare, self.sizes)


def loss(case: Case, site: Site, sizes: Sizes, padding: bool = False) -> Loss:
    """Return what a layer loses against other sizes; nothing where it cannot have them."""
    costs = case.resized(site, sizes)
    saved = seconds(site.costs) - _share(site, sizes, costs, padding) * seconds(costs) if costs else 0.0
    return Loss(site, sizes, site.runs * saved, padding)


def _share(site: Site, sizes: Sizes, costs: tuple[Cost, ...], padding: bool) -> float:
    """Return the work done now for one unit of what other sizes do."""
    scale = site.bare.scale
    if padding:
        return 1.0
    if list(sizes) == [scale]:
        return float(getattr(site.bare, scale) / sizes[scale])
    return flops(site.costs) / flops(costs)


def note(
    case: Case, losses: list[Loss], good: str, bad: Callable[[Loss], str], how: str, whole: Loss | None = None
) -> Note:
    """Return a pass, or what layers lose together and the sizes where they lose most.

    ``bad`` says in a clause what is wrong with one of them, ``how`` against what the loss was found;
    ``whole`` is the one whose sizes mend all of them, if any is.
    """
    if not losses:
        return passed(good)
    worst = max(losses, key=lambda each: each.seconds)
    lost = sum(each.seconds for each in losses if each.seconds > 0)
    if not case.worth(lost):
        return useless(bad(worst), worst.site.path)
    mend = whole or (worst if len(losses) == 1 else None)
    change = changed(case, mend) if mend else None
    if change and has_room(case.scenario) and not has_room(change):
        words = differences(case.scenario.layer, change.layer)
        full = tr("{words}, for which {gpu} has no room", words=words, gpu=case.scenario.gpu.name)
        return failed(bad(worst), how, worst.site.path, lost, words=full)
    words = (
        differences(case.scenario.layer, change.layer) if change else instead(worst.site.bare, worst.sizes)
    )
    return failed(bad(worst), how, worst.site.path, lost, change, words)


def changed(case: Case, mend: Loss) -> Scenario | None:
    """Return the scenario of other sizes, if it can be asked and takes less time for the same work."""
    change = case.change(mend.site, mend.sizes)
    if change is None or case.alone(mend.site):
        return change
    then = case.other(change)
    share = 1.0 if mend.padding else case.flops / then.flops
    return change if share * then.time < case.time else None
