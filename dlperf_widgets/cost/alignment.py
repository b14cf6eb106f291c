"""Alignment: what rows that start anywhere leave of the Tensor Cores' rate."""

from enum import StrEnum

from ..dtypes import FP32, Format
from ..gpus import Gpu
from ..ops import Product
from .estimates import ALIGNED_SHARE, BELOW_128_SHARE


class Library(StrEnum):
    """Which alignment rule holds."""

    CURRENT = "current"  # cuBLAS 11.0 and cuDNN 7.6.3 or later: Tensor Cores always, best if aligned
    LEGACY = "legacy"  # earlier: Tensor Cores only for multiples of 16 bytes


def alignment(op: Product, form: Format) -> int:
    """Return the largest power of two, up to 128, that divides each operand's leading dimension in bytes."""
    bits = 128 * 8
    for size in op.leading_bytes(form):
        bits |= round(size * 8)
    return max((bits & -bits) // 8, 1)  # the lowest bit that any of them has


def aligned_share(op: Product, gpu: Gpu, form: Format, library: Library, peak: float) -> float:
    """Return the share of the Tensor Cores' ``peak`` rate that alignment leaves."""
    aligned = alignment(op, form)
    if aligned < 16:
        if library is Library.LEGACY:
            rates = dict(gpu.cuda_peak)  # numbers that CUDA cores lack they convert to FP32
            return min(rates.get(form.math, gpu.cuda_core_peak(FP32)) / peak, 1.0)
        return ALIGNED_SHARE[aligned]
    return BELOW_128_SHARE if aligned < gpu.alignment else 1.0
