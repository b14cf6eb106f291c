"""One report of what the package costs, as text and as JSON: ``make bench``.

Times are the processor's, given as a machine would take them whose plain loop takes ``timing.REFERENCE``.
Jobs take turns, each round beside that loop. Ratios are medians of each round's. ``--only`` runs some parts.
"""

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from statistics import median

from . import asked, cold, explorers, growth, leaks
from .timing import REFERENCE, Figure, Skipped, busy, counted, loop

BROWSER = Path(__file__).with_name("ui.json")
_skipped: list[str] = []


def questions() -> list[Figure]:
    """Return estimates beside others'."""
    found, skipped = asked.estimates()
    _skipped.extend(skipped)
    return found


def browser() -> list[Figure]:
    """Return what ``make bench-ui`` measured last, from mouse to picture."""
    if not BROWSER.exists():
        _skipped.append("the browser was not measured (make bench-ui)")
        return []
    return [line for each in json.loads(BROWSER.read_text()) for line in _browser(each)]


def _browser(measured: dict[str, object]) -> Iterator[Figure]:
    for what in ("bare", "explorer"):
        times = measured.get(what)
        if isinstance(times, dict) and times.get("n"):
            name = f"{measured['slug']}: {'a bare slider and line' if what == 'bare' else 'the explorer'}"
            yield counted("from mouse to first change, in a browser", name, "ms", times["first"])


PARTS: dict[str, Callable[[], list[Figure]]] = {
    "rows": asked.rows,
    "questions": questions,
    "imports": cold.imports,
    "displays": cold.displays,
    "sweeps": growth.sweeps,
    "layers": growth.layers,
    "charts": growth.rows,
    "explorers": explorers.run,
    "leaks": leaks.leaks,
    "browser": browser,
}


def machine() -> dict[str, object]:
    """Return what the figures depend on."""
    speeds = [busy(loop) for _ in range(20)]
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "load": load,
        "loop_ms": 1e3 * median(speeds),
        "reference_ms": 1e3 * REFERENCE,
    }


def main() -> None:
    """Print the report, part by part, and write it as JSON where that is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument(
        "--only", nargs="+", choices=list(PARTS), help="these parts alone", default=list(PARTS)
    )
    options = parser.parse_args()
    about, found = machine(), list[Figure]()
    print(
        f"Python {about['python']}, {about['cores']} cores, load {about['load']}; the loop takes "
        f"{about['loop_ms']:.2f} ms, times are as if it took {about['reference_ms']:.2f} ms"
    )
    for name in options.only:
        try:
            lines = PARTS[name]()
        except Skipped as reason:
            _skipped.append(str(reason))
            continue
        for before, line in zip([None, *lines], lines, strict=False):
            if before is None or before.part != line.part:
                print(f"\n{line.part[:1].upper()}{line.part[1:]}", flush=True)
            print(line)
        found += lines
    wanted = [line for line in found if line.met is not None]
    print(f"\n{sum(bool(line.met) for line in wanted)} of {len(wanted)} targets met")
    for reason in _skipped:
        print(f"skipped: {reason}")
    if options.json:
        data = {"machine": about, "figures": [asdict(line) for line in found], "skipped": _skipped}
        options.json.write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    main()
