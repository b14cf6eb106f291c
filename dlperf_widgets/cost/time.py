"""The time of one operation on one GPU, as a waterfall of named terms that add up.

An operation takes its math time or its memory time, whichever is longer. For a product, tiles, waves,
filling the pipeline, alignment and the clock lengthen the math; memory overlaps with it and may come from
the L2 cache; a split along k costs something of its own. A pass over memory may read some of it again.
The launch comes on top. Each term is what the time grows by when it is switched on, in the order of
``Cost.terms``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING, Any

from .._quick import quick
from ..dtypes import FP32, FP64, DType, Format
from ..gpus import Gpu
from ..language import tr
from ..ops import Attention, Conv, Gemm, Op, Phase, Stream
from . import product, stream
from .alignment import Library as Library
from .alignment import aligned_share
from .alignment import alignment as alignment
from .engine import Tile, engine
from .launch import Floor, floor
from .launch import Launch as Launch
from .tiles import Tiling

if TYPE_CHECKING:
    from . import attention, convolution, recurrent
    from .explain import Term
    from .validation import Validation

_MANY = 16  # operations of one layer: from here on it pays to look for equal ones


class Limiter(StrEnum):
    """What the time of an operation is spent on."""

    LAUNCH = "launch"
    MATH = "math"
    MEMORY = "memory"


@quick
@dataclass(frozen=True)
class Cost:
    """What one operation costs on one GPU. Times are in seconds."""

    path: str  # of the layer, within the one asked about
    phase: Phase
    op: Op
    gpu: Gpu = field(repr=False)
    format: Format = field(repr=False)
    peak: float  # dense FLOPS, or sparse where the scenario says so
    flops: int
    bytes: float
    math_time: float  # at the peak rate
    memory_time: float  # at the peak bandwidth
    floor: Floor  # of the launch
    alignment_efficiency: float = 1.0  # share of the peak rate that the alignment leaves
    tiling: Tiling | None = None  # of a product
    work: product.Work | None = field(default=None, repr=False)  # of a product
    tile: Tile | None = field(default=None, repr=False)  # of a product
    count: int = 1  # how often this row runs
    walk: "attention.Walk | None" = field(default=None, repr=False)  # of fused attention on Tensor Cores
    way: "convolution.Algorithm | None" = field(default=None, repr=False)  # of a convolution on CUDA cores
    launch: Launch = Launch.GRAPH
    recurrence: "recurrent.Recurrence | None" = field(default=None, repr=False)  # of a recurrent product

    def at(self, path: str, count: int) -> "Cost":
        """Return the row of an equal layer elsewhere. The time comes along: it is the same."""
        _ = self.time
        other = object.__new__(Cost)
        other.__dict__.update(self.__dict__, path=path, count=count)
        return other

    def started(self, floor: Floor) -> "Cost":
        """Return the row with another floor: the steps before it are the same."""
        other = object.__new__(Cost)
        steps = (*self.steps[:-1], floor.over(self.busy_time))
        other.__dict__.update(self.__dict__, floor=floor, steps=steps)
        other.__dict__.pop("time", None)
        return other

    @cached_property
    def steps(self) -> tuple[float, ...]:
        """The time as the terms are switched on one after another: the last is the time."""
        if self.way:
            from . import convolution

            busy = convolution.steps(self.way, self.ideal_time)
        elif self.recurrence:
            from . import recurrent

            busy = recurrent.steps(self.recurrence)
        elif self.work and self.tile and self.tiling:
            busy = product.steps(self.work, self.tile, self.tiling)
        elif self.walk and isinstance(self.op, Attention):
            aligned = self.alignment_efficiency
            from . import attention

            busy = attention.steps(self.op, self.walk, self.format, self.memory_time, aligned)
        else:
            assert isinstance(self.op, Stream)
            size = self.op.role.dtype(self.format).bytes
            busy = stream.steps(self.op, self.gpu, self.math_time, self.memory_time, self.bytes, size)
        return (*busy, self.floor.over(busy[-1]))

    @property
    def seconds(self) -> tuple[float, ...]:
        """What each term adds."""
        return (self.steps[0], *[after - before for before, after in pairwise(self.steps)])

    @property
    def terms(self) -> "tuple[Term, ...]":
        """The parts of the time, in a fixed order, each with its formula and its source."""
        from .explain import terms  # loaded when somebody asks

        return terms(self)

    @cached_property
    def time(self) -> float:
        """Seconds for one run: the sum of the terms."""
        return fsum(self.seconds)

    @property
    def launch_time(self) -> float:
        """The floor: no operation takes less."""
        return self.floor.seconds

    @property
    def ideal_time(self) -> float:
        """The larger of math and memory, were nothing wasted."""
        return max(self.math_time, self.memory_time)

    @property
    def busy_time(self) -> float:
        """What the GPU works: the time but for the launch. Caches can make it less than the ideal."""
        return self.steps[-2]

    @property
    def wasted_time(self) -> float:
        """What all terms between the ideal and the launch add, less what a cache or the clock saves."""
        return self.busy_time - self.steps[0]

    @property
    def exposed_launch(self) -> float:
        """What the launch adds to the rest."""
        return self.steps[-1] - self.steps[-2]

    @property
    def limiter(self) -> Limiter:
        """The launch if its floor exceeds the ideal time, else the larger of math and memory."""
        if self.launch_time > self.ideal_time:
            return Limiter.LAUNCH
        return Limiter.MATH if self.math_time >= self.memory_time else Limiter.MEMORY

    @property
    def arithmetic_intensity(self) -> float:
        """Flops for each byte moved, in FLOPS/byte."""
        return self.flops / self.bytes

    @property
    def rate(self) -> float:
        """Achieved FLOPS."""
        return self.flops / self.time

    @property
    def efficiency(self) -> float:
        """Share of the time that the ideal time would be; above 1 where a cache or the clock saves some."""
        return self.ideal_time / self.time

    @property
    def tile_efficiency(self) -> float:
        """Share of the computed tiles that is wanted output."""
        return self.tiling.tile_efficiency if self.tiling else 1.0

    @property
    def wave_efficiency(self) -> float:
        """Share of the SM slots in all waves that hold a part."""
        return self.tiling.wave_efficiency if self.tiling else 1.0

    @property
    def families(self) -> tuple[str, ...]:
        """The families of fitted constants that the time depends on, but for the launch."""
        if isinstance(self.op, Stream):
            return ("stream", "memory")
        if self.way:
            return ("convolution",)
        if self.recurrence:
            return ("recurrent", "memory")
        return (
            ("attention",)
            if self.walk
            else ("tensor",)
            if self.work and self.work.engine.tensor
            else ("cuda",)
        )

    @property
    def validation(self) -> "Validation | None":
        """What the time was compared with; None where nothing backs it."""
        from .validation import validation

        return validation(self)

    @property
    def error(self) -> float | None:
        """Mean relative error measured for this kind of operation, format and generation, or None."""
        return self.validation.error if self.validation else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Seconds between which 8 of 10 measurements of such operations lay, or None where there are none."""
        from .validation import interval

        return interval(self)

    def explain(self) -> str:
        """Return the terms as lines, each with the numbers put in, and how far the time can be trusted."""
        from .validation import standing, trust

        head = tr("{row} on {gpu}", row=f"{self.path} {self.phase}".strip(), gpu=self.gpu.name)
        lines = [f"{tr(t.name):<10} {t.seconds * 1e6:>10.3f} µs   {t.formula}" for t in self.terms]
        total = f"{tr('time'):<10} {self.time * 1e6:>10.3f} µs   {trust(self)}; {standing(self)}"
        return "\n".join([head, *lines, total])


