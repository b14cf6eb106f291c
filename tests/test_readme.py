"""What the README shows runs, and gives what it says."""

import re
from pathlib import Path

import pytest

from dlperf_widgets.cost import Limiter

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def test_the_first_lines_give_the_guides_example(capsys):
    names: dict = {}
    exec(BLOCKS[0], names)
    row = names["s"].costs[0]
    assert (round(row.arithmetic_intensity, 2), row.limiter) == (315.08, Limiter.MATH)
    assert "315.08 FLOPS/byte, math" in BLOCKS[0]
    assert "64 tiles of 256 x 128" in capsys.readouterr().out


def test_the_rest_runs(capsys):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    names = {"my_module": torch.nn.Linear(4, 8), "example_input": torch.zeros(2, 4)}
    for block in BLOCKS:
        exec(block, names)
    assert "25,557,032" in capsys.readouterr().out
