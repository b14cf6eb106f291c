"""Copies and kernels that overlap: a pipeline of chunks, simulated on one or two copy engines."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ._checks import flag, positive, real, whole

MOST = 100_000  # chunks


class Lane(StrEnum):
    """What works on a GPU at the same time; COPIES is one engine for both directions."""

    H2D = "h2d"
    KERNEL = "kernel"
    D2H = "d2h"
    COPIES = "copies"


class Span(NamedTuple):
    """One piece of work on a lane of the timeline, from ``start`` to ``end`` seconds."""

    lane: Lane
    name: str
    start: float
    end: float


@dataclass(frozen=True)
class Overlap:
    """How long a copy to the GPU, a kernel and a copy back take together, cut into chunks."""

    time: float  # seconds
    serial: float  # seconds, one chunk
    bound: Lane  # the lane that is busy longest: no number of chunks takes less
    spans: tuple[Span, ...]

    @property
    def speedup(self) -> float:
        """How many times faster than one chunk."""
        return self.serial / self.time if self.time else 1.0


class Stages(NamedTuple):
    """Seconds of each stage of one chunk."""

    h2d: float
    kernel: float
    d2h: float


def overlap(
    h2d: float, kernel: float, d2h: float, chunks: int = 1, engines: int = 2, launch: float = 0.0
) -> Overlap:
    """Return the timeline of a copy in, a kernel and a copy back that are cut into equal chunks.

    With two copy engines it takes ``(h2d + kernel + d2h) / n + (n - 1) / n x`` the longest of the three,
    plus ``n x launch``. A single engine copies in first, which no other order beats.

    Parameters
    ----------
    h2d, kernel, d2h
        Seconds of all chunks together.
    chunks
        Parts that the work is cut into.
    engines
        Copy engines: 2, one for each direction, or 1.
    launch
        Seconds that starting a chunk costs. Counted on the busiest lane, where it delays all that
        follows: elsewhere it hides in that lane's waiting.
    """
    chunks = whole("chunks", chunks, 1, MOST)
    lanes = _lanes(engines)
    total = Stages(real("h2d", h2d), real("kernel", kernel), real("d2h", d2h))
    start = real("launch", launch)
    bound = _bound(total, lanes)
    stages = _chunk(total, chunks, bound, start)
    spans = _simulate(stages, chunks, lanes)
    return Overlap(max(span.end for span in spans), sum(total) + start, bound, spans)


def best_chunks(
    h2d: float, kernel: float, d2h: float, launch: float, engines: int = 2, most: int = 1024
) -> int:
    """Return the number of chunks, up to ``most``, that takes least time; of equals, the fewest.

    With two copy engines it is near the square root of what overlap can save over ``launch``.
    """
    total = Stages(real("h2d", h2d), real("kernel", kernel), real("d2h", d2h))
    lanes, cost = _lanes(engines), positive("launch", launch)
    bound = _bound(total, lanes)
    times = (
        (_time(_chunk(total, n, bound, cost), n, lanes), n)
        for n in range(1, whole("most", most, 1, MOST) + 1)
    )
    return min(times)[1]


class Loader(NamedTuple):
    """One training step behind a data loader."""

    time: float  # seconds
    bound: str  # load, h2d or compute: what the step waits for


def loader_step(load: float, h2d: float, compute: float, prefetch: bool = True) -> Loader:
    """Return the step time of training from a data loader, in seconds.

    A loader that prefetches works on a later batch meanwhile, so a step takes as long as its longest
    part; one that does not takes their sum.
    """
    parts = {"compute": real("compute", compute), "h2d": real("h2d", h2d), "load": real("load", load)}
    longest = max(parts, key=lambda name: parts[name])
    return Loader(parts[longest] if flag("prefetch", prefetch) else sum(parts.values()), longest)


def _lanes(engines: int) -> tuple[Lane, Lane, Lane]:
    engines = whole("engines", engines, 1, 2)
    return (Lane.H2D, Lane.KERNEL, Lane.D2H) if engines == 2 else (Lane.COPIES, Lane.KERNEL, Lane.COPIES)


def _bound(total: Stages, lanes: tuple[Lane, Lane, Lane]) -> Lane:
    busy: dict[Lane, float] = {}
    for lane, seconds in zip(lanes, total, strict=True):
        busy[lane] = busy.get(lane, 0.0) + seconds
    return max((Lane.KERNEL, *lanes), key=lambda lane: busy[lane])  # of equals, the kernel


def _chunk(total: Stages, chunks: int, bound: Lane, launch: float) -> Stages:
    h2d, kernel, d2h = (seconds / chunks for seconds in total)
    if bound is Lane.KERNEL:
        return Stages(h2d, kernel + launch, d2h)
    return Stages(h2d, kernel, d2h + launch) if bound is Lane.D2H else Stages(h2d + launch, kernel, d2h)


def _simulate(stages: Stages, chunks: int, lanes: tuple[Lane, Lane, Lane]) -> tuple[Span, ...]:
    """Run each stage of every chunk as soon as its lane is free and the stage before has ended.

    Going through one stage after another is what lets a single copy engine copy in first.
    """
    free = dict.fromkeys(lanes, 0.0)
    ready = [0.0] * chunks
    spans = []
    for lane, name, seconds in zip(lanes, Stages._fields, stages, strict=True):
        for chunk in range(chunks):
            start = max(free[lane], ready[chunk])
            free[lane] = ready[chunk] = start + seconds
            spans.append(Span(lane, f"{name} {chunk + 1}", start, start + seconds))
    return tuple(spans)


def _time(stages: Stages, chunks: int, lanes: tuple[Lane, Lane, Lane]) -> float:
    """Return what ``_simulate`` ends at, without its steps: no schedule can be below any of these."""
    through = sum(stages) + (chunks - 1) * max(stages)
    copies = chunks * (stages.h2d + stages.d2h) if lanes[0] is Lane.COPIES else 0.0
    return max(through, copies)
