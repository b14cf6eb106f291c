"""A shape or an axis in bqplot's words, without bqplot.

Standard library only: the kernel sets these on widgets, a static page on their models.
"""

from decimal import Decimal

from ..charts import Axis
from ..charts.looks import BUBBLE_AREA, BUBBLE_OPACITY
from ..charts.roles import GROUND, RING, colour, words_colour
from ..charts.shapes import Dots, Path, Shape, Text

Traits = dict[str, object]


def traits(shape: Shape) -> Traits:
    """Return what of a shape changes with the scenario, under bqplot's names."""
    data: Traits = {"x": shape.x, "y": shape.y}
    if isinstance(shape, Text):
        return data | {"text": shape.text}
    return data | {"size": shape.sizes} if isinstance(shape, Dots) and shape.sizes else data


def style(shape: Shape) -> Traits:
    """Return what of a shape its role decides, once."""
    paint = colour(shape.role)
    match shape:
        case Path(filled=True):
            return {"colors": [paint], "fill": "inside", "fill_colors": [paint], "stroke_width": 0,
                    "fill_opacities": [shape.opacity]}  # fmt: skip
        case Path():
            return {"colors": [paint], "line_style": shape.dash, "stroke_width": 2.5}
        case Dots(sizes=(_, *_)):
            return {"colors": [paint], "marker": shape.symbol, "default_size": BUBBLE_AREA, "stroke": paint,
                    "opacities": [BUBBLE_OPACITY]}  # fmt: skip
        case Dots():
            ring = shape.role in RING
            inside, outline = (GROUND, paint) if ring else (paint, GROUND)
            size = 160 if ring else 30 if shape.small else 80
            return {"colors": [inside], "marker": shape.symbol, "stroke": outline, "default_size": size,
                    "stroke_width": 2.5 if ring else 1, "enable_move": bool(shape.drag),
                    "restrict_x": True, "update_on_move": True, "drag_size": 1}  # fmt: skip
        case Text():
            right, down = shape.shift
            return {"colors": [words_colour(shape.role)], "align": shape.align, "default_size": 13,
                    "x_offset": right, "y_offset": down}  # fmt: skip


def axis_traits(axis: Axis) -> Traits:
    """Return an axis's title and the places of its ticks."""
    return {"label": axis.label, "tick_values": list(axis.ticks)}


def labels(axis: Axis) -> dict[str, str]:
    """Return the labels of an axis's ticks."""
    return {_key(tick): label for tick, label in axis.ticks.items()}


def domain_traits(axis: Axis) -> Traits:
    """Return the stretch of an axis that is shown."""
    return {"min": axis.domain[0], "max": axis.domain[1]}


def _key(tick: float) -> str:
    """Return JavaScript's spelling of a number, by which bqplot looks a label up."""
    if 1e-6 <= abs(tick) < 1e21 or not tick:
        return f"{Decimal(repr(tick)).normalize():f}"
    return repr(tick).replace("e-0", "e-")
