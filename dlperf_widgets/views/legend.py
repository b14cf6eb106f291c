"""What the marks mean, as HTML beside the picture: it never covers a mark."""

from html import escape

from ..charts import Area, Chart, Line, Mark, Points
from ..charts.looks import DASH_ARRAYS, SYMBOLS
from ..charts.roles import DASHES, RING, colour
from ..charts.svg_key import called


def legend(chart: Chart) -> str:
    """Return a list of the chart's marks, each with a swatch."""
    remark = f"<li>⚠ {escape(chart.remark)}</li>" if chart.remark else ""
    keys = (_key(mark) for mark in chart.marks)
    return f'<ul class="dlp-legend">{"".join(key for key in keys if key)}{remark}</ul>'


def _key(mark: Mark) -> str:
    paint = colour(mark.role)
    match mark:
        case Area():
            swatch = f'<rect x="4" y="1" width="20" height="12" style="fill:{paint};opacity:{mark.shade}"/>'
        case Line(listed=True):
            dash = DASH_ARRAYS[mark.dash or DASHES.get(mark.role, "solid")]
            swatch = f'<path d="M1 7h26" style="stroke:{paint};stroke-width:2.5;stroke-dasharray:{dash}"/>'
        case Points(x=(_, *_)) if mark.role in RING:
            swatch = f'<circle cx="14" cy="7" r="5" style="fill:none;stroke:{paint};stroke-width:2.5"/>'
        case Points(x=(_, *_)):
            swatch = f'<path transform="translate(14 7)" d="{SYMBOLS[mark.symbol]}" style="fill:{paint}"/>'
        case _:
            return ""
    return (
        f'<li><svg width="28" height="14" aria-hidden="true">{swatch}</svg>{escape(called(mark.name))}</li>'
    )
