"""``dp.measure`` is a function, whatever was imported before; the package of that name is importable."""

import subprocess
import sys

import pytest

CHECK = (
    "; import dlperf_widgets as dp; from types import FunctionType; assert type(dp.measure) is FunctionType"
)


@pytest.mark.parametrize(
    "imports",
    [
        "import dlperf_widgets",
        "from dlperf_widgets.measure import Measurement",
        "import dlperf_widgets.measure",
        "import dlperf_widgets.measure.store",
        "from dlperf_widgets.measure.record import Measurement",
        "import dlperf_widgets as dp; dp.measure; from dlperf_widgets.measure import load; dp.Measurement",
        "from dlperf_widgets import measure; assert callable(measure)",
    ],
)
def test_the_order_of_imports_does_not_matter(imports):
    done = subprocess.run(
        [sys.executable, "-c", imports + CHECK + "; import sys; assert 'torch' not in sys.modules"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_every_name_resolves():
    from dlperf_widgets import measure as function
    from dlperf_widgets.measure import __all__ as names

    package = sys.modules["dlperf_widgets.measure"]
    assert all(getattr(package, name) is not None for name in names)
    assert package.measure is function
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = package.nonsense


def test_without_torch_the_reason_is_told(monkeypatch):
    from dlperf_widgets.measure import describe, unavailable

    monkeypatch.setitem(sys.modules, "torch", None)  # as if it were not installed
    with pytest.raises(ValueError, match=r"PyTorch is missing: pip install 'dlperf_widgets\[measure\]'"):
        describe()
    monkeypatch.undo()
    pytest.importorskip("torch")
    assert unavailable() == ""
