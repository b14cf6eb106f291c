"""How each kind of shape looks in SVG: one answer for live pictures, pages and papers."""

from dataclasses import dataclass
from math import pi, sqrt

from .roles import COLOURS, GROUND, HATCHED, RING, Role, words_colour
from .shapes import Dots, Path, Shape, Text

DASH_ARRAYS = {"solid": "none", "dashed": "7 4", "dotted": "2 3"}
SYMBOLS = {
    "circle": "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    "square": "M-4.5-4.5h9v9h-9z",
    "triangle-up": "M0-6l5.5 10h-11z",
}
BUBBLE_AREA, BUBBLE_OPACITY = 4500, 0.35  # of the largest, in square pixels


@dataclass(frozen=True)
class Look:
    """What of a shape its role decides: CSS, and for symbols their outline and how far it is enlarged."""

    style: str
    outline: str = ""
    grow: float = 1.0


def look(shape: Shape, hatch: str) -> Look:
    """Return how a shape looks where ``hatch`` is the id of the pattern for waste."""
    ink = paint(shape.role)
    match shape:
        case Path(filled=True):
            fill = f"url(#{hatch})" if shape.role in HATCHED else ink
            return Look(f"fill:{fill};opacity:{shape.opacity}")
        case Path():
            dash = DASH_ARRAYS[shape.dash]
            return Look(f"fill:none;stroke:{ink};stroke-width:2.5;stroke-dasharray:{dash}")
        case Dots(sizes=(_, *_)):
            return Look(f"fill:{ink};fill-opacity:{BUBBLE_OPACITY};stroke:{ink}")
        case Dots():
            outline = SYMBOLS[shape.symbol]
            if shape.role in RING:
                return Look(f"fill:{GROUND};stroke:{ink};stroke-width:{2.5 / 1.45:.2f}", outline, 1.45)
            grow = 0.62 if shape.small else 1.0
            return Look(f"fill:{ink};stroke:{GROUND};stroke-width:{1 / grow:.2f}", outline, grow)
        case Text():
            return Look(f"fill:{words_colour(shape.role, fallback=True)};font-weight:bold")


def paint(role: Role) -> str:
    """Return the colour of a role where the page may bring no style sheet."""
    return f"var(--dlp-{role}, {COLOURS[role][0]})"


def radius(size: float) -> float:
    """Return the radius in pixels of a bubble, of which ``size`` is its share of the largest one's area."""
    return sqrt(size * BUBBLE_AREA / pi)


def hatching(name: str) -> str:
    """Return the definition of the pattern for waste."""
    ink = paint(Role.MATH)
    return (
        f'<pattern id="{name}" width="7" height="7" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><rect width="7" height="7" style="fill:{ink}" opacity="0.22"/>'
        f'<rect width="2" height="7" style="fill:{ink}"/></pattern>'
    )
