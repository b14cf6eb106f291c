"""What ipywidgets asks of IPython where there is none: in a page there are no cells and no shell."""

import sys
from typing import Any

_NAMES = ("IPython", "IPython.core", "IPython.core.interactiveshell", "IPython.display")


class InteractiveShell:
    """The shell that is never there."""


def get_ipython() -> None:
    """Return that there is no shell."""


def display(*_objects: Any, **_how: Any) -> None:
    """Show nothing: a page has one place, where its explorer is."""


def clear_output(*_args: Any, **_how: Any) -> None:
    """Clear nothing."""


def stand_in() -> None:
    """Be what ``import IPython`` finds from now on, which saves a page megabytes and seconds."""
    for name in _NAMES:
        sys.modules[name] = sys.modules[__name__]
