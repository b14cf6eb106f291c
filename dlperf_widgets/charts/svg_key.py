"""What the marks of a chart mean, below a picture that stands alone."""

from html import escape
from typing import NamedTuple

from ..language import tr
from ._chart import Area, Chart, Line, Mark, Points
from .ghost import NAME
from .looks import look
from .roles import DASHES
from .shapes import Dots, Path, Shape
from .svg_path import outline

ROW = 20  # pixels
_LETTER = 6.8  # pixels, of 12 pixel letters without serifs
_SWATCH = 34


class Key(NamedTuple):
    """A picture of the key, whose upper left corner is the origin, and its height in pixels."""

    svg: str
    height: int


def key(chart: Chart, width: float, hatch: str) -> Key:
    """Return the key of a chart in rows of some pixels; ``hatch`` is the id of the pattern for waste."""
    parts, x, y = [], 0.0, ROW / 2
    for mark in chart.marks:
        swatch = _swatch(mark, hatch)
        if not swatch:
            continue
        words = called(mark.name)
        long = _SWATCH + _LETTER * sum(1 + (ord(letter) > 0x2E7F) * 0.8 for letter in words) + 14
        if x and x + long > width:
            x, y = 0.0, y + ROW
        drawn = f'<text x="{_SWATCH}" y="4" fill="currentColor">{escape(words)}</text>'
        parts.append(f'<g transform="translate({x:.0f} {y:.0f})">{swatch}{drawn}</g>')
        x += long
    return Key("".join(parts), round(y + ROW / 2) if parts else 0)


def called(name: str) -> str:
    """Return what a mark is called in the reader's language: a ghost after what it is the ghost of."""
    pinned, _, what = name.rpartition(f"{NAME}: ")
    return tr("pinned: {what}", what=tr(what)) if pinned or name != what else tr(name)


def _swatch(mark: Mark, hatch: str) -> str:
    """Return a piece of a mark, 28 pixels wide around a middle line; none of what says its own name."""
    shape: Shape
    match mark:
        case Area():
            shape = Path(mark.role, (), (), filled=True, opacity=mark.shade)
            return f'<path d="M4-6h20v12H4z" style="{look(shape, hatch).style}"/>'
        case Line():
            shape = Path(mark.role, (), (), dash=mark.dash or DASHES.get(mark.role, "solid"))
            return f'<path d="{outline([(1, 0), (27, 0)])}" style="{look(shape, hatch).style}"/>'
        case Points(x=(_, *_)):
            shape = Dots(mark.role, (), (), mark.symbol, (), "", mark.small)
            looks = look(shape, hatch)
            return (
                f'<path transform="translate(14 0) scale({looks.grow})" d="{looks.outline}" '
                f'style="{looks.style}"/>'
            )
    return ""
