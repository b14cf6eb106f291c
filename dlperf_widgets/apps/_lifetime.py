"""Widgets outlive the cell that made them unless someone closes them: fourteen for a slider and a figure."""

from typing import Any
from weakref import WeakSet

import ipywidgets as w

# By cell: the run of it that displayed something last, and what that run displayed.
_runs: "dict[str, tuple[str, WeakSet[w.Widget]]]" = {}


def showing(explorer: w.Widget) -> None:
    """Once the cell that runs now has ended, close what its last run displayed and nobody displays still."""
    shell = _shell()
    cell, run = _running(shell)
    if not cell:
        return
    last, before = _runs.get(cell, ("", WeakSet()))
    if run != last:
        _runs[cell] = run, WeakSet()
        if before:
            _when_ended(shell, lambda: _close(before))
    _runs[cell][1].add(explorer)


def _close(before: "WeakSet[w.Widget]") -> None:
    still = {widget for _, shown in _runs.values() for widget in shown}
    for widget in set(before) - still:
        widget.close()


def _when_ended(shell: Any, act: Any) -> None:
    """Not before: the cell may go on to display again what it displayed before."""

    def once(*_result: Any) -> None:
        shell.events.unregister("post_run_cell", once)
        act()

    shell.events.register("post_run_cell", once)


def _shell() -> Any:
    try:
        from IPython import get_ipython  # type: ignore[attr-defined]
    except ImportError:
        return None
    return get_ipython()


def _running(shell: Any) -> tuple[str, str]:
    """Return the ids of the cell that runs now and of the message that runs it, empty where none tells."""
    parent = getattr(shell, "get_parent", dict)() or {}
    cell = parent.get("metadata", {}).get("cellId")
    return (cell, str(parent["header"]["msg_id"])) if isinstance(cell, str) else ("", "")
