"""How far predictions are from published measurements: ``make accuracy``.

For each kind of operation and GPU the mean and median absolute error, the geometric mean of predicted over
measured, and the share within 10, 20 and 30%, beside the datasheet roofline on the same rows.
"""

import argparse
import json
import random
from collections import defaultdict
from math import exp, log
from pathlib import Path
from statistics import mean, median

from tests.bench.measured import FOLDER, Measured, everything
from tests.bench.rows import skipped

REPORT = Path(__file__).parent / "accuracy.json"
SAMPLE = 3000  # rows of each operation and GPU; --all takes every one
BUCKETS = (("below 50 µs", 0.0, 50e-6), ("50 to 300 µs", 50e-6, 300e-6), ("above", 300e-6, float("inf")))


def main() -> None:
    """Print the table and write it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help=f"every row, not a sample of {SAMPLE} each")
    options = parser.parse_args()
    if not FOLDER.exists():
        print("There are no published measurements beside this repository: nothing to compare with.")
        return
    groups: dict[tuple[str, str], list[Measured]] = defaultdict(list)
    for row in everything():
        groups[row.family, row.scenario.gpu.name].append(row)
    report = []
    for (family, gpu), measured in groups.items():
        chosen = measured if options.all else random.Random(0).sample(measured, min(SAMPLE, len(measured)))
        report.append({"operation": family, "gpu": gpu, "rows": len(measured), **accuracy(chosen)})
    REPORT.write_text(json.dumps(report, indent=1) + "\n")
    show(report)
    left = skipped()
    named = ", ".join(f"{gpu} {count:,}" for gpu, count in left.items())
    print(f"{left.total():,} rows were measured on GPUs that have no record here: {named}")


def accuracy(measured: list[Measured]) -> dict[str, float]:
    """Return the errors of the model, and of the roofline, over some measurements."""
    ratios = [row.scenario.time / row.seconds for row in measured]
    roofs = [sum(c.count * c.ideal_time for c in row.scenario.costs) / row.seconds for row in measured]
    errors = [abs(ratio - 1) for ratio in ratios]
    result = {
        "n": len(measured),
        "mape": mean(errors),
        "median": median(errors),
        "geometric mean": exp(mean(log(ratio) for ratio in ratios)),
        "roofline mape": mean(abs(ratio - 1) for ratio in roofs),
    }
    for share in (10, 20, 30):
        result[f"within {share}%"] = mean(error <= share / 100 for error in errors)
    for name, low, high in BUCKETS:
        inside = [error for error, row in zip(errors, measured, strict=True) if low <= row.seconds < high]
        if inside:
            result[f"mape {name}"] = mean(inside)
    return result


def show(report: list[dict]) -> None:
    """Print a line for each operation and GPU."""
    columns = ("mape", "median", "geometric mean", "within 20%", "roofline mape")
    print(f"{'operation':<40}{'GPU':<22}{'n':>7}" + "".join(f"{name:>16}" for name in columns))
    for line in sorted(report, key=lambda line: (line["operation"], line["gpu"])):
        cells = "".join(
            f"{line[name]:>16.2f}" if name == "geometric mean" else f"{line[name]:>16.1%}" for name in columns
        )
        print(f"{line['operation']:<40}{line['gpu']:<22}{line['n']:>7}{cells}")


if __name__ == "__main__":
    main()
