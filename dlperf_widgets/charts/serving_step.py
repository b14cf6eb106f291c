"""What a decode step's time consists of, and what its memory is filled with, against the batch."""

from collections.abc import Iterator
from itertools import accumulate

from ..cost import Scenario
from ..cost.serving import Serving
from ..language import remembered, tr
from ..units import GIB, si
from ._chart import Area, Axis, Chart, Line, Numbers, Points, nice
from .memory_options import batch
from .roles import Role
from .serving_options import ServingOptions, any_batch, batches, most, served, turn

PARTS = ("products with weights", "attention to the cache", "rest")
_SHADES = {"weights": 1.0, "activations": 0.7, "cache": 0.45}
_REACHES = (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10)  # whose quarters are round
_FAR = 2**20  # more requests than any server holds
_ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


def serving_step(scenario: Scenario, options: ServingOptions) -> Chart:
    """Return the stacked time of a decode step up to the largest batch that fits."""
    now, reach = served(scenario, options), _reach(scenario, options)
    asked = any_batch(scenario)
    x, levels = _stack(asked, options.generated, options.sharing, options.stored, reach)
    top = max(levels[-1][-1], now.decode.time)
    note = step_note(now)
    return Chart(
        title="Decode step",
        x=_axis(reach),
        y=Axis("Time", "s", (0, nice(1.05 * top, _ROUND))),
        marks=(*_parts(x, levels, turn(scenario, options)), _now(now, now.decode.time, note)),
        alt=f"{tr('Time of a decode step against the batch, stacked.')} {note}",
    )


def serving_memory(scenario: Scenario, options: ServingOptions) -> Chart:
    """Return weights, activations and cache, stacked, against the memory of the GPU."""
    now, reach = served(scenario, options), _reach(scenario, options)
    memory, size = served(scenario, options).memory, scenario.gpu.memory / GIB
    total = (memory.total(now.prompts.batch) + options.reserved) / GIB
    top = nice(1.05 * max(size, (memory.total(reach) + options.reserved) / GIB), _ROUND)
    capacity = f"{scenario.gpu.name}: {size:.4g} GiB"
    note = memory_note(scenario, options)
    return Chart(
        title="Memory",
        x=_axis(reach),
        y=Axis("Memory", "GiB", (0, top)),
        marks=(
            *_filled(scenario, options, reach),
            Line(capacity, Role.CURRENT, (0.0, float(reach)), (size, size)),
            *_full(scenario, options, reach),
            _now(now, total, note),
        ),
        alt=f"{tr('Memory against the batch, stacked.')} {note}",
    )


def _reach(scenario: Scenario, options: ServingOptions) -> int:
    """Return a round batch just beyond the largest that fits."""
    full = min(max(most(scenario, options), 4), _FAR)
    return max(int(nice(1.15 * full, _REACHES)), batch(scenario.layer))


def _axis(reach: int) -> Axis:
    return Axis("Batch size", "", (0, reach), places=tuple(reach * i / 4 for i in range(5)))


def _now(now: Serving, height: float, note: str) -> Points:
    return Points("now", Role.CURRENT, (now.prompts.batch,), (height,), notes=(note,), drag="batch")


@remembered(64)
def _stack(
    anchor: Scenario, generated: int, sharing: str, stored: str, reach: int
) -> tuple[Numbers, tuple[Numbers, ...]]:
    """Return batches and the edges between the parts. The present batch is no part of it."""
    asked = served(anchor, ServingOptions(generated, sharing, stored))
    turned = asked.turns or reach
    sizes = tuple(sorted({*batches(reach), min(turned, reach)}))
    steps = [asked.decode_at(size) for size in sizes]
    columns = [tuple(accumulate((part.time for part in step), initial=0.0)) for step in steps]
    return tuple(map(float, sizes)), tuple(zip(*columns, strict=True))


def _parts(x: Numbers, levels: tuple[Numbers, ...], turned: int | None) -> Iterator[Area]:
    """Yield the parts as areas: products change their colour where math takes over from memory."""
    bottom, products, attention, rest = levels
    middle = len(x) - 1 if turned is None else sum(size <= turned for size in x) - 1
    if middle > 0:
        below = slice(0, middle + 1)
        yield Area("products, memory limited", Role.MEMORY, x[below], bottom[below], products[below])
    if middle < len(x) - 1:
        above = slice(max(middle, 0), None)
        yield Area("products, math limited", Role.MATH, x[above], bottom[above], products[above])
    yield Area("attention to the cache", Role.MEMORY, x, products, attention, 0.55)
    yield Area("rest", Role.LAUNCH, x, attention, rest)


def _filled(scenario: Scenario, options: ServingOptions, reach: int) -> Iterator[Area]:
    x, base = (0.0, float(reach)), (options.reserved / GIB,) * 2
    yield Area("reserve", Role.LAUNCH, x, (0.0, 0.0), base)
    for term in served(scenario, options).memory.terms:
        ends = (term.constant / GIB, (term.constant + reach * term.per_sample) / GIB)
        top = (base[0] + ends[0], base[1] + ends[1])
        yield Area(term.name, Role.MEMORY, x, base, top, _SHADES[term.name])
        base = top


def _full(scenario: Scenario, options: ServingOptions, reach: int) -> Iterator[Line | Points]:
    """Yield the line to the largest batch that fits, and its point."""
    full = most(scenario, options)
    if not 0 < full <= reach:
        return
    height = (served(scenario, options).memory.total(full) + options.reserved) / GIB
    note = tr("{batch} requests fill {size} GiB of {gpu}; one more does not fit.",
              batch=f"{full:,}", size=f"{height:.4g}", gpu=scenario.gpu.name)  # fmt: skip
    yield Line("fits up to here", Role.GUIDE, (full, full), (0.0, height))
    words = tr("largest batch {batch}", batch=f"{full:,}")
    yield Points("largest batch", Role.PREDICTED, (full,), (height,), "square", (note,), labels=(words,))


def step_note(now: Serving) -> str:
    """Return what the present step consists of, in a sentence."""
    parts = ", ".join(
        f"{tr(name)} {si(part.time, 's')}" for name, part in zip(PARTS, now.decode, strict=True)
    )
    return tr("A decode step takes {time}: {parts}.", time=si(now.decode.time, "s"), parts=parts)


def memory_note(scenario: Scenario, options: ServingOptions) -> str:
    """Return what fills the memory at the present batch, in a sentence."""
    memory, now = served(scenario, options).memory, batch(scenario.layer)
    parts = ", ".join(
        f"{tr(term.name)} {si(term.constant + now * term.per_sample, 'B')}" for term in memory.terms
    )
    return tr("Batch {batch} takes {size}: {parts}.", batch=f"{now:,}",
              size=si(memory.total(now), "B"), parts=parts)  # fmt: skip
