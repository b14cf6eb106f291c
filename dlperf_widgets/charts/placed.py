"""What has no place on an axis: a picture must not break on it, and must not hide it either."""

from dataclasses import replace
from math import inf, isfinite, isnan

from ..language import tr
from ._chart import Area, Axis, Chart, Line, Mark, Numbers, Points, Spans


def placed(chart: Chart) -> Chart:
    """Return a chart with every value inside what its axes can show, and words on those that were not.

    Zero and less on a logarithmic axis, and infinity, stand at the edge; what is no number is left out.
    The same chart comes back where there is nothing to mend.
    """
    if all(_drawable(each, axis) for mark in chart.marks for each, axis in _values(mark, chart)):
        return chart
    marks = tuple(_mended(mark, chart) for mark in chart.marks)
    names = [tr(mark.name) for mark, mended in zip(chart.marks, marks, strict=True) if mark != mended]
    remark = tr("Values without a place on the axes stand at the edge or are left out: {names}.",
                names=tr(", ").join(names))  # fmt: skip
    return replace(chart, marks=marks, alt=f"{chart.alt} {remark}", remark=remark)


def _values(mark: Mark, chart: Chart) -> list[tuple[Numbers, Axis]]:
    match mark:
        case Line(x=x, y=y) | Points(x=x, y=y):
            return [(x, chart.x), (y, chart.y)]
        case Area(x=x, base=base, top=top):
            return [(x, chart.x), (base, chart.y), (top, chart.y)]
        case Spans(low=low, high=high):
            return [((low, high), chart.x)]


def _drawable(values: Numbers, axis: Axis) -> bool:
    return isfinite(sum(values)) and (not axis.log or min(values, default=1.0) > 0)


def _mended(mark: Mark, chart: Chart) -> Mark:
    if all(_drawable(values, axis) for values, axis in _values(mark, chart)):
        return mark
    if isinstance(mark, Spans):
        return replace(mark, low=_edge(mark.low, chart.x), high=_edge(mark.high, chart.x))
    columns = [[_edge(value, axis) for value in values] for values, axis in _values(mark, chart)]
    kept = [i for i, row in enumerate(zip(*columns, strict=True)) if not any(map(isnan, row))]
    names = ("x", "base", "top") if isinstance(mark, Area) else ("x", "y")
    changes: dict[str, object] = {
        name: tuple(column[i] for i in kept) for name, column in zip(names, columns, strict=True)
    }
    if isinstance(mark, Points):  # what is said of each point goes with it
        for name in ("notes", "labels", "sides", "sizes"):
            if each := getattr(mark, name):
                changes[name] = tuple(each[i] for i in kept)
    return replace(mark, **changes)  # type: ignore[arg-type]


def _edge(value: float, axis: Axis) -> float:
    """Return a value, or the edge of the picture where it has no place; what is no number stays that."""
    low, high = axis.domain
    if value == inf:
        return high
    return low if value == -inf or (axis.log and value <= 0) else value
