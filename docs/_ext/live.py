"""Explorers on these pages: live, in pages of the site that run Python in the reader's browser.

Where such pages cannot be written, as what they run comes from npm's registry once, a picture stands there.
"""

import os
from hashlib import sha256
from pathlib import Path

from IPython.display import HTML

from dlperf_widgets.apps import Explorer

FOLDER = "DLPERF_LIVE_PAGES"  # the variable that names where a build writes them
MISSING = "missing.txt"  # why there are none


def show(explorer: Explorer) -> HTML:
    """Return what stands for an explorer on a page that is one folder below the site's root."""
    still = HTML(explorer._repr_mimebundle_()["text/html"])
    folder = os.environ.get(FOLDER)
    if not folder:
        return still
    asked = f"{explorer.scenario.to_json()} {explorer.options}"
    name = f"{explorer.slug}-{sha256(asked.encode()).hexdigest()[:8]}.html"
    try:
        page = explorer.save_html(Path(folder) / name)
    except OSError as error:
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / MISSING).write_text(f"{error}\n", encoding="utf-8")
        return still
    return HTML(page.iframe(src=f"../live/{name}"))
