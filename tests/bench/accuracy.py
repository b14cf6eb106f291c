"""How far predictions are from published measurements: ``make accuracy``.

For each kind of operation and GPU the mean and median absolute error, the geometric mean of predicted over
measured, the share within 10, 20 and 30% and the error by duration, beside the datasheet roofline on the
same rows. ``fitted`` predictions use the shipped constants, ``left out`` ones those of a fit without that
GPU (``make fit`` keeps them); what was not fitted at all stands under ``fitted`` alone. ``inside`` is the
share of measurements in the band shown with a fitted prediction. ``--write`` renews the package's table of
errors and bands, ``cost/errors.py``.
"""

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from math import exp, log
from pathlib import Path
from statistics import fmean, median

from tests.bench import errors
from tests.bench.fit import PLANS, REPORT, Groups, groups
from tests.bench.measured import FOLDER, Measured, everything
from tests.bench.protocol import calibrated, hosted
from tests.bench.rows import skipped

OUTPUT = Path(__file__).parent / "accuracy.json"
SAMPLE = 3000  # rows of each operation and GPU; --all takes every one
BUCKETS = (("below 50 µs", 0.0, 50e-6), ("50 to 300 µs", 50e-6, 300e-6), ("above", 300e-6, float("inf")))
Line = dict[str, object]


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--all", action="store_true", help=f"every row, not a sample of {SAMPLE} each")
    parser.add_argument("--write", action="store_true", help="renew cost/errors.py")
    options = parser.parse_args()
    if not FOLDER.exists():
        print("There are no published measurements beside this repository: nothing to compare with.")
        return
    fits = json.loads(REPORT.read_text())
    measured = groups(everything())
    chosen = sampled(measured, fits["hosts"], None if options.all else SAMPLE)
    if options.write:
        errors.write(
            {key: (rows, _left_out(key, rows, fits), len(measured[key])) for key, rows in chosen.items()}
        )
    report = [line(key, len(measured[key]), rows, _left_out(key, rows, fits)) for key, rows in chosen.items()]
    OUTPUT.write_text(json.dumps(report, indent=1) + "\n")
    show(report)
    left = skipped()
    named = ", ".join(f"{gpu} {count:,}" for gpu, count in left.items())
    print(f"{left.total():,} rows were measured on GPUs that have no record here: {named}")


def sampled(measured: Groups, hosts: dict[str, float], most: int | None) -> Groups:
    """Return some rows of each operation and GPU, each on the host that it was measured with."""
    return {
        key: [
            hosted(row, hosts) for row in (random.Random(0).sample(rows, min(most or len(rows), len(rows))))
        ]
        for key, rows in measured.items()
    }


def _left_out(key: tuple[str, str], rows: list[Measured], fits: dict) -> list[Measured]:
    """Return the same rows on a GPU with the constants of a fit without it; none where there was no fit."""
    operation, gpu = key
    plan = next((name for name, plan in PLANS.items() if operation in plan.operations), "")
    values = fits["left out"].get(plan, {}).get(gpu)
    if not values:
        return []
    other = calibrated(rows[0].scenario.gpu, values)
    return [errors.moved(row, other) for row in rows]


def line(key: tuple[str, str], many: int, rows: list[Measured], left_out: list[Measured]) -> Line:
    """Return the errors of the model over some measurements, of the roofline, and the share in the band."""
    roofs = [sum(c.count * c.ideal_time for c in row.scenario.costs) / row.seconds for row in rows]
    inside = [low <= row.seconds <= high for row in rows if (band := interval(row)) for low, high in [band]]
    found: Line = {"operation": key[0], "gpu": key[1], "rows": many, "fitted": accuracy(rows)}
    if left_out:
        found["left out"] = accuracy(left_out)
    found["roofline mape"] = fmean(abs(ratio - 1) for ratio in roofs)
    if inside:
        found["inside"] = fmean(inside)
    return found


def interval(row: Measured) -> tuple[float, float] | None:
    """Return the band of a measured operation; of several none is shown."""
    costs = row.scenario.costs
    return costs[0].interval if len(costs) == 1 else None


def accuracy(rows: Sequence[Measured]) -> dict[str, float]:
    """Return the errors of the model over some measurements."""
    ratios = [row.scenario.time / row.seconds for row in rows]
    off = [abs(ratio - 1) for ratio in ratios]
    result = {
        "n": len(rows),
        "mape": fmean(off),
        "median": median(off),
        "geometric mean": exp(fmean(log(ratio) for ratio in ratios)),
    }
    for share in (10, 20, 30):
        result[f"within {share}%"] = fmean(error <= share / 100 for error in off)
    for name, low, high in BUCKETS:
        some = [error for error, row in zip(off, rows, strict=True) if low <= row.seconds < high]
        if some:
            result[f"mape {name}"] = fmean(some)
    return result


def show(report: Iterable[Line]) -> None:
    """Print two lines for each operation and GPU, and the mean over GPUs for each operation."""
    names = ("mape", "median", "geometric mean", "within 10%", "within 20%", "within 30%")
    names += tuple(f"mape {name}" for name, _, _ in BUCKETS)
    print(
        f"{'operation':<28}{'GPU':<16}{'rows':>7} {'':<9}"
        + "".join(f"{n.replace('mape ', ''):>15}" for n in names)
    )
    lines = sorted(report, key=lambda line: (str(line["operation"]), str(line["gpu"])))
    for line in lines:
        head = f"{line['operation']:<28.27}{line['gpu']:<16.15}{line['rows']:>7} "
        for kind in ("fitted", "left out"):
            if kind in line:
                print(f"{head:<52}{kind:<9}" + "".join(_cell(line[kind], name) for name in names))
                head = ""
        inside = f"   inside {line['inside']:.0%}" if "inside" in line else ""
        print(f"{'':<52}roofline {line['roofline mape']:>14.1%}{inside}")
    for operation in dict.fromkeys(line["operation"] for line in lines):
        means = {
            kind: fmean(found)
            for kind in ("fitted", "left out")
            if (
                found := [
                    line[kind]["mape"] for line in lines if line["operation"] == operation and kind in line
                ]
            )
        }
        print(f"mean over GPUs  {operation:<28} " + "  ".join(f"{k} {v:.1%}" for k, v in means.items()))


def _cell(found: dict[str, float], name: str) -> str:
    if name not in found:
        return f"{'-':>15}"
    return f"{found[name]:>15.2f}" if name == "geometric mean" else f"{found[name]:>15.1%}"


if __name__ == "__main__":
    main()
