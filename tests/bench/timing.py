"""Times that can be compared: jobs take turns, each beside a fixed loop that says how fast the machine is."""

import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median, quantiles
from tempfile import TemporaryDirectory

# Seconds that the loop takes where the targets were set: times are given as they would be there.
REFERENCE = 0.7e-3
UNITS = {"s": 1.0, "ms": 1e3, "µs": 1e6}

_COMPILED = TemporaryDirectory()

Job = Callable[[], object]
Times = dict[str, list[float]]


class Skipped(Exception):  # noqa: N818 (no error: what is compared with is not installed)
    """Why a comparison was left out."""


@dataclass(frozen=True)
class Figure:
    """One line of the report: the quartiles of what was measured, and what was wanted."""

    part: str
    name: str
    unit: str
    low: float
    middle: float
    high: float
    against: str = ""  # what the ratio is to
    ratio: float | None = None  # the median of each round's
    target: float | None = None  # at most
    raw: float | None = None  # the median before it was put to the reference's speed
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the target is; None where there is none."""
        return None if self.target is None else self.middle <= self.target

    def __str__(self) -> str:
        spread = f" ({short(self.low)} to {short(self.high)})" if self.low != self.high else ""
        words = f"  {self.name:<46}{short(self.middle):>9} {self.unit}{spread}"
        if self.ratio is not None:
            words += f", {short(self.ratio)} x {self.against}"
        if self.target is not None:
            words += f"; at most {short(self.target)}: {'met' if self.met else 'NOT MET'}"
        return f"{words}; {self.note}" if self.note else words


def short(value: float) -> str:
    """Return three figures without an exponent."""
    if value == 0:
        return "0"
    return f"{value:,.{max(2 - math.floor(math.log10(abs(value))), 0)}f}"


def loop() -> int:
    """Work that no change of this package makes quicker."""
    total = 0
    for i in range(20_000):
        total += i * i % 7
    return total


def busy(job: Job) -> float:
    """Return the processor's seconds: other programs disturb them less than they do the clock."""
    start = time.process_time()
    job()
    return time.process_time() - start


def child(code: str) -> Job:
    """Return a job that runs code in a new interpreter, with modules compiled before, as pip leaves them."""
    others = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    about = {**others, "PYTHONPYCACHEPREFIX": _COMPILED.name}

    def run() -> object:
        return subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, env=about)

    run()
    return run


def child_busy(job: Job) -> float:
    """Return the processor's seconds of a job's children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    job()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def interleaved(jobs: Mapping[str, Job], rounds: int, clock: Callable[[Job], float] = busy) -> Times:
    """Run every job once a round, and the loop, named "", before: all meet the same noise."""
    times: Times = {"": []} | {name: [] for name in jobs}
    for _ in range(rounds):
        times[""].append(busy(loop))
        for name, job in jobs.items():
            times[name].append(clock(job))
    return times


def figures(
    part: str,
    times: Times,
    unit: str,
    against: str = "",
    runs: int = 1,
    targets: Mapping[str, float] | None = None,
) -> list[Figure]:
    """Return a line for each job, each time at the reference's speed and divided by ``runs``."""
    scale = UNITS[unit] / runs
    found = []
    for name, values in times.items():
        if not name:
            continue
        put = [value * scale * REFERENCE / speed for value, speed in zip(values, times[""], strict=True)]
        low, middle, high = quantiles(put, n=4)
        other = times[against] if against and name != against else None
        ratio = median(a / b for a, b in zip(values, other, strict=True)) if other else None
        target = (targets or {}).get(name)
        raw = median(values) * scale
        found.append(Figure(part, name, unit, low, middle, high, against, ratio, target, raw))
    return found


def exponent(sizes: tuple[float, float], times: tuple[list[float], list[float]]) -> float:
    """Return p of time ~ size^p between two sizes, from the quickest run of each: noise only adds."""
    (first, last), (before, after) = sizes, times
    return math.log(min(after) / min(before)) / math.log(last / first)


def counted(
    part: str, name: str, unit: str, value: float, target: float | None = None, note: str = ""
) -> Figure:
    """Return a line of something that was counted."""
    return Figure(part, name, unit, value, value, value, target=target, note=note)
