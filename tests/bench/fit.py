"""Refit the time model's constants to published measurements: ``make fit``.

Prints what would change in ``cost/constants.py``, and writes beside this file what ``make accuracy`` needs
to judge the model on GPUs it was not fitted to: the constants of fits that leave one GPU out. A value of
the left-out GPU's own kind then has nothing behind it: its next kind's is taken, as for any unknown GPU, else
the mean. The energy of a FLOP is taken from the datasheet, as power limit / peak: on Tensor Cores as such, on
CUDA cores relative to the largest card that was measured.
"""

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import geometric_mean
from typing import NamedTuple

from dlperf_widgets.cost import calibration
from dlperf_widgets.cost.constants import CONSTANTS
from dlperf_widgets.cost.fit import Fitted, Measurement, Unknown, fit
from dlperf_widgets.dtypes import FP16, FP32, DType
from dlperf_widgets.gpus import Gpu
from tests.bench.measured import FOLDER, Measured, everything
from tests.bench.protocol import Hosts, hosted, hosts

REPORT = Path(__file__).parent / "left_out.json"
SAMPLE = 3000  # rows of a plan, as many of each GPU and operation
SEED = 0
PULL = 1.0  # hardly holds what 3,000 rows tell, and keeps what they do not


class Plan(NamedTuple):
    """Constants that are fitted together, and the measurements they are fitted to."""

    operations: tuple[str, ...]
    families: tuple[str, ...]
    fixed: tuple[str, ...] = ()  # constants that these measurements do not tell

    @property
    def unknowns(self) -> list[Unknown]:
        """The constants, one for each kind of GPU that has a value of its own."""
        return [
            Unknown(c.name, kind)
            for c in CONSTANTS
            if c.family in self.families and c.name not in self.fixed
            for kind in ("", *c.own)
            if kind not in c.guessed
        ]


PLANS = {
    "stream": Plan(("elementwise", "softmax", "layer norm"), ("memory", "stream"), ("indexed_element",)),
    "tensor": Plan(
        ("bf16 product", "fp16 product", "16-bit product, m by 1", "16-bit product, in serving"),
        ("tensor",),
    ),
    "cuda": Plan(("fp32 linear", "fp32 batched product"), ("cuda",)),
    "convolution": Plan(("fp32 convolution",), ("convolution",)),
    "attention": Plan(("attention, prefill", "attention, decode"), ("attention",)),
}
Groups = dict[tuple[str, str], list[Measured]]  # by operation and GPU


def groups(rows: Iterable[Measured]) -> Groups:
    """Return measurements by operation and GPU."""
    found: Groups = defaultdict(list)
    for row in rows:
        found[row.family, row.scenario.gpu.name].append(row)
    return found


def sample(plan: Plan, measured: Groups, known: Hosts) -> dict[str, list[Measurement]]:
    """Return a plan's measurements by GPU: a random sample, the same every time."""
    chosen = [key for key in measured if key[0] in plan.operations]
    each = SAMPLE // len(chosen)
    found: dict[str, list[Measurement]] = defaultdict(list)
    for operation, gpu in chosen:
        rows = measured[operation, gpu]
        some = random.Random(SEED).sample(rows, min(each, len(rows)))
        found[gpu] += [(row.scenario, row.seconds) for row in (hosted(row, known) for row in some)]
    return found


def left_out(plan: Plan, rows: dict[str, list[Measurement]], start: dict[Unknown, float]) -> dict[str, dict]:
    """Return for each GPU the constants that half of the other GPUs' measurements give it."""
    found = {}
    for gpu, own in rows.items():
        rest = [row for other, many in rows.items() if other != gpu for row in many[::2]]
        unknowns = [u for u in plan.unknowns if any(_takes(s.gpu, u) for s, _ in rest)]
        neutral = {u: value for u, value in start.items() if u in unknowns}
        values = fit(rest, unknowns, neutral, pull=PULL).values
        others = [many[0][0].gpu for other, many in rows.items() if other != gpu]
        names = {unknown.name for unknown in plan.unknowns}
        found[gpu] = {name: _unknown(own[0][0].gpu, name, values, others) for name in names}
    return found


def _takes(gpu: Gpu, unknown: Unknown) -> bool:
    return calibration.kind(gpu, unknown.name) == unknown.kind


def _unknown(gpu: Gpu, name: str, values: dict[Unknown, float], others: Sequence[Gpu]) -> float:
    """Return a constant of a GPU from a fit that may not have seen its kind."""
    known = {u.kind: value for u, value in values.items() if u.name == name}
    own = calibration.kind(gpu, name)
    if name == "tensor_energy" and own not in known:
        return _energy(gpu, FP16)
    if name == "cuda_energy" and own not in known:
        largest = max(others, key=lambda other: (other.power or 0.0, other.compute_capability))
        return known[calibration.kind(largest, name)] * _energy(gpu, FP32) / _energy(largest, FP32)
    near = next((known[kind] for kind in (*calibration.kinds(gpu), "") if kind in known), 0.0)
    return float(f"{near or geometric_mean(known.values()):.4g}")


def _energy(gpu: Gpu, dtype: DType) -> float:
    """Return the joules of a FLOP were a card at its power limit when at its peak."""
    return (gpu.power or 0.0) / gpu.peak(dtype)


def difference(fitted: Fitted) -> str:
    """Return a line for each constant: what is committed, and what the fit found."""
    return "\n".join(
        f"  {u.name:<24}{u.kind:<16}{u.shipped:>12.4g} -> {value:<10.4g}{value / u.shipped - 1:+.1%}"
        for u, value in fitted.values.items()
    )


def main(names: Sequence[str] = tuple(PLANS)) -> None:
    """Refit every plan, print the differences, and write the fits that leave one GPU out."""
    if not FOLDER.exists():
        print("There are no published measurements beside this repository: nothing to fit to.")
        return
    measured = groups(everything())
    known = hosts(row for rows in measured.values() for row in rows)
    report = json.loads(REPORT.read_text()) if REPORT.exists() else {"left out": {}}
    report["hosts"] = known
    for name in names:
        plan = PLANS[name]
        rows = sample(plan, measured, known)
        fitted = fit([row for many in rows.values() for row in many], plan.unknowns, pull=PULL)
        many = sum(map(len, rows.values()))
        print(f"{name}: {many:,} rows, mean |ln ratio| {fitted.before:.4f} -> {fitted.error:.4f}", flush=True)
        print(difference(fitted), flush=True)
        report["left out"][name] = left_out(plan, rows, fitted.values)
        REPORT.write_text(json.dumps(report, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:] or tuple(PLANS))
