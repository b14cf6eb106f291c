"""Widgets outlive the cell that made them unless someone closes them: fourteen for a slider and a figure."""

from weakref import WeakValueDictionary

import ipywidgets as w

_shown: "WeakValueDictionary[str, w.Widget]" = WeakValueDictionary()  # by cell, what it last displayed


def showing(explorer: w.Widget) -> None:
    """Close what the cell that runs now displayed before, if that was shown nowhere else."""
    cell = _cell()
    if cell is None:
        return
    before = _shown.get(cell)
    _shown[cell] = explorer
    if before is not None and before is not explorer and before not in _shown.values():
        before.close()


def _cell() -> str | None:
    """Return the id of the cell that runs now; None outside a notebook that tells."""
    try:
        from IPython import get_ipython  # type: ignore[attr-defined]
    except ImportError:
        return None
    shell = get_ipython()
    parent = getattr(shell, "get_parent", dict)() if shell else {}
    cell = parent.get("metadata", {}).get("cellId") if isinstance(parent, dict) else None
    return cell if isinstance(cell, str) else None
