"""Draw any chart as an SVG text, for pages, papers and tests."""

import re
from collections.abc import Callable
from html import escape
from math import log10, pi, sqrt

from ._chart import Axis, Chart
from .placed import placed
from .roles import COLOURS, GROUND, HATCHED, RING, Role, words_colour
from .shapes import Dots, Path, Shape, Text, lower

_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 10, 18, 56
DASH_ARRAYS = {"solid": "none", "dashed": "7 4", "dotted": "2 3"}
SYMBOLS = {
    "circle": "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "square": "M-4.5-4.5h9v9h-9z",
    "triangle-up": "M0-6l5.5 10h-11z",
}
BUBBLE_AREA, BUBBLE_OPACITY = 4500, 0.35  # of the largest, in square pixels
Scale = Callable[[float], float]


def svg(chart: Chart, width: int = 760, height: int = 475) -> str:
    """Return a picture that takes its colours from the page, or the light theme's where it has none."""
    chart = placed(chart)
    right, bottom = width - _RIGHT, height - _BOTTOM
    across, up = _scale(chart.x, _LEFT, right), _scale(chart.y, bottom, _TOP)
    parts = [_HATCH]
    for tick, label in chart.x.ticks.items():
        x = across(tick)
        parts += [_gridline(x, _TOP, x, bottom), _word(x, bottom + 18, label)]
    for tick, label in chart.y.ticks.items():
        y = up(tick)
        parts += [_gridline(_LEFT, y, right, y), _word(_LEFT - 8, y + 4, label, "end")]
    parts.append(_word((_LEFT + right) / 2, height - 12, chart.x.label))
    turned = f'transform="translate(15 {(_TOP + bottom) / 2}) rotate(-90)"'
    parts.append(f"<g {turned}>{_word(0, 0, chart.y.label)}</g>")
    parts += [_shape(shape, across, up) for shape in lower(chart).values()]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dlp-svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(chart.alt)}" font-family="sans-serif" font-size="12">{"".join(parts)}</svg>'
    )


def plain(picture: str) -> str:
    """Return an SVG text with its colours written out, for programs that know no CSS variables."""
    return re.sub(r"var\(--[\w-]+, ([#\w]+)\)", r"\1", picture)


def paint(role: Role) -> str:
    """Return the colour of a role where the page may bring no style sheet."""
    return f"var(--dlp-{role}, {COLOURS[role][0]})"


_HATCH = (
    '<defs><pattern id="dlp-svg-hatch" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)">'
    f'<rect width="7" height="7" style="fill:{paint(Role.MATH)}" opacity="0.22"/>'
    f'<rect width="2" height="7" style="fill:{paint(Role.MATH)}"/></pattern></defs>'
)


def _scale(axis: Axis, start: float, end: float) -> Scale:
    """Return the function from a value to its pixel."""
    bend: Scale = log10 if axis.log else float
    low, high = map(bend, axis.domain)
    return lambda value: round(start + (bend(value) - low) / (high - low) * (end - start), 1)


def _shape(shape: Shape, across: Scale, up: Scale) -> str:
    places = [(across(x), up(y)) for x, y in zip(shape.x, shape.y, strict=True)]
    colour = paint(shape.role)
    match shape:
        case Path():
            points = " ".join(f"{x},{y}" for x, y in places)
            if shape.filled:
                fill = "url(#dlp-svg-hatch)" if shape.role in HATCHED else colour
                return f'<polygon points="{points}" style="fill:{fill}" opacity="{shape.opacity}"/>'
            dash = DASH_ARRAYS[shape.dash]
            style = f"fill:none;stroke:{colour};stroke-width:2.5;stroke-dasharray:{dash}"
            return f'<polyline points="{points}" style="{style}"/>'
        case Dots():
            ring = shape.role in RING
            fill = GROUND if ring else colour
            grow = 1.5 if ring else 0.6 if shape.small else 1
            if shape.sizes:
                return _bubbles(shape, places, colour)
            look = f'd="{SYMBOLS[shape.symbol]}" style="fill:{fill};stroke:{colour};stroke-width:{2 / grow}"'
            return "".join(f'<path transform="translate({x} {y}) scale({grow})" {look}/>' for x, y in places)
        case Text():
            right, down = shape.shift
            return "".join(
                f'<text x="{x + right}" y="{y + down}" text-anchor="{shape.align}" font-weight="bold" '
                f'style="fill:{words_colour(shape.role, fallback=True)}">{escape(word)}</text>'
                for (x, y), word in zip(places, shape.text, strict=True)
            )


def _bubbles(shape: Dots, places: list[tuple[float, float]], colour: str) -> str:
    style = f"fill:{colour};fill-opacity:{BUBBLE_OPACITY};stroke:{colour}"
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="{sqrt(size * BUBBLE_AREA / pi):.1f}" style="{style}"/>'
        for (x, y), size in zip(places, shape.sizes, strict=True)
    )


def _gridline(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1} {y1}L{x2} {y2}" stroke="currentColor" opacity="0.15"/>'


def _word(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'
