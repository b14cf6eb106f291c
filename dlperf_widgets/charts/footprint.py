"""The memory that a batch takes, stacked, against what GPUs have."""

from collections.abc import Iterator
from itertools import accumulate, pairwise

from ..cost import Scenario
from ..cost.activations import has_batch
from ..cost.memory import Footprint
from ..gpus import Gpu
from ..language import tr
from ..units import GIB
from ._chart import Area, Axis, Chart, Line, Points, nice
from .memory_options import MemoryOptions, batch, largest, need, needed, shown_gpus
from .roles import Role

PARTS = ("weights", "gradients", "optimizer state", "master weights", "activations", "cache")
_JOINED = {"cast weights": "weights", "output": "activations", "live gradients": "activations"}
_SHADES = (0.72, 0.6, 0.49, 0.39, 0.3, 0.2)
_ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
_REACHES = (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10)  # whose quarters are round
FLAG = "largest batch"
_APART = 0.07  # of the picture's height: lines closer than that share a label


def footprint_chart(scenario: Scenario, options: MemoryOptions) -> Chart:
    """Return the stack up to ``options.reach`` samples, the GPUs' capacities and the largest batch."""
    asked, now = needed(need(scenario, options)), batch(scenario.layer)
    reach = max(options.reach, now)
    gpus = shown_gpus(scenario, options)
    high = max(*(gpu.memory for gpu in gpus), asked.total(reach) + options.reserved)
    top = nice(1.2 * high / GIB, _ROUND)  # with room for a flag above all
    total = asked.total(now) + options.reserved
    field = scenario.layer.scale if has_batch(scenario.layer) else ""
    return Chart(
        title="Footprint",
        x=Axis(_counted(asked), "", (0, reach), places=tuple(reach * i / 4 for i in range(5))),
        y=Axis("Memory", "GiB", (0, top)),
        marks=(
            *_stack(asked, options.reserved, reach),
            *_capacities(gpus, reach, top),
            *_largest(asked, scenario.gpu, options.reserved, reach, top),
            Points(
                "now", Role.CURRENT, (now,), (total / GIB,), notes=(_note(asked, now, options),), drag=field
            ),
        ),
        alt=_alt(scenario, options, asked, now),
    )  # fmt: skip


def parts_of(asked: Footprint) -> dict[str, tuple[float, float]]:
    """Return what each part takes: bytes whatever the batch, and bytes that a sample adds."""
    found = dict.fromkeys(PARTS, (0.0, 0.0))
    for term in asked.terms:
        name = _JOINED.get(term.name, term.name)
        constant, slope = found[name]
        found[name] = (constant + term.constant, slope + term.per_sample)
    return {name: sizes for name, sizes in found.items() if any(sizes)}


def _stack(asked: Footprint, reserved: float, reach: int) -> Iterator[Area]:
    """Yield an area for each part. All grow along lines, so that two sizes draw them."""
    x = (0.0, float(reach))
    bands = [("reserve", Role.LAUNCH, 0.45, (reserved, reserved))]
    for name, (constant, slope) in parts_of(asked).items():
        shade = _SHADES[PARTS.index(name)]
        bands.append((name, Role.MEMORY, shade, (constant, constant + reach * slope)))
    ends = [accumulate([band[3][end] / GIB for band in bands], initial=0.0) for end in (0, 1)]
    edges = list(zip(*ends, strict=True))
    for (name, role, shade, _), (base, top) in zip(bands, pairwise(edges), strict=True):
        if any(top[i] > base[i] for i in (0, 1)):
            yield Area(name, role, x, base, top, shade)


def _capacities(gpus: tuple[Gpu, ...], reach: int, top: float) -> Iterator[Line]:
    """Yield a line for each size of memory: GPUs of one size share it, the scenario's GPU is named first."""
    by_size: dict[float, list[str]] = {}
    for gpu in gpus:
        by_size.setdefault(gpu.memory / GIB, []).append(gpu.name)
    labelled: list[float] = []
    for i, (size, names) in enumerate(by_size.items()):
        apart = all(abs(size - other) > _APART * top for other in labelled)
        labelled += [size] if apart else []
        words = f"{', '.join(names)}: {size:.4g} GiB"
        ends = (0.0, float(reach)), (size, size)
        dash = "dotted" if i else "solid"
        yield Line(words, Role.PREDICTED, *ends, words if apart else "", dash, first=True)


def _largest(asked: Footprint, gpu: Gpu, reserved: float, reach: int, top: float) -> Iterator[Line | Points]:
    """Yield a pole where the largest batch that fits stands, with a flag above all else.

    A dragged flag asks how much of the memory may be kept for something else: the reserve follows.
    """
    most = largest(asked, gpu, reserved)
    if not most or most > reach:
        return
    high, size = 0.92 * top, gpu.memory / GIB
    full = (asked.total(most) + reserved) / GIB
    words = tr("largest batch {batch}", batch=f"{most:,}") if most > 0.12 * reach else ""
    note = tr("{batch} take {size} GiB of the {memory} GiB of {gpu}; one more does not fit.",
              batch=f"{most:,}", size=f"{full:.4g}", memory=f"{size:.4g}", gpu=gpu.name)  # fmt: skip
    yield Line("fits up to here", Role.GUIDE, (most, most), (0.0, high))
    yield Points(
        FLAG, Role.PREDICTED, (most,), (high,), "square", (note,), drag="reserve", labels=(words,)
    )  # fmt: skip


def _counted(asked: Footprint) -> str:
    """Return the title of the axis: what a batch counts."""
    return "Batch size" if asked.sample == "sample" else "Times the layer as given"


def _note(asked: Footprint, now: int, options: MemoryOptions) -> str:
    listed = tr(", ").join(
        f"{tr(name)} {(constant + now * slope) / GIB:.3g}"
        for name, (constant, slope) in parts_of(asked).items()
    )
    total = (asked.total(now) + options.reserved) / GIB
    return tr("{total} GiB for {batch}: {parts}, reserve {reserve}.", total=f"{total:.3g}",
              batch=f"{now:,}", parts=listed, reserve=f"{options.reserve:.3g}")  # fmt: skip


def _alt(scenario: Scenario, options: MemoryOptions, asked: Footprint, now: int) -> str:
    found = ((gpu.name, largest(asked, gpu, options.reserved)) for gpu in shown_gpus(scenario, options))
    most = tr(", ").join(f"{name} {tr('any') if n is None else f'{n:,}'}" for name, n in found)
    return tr(
        "Memory against the batch, stacked. {note} Largest batch that fits: {most}.",
        note=_note(asked, now, options), most=most,
    )  # fmt: skip


def fitting_reach(scenario: Scenario, options: MemoryOptions) -> int:
    """Return a largest batch to show that has the present one and the largest that fits in view."""
    found = largest(needed(need(scenario, options)), scenario.gpu, options.reserved) or 0
    return max(
        int(nice(1.3 * max(found, batch(scenario.layer), 1), (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10))), 4
    )
