"""Draw any chart as an SVG text, for pages, papers and tests."""

import re
from collections.abc import Callable
from html import escape
from math import log10

from ._chart import Axis, Chart
from .looks import hatching, look, radius
from .looks import paint as paint
from .placed import placed
from .shapes import Dots, Path, Shape, Text, lower
from .svg_key import Key, key
from .svg_path import outline

_LEFT, _TOP, _RIGHT, _BOTTOM = 64, 10, 18, 56
_BESIDE, _LETTER = 30, 6.2  # pixels: the title of y, and a letter of a tick's label
PATTERN = "dlp-svg-hatch"
_HATCH = f"<defs>{hatching(PATTERN)}</defs>"
Scale = Callable[[float], float]


def svg(chart: Chart, width: int = 760, height: int = 475, keyed: bool = False) -> str:
    """Return a picture that takes its colours from the page, or the light theme's where it has none.

    A ``keyed`` one says below the axes what its marks mean, and is higher by that.
    """
    chart = placed(chart)
    right, bottom = width - _RIGHT, height - _BOTTOM
    left = max(_LEFT, *(_BESIDE + len(label) * _LETTER for label in chart.y.ticks.values()))
    across, up = _scale(chart.x, left, right), _scale(chart.y, bottom, _TOP)
    parts = [_HATCH]
    for tick, label in chart.x.ticks.items():
        x = across(tick)
        parts += [_gridline(x, _TOP, x, bottom), _word(x, bottom + 18, label)]
    for tick, label in chart.y.ticks.items():
        y = up(tick)
        parts += [_gridline(left, y, right, y), _word(left - 8, y + 4, label, "end")]
    parts.append(_word((left + right) / 2, height - 12, chart.x.label))
    turned = f'transform="translate(15 {(_TOP + bottom) / 2}) rotate(-90)"'
    parts.append(f"<g {turned}>{_word(0, 0, chart.y.label)}</g>")
    parts += [_shape(shape, across, up) for shape in lower(chart).values()]
    below = key(chart, right - left, PATTERN) if keyed else Key("", 0)
    parts.append(f'<g transform="translate({left} {height})">{below.svg}</g>' if keyed else "")
    height += below.height
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dlp-svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(chart.alt)}" font-family="sans-serif" font-size="12">{"".join(parts)}</svg>'
    )


def plain(picture: str) -> str:
    """Return an SVG text with its colours written out, for programs that know no CSS variables."""
    return re.sub(r"var\(--[\w-]+, ([#\w]+)\)", r"\1", picture)


def _scale(axis: Axis, start: float, end: float) -> Scale:
    """Return the function from a value to its pixel."""
    bend: Scale = log10 if axis.log else float
    low, high = map(bend, axis.domain)
    return lambda value: round(start + (bend(value) - low) / (high - low) * (end - start), 1)


def _shape(shape: Shape, across: Scale, up: Scale) -> str:
    places = [(across(x), up(y)) for x, y in zip(shape.x, shape.y, strict=True)]
    looks = look(shape, PATTERN)
    style = f'style="{looks.style}"'
    match shape:
        case Path():
            return f'<path d="{outline(places, shape.filled)}" {style}/>'
        case Dots(sizes=(_, *_)):
            radii = [f"{radius(size):.1f}" for size in shape.sizes]
            return "".join(
                f'<circle cx="{x}" cy="{y}" r="{r}" {style}/>'
                for (x, y), r in zip(places, radii, strict=True)
            )
        case Dots():
            drawn = f'd="{looks.outline}" {style}'
            return "".join(
                f'<path transform="translate({x} {y}) scale({looks.grow})" {drawn}/>' for x, y in places
            )
        case Text():
            right, down = shape.shift
            drawn = f'text-anchor="{shape.align}" {style}'
            return "".join(
                f'<text x="{x + right}" y="{y + down}" {drawn}>{escape(word)}</text>'
                for (x, y), word in zip(places, shape.text, strict=True)
            )


def _gridline(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path d="M{x1} {y1}L{x2} {y2}" stroke="currentColor" opacity="0.15"/>'


def _word(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'
