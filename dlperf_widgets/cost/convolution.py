"""The time of a convolution on CUDA cores: the least of implicit GEMM and two forms of Winograd's algorithm.

Winograd computes m x m outputs of a 3 x 3 window from (m + 2)^2 products instead of 9 m^2, between
transforms of input, filter and output. F(2 x 2) does it in one kernel; F(4 x 4) saves more and stores
what it transforms. Only FP32 and stride 1. The gradient of the filter is such a convolution too, of the input
with the gradient of the output; cuDNN has F(4 x 4) for it.
"""

from functools import lru_cache
from math import prod
from typing import NamedTuple

from ..dtypes import FP32, DType, Format
from ..gpus import Gpu
from ..ops import Conv, Gemm, Phase
from . import product
from .calibration import of
from .engine import Engine, Tile, cut, engine
from .product import Work
from .tiles import Tiling

_IMPLICIT = ((128, 128), (128, 64), (128, 32), (64, 64), (64, 32), (32, 64), (32, 128))
_STORED = ((128, 128), (128, 64), (64, 64), (32, 128), (128, 32), (64, 32), (32, 32))
_FUSED = ((32, 32),)
RESIDENT = 2  # blocks that share an SM: one alone takes as long, as nothing hides its latencies
_PATCHES = (4, 8)  # of 2 x 2 outputs that one block of F(2 x 2) computes, of one image or several


class Algorithm(NamedTuple):
    """One way to compute a convolution."""

    name: str
    work: Work
    tile: Tile
    tiling: Tiling
    transforms: float  # seconds


@lru_cache(128)
def engines(gpu: Gpu, dtype: DType) -> tuple[Engine, Engine, Engine]:
    """Return what implicit GEMM, F(2 x 2) and F(4 x 4) meet: each with kernels of its own."""
    c = of(gpu)
    core = engine(gpu, dtype, False)._replace(
        dram=gpu.bandwidth * c.convolution_bandwidth,
        prologue=c.convolution_prologue,
        batched=(),
        splits=(1,),
        reach=0.0,
    )
    core = core._replace(sms=RESIDENT * core.sms, rate=core.rate / RESIDENT)
    return (
        core._replace(rate=core.rate * c.implicit_rate, tiles=cut(_IMPLICIT, c.cuda_reread, 1 / 64, True)),
        core._replace(rate=core.rate * c.fused_rate, tiles=cut(_FUSED, 0.0, 1 / 64, True)),
        core._replace(rate=core.rate * c.stored_rate, tiles=cut(_STORED, c.cuda_reread, 1 / 64, True)),
    )


def choose(op: Conv, gpu: Gpu, form: Format, implicit: Work) -> Algorithm:
    """Return the algorithm that takes the least time; ``implicit`` is the convolution as a product."""
    direct, fused, stored = engines(gpu, form.math)
    if op.phase is Phase.WGRAD:  # sums over all pixels: dealt out in parts, which are added up
        direct, stored = (core._replace(splits=Engine._field_defaults["splits"]) for core in (direct, stored))
    bias = _bias_bytes(op, form) / direct.dram
    ways = [_solved("implicit GEMM", implicit._replace(engine=direct), bias)]
    if form.math is FP32 and _fits(op):
        ways.append(_stored(op, form, stored, implicit, bias))
        if op.phase is not Phase.WGRAD:
            ways.append(_fused(op, form, fused, implicit, bias))
    return min(ways, key=lambda way: steps(way, 0.0)[-1])


def steps(way: Algorithm, ideal: float) -> tuple[float, ...]:
    """Return the time as the terms but the launch are switched on: algorithm, a product's, transforms."""
    levels = product.steps(way.work, way.tile, way.tiling)
    return (ideal, *levels, levels[-1] + way.transforms)


def _fits(op: Conv) -> bool:
    return op.kernel == (3, 3) and op.stride == op.dilation == (1, 1) and op.groups == 1


def _solved(name: str, work: Work, transforms: float) -> Algorithm:
    tile, split = product.choose(work)
    tiling = Tiling(work.gemm, tile.m, tile.n, work.engine.sms, split)
    return Algorithm(name, work, tile, tiling, transforms)


def _fused(op: Conv, form: Format, core: Engine, whole: Work, bias: float) -> Algorithm:
    """F(2 x 2): a block computes all 16 products; only filters, 16 elements for each 9, move besides."""
    _, given, made = _sizes(op, 2)
    patches = _PATCHES[0] * _PATCHES[1] * _regions(op)
    work = whole._replace(gemm=Gemm(patches, made, 16 * given), engine=core)
    return _solved("Winograd F(2 x 2)", work, 16 * given * made * form.math.bytes / core.dram + bias)


def _stored(op: Conv, form: Format, core: Engine, whole: Work, bias: float) -> Algorithm:
    """F(4 x 4): 36 products of stored operands, and passes that transform into and out of them."""
    patches, given, made = _sizes(op, 4)
    size = form.math.bytes
    products = 36 * size * (patches * (given + made) + given * made)
    shape = (given, made, patches) if op.phase is Phase.WGRAD else (patches, made, given)
    work = whole._replace(gemm=Gemm(*shape, 36), engine=core, moved=products)
    return _solved("Winograd F(4 x 4)", work, (whole.moved + products) / core.dram + bias)


def _bias_bytes(op: Conv, form: Format) -> float:
    """Return the bytes of the pass that adds the bias: on CUDA cores it is a kernel of its own, forward."""
    if op.phase is not Phase.FPROP:
        return 0.0
    return 2 * op.batch * op.out_channels * prod(op.output) * form.activations.bytes


def _regions(op: Conv) -> int:
    """Return the regions of 4 x 8 patches that hold all images: narrow ones lie side by side."""
    height, width = op.size if op.phase is Phase.DGRAD else op.output
    down, across = -(-height // (2 * _PATCHES[0])), -(-width // 2)
    if across > _PATCHES[1]:
        return op.batch * down * -(-across // _PATCHES[1])
    return down * -(-op.batch // (_PATCHES[1] // across))


def _sizes(op: Conv, edge: int) -> tuple[int, int, int]:
    """Return the patches of ``edge`` x ``edge`` outputs, and the channels summed over and written."""
    given, made, (height, width) = op.in_channels, op.out_channels, op.output
    if op.phase is Phase.DGRAD:
        given, made, (height, width) = made, given, op.size
    return op.batch * -(-height // edge) * -(-width // edge), given, made
