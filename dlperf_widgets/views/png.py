"""Pictures in pixels, for pages that take neither SVG nor HTML: GitHub's, and papers made by LaTeX."""

from ..charts import plain


def png(svg: str, scale: float = 1.5) -> bytes | None:
    """Return an SVG picture as a PNG, or None where the optional CairoSVG is not installed or finds no Cairo.

    ``pip install "dlperf_widgets[png]"`` brings it. ``scale`` is pixels a unit of the picture.
    """
    try:
        from cairosvg import svg2png
    except (ImportError, OSError):
        return None
    drawn: bytes = svg2png(bytestring=plain(svg).encode(), scale=scale)
    return drawn
