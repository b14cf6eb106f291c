"""A network in sentences: what its time goes to, where its parameters are and where its work is."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from ..cost import Limiter, Scenario
from ..cost.collapse import once
from ..cost.layerwise import LayerRow, layer_rows
from ..cost.room import has_room, needs
from ..language import tr
from ..ops import Phase
from ..units import si
from ._words import percent


def network_verdict(scenario: Scenario) -> str:
    """Return what limits most of a network's time, and the share of each limit."""
    if not limits(scenario):
        return tr("Nothing to run in these phases.")
    (first, share), *others = sorted(limits(scenario).items(), key=lambda pair: -pair[1])
    words = {"limiter": tr(first), "share": percent(share), "time": si(once(scenario).time, "s")}
    sentence = tr("Mostly {limiter} limited: such operations take {share} of {time}", **words)
    rest = [tr("{limiter} {share}", limiter=tr(each), share=percent(part)) for each, part in others]
    more = tr("; ") + tr(", ").join(rest) if rest else ""
    return f"{sentence}{more}{tr('.')}"


@lru_cache(16)
def limits(scenario: Scenario) -> Mapping[Limiter, float]:
    """Return the share of the time that each limit takes, those that take some."""
    seconds: dict[Limiter, float] = {}
    for cost in once(scenario).costs:
        seconds[cost.limiter] = seconds.get(cost.limiter, 0.0) + cost.count * cost.time
    whole = sum(seconds.values())
    return MappingProxyType({limiter: time / whole for limiter, time in seconds.items() if time})


def directions(scenario: Scenario) -> str:
    """Return how long forward and backward take; nothing where only one of them is asked."""
    rows = layer_rows(scenario)
    forward, backward = sum(row.forward for row in rows), sum(row.backward for row in rows)
    if not forward or not backward:
        return ""
    return tr(
        "Forward {forward}, backward {backward}: {ratio} times as long.",
        forward=si(forward, "s"), backward=si(backward, "s"), ratio=f"{backward / forward:.2f}",
    )  # fmt: skip


def longest(scenario: Scenario) -> str:
    """Return which layer takes longest, all its equals together."""
    rows = [row for row in layer_rows(scenario, collapse=True) if row.time]
    if not rows:
        return ""
    most = max(rows, key=lambda row: row.time)
    share = percent(most.time / sum(row.time for row in rows))
    names = {"layer": most.path or most.layer.title, "kind": most.layer.title, "share": share}
    if most.times > 1:
        sentence = tr("Longest: {layer} ({kind}) and its equals, {times} in all, {share} of the time.",
                      times=most.times, **names)  # fmt: skip
    else:
        sentence = tr("Longest: {layer} ({kind}), {share} of the time.", **names)
    return sentence


class Kind:
    """All layers of one kind: their shares of the parameters, of the multiply-adds and of the time."""

    def __init__(self, title: str, rows: list[LayerRow], whole: tuple[float, float, float]) -> None:
        self.title, self.layers = title, sum(row.times for row in rows)
        self.counts = _counts(rows)
        self.params, self.macs, self.time = (
            part / total if total else 0.0 for part, total in zip(self.counts, whole, strict=True)
        )


@lru_cache(16)
def kinds(scenario: Scenario) -> tuple[Kind, ...]:
    """Return the kinds of a network's layers, those with most parameters and work first."""
    rows = layer_rows(scenario, collapse=True)
    whole, groups = _counts(rows), dict[str, list[LayerRow]]()
    for row in rows:
        groups.setdefault(row.layer.title, []).append(row)
    found = (Kind(title, group, whole) for title, group in groups.items())
    return tuple(sorted(found, key=lambda kind: -max(kind.params, kind.macs, kind.time)))


def _counts(rows: "tuple[LayerRow, ...] | list[LayerRow]") -> tuple[float, float, float]:
    """Return parameters, multiply-adds of a forward pass, and seconds."""
    return sum(row.params for row in rows), sum(row.macs for row in rows), sum(row.time for row in rows)


def where(scenario: Scenario) -> str:
    """Return which kinds hold the parameters and which do the work."""
    told = [
        tr("{kind}: {params} of the parameters, {macs} of the multiply-adds",
           kind=kind.title, params=percent(kind.params), macs=percent(kind.macs))
        for kind in kinds(scenario)
        if max(kind.params, kind.macs) >= 0.01
    ]  # fmt: skip
    return tr("; ").join(told[:3]) + tr(".") if told else ""


def room(scenario: Scenario) -> str:
    """Return that a GPU has no room for a network at its batch; nothing where it has."""
    if has_room(scenario):
        return ""
    training = any(phase is not Phase.FPROP for phase in scenario.phases)
    return tr(
        "It does not fit: {what} takes {needed}, {gpu} has {memory}. Times are as if it did.",
        what=tr("training with Adam") if training else tr("inference"), needed=si(needs(scenario) or 0, "B"),
        gpu=scenario.gpu.name, memory=si(scenario.gpu.memory, "B"),
    )  # fmt: skip
