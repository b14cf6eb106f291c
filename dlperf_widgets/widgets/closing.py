"""Closing a widget with all that belongs to it: ipywidgets closes the one alone."""

from collections.abc import Iterator
from typing import Any

import ipywidgets as w


def close_all(*roots: w.Widget) -> None:
    """Close widgets and everything in them: children, marks, axes, scales, layouts and styles."""
    seen: dict[str, w.Widget] = {}
    waiting = list(roots)
    while waiting:
        widget = waiting.pop()
        if widget.comm is None or widget.model_id in seen:
            continue
        seen[widget.model_id] = widget
        waiting += [part for name in widget.keys for part in _widgets(getattr(widget, name, None))]
    for widget in seen.values():
        w.Widget.close(widget)


def _widgets(value: Any) -> Iterator[w.Widget]:
    if isinstance(value, w.Widget):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _widgets(each)
    elif isinstance(value, list | tuple):
        for each in value:
            if isinstance(each, w.Widget | dict | list | tuple):
                yield from _widgets(each)
