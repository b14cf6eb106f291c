"""What the core costs: import, one estimate, one chart, one slider step. ``make bench`` runs it.

Every figure is the median of interleaved repeats in one run, given beside a yardstick measured in the
same run, as machines differ and are noisy.
"""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from statistics import median, quantiles

from dlperf_widgets import gpus
from dlperf_widgets.apps import APPS, Explorer
from dlperf_widgets.charts import Options, alignment, duration, roofline
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Layer, Linear
from dlperf_widgets.models import MODELS
from dlperf_widgets.ops import TRAINING

CORE = "import dlperf_widgets as dp; dp.Scenario, dp.layers.Linear, dp.gpus.GPUS"
ALL = f"{CORE}; dp.layers.LAYERS, dp.models.MODELS"
IMPORTS = {
    "nothing (the interpreter alone)": "pass",
    "our core": CORE,
    "our core, all layers and models": ALL,
    "ipywidgets": "import ipywidgets",
}
SCENARIO = Scenario(Linear(512, 1024, 4096), gpus.A100_SXM4_80GB, FP16, TRAINING)
OPTIONS = Options("batch", 1024)


def timed(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def interleaved(jobs: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Run every job once a round, so that what disturbs one round disturbs all."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            times[name].append(timed(job))
    return times


def report(title: str, times: dict[str, list[float]], scale: float, unit: str, yardstick: str) -> None:
    print(f"\n{title}")
    base = median(times[yardstick])
    for name, values in times.items():
        low, middle, high = (value * scale for value in quantiles(values, n=4))
        ratio = median(values) / base
        spread = f"(quartiles {low:.2f} to {high:.2f})"
        print(f"  {name:<36}{middle:>9.2f} {unit} {spread}, {ratio:.2f} x {yardstick}")


def imports() -> None:
    def job(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    times = interleaved({name: job(code) for name, code in IMPORTS.items()}, 15)
    report("Import, in a new process", times, 1e3, "ms", "ipywidgets")
    own = median(times["our core"]) - median(times["nothing (the interpreter alone)"])
    print(f"  of its own: {own * 1e3:.1f} ms")


def estimates() -> None:
    fresh = count(1)
    base = replace(SCENARIO, phases=("fprop",))

    def product() -> object:
        return [base.resized("batch", next(fresh)).costs for _ in range(100)]

    def step() -> object:
        return [SCENARIO.resized("batch", next(fresh)).time for _ in range(100)]

    def multiply_adds() -> object:  # a yardstick: a hundred plain attribute reads and products
        layer = base.layer
        return [layer.batch * layer.inputs * layer.outputs for _ in range(100)]

    times = interleaved(
        {"yardstick": multiply_adds, "one cold row": product, "Linear, all phases": step}, 200
    )
    report("Estimates, each of a new size", times, 1e4, "µs", "yardstick")


def networks() -> None:
    fresh = count(1)

    def step(build: Callable[..., Layer]) -> Callable[[], object]:
        return lambda: replace(SCENARIO, layer=build(batch=next(fresh))).time

    jobs = {f"{kind.__name__}, training step": step(kind) for kind in MODELS}
    report("Networks, built and estimated at a new batch", interleaved(jobs, 15), 1e3, "ms", next(iter(jobs)))


def charts() -> None:
    fresh = count()

    def cold(chart: Callable[..., object]) -> Callable[[], object]:
        return lambda: chart(SCENARIO.resized("inputs", 1024 + 8 * next(fresh)), OPTIONS)

    def moved(chart: Callable[..., object]) -> Callable[[], object]:
        return lambda: chart(SCENARIO.resized("batch", 512 + next(fresh) % 64), OPTIONS)

    jobs = {"roofline": lambda: roofline(SCENARIO, OPTIONS)}
    for chart in (duration, alignment):
        jobs |= {f"{chart.__name__}, new curve": cold(chart), f"{chart.__name__}, moved": moved(chart)}
    report("Charts", interleaved(jobs, 60), 1e3, "ms", "roofline")


async def explorers() -> None:
    """Print what each explorer's Python costs, a tab at a time, beside what a hand can be asked to wait.

    An event loop runs, as in a notebook, so that what waits until the hand rests is not part of a step.
    """
    print("\nExplorers, Python side: ms of the processor for a moved point, for a new curve")
    print("  (at most 3, and 10 or for a network 30)")
    for app in APPS:
        shown = app()
        curve = 30 if type(shown.scenario.layer) in MODELS else 10
        for index, title in enumerate(shown.tabs.titles):
            shown.tabs.selected_index = index
            moved, new = steps(shown)
            over = [name for name, value, most in (("moved", moved, 3), ("new", new, curve)) if value > most]
            words = f"over: {', '.join(over)}" if over else ""
            print(f"  {app.slug:<16}{title:<24}{moved:>8.2f}{new:>8.2f}  {words}".rstrip())
        shown.close()


def steps(shown: Explorer, rounds: int = 15) -> tuple[float, float]:
    """Return the median ms of a step of the first size, whose curve is known, and of another question."""
    first, other = [*shown.controls.sizes, *shown.controls.sizes][:2]
    base, control = shown.scenario, shown.controls.sizes[first]
    now = control.value
    places = (now + control.step, now)  # both are seen once before they count
    for place in places:
        control.value = place
    moved = [busy(lambda place=place: setattr(control, "value", place)) for place in places * rounds]
    start = getattr(base.layer, other)
    down = start > 8 * (rounds + 1)  # some sizes may not grow beyond where they start
    asked = [base.resized(other, start + (-8 if down else 8) * each) for each in range(1, rounds + 1)]
    new = [busy(lambda scenario=scenario: setattr(shown, "scenario", scenario)) for scenario in asked]
    shown.scenario = base
    return 1e3 * median(moved), 1e3 * median(new)


def busy(run: Callable[[], object]) -> float:
    """Return the processor's seconds: other programs disturb them less than they do the clock."""
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    for part in (imports, estimates, networks, charts):
        part()
    asyncio.run(explorers())
