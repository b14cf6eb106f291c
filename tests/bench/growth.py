"""How times grow: with the points of a sweep, with the layers of a network, with the rows of a chart."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

from dlperf_widgets.charts import ModelOptions, Options, roofline
from dlperf_widgets.charts.layers_bars import layers_bars
from dlperf_widgets.cost import Scenario, sweep
from dlperf_widgets.layers import Layer, Linear, Sequence

from .asked import SCENARIO
from .timing import Figure, Job, counted, exponent, figures, interleaved

_fresh = count(1)
POINTS = (1_000, 100_000)
LAYERS = (1, 10, 100, 1_000, 10_000)
ROWS = (10, 100, 1_000)


def sweeps(rounds: int = 3) -> list[Figure]:
    """Return a sweep of few sizes and of many, each with its time."""
    base, again = replace(SCENARIO, phases=("fprop",)), 20

    def swept(points: int) -> float:
        return sum(each.time for each in sweep(base, "batch", range(1, points + 1)))

    few, many = (f"{points:,} scenarios" for points in POINTS)
    jobs: dict[str, Job] = {
        few: lambda: [swept(POINTS[0]) for _ in range(again)],
        many: lambda: swept(POINTS[1]),
    }
    times = interleaved(jobs, rounds)
    loops = {"": times[""]}
    power = exponent((POINTS[0], POINTS[1]), ([each / again for each in times[few]], times[many]))
    return [
        *figures("sweep", loops | {few: times[few]}, "ms", runs=again, targets={few: 60}),
        *figures("sweep", loops | {many: times[many]}, "ms", targets={many: 6_000}),
        counted("sweep", "exponent of growth", "", power, 1.05),
    ]


def _chain(many: int) -> Layer:
    """Return layers of which no two are alike."""
    start = 64 * (next(_fresh) % 50 + 1)
    widths = [start + i for i in range(many + 1)]
    pairs = zip(widths, widths[1:], strict=False)
    return Sequence(tuple((f"fc{i}", Linear(256, given, made)) for i, (given, made) in enumerate(pairs)))


def _grown(part: str, sizes: tuple[int, ...], job: Callable[[int], Job], rounds: int) -> Iterator[Figure]:
    names = {many: f"{many:,}" for many in sizes}
    times = interleaved({names[many]: job(many) for many in sizes}, rounds)
    yield from figures(part, times, "ms")
    last, before = names[sizes[-1]], names[sizes[-2]]
    power = exponent((sizes[-2], sizes[-1]), (times[before], times[last]))
    yield counted(part, f"exponent of growth, {before} to {last}", "", power, 1.1)


def layers(rounds: int = 3) -> list[Figure]:
    """Return a training step of a network of more and more distinct layers, built and estimated."""
    return list(
        _grown(
            "layers of a network", LAYERS, lambda n: lambda: replace(SCENARIO, layer=_chain(n)).time, rounds
        )
    )


def rows(rounds: int = 5) -> list[Figure]:
    """Return two charts of more and more rows, whose costs are known."""

    def asked(many: int) -> Scenario:
        question = replace(SCENARIO, layer=_chain(many), phases=("fprop",))
        _ = question.time
        return question

    def roofed(many: int) -> Job:
        return lambda: roofline(asked(many), Options("batch"))

    def barred(many: int) -> Job:
        return lambda: layers_bars(asked(many), ModelOptions())

    return [
        *_grown("rows of a roofline, built, estimated and drawn", ROWS, roofed, rounds),
        *_grown("rows of linked bars, built, estimated and drawn", ROWS, barred, rounds),
    ]
