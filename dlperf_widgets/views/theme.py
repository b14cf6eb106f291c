"""The style sheet that brings roles their colours, in JupyterLab's light and dark themes."""

from pathlib import Path

from ..charts.roles import Role, variables

_CSS = (Path(__file__).parent / "explorer.css").read_text()
_DARK = '[data-jp-theme-light="false"],[data-theme="dark"]'
_HATCH = f"""
<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>
<pattern id="dlp-hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect width="7" height="7" style="fill:var(--dlp-{Role.MATH})" opacity="0.22"/>
<rect width="2" height="7" style="fill:var(--dlp-{Role.MATH})"/></pattern></defs></svg>"""


def colours() -> str:
    """Return the colours of the roles in both themes, as CSS."""
    return f":root{{{variables(0)}}}{_DARK}{{{variables(1)}}}"


def stylesheet() -> str:
    """Return HTML that brings the colours, the hatching and the style sheet to a page."""
    return f"<style>{colours()}{_CSS}</style>{_HATCH}"
