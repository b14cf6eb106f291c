"""An explorer in a page without a kernel. Runs in Pyodide, in the page's worker.

``start`` is called once, ``hear`` for each message of the page.
"""

import json
from typing import Any

from .page import comms, ipython

hear = comms.hear
_opened: list[Any] = []  # keeps the explorer alive


def start(post: comms.Post, request: str) -> str:
    """Open the explorer that a page asks for, and return the id of its widget."""
    ipython.stand_in()  # before anything imports ipywidgets
    comms.connect(post)
    explorer = _open(**json.loads(request))
    _opened.append(explorer)
    return str(explorer.model_id)


def _open(state: str, language: str, tab: int, predict: list[str], measurements: list[str]) -> Any:
    """Return an explorer as it was when its page was saved."""
    from .apps import open_explorer
    from .apps._history import History
    from .apps._page_still import no_measuring
    from .apps.state import State
    from .language import set_language
    from .measure.record import from_json

    set_language(language)
    explorer = open_explorer(state)
    # What was saved is where undo ends and reset leads.
    explorer.history = History(State(explorer.scenario, explorer.options, explorer.pinned))
    explorer.tabs.selected_index = tab
    explorer.measuring.bar.reason = no_measuring()
    if measurements:
        explorer.add_measurements(map(from_json, measurements))
    if predict:
        explorer.predict_first(*predict)
    return explorer
