"""Scripts beside the tests that nothing else imports: they share the tests' own steps, which may change."""

import runpy
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("script", ["bench/ui.py", "bench/start.py", "e2e/pictures.py"])
def test_a_script_can_be_loaded(script, monkeypatch):
    monkeypatch.syspath_prepend(str((TESTS / script).parent))
    assert callable(runpy.run_path(str(TESTS / script), run_name="loaded")["main"])