def priced(path: str, phase: Phase, ops: Sequence[Op], count: int, *how: Any) -> tuple[Cost, ...]:
    """Return what a layer's operations cost. Equal ones, as of a deep recurrent network, share a row."""
    if len(ops) < _MANY:
        return tuple(cost(path, phase, op, count, *how) for op in ops)
    known = {op: cost(path, phase, op, count, *how) for op in dict.fromkeys(ops)}
    return tuple(known[op] for op in ops)


def cost(
    path: str,
    phase: Phase,
    op: Op,
    count: int,
    gpu: Gpu,
    form: Format,
    launch: Launch,
    library: Library,
    sparse: bool,
) -> Cost:
    """Return what an operation costs. A stream runs on CUDA cores, a product where its format can."""
    traffic, start = op.traffic(form), floor(op, gpu, launch)
    if isinstance(op, Stream):
        peak = stream_peak(form.math, gpu)
        math, memory = op.flops / peak, traffic / gpu.bandwidth
        flow = (op.flops, traffic, math, memory)
        return Cost(path, phase, op, gpu, form, peak, *flow, start, count=count, launch=launch)
    core = engine(gpu, form.math, sparse)
    math, memory = op.flops / core.peak, traffic / gpu.bandwidth
    aligned = aligned_share(op, gpu, form, library, core.peak) if core.tensor else 1.0
    head = (path, phase, op, gpu, form, core.peak, op.flops, traffic, math, memory, start)
    if core.tensor and isinstance(op, Attention):
        from . import attention  # these two are loaded for those who need them

        walk = attention.walk(gpu, form.math, sparse)
        return Cost(*head, aligned, attention.tiling(op, gpu), count=count, walk=walk, launch=launch)
    work = product.asked(op, core, form, traffic, memory, aligned)
    if isinstance(op, Conv) and not core.tensor:
        from . import convolution

        way = convolution.choose(op, gpu, form, work)
        return Cost(*head, aligned, way.tiling, way.work, way.tile, count, way=way, launch=launch)
    if isinstance(op, Gemm) and op.repeat > 1:
        from . import recurrent

        step = recurrent.choose(op, gpu, form, work, sparse)
        solved = (step.tiling, step.work, step.tile)
        return Cost(*head, aligned, *solved, count, launch=launch, recurrence=step)
    tile, split = product.choose(work)
    tiling = Tiling(work.gemm, tile.m, tile.n, gpu.sms, split)
    return Cost(*head, aligned, tiling, work, tile, count, launch=launch)


@lru_cache(256)
def stream_peak(dtype: DType, gpu: Gpu) -> float:
    """Return the CUDA cores' rate: what they lack or do slowly they convert to FP32, and compute there."""
    if dtype is FP64:
        return gpu.cuda_core_peak(FP64)
    return max(dict(gpu.cuda_peak).get(dtype, 0.0), gpu.cuda_core_peak(FP32))
