"""Which of the two renderers draws charts: bqplot's where it is there, or this package's own."""

from collections.abc import Callable
from typing import Protocol

from ..charts import Chart
from ..charts.shapes import Dots, Shape

RENDERERS = ("auto", "bqplot", "svg")
_chosen = "auto"


class Figure(Protocol):
    """A widget that draws one chart after another."""

    chart: Chart
    lowered: dict[str, Shape]


def set_renderer(name: str) -> None:
    """Choose what draws the charts of explorers made from now on.

    Parameters
    ----------
    name
        ``"auto"`` for bqplot where it is installed and SVG elsewhere, ``"bqplot"`` or ``"svg"``.

    Raises
    ------
    ValueError
        Where there is no such renderer, or bqplot is not installed here.
    """
    global _chosen
    if name not in RENDERERS:
        raise ValueError(f"there is no renderer {name!r}: choose from {', '.join(RENDERERS)}")
    if name == "bqplot" and _bqplot() is None:
        raise ValueError("bqplot is not installed here: choose 'svg', or install bqplot")
    _chosen = name


def figure(
    chart: Chart, on_move: Callable[[str, Dots, int, float], None], on_ask: Callable[[str], None]
) -> Figure:
    """Return a widget that draws a chart; see ``SvgFigure`` for what the functions hear."""
    if _chosen != "svg" and (drawn := _bqplot()):
        return drawn(chart, on_move, on_ask)
    from .svg_figure import SvgFigure

    return SvgFigure(chart, on_move, on_ask)


def _bqplot() -> Callable[..., Figure] | None:
    """Return bqplot's figure, or None where bqplot or the numpy that it needs cannot be imported."""
    try:
        from .figure import ChartFigure
    except ImportError:
        return None
    return ChartFigure
