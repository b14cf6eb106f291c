"""The check of waves: a last wave of tiles that leaves most SMs idle takes as long as a full one."""

from ..cost import Cost, Limiter
from ..language import tr
from ._case import Case, Site
from ._loss import Loss, loss, note
from ._rule import Note
from ._words import passed, percent, useless

FULL = 0.9  # share of the SM slots in all waves that passes
_NEAR = 2  # times larger or smaller that a size still counts as near
_STEPS = (64, 8)  # what sizes are rounded down to


def full(case: Case) -> Note | None:
    """Check that the product that loses most by its waves fills them; else look for a batch that does."""
    found = _worst(case)
    if found is None:
        return None
    site, cost = found
    said = _described(cost)
    if cost.wave_efficiency >= FULL:
        return passed(f"{said}{tr('.')}")
    if not case.worth(site.runs * _idle(cost)):
        return useless(said, site.path)
    near = [loss(case, site, sizes) for sizes in _near(case, site, cost)]
    gains = sorted((each for each in near if each.seconds > 0), key=lambda each: -each.seconds)
    best = next((each for each in gains if _fills(case, each)), None)
    if best is None:
        text = tr("{what}, and no batch near this one does better.", what=said)
        return passed(text)._replace(path=site.path)
    how = tr("against full waves, by the time of each sample")
    noted = note(case, [best], "", lambda _: said, how)
    if noted.change and not case.alone(site) and _unfilled(case.other(noted.change)):
        return noted._replace(change=None)  # another layer would not fill its waves
    return noted


def _described(cost: Cost) -> str:
    assert cost.tiling
    tiling = cost.tiling
    sms = f"{cost.gpu.sms}"
    where = tr("{sms} SMs", sms=sms)
    if tiling.sms != cost.gpu.sms:  # an SM holds several at once
        where = tr("{places} places on {sms} SMs", places=f"{tiling.sms}", sms=sms)
    words = {"parts": f"{tiling.parts:,}", "where": where, "tail": percent(tiling.tail)}
    if tiling.waves == 1:
        return tr("a single wave of tiles ({parts}) fills {tail} of {where}", **words)
    words["waves"] = f"{tiling.waves:,}"
    return tr("{parts} tiles are {waves} waves on {where}, the last of them {tail} full", **words)


def _worst(case: Case) -> tuple[Site, Cost] | None:
    """Return the row whose idle SMs cost most."""
    rows = [(site.runs * _idle(c), site, c) for site in case.sites for c in site.costs if c.tiling]
    if not rows:
        return None
    _, site, cost = max(rows, key=lambda row: row[0])
    return site, cost


def _idle(cost: Cost) -> float:
    """Return about how many seconds would be saved if idle SMs could be used: none while others wait.

    Memory or the host can take so long that SMs have time to idle.
    """
    hosted = cost.floor.queued and cost.exposed_launch > 0
    if hosted or cost.limiter is Limiter.MEMORY:
        return 0.0
    return cost.time - cost.floor.over(cost.busy_time * cost.wave_efficiency)


def _unfilled(case: Case) -> bool:
    found = _worst(case)
    if found is None or found[1].wave_efficiency >= FULL:
        return False
    site, cost = found
    return case.worth(site.runs * _idle(cost))


def _near(case: Case, site: Site, cost: Cost) -> list[dict[str, int]]:
    """Return sizes near the present one that should make one wave less, as many, or one more."""
    assert cost.tiling
    size, tiling, unit = getattr(site.bare, site.bare.scale), cost.tiling, case.unit(site)
    sizes = {
        size * waves * tiling.sms // tiling.parts // (step * unit) * step * unit
        for waves in (tiling.waves - 1, tiling.waves, tiling.waves + 1)
        for step in (_STEPS if unit == 1 else (1,))
    }
    near = (each for each in sorted(sizes) if size / _NEAR <= each <= size * _NEAR and each != size)
    return [{site.bare.scale: each} for each in near]


def _fills(case: Case, each: Loss) -> bool:
    """Whether the row of a layer whose idle SMs cost most fills its waves at other sizes."""
    rows = [c for c in case.resized(each.site, each.sizes) if c.tiling]
    return max(rows, key=_idle).wave_efficiency >= FULL
