"""Every notebook runs from its first cell to its last in a new kernel, without an error or a warning."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
# Set in the kernel once it runs, because starting one warns by itself; the exception is bqscales' own traits.
STRICT = """
import warnings
warnings.simplefilter("error")
warnings.filterwarnings("ignore", "metadata .* was set from the constructor", DeprecationWarning)
"""


@pytest.fixture(autouse=True)
def private(tmp_path, monkeypatch):
    """Hide the configuration of the user's kernels."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))


def run(notebook):
    """Run a notebook under strict warnings. It raises CellExecutionError at the first cell with an error."""
    notebook.cells.insert(0, nbformat.v4.new_code_cell(STRICT))
    resources = {"metadata": {"path": str(NOTEBOOKS)}}
    return NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute()


def complaints(notebook):
    """Yield what cells wrote to the standard error stream, and errors in outputs of any kind."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "error" or output.get("name") == "stderr":
                yield output


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_runs(path):
    assert list(complaints(run(nbformat.read(path, as_version=4)))) == []


def test_a_warning_would_be_noticed():
    cell = nbformat.v4.new_code_cell("import warnings; warnings.warn('careful')")
    with pytest.raises(CellExecutionError, match="careful"):
        run(nbformat.v4.new_notebook(cells=[cell]))
