"""The point where the absolute values of many residuals add up to the least.

Each round takes residuals to be straight lines near the point, by their differences over a small step,
and solves for the least weighted squares, each weighed by ``1 / |residual|``: repeated, that is the least sum
of absolute values. Residuals may have small kinks and jumps, so that no step is smaller than a difference
that means something, and one is taken only if it helps. Nothing is random.
"""

from collections.abc import Callable, Sequence

Point = list[float]
Residuals = Callable[[Sequence[float]], Sequence[float]]
ROUNDS = 10
DIFFERENCE = 0.03  # step of the differences
SMALL = 0.01  # a residual that counts as none
ENOUGH = 5e-4  # a round that saves no more than this share is the last


def least(
    residuals: Residuals,
    start: Sequence[float],
    bounds: Sequence[tuple[float, float]],
    anchor: Sequence[float] | None = None,
    pull: float = 0.0,
) -> Point:
    """Return where ``sum |residual| + pull x sum (x - anchor)^2`` is least, near the start.

    Parameters
    ----------
    residuals
        What is to be near zero, all of them at one point.
    start, bounds
        Where to begin, and the least and most of each coordinate.
    anchor, pull
        A point, by default the start, and how strongly coordinates are held to it.
    """
    held = list(start if anchor is None else anchor)

    def loss(point: Point, found: Sequence[float]) -> float:
        return sum(map(abs, found)) + pull * sum((x - a) ** 2 for x, a in zip(point, held, strict=True))

    point = _clipped(start, bounds)
    found = residuals(point)
    now = loss(point, found)
    for _ in range(ROUNDS):
        step = _step(residuals, point, found, bounds, held, pull)
        before = now
        for share in (1.0, 0.5, 0.25, 0.1, 0.03):
            trial = _clipped([x + share * d for x, d in zip(point, step, strict=True)], bounds)
            seen = residuals(trial)
            if (value := loss(trial, seen)) < now:
                point, found, now = trial, seen, value
                break
        if before - now <= ENOUGH * before:
            break
    return point


def _clipped(point: Sequence[float], bounds: Sequence[tuple[float, float]]) -> Point:
    return [min(max(x, low), high) for x, (low, high) in zip(point, bounds, strict=True)]


def _step(
    residuals: Residuals,
    point: Point,
    found: Sequence[float],
    bounds: Sequence[tuple[float, float]],
    held: Point,
    pull: float,
) -> Point:
    """Return the step to the least weighted squares of straight residuals."""
    weights = [1 / max(abs(r), SMALL) for r in found]
    slopes = []
    for i, (_, high) in enumerate(bounds):
        size = DIFFERENCE if point[i] + DIFFERENCE <= high else -DIFFERENCE
        beside = residuals([*point[:i], point[i] + size, *point[i + 1 :]])
        slopes.append([(b - r) / size for b, r in zip(beside, found, strict=True)])
    free = [i for i in range(len(point)) if any(slopes[i])]  # what changes nothing stays
    weighted = {i: [w * s for w, s in zip(weights, slopes[i], strict=True)] for i in free}
    matrix, right = [], []
    for i in free:
        row = [sum(map(float.__mul__, weighted[i], slopes[j])) for j in free]
        row[free.index(i)] += 2 * pull + 1e-6 * len(found)
        matrix.append(row)
        right.append(-sum(map(float.__mul__, weighted[i], found)) - 2 * pull * (point[i] - held[i]))
    solved = dict(zip(free, solve(matrix, right), strict=True))
    return [max(-0.7, min(0.7, solved.get(i, 0.0))) for i in range(len(point))]


def solve(matrix: list[list[float]], right: list[float]) -> Point:
    """Return x of A x = b for a symmetric positive A, by elimination."""
    n = len(right)
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for i in range(n):
        for j in range(i + 1, n):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x
