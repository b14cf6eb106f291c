"""The table of errors and bands that the package ships: ``python -m tests.bench.accuracy --write``.

The error is that of the shipped constants. The band is wide enough for 8 of 10 measurements of predictions
by a fit that left their GPU out, as a user's GPU was left out too; where only one GPU was measured, of
predictions by the fit to it. Each GPU and operation counts alike.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from math import exp, log
from pathlib import Path
from statistics import fmean, quantiles

import dlperf_widgets
from dlperf_widgets.cost.validation import bucket
from dlperf_widgets.gpus import Gpu
from tests.bench.measured import Measured

FILE = Path(dlperf_widgets.__file__).parent / "cost" / "errors.py"
FEWEST = 40  # measurements that make a band of their own; else those of all durations do
# What the package calls an operation, and whose measurements it was.
KINDS = {
    "bf16 product": ("16-bit product", "aiconfigurator"),
    "16-bit product, m by 1": ("16-bit product", "LLMServingSim"),
    "16-bit product, in serving": ("16-bit product", "LLMServingSim"),
    "fp16 product": ("16-bit product", "Vidur"),
    "attention, prefill": ("prefill", "aiconfigurator"),
    "attention, decode": ("decode", "aiconfigurator"),
    "elementwise": ("elementwise", "NeuSight"),
    "softmax": ("softmax", "NeuSight"),
    "layer norm": ("norm", "NeuSight"),
    "fp32 linear": ("fp32 linear", "NeuSight"),
    "fp32 batched product": ("fp32 batched", "NeuSight"),
    "fp32 convolution": ("fp32 convolution", "NeuSight"),
}
Found = Mapping[tuple[str, str], tuple[list[Measured], list[Measured], int]]  # rows, left out, of how many
_HEAD = '''"""Errors and bands of predictions, by kind of operation and compute capability.

Written by ``python -m tests.bench.accuracy --write``: the mean absolute error, of how many measurements,
whose and on what; and x for predictions below 50 µs, to 300 µs and above: 8 of 10 measurements lay between
the time / x and the time x x.
"""

# ruff: noqa: E501
# fmt: off
ERRORS = {
'''


def moved(row: Measured, gpu: Gpu) -> Measured:
    """Return the same measurement as if on another GPU."""
    return row._replace(scenario=replace(row.scenario, gpu=gpu))


def write(found: Found) -> None:
    """Write the table."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for operation, gpu in found:
        if operation in KINDS:
            cc = found[operation, gpu][0][0].scenario.gpu.compute_capability
            groups[KINDS[operation][0], cc].append((operation, gpu))
    lines = [_line(kind, cc, keys, found) for (kind, cc), keys in sorted(groups.items())]
    FILE.write_text(_HEAD + "".join(lines) + "}\n# fmt: on\n")


def _line(kind: str, cc: str, keys: list[tuple[str, str]], found: Found) -> str:
    error = fmean(fmean(abs(r.scenario.time / r.seconds - 1) for r in found[key][0]) for key in keys)
    rows = sum(found[key][2] for key in keys)
    whose = " and ".join(sorted({KINDS[operation][1] for operation, _ in keys}))
    gpus = ", ".join(sorted({gpu for _, gpu in keys}))
    off: list[list[float]] = [[], [], []]
    for key in keys:
        for row in found[key][1] or found[key][0]:
            off[bucket(row.scenario.time)].append(abs(log(row.scenario.time / row.seconds)))
    every = [value for part in off for value in part]
    widths = [exp(quantiles(part if len(part) >= FEWEST else every, n=10)[7]) for part in off]
    x = ", ".join(f"{width:.2f}" for width in widths)
    return f'    ("{kind}", "{cc}"): ({error:.3f}, {rows:_}, "{whose}, {gpus}", ({x})),\n'
