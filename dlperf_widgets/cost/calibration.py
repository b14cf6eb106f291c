"""Every fitted constant of the time model, and what a GPU takes for each.

The constants of a family were fitted together and trade off against one another: they predict times, and
none of them is by itself a measurement of physics. ``make fit`` refits them; ``fit.refit`` does so for one
GPU, whose record then carries its own values in ``Gpu.calibration``.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ..gpus import Gpu

if TYPE_CHECKING:
    from .constants import Calibration


REFITTED = "refitted"  # to a GPU's own measurements, in place of a compute capability


class Standing(NamedTuple):
    """Which measurements stand behind the constants that a GPU takes for one family."""

    family: str
    data: str
    rows: int
    date: str
    like: str  # the compute capability with data that the GPU's is taken to be like; its own where it has

    def own(self, gpu: Gpu) -> bool:
        """Whether GPUs of this compute capability were among those measured."""
        return self.like == gpu.compute_capability or self.like == REFITTED


# The compute capabilities that one without data of its own is taken to be like, nearest first.
_NEAREST = {
    "3.5": ("6.0", "8.0"), "3.7": ("6.0", "8.0"), "5.0": ("6.1", "8.0"), "5.2": ("6.1", "8.0"),
    "6.0": ("6.1", "8.0"), "6.1": ("6.0", "8.0"), "7.0": ("7.5", "8.0"), "7.5": ("7.0", "8.0"),
    "8.0": ("8.6",), "8.6": ("8.9", "8.0"), "8.7": ("8.6", "8.0"), "8.9": ("8.6", "8.0"),
    "9.0": ("8.0",), "10.0": ("9.0", "8.0"), "10.3": ("9.0", "8.0"), "12.0": ("8.9", "8.6", "8.0"),
    "12.1": ("8.9", "8.6", "8.0"),
}  # fmt: skip


@lru_cache(256)
def of(gpu: Gpu) -> "Calibration":
    """Return the constants of a GPU: its own where refitted, else those shipped for its kind."""
    from .constants import CONSTANTS, Calibration  # loaded when the first cost is asked for

    kinds_of_it = kinds(gpu)
    values = {c.name: c.own.get(_first(kinds_of_it, c.own), c.value) for c in CONSTANTS}
    for name, value in gpu.calibration or ():
        if name not in values:
            raise ValueError(f"{gpu.name}: {name!r} is no constant of the time model")
        values[name] = value
    return Calibration(**values)


@lru_cache(1024)
def kind(gpu: Gpu, name: str) -> str:
    """Return the kind of GPU that a GPU takes a shipped constant from; empty: the value for all others."""
    from .constants import CONSTANTS

    own = next(c.own for c in CONSTANTS if c.name == name)
    return _first(kinds(gpu), own)


def _first(kinds: tuple[str, ...], own: Mapping[str, float]) -> str:
    return next((kind for kind in kinds if kind in own), "")


def shipped(name: str) -> float:
    """Return a constant's value for GPUs that have none of their own."""
    from .constants import CONSTANTS

    return next(c.value for c in CONSTANTS if c.name == name)


def standing(gpu: Gpu, family: str) -> Standing:
    """Return which measurements stand behind a family's constants on a GPU, and how near they are."""
    from .constants import CONSTANTS, FAMILIES

    about = FAMILIES[family]
    known = {name for name, _ in gpu.calibration or ()}
    if any(c.family == family and c.name in known for c in CONSTANTS):
        return Standing(family, "", 0, "", REFITTED)
    return Standing(family, about.data, about.rows, about.date, nearest(gpu, about.measured))


def nearest(gpu: Gpu, measured: tuple[str, ...]) -> str:
    """Return the compute capability among those measured that a GPU is taken to be like."""
    own = gpu.compute_capability
    return next((cc for cc in (own, *_NEAREST.get(own, ())) if cc in measured), measured[-1])


def kinds(gpu: Gpu) -> tuple[str, ...]:
    """Return what constants may depend on, from the most specific to the least."""
    own, memory = gpu.compute_capability, gpu.memory_type or ""
    first_hbm = gpu.architecture == "Pascal" and memory.startswith("HBM")
    slow = "slow memory" if gpu.corrects_in_dram or first_hbm else ""
    lanes = "128 lanes" if _lanes(gpu) > 96 else "64 lanes"
    generation = f"{own.split('.')[0]}.x"
    found = (
        own,
        slow,
        "HBM" if memory.startswith("HBM") else "",
        gpu.line,
        lanes,
        gpu.architecture,
        generation,
        *_NEAREST.get(own, ()),
    )
    return tuple(kind for kind in found if kind)


def _lanes(gpu: Gpu) -> float:
    """Return the FP32 multiply-adds of a clock and SM."""
    from ..dtypes import FP32

    return gpu.cuda_core_peak(FP32) / (2 * gpu.sms * gpu.clock)
