"""Exercises about number formats: range, loss scaling, peaks, prices."""

from ..cost.formats import FLOATINGS
from ..cost.precision import loss_scaling, lost_ratio
from ..cost.quantization import quantized_bytes
from ..dtypes import FP16, FP32, TF32
from ..gpus import A100_SXM4_80GB as A100
from ..gpus import GTX_1080_TI, TITAN_X_PASCAL, Gpu
from ..models import ResNet50
from ._exercise import (
    BITS,
    HALF_FLOPS,
    SPARSE,
    Exercise,
    Lesson,
    instead,
    times,
)


def least_scale(gradient: float) -> float:
    """Return the smallest power of two that keeps a gradient from becoming zero in FP16."""
    scale = 1.0
    while loss_scaling([gradient], scale).lost:
        scale *= 2
    return scale


def per_dollar(gpu: Gpu) -> float:
    """Return FP32 FLOPS for each dollar of a card's launch price."""
    return gpu.cuda_core_peak(FP32) / gpu.price("card").amount


def _weights_mb(bytes_each: float) -> float:
    return ResNet50().params * bytes_each / 1e6


PRECISION = Lesson(
    "10_precision", "What do fewer bits cost, and what do they buy?", 45, ("PrecisionExplorer",
    "CompareExplorer"),
    (
        Exercise(
            "precision.smallest", "Which power of two is the smallest positive number of FP16?",
            lambda: FLOATINGS[FP16].smallest_exponent - FLOATINGS[FP16].mantissa,
            "Subnormal numbers count: the exponent of the smallest normal one, less ten bits.", tolerance=0,
            mistakes=(
                instead(lambda: FLOATINGS[FP16].smallest_exponent, "That is the smallest normal number: "
                        "subnormal ones go on for ten bits."),
                times(-1, "The digits are right: a number below one has a negative exponent."),
            ),
        ),
        Exercise(
            "precision.largest", "Which is the largest number of FP16?", lambda: FLOATINGS[FP16].max,
            "(2 - 1/1024) x 2 to the 15.", tolerance=0,
            mistakes=(
                instead(lambda: 2.0**16, "That is the next power of two: it would be infinite."),
                instead(lambda: 2.0**16 - 1, "That is the largest 16-bit whole number."),
                instead(lambda: 2.0**15, "The mantissa can be almost two."),
            ),
        ),
        Exercise(
            "precision.scale", "Which is the smallest power of two that saves a gradient of 2 to the -27?",
            lambda: least_scale(2.0**-27), "It must come out at 2 to the -24 or more.", tolerance=0,
            mistakes=(
                instead(lambda: 3, "That is the exponent: asked for is the power of two itself."),
                times(0.5, "2 to the -25 lies half way to zero, and rounds to it."),
                times(2, "Half of that is enough."),
            ),
        ),
        Exercise(
            "precision.update", "From which ratio of weight to update can FP16 lose the update?",
            lost_ratio, "Eleven significant bits, the leading one included.", tolerance=0,
            mistakes=(
                times(0.5, "That counts the ten stored bits: the leading one is there too."),
                times(2, "From that ratio on every update is lost; some are lost before."),
            ),
        ),
        Exercise(
            "precision.tf32", "What is the dense TF32 peak of an A100?", lambda: A100.peak(TF32) / 1e12,
            "Half of its FP16 rate.", "TFLOPS",
            mistakes=(
                SPARSE, HALF_FLOPS,
                instead(lambda: A100.peak(FP32) / 1e12, "That is FP32 on CUDA cores."),
            ),
        ),
        Exercise(
            "precision.int8", "How many MB do the weights of ResNet-50 take in INT8, with one scale?",
            lambda: quantized_bytes(ResNet50().params) / 1e6, "A byte a weight.", "MB",
            mistakes=(
                BITS,
                instead(lambda: _weights_mb(FP32.bytes), "That is FP32: INT8 takes a quarter."),
                instead(lambda: _weights_mb(FP16.bytes), "That is FP16: INT8 takes half."),
            ),
        ),
        Exercise(
            "precision.price", "How many times more FP32 FLOPS a dollar did a GTX 1080 Ti give than a "
            "Titan X of 2016?",
            lambda: per_dollar(GTX_1080_TI) / per_dollar(TITAN_X_PASCAL),
            "11.3 TFLOPS for $699 against 11.0 for $1200.", tolerance=0.02,
            mistakes=(
                instead(lambda: per_dollar(TITAN_X_PASCAL) / per_dollar(GTX_1080_TI), "Turn it round."),
                instead(lambda: GTX_1080_TI.peak(FP32) / TITAN_X_PASCAL.peak(FP32), "That compares the "
                        "rates: "
                        "divide each by its price."),
            ),
        ),
    ),
)  # fmt: skip

LESSONS = (PRECISION,)
