"""Pages that stay alive without a kernel: Python runs in the reader's browser.

A page holds a picture, and what it takes to run this library there: Pyodide (CPython for WebAssembly), the
Python sources of the library and of ipywidgets, and a front end for widgets. It asks nothing of any other
server.

Names are loaded when first used: in a page there is nothing to write pages with.
"""

from typing import TYPE_CHECKING

from .._lazy import attach

if TYPE_CHECKING:
    from .saved import SavedPage as SavedPage
    from .write import Contents as Contents
    from .write import write_page as write_page

__getattr__ = attach(__name__, {"SavedPage": "saved", "Contents": "write", "write_page": "write"})
