"""A chart with what another scenario would show in the same place, to compare with."""

from dataclasses import replace

from ._chart import Area, Axis, Chart, Line, Mark, Points
from .roles import Role

NAME = "pinned"


def with_ghost(chart: Chart, other: Chart) -> Chart:
    """Return a chart with the outlines of another one behind its points, its axes grown to hold both."""
    tops = [mark for mark in other.marks if isinstance(mark, Area)][-1:]
    kept = [mark for mark in other.marks if not isinstance(mark, Area) and mark not in chart.marks]
    ghosts = [ghost for mark in (*tops, *kept) if (ghost := _ghost(mark))]
    behind = [mark for mark in chart.marks if not isinstance(mark, Points)]
    before = [mark for mark in chart.marks if isinstance(mark, Points)]
    return replace(
        chart,
        x=_holding(chart.x, other.x),
        y=_holding(chart.y, other.y),
        marks=(*behind, *ghosts, *before),
    )


def _ghost(mark: Mark) -> Mark | None:
    match mark:
        case Area(x=x, top=top):
            return Line(f"{NAME}: time", Role.GUIDE, x, top, dash="dashed")
        case Line(name, _, x, y):
            return Line(f"{NAME}: {name}", Role.GUIDE, x, y, dash="dotted")
        case Points(name, _, x, y, symbol, notes) if mark.role is not Role.GUIDE and not mark.small:
            return Points(f"{NAME}: {name}", Role.GUIDE, x, y, symbol, notes)
    return None


def _holding(axis: Axis, other: Axis) -> Axis:
    """Return an axis that is long enough for both, with its own ticks where it need not grow."""
    (low, high), (other_low, other_high) = axis.domain, other.domain
    if axis.quantity != other.quantity or (low <= other_low and other_high <= high):
        return axis
    longest = axis if high >= other_high else other
    return replace(longest, domain=(min(low, other_low), max(high, other_high)))
