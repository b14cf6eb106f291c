"""The scripts of widgets, as text: of one given as a path, anywidget keeps every widget that was ever made.

It watches such a file for each of them, and never forgets one that was closed.
"""

from pathlib import Path


def script(name: str) -> str:
    """Return the text of a script that lies beside the widgets, with what all of them share."""
    return _read("listening.js") + _read(name)


def _read(name: str) -> str:
    return (Path(__file__).parent / name).read_text("utf-8")
