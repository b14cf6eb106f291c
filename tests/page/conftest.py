import shutil

import pytest

from dlperf_widgets.page import runtime


@pytest.fixture(scope="session")
def real_pyodide():
    """Return Pyodide's files; tests that need them skip where they can be neither found nor fetched."""
    try:
        return runtime.files()
    except OSError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def node():
    path = shutil.which("node")
    if path is None:
        pytest.skip("no Node.js here, which the front end is built with")
    return path
