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


def test_beyond_one_kernel_it_gives_what_it_says():
    import dlperf_widgets as dp
    from dlperf_widgets import dtypes, gpus, models

    assert dp.largest_batch(models.ResNet50(), gpus.T4, dtype=dtypes.FP32) == 171
    occupancy = dp.occupancy("8.0", threads=256, registers=64)
    assert (occupancy.blocks, occupancy.limiter) == (4, "registers")
    assert dp.overlap(h2d=12, kernel=12, d2h=12, chunks=4).time == 18
