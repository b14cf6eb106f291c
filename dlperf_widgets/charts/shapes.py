"""Lower a chart to three kinds of shape, as layers lower to a few kinds of operation."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..language import tr
from ._chart import Area, Chart, Line, Mark, Numbers, Points, Spans
from .beside import SIDES, sides
from .roles import DASHES, Role


@dataclass(frozen=True)
class Path:
    """A line, or the outline of something filled."""

    role: Role
    x: Numbers
    y: Numbers
    filled: bool = False
    opacity: float = 1.0
    dash: str = "solid"


@dataclass(frozen=True)
class Dots:
    """Symbols at points."""

    role: Role
    x: Numbers
    y: Numbers
    symbol: str
    notes: tuple[str, ...]
    drag: str
    small: bool = False
    solve: bool = False
    sizes: Numbers = ()


@dataclass(frozen=True)
class Text:
    """Words beside points."""

    role: Role
    x: Numbers
    y: Numbers
    text: tuple[str, ...]
    align: str = "middle"
    shift: tuple[int, int] = (0, 0)  # pixels right of and below the point


Shape = Path | Dots | Text


def lower(chart: Chart) -> dict[str, Shape]:
    """Return every shape of a chart by name, from the back of the picture to its front."""
    return {name: shape for mark in chart.marks for name, shape in _shapes(mark, chart)}


def _labels(points: Points, chart: Chart) -> Iterator[tuple[str, Shape]]:
    """Yield the words beside points, those of one side together; bubbles have theirs in the text's colour."""
    if not points.labels:
        return
    places = list(zip(points.x, points.y, points.labels, sides(points, chart), strict=True))
    role = Role.PREDICTED if points.sizes else points.role
    for side, (align, shift) in SIDES.items():
        if here := [place[:3] for place in places if place[3] == side]:
            x, y, words = zip(*here, strict=True)
            yield f"{points.name}, text {side}", Text(role, x, y, words, align, shift)


def _shapes(mark: Mark, chart: Chart) -> Iterator[tuple[str, Shape]]:
    bottom, top = chart.y.domain
    match mark:
        case Line(name, role, x, y, label, dash, first):
            yield name, Path(role, x, y, dash=dash or DASHES.get(role, "solid"))
            if label and x:  # a line may lie outside what is shown
                place, align, right = (0, "start", 8) if first else (-1, "end", -8)
                yield f"{name}, text", Text(role, (x[place],), (y[place],), (label,), align, (right, -10))
        case Points(name, role, x, y, symbol, notes, drag, small, solve):
            yield name, Dots(role, x, y, symbol, notes, drag, small, solve, mark.sizes)
            yield from _labels(mark, chart)
        case Area(name, role, x, base, high, shade):
            yield name, Path(role, x + x[::-1], high + base[::-1], filled=True, opacity=shade)
        case Spans(name, role, low, high_end):
            corners = (low, low, high_end, high_end), (bottom, top, top, bottom)
            yield name, Path(role, *corners, filled=True, opacity=0.07)
            middle = (low * high_end) ** 0.5 if chart.x.log else (low + high_end) / 2
            yield f"{name}, text", Text(role, (middle,), (top,), (tr(name),), shift=(0, 20))
