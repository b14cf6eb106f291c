"""The time of one operation on one GPU, as a waterfall of named terms that add up.

An operation takes its math time or its memory time, whichever is longer. Tiles, waves and alignment
lengthen the math, and the launch comes on top. Each term is what the time grows by when it is
switched on, in the order of ``Cost.terms``.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from math import fsum

from ..dtypes import FP32, FP64, DType, Format
from ..gpus import Gpu
from ..ops import Gemm, Op, Phase, Product, Stream
from .calibration import (
    ALIGNED_SHARE,
    BELOW_128_SHARE,
    EAGER_EXPOSED,
    EAGER_FLOOR,
    EAGER_PRODUCT,
    GRAPH_CLOCKS,
)
from .explain import Term, terms
from .tiles import Tiling, choose


class Limiter(StrEnum):
    """What the time of an operation is spent on."""

    LAUNCH = "launch"
    MATH = "math"
    MEMORY = "memory"


class Launch(StrEnum):
    """How kernels are started, which decides the least time that any takes."""

    GRAPH = "graph"  # replayed from a CUDA graph
    EAGER = "eager"  # one by one from Python
    KERNEL = "kernel"  # the kernel alone, its launch not counted


class Library(StrEnum):
    """Which alignment rule holds."""

    CURRENT = "current"  # cuBLAS 11.0 and cuDNN 7.6.3 or later: Tensor Cores always, best if aligned
    LEGACY = "legacy"  # earlier: Tensor Cores only for multiples of 16 bytes


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
    launch_time: float  # the floor: no operation takes less
    exposed: float  # share of the floor that a long kernel does not hide
    alignment_efficiency: float  # share of the peak rate that the alignment leaves
    tiling: Tiling | None = None  # of a product
    count: int = 1  # how often this row runs

    @property
    def ideal_time(self) -> float:
        """The larger of math and memory, were nothing wasted."""
        return max(self.math_time, self.memory_time)

    @property
    def steps(self) -> tuple[float, ...]:
        """The time as the terms are switched on one after another: the last is the time."""
        math, memory = self.math_time, self.memory_time
        tiled = math / (self.tile_efficiency * self.tile_rate)
        waved = tiled / self.wave_efficiency
        aligned = waved / self.alignment_efficiency
        busy = max(aligned, memory)
        launched = max(self.launch_time, self.exposed * self.launch_time + busy)
        return (max(math, memory), max(tiled, memory), max(waved, memory), busy, launched)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The parts of the time, in a fixed order, each with its formula and its source."""
        return terms(self)

    @property
    def time(self) -> float:
        """Seconds for one run: the sum of the terms."""
        steps = self.steps
        return fsum((steps[0], *(b - a for a, b in zip(steps, steps[1:], strict=False))))

    @property
    def wasted_time(self) -> float:
        """What tiles, waves and alignment add to the ideal time."""
        steps = self.steps
        return steps[3] - steps[0]

    @property
    def exposed_launch(self) -> float:
        """What the launch adds to the rest."""
        steps = self.steps
        return steps[4] - steps[3]

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
        """Share of the time that the ideal time would be."""
        return self.ideal_time / self.time

    @property
    def tile_efficiency(self) -> float:
        """Share of the computed tiles that is wanted output."""
        return self.tiling.tile_efficiency if self.tiling else 1.0

    @property
    def tile_rate(self) -> float:
        """Math rate of the chosen tile relative to the largest."""
        return self.tiling.rate if self.tiling else 1.0

    @property
    def wave_efficiency(self) -> float:
        """Share of the SM slots in all waves that hold a tile."""
        return self.tiling.wave_efficiency if self.tiling else 1.0

    @property
    def error(self) -> float | None:
        """Typical relative error measured for this kind of operation: none, as it is not validated."""
        return None

    def explain(self) -> str:
        """Return the terms as lines, each with the numbers put in."""
        head = f"{self.path} {self.phase} on {self.gpu.name}".strip()
        lines = [f"{t.name:<10} {t.seconds * 1e6:>10.3f} µs   {t.formula}" for t in self.terms]
        total = f"{'time':<10} {self.time * 1e6:>10.3f} µs   the sum; a model not validated by measurement"
        return "\n".join([head, *lines, total])


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
    product = not isinstance(op, Stream)
    peak = gpu.peak(form.math, sparse) if product else stream_peak(form.math, gpu)
    traffic = op.traffic(form)
    floor, exposed = launch_floor(gpu, launch, product)
    return Cost(
        path=path,
        phase=phase,
        op=op,
        gpu=gpu,
        format=form,
        peak=peak,
        flops=op.flops,
        bytes=traffic,
        math_time=op.flops / peak,
        memory_time=traffic / gpu.bandwidth,
        launch_time=floor * _launches(op),
        exposed=exposed,
        alignment_efficiency=1.0 if isinstance(op, Stream) else aligned_share(op, gpu, form, library, peak),
        tiling=None if isinstance(op, Stream) else choose(op.tiled, gpu.sms),
        count=count,
    )


def _launches(op: Op) -> int:
    """Return how many kernels follow one another: the time steps of a product that cannot run at once."""
    return op.repeat if isinstance(op, Gemm) and not op.resident else 1


def stream_peak(dtype: DType, gpu: Gpu) -> float:
    """Return the CUDA cores' rate: what they lack or do slowly they convert to FP32, and compute there."""
    rates = dict(gpu.cuda_peak)
    return max(rates.get(dtype, 0.0), rates[FP32]) if dtype is not FP64 else gpu.cuda_core_peak(FP64)


def launch_floor(gpu: Gpu, launch: Launch, product: bool) -> tuple[float, float]:
    """Return the least time of an operation in seconds, and the share of it that nothing hides."""
    match launch:
        case Launch.GRAPH:
            return GRAPH_CLOCKS / gpu.clock, 1.0
        case Launch.EAGER:
            return EAGER_FLOOR * (EAGER_PRODUCT if product else 1.0), EAGER_EXPOSED / EAGER_PRODUCT
        case Launch.KERNEL:
            return 0.0, 1.0


def alignment(op: Product, form: Format) -> int:
    """Return the largest power of two, up to 128, that divides each operand's leading dimension in bytes."""
    bits = 128 * 8
    for size in op.leading_bytes(form):
        in_bits = round(size * 8)
        bits = min(bits, in_bits & -in_bits)
    return max(bits // 8, 1)


def aligned_share(op: Product, gpu: Gpu, form: Format, library: Library, peak: float) -> float:
    """Return the share of the peak rate that alignment leaves. CUDA cores do not mind."""
    if not gpu.has_tensor_cores(form.math):
        return 1.0
    aligned = alignment(op, form)
    if aligned < 16:
        if library is Library.LEGACY:
            return min(gpu.cuda_core_peak(form.math) / peak, 1.0)
        return ALIGNED_SHARE[aligned]
    return BELOW_128_SHARE if aligned < gpu.alignment else 1.0
