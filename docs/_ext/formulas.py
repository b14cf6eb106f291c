"""Formulas as SVG, drawn while the site is built: pages need no script and no font for them."""

from html import escape
from typing import Any

import ziamath
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

ziamath.config.svg2 = False  # every glyph where it stands: browsers look symbols up in the whole page


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer that ``html_math_renderer`` names."""
    app.add_html_math_renderer("svg", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def drawn(latex: str, size: float, inline: bool) -> str:
    """Return a formula as SVG in the text's colour, its LaTeX for who cannot see it."""
    formula = ziamath.Latex(latex.replace(r"\_", "_"), size=size, color="currentColor", inline=inline)
    about = f'<svg role="img" aria-label="{escape(latex)}" style="vertical-align:{formula.getyofst():.2f}px"'
    return formula.svg().replace("<svg", about, 1)


def _inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(drawn(node.astext(), 16.5, inline=True))
    raise nodes.SkipNode


def _block(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula">{drawn(node.astext(), 18, inline=False)}</div>\n')
    raise nodes.SkipNode
