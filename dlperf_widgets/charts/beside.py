"""Where words beside points stand, so that none lies on another."""

from math import log10

from ._chart import Axis, Chart, Points

SIDES = {  # alignment, and pixels right of and below the point
    "above": ("middle", (0, -10)), "below": ("middle", (0, 18)), "left": ("end", (-9, 4)),
    "right": ("start", (9, 4)), "corner": ("start", (6, -8)),
}  # fmt: skip
_WIDTH, _HEIGHT = 380.0, 300.0  # pixels of the plot on a narrow page
_LETTER, _LINE = 7.6, 14.0  # of a word
_START = {"middle": -0.5, "end": -1.0, "start": 0.0}  # of its left end, in widths
_Box = tuple[float, float, float, float]  # left, top, right, bottom


def sides(points: Points, chart: Chart) -> tuple[str, ...]:
    """Return a side for the word of each point; none where there is no room on any.

    A point's own side comes first, then the others in order.
    """
    wanted = points.sides or ("above",) * len(points.labels)
    taken: list[_Box] = []
    chosen = []
    for x, y, word, own in zip(points.x, points.y, points.labels, wanted, strict=True):
        at = _share(chart.x, x) * _WIDTH, (1 - _share(chart.y, y)) * _HEIGHT
        free = (side for side in dict.fromkeys((own, *SIDES)) if not _clashes(_box(at, word, side), taken))
        side = next(free, "")
        chosen.append(side)
        taken += [_box(at, word, side)] if side else []
    return tuple(chosen)


def _share(axis: Axis, value: float) -> float:
    low, high = axis.domain
    if axis.log:
        low, high, value = log10(low), log10(high), log10(max(value, low))
    return (value - low) / (high - low)


def _box(at: tuple[float, float], word: str, side: str) -> _Box:
    align, (right, down) = SIDES[side]
    width = _LETTER * len(word)
    left = at[0] + right + _START[align] * width
    return left, at[1] + down - _LINE, left + width, at[1] + down


def _clashes(box: _Box, taken: list[_Box]) -> bool:
    outside = box[0] < -40 or box[2] > _WIDTH + 20
    return outside or any(
        box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in taken
    )
