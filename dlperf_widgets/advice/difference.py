"""Two scenarios compared, in words and numbers."""

from collections.abc import Iterator
from dataclasses import fields

from .._given import thing
from ..cost import Scenario
from ..language import tr
from ..units import si

_MOST = 3  # changes named


def difference(before: Scenario, now: Scenario) -> str:
    """Return how the time differs from that of a scenario kept to compare with, and what was changed."""
    before, now = thing("before", Scenario, before), thing("now", Scenario, now)
    if before == now:
        return tr("Pinned: {time}. Change something to compare.", time=si(before.time, "s"))
    if not before.time or not now.time:
        return tr("Nothing to compare: one of the two takes no time.")
    values = {"now": si(now.time, "s"), "before": si(before.time, "s"), "changes": _changes(before, now)}
    ratio = now.time / before.time
    if abs(ratio - 1) < 0.005:
        return tr("{now}, as long as pinned ({before}): {changes}.", **values)
    if ratio >= 2 or ratio <= 0.5:
        factor = f"{max(ratio, 1 / ratio):.2f}"
        text = "{now}, {factor} times longer than pinned ({before}): {changes}."
        if ratio < 1:
            text = "{now}, {factor} times faster than pinned ({before}): {changes}."
        return tr(text, factor=factor, **values)
    share = f"{abs(ratio - 1):.0%}"
    text = "{now}, {share} more than pinned ({before}): {changes}."
    if ratio < 1:
        text = "{now}, {share} less than pinned ({before}): {changes}."
    return tr(text, share=share, **values)


def _changes(before: Scenario, now: Scenario) -> str:
    changes = list(_changed(before, now))
    more = [tr("and {count} more", count=len(changes) - _MOST)] if len(changes) > _MOST else []
    return tr(", ").join([*changes[:_MOST], *more])


def _changed(before: Scenario, now: Scenario) -> Iterator[str]:
    if type(before.layer) is not type(now.layer):
        yield f"{before.layer.title} → {now.layer.title}"
    else:
        for f in fields(now.layer):
            old, new = getattr(before.layer, f.name), getattr(now.layer, f.name)
            if old != new and "label" in f.metadata:
                yield f"{tr(f.metadata['label']).lower()} {_word(old)} → {_word(new)}"
    for name in ("gpu", "format", "phases", "launch", "layout", "library", "sparse"):
        old, new = getattr(before, name), getattr(now, name)
        if old != new:
            yield f"{_word(old)} → {_word(new)}"


def _word(value: object) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, int):
        return f"{value:,}"
    return " + ".join(map(str, value)) if isinstance(value, tuple) else tr(str(value))
