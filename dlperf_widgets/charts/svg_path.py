"""The shortest way to write a line in SVG: a saved notebook holds every character of it."""

from collections.abc import Iterable

Place = tuple[float, float]  # pixels, to a tenth


def outline(places: Iterable[Place], closed: bool = False) -> str:
    """Return a path through places, in steps; what lies straight between two others is left out."""
    tenths = [(round(10 * x), round(10 * y)) for x, y in places]
    corners = _corners(tenths)
    if not corners:
        return ""
    (x, y), *others = corners
    parts = [f"M{_short(x)} {_short(y)}"]
    for to_x, to_y in others:
        right, down = to_x - x, to_y - y
        if not down:
            parts.append(f"h{_short(right)}")
        elif not right:
            parts.append(f"v{_short(down)}")
        else:
            parts.append(f"l{_short(right)} {_short(down)}")
        x, y = to_x, to_y
    return "".join(parts) + ("z" if closed else "")


def _corners(places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return places without repeats, and without those on the way of a level or an upright line."""
    kept: list[tuple[int, int]] = []
    for place in places:
        if kept and place == kept[-1]:
            continue
        if len(kept) > 1 and _straight(kept[-2], kept[-1], place):
            kept.pop()
        kept.append(place)
    return kept


def _straight(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    level = a[1] == b[1] == c[1] and (b[0] - a[0]) * (c[0] - b[0]) > 0
    return level or (a[0] == b[0] == c[0] and (b[1] - a[1]) * (c[1] - b[1]) > 0)


def _short(tenths: int) -> str:
    """Return tenths of a pixel as SVG's shortest number: ``.5``, ``-12.3``, ``7``."""
    text = f"{tenths / 10:.1f}".removesuffix(".0")
    return text.replace("0.", ".", 1) if abs(tenths) < 10 else text
