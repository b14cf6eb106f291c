"""How the documentation is built: ``make docs``. Nothing is fetched, neither here nor by the pages."""

import os
import sys
from importlib import metadata
from pathlib import Path

from sphinx.application import Sphinx

_HERE = Path(__file__).parent
sys.path.insert(0, str(_HERE / "_ext"))
# Kernels that run the pages find ``live``, which shows explorers.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_HERE / "_ext"), os.environ.get("PYTHONPATH")]))

project = "dlperf_widgets"
author = copyright = "dlperf_widgets contributors"
release = metadata.version("dlperf_widgets")

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_design",
    "fields",
    "formulas",
    "generated",
]
exclude_patterns = ["_build", "_ext", "recipes"]
templates_path = []
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = "_static/icon.svg"
html_theme = "furo"
html_title = "dlperf_widgets"
html_copy_source = False
html_math_renderer = "svg"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "attrs_inline"]
myst_heading_anchors = 3

# Every page with code cells is run anew; an error ends the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_merge_streams = True
nb_ipywidgets_js = {}  # it would come from a CDN: explorers come as live pages of the site, or as pictures
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]


def setup(app: Sphinx) -> None:
    """Say where live pages go, and let links to the lessons' notebooks, which are no pages, be downloads."""
    os.environ["DLPERF_LIVE_PAGES"] = str(app.outdir / "live")
    app.connect("source-read", _downloads)
    app.connect("builder-inited", lambda app: _missing(app).unlink(missing_ok=True))
    app.connect("build-finished", _notice)


def _missing(app: Sphinx) -> Path:
    return app.outdir / "live" / "missing.txt"


def _notice(app: Sphinx, _error: Exception | None) -> None:
    """Tell whoever builds the site that its explorers are pictures, and why."""
    if _missing(app).exists():
        print(f"Explorers stand as pictures: {_missing(app).read_text(encoding='utf-8')}", file=sys.stderr)


def _downloads(_app: Sphinx, _page: str, source: list[str]) -> None:
    for folder in ("../../notebooks/", "../recipes/"):
        source[0] = source[0].replace(f"]({folder}", f"](path:{folder}")


# The word ``bytes`` in a signature is Python's own, also where a class has something of that name.
suppress_warnings = ["ref.python"]

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 88
napoleon_google_docstring = False
napoleon_use_rtype = False
add_module_names = False
