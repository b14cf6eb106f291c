"""Exercises about transfers, many GPUs, measuring, and the capstone."""

from statistics import fmean, median

from ..cost import Scenario
from ..cost.collectives import all_reduce_bytes, reduce_scatter_bytes
from ..cost.lanes import bank_conflicts, bytes_in_flight, sectors
from ..cost.memory import footprint
from ..cost.overlap import overlap
from ..cost.scaling import pipeline_bubble, pipeline_overhead, pipeline_speedup
from ..cost.transfer import host_copy
from ..dtypes import FP16, FP32
from ..gpus import A100_SXM4_80GB as A100
from ..layers import Activation, Linear, Matmul
from ..links import pcie
from ..models import ResNet50
from ..units import GIB
from . import capstone
from ._exercise import (
    BITS,
    GIB_FOR_GB,
    HALF_FLOPS,
    KILO,
    MIB_FOR_MB,
    MILLI,
    SHARE,
    Exercise,
    Lesson,
    instead,
    times,
)


def _copy_ms(generation: int, size: float = GIB) -> float:
    return 1e3 * host_copy(int(size), pcie(generation)).time


TRANSFERS = Lesson(
    "13_transfers", "How do data reach the threads, and what can hide the way?", 45,
    ("OccupancyExplorer", "TrainingExplorer"),
    (
        Exercise(
            "transfers.pcie", "How long does 1 GiB take over PCIe 3 x16, at its raw rate?",
            lambda: _copy_ms(3), "15.75 GB/s.", "ms",
            mistakes=(
                MILLI, BITS,
                instead(lambda: _copy_ms(3, 1e9), "That is 1 GB: a GiB is 7% more."),
                instead(lambda: _copy_ms(4), "That is PCIe 4, twice as fast."),
            ),
        ),
        Exercise(
            "transfers.hbm", "And from the memory of an A100 SXM4 80GB?", lambda: 1e3 * GIB / A100.bandwidth,
            "2039 GB/s.", "ms",
            mistakes=(
                MILLI, KILO, BITS,
                instead(lambda: 1e3 * 1e9 / A100.bandwidth, "That is 1 GB: a GiB is 7% more."),
            ),
        ),
        Exercise(
            "transfers.overlap", "12 ms of copying in, of computing and of copying out, in four chunks that "
            "overlap: how long in all?",
            lambda: overlap(12, 12, 12, 4).time,
            "The first chunk goes through all three; then one chunk ends every 3 ms.", "ms",
            mistakes=(
                instead(lambda: overlap(12, 12, 12).time, "That is one after another."),
                instead(lambda: 12, "That is the limit for ever more chunks: the first must still go "
                        "through."),
                instead(lambda: overlap(12, 12, 12).time / 4, "Three things overlap, not four: nothing takes "
                        "less than its 12 ms."),
            ),
        ),
        Exercise(
            "transfers.sectors", "How many 32-byte sectors does a warp touch that reads every second float?",
            lambda: sectors(8, 4), "32 lanes, 8 bytes apart: 256 bytes.", tolerance=0,
            mistakes=(
                instead(lambda: sectors(4, 4), "That is without gaps: half of every sector is not asked "
                        "for."),
                instead(lambda: sectors(32, 4), "That is with a sector for every lane."),
            ),
        ),
        Exercise(
            "transfers.banks", "How many rounds does shared memory take for lanes that are 12 words apart?",
            lambda: bank_conflicts(12), "32 banks: the greatest common divisor of 12 and 32.", tolerance=0,
            mistakes=(
                instead(lambda: 12, "Lanes meet in a bank only where their words are a multiple of 32 "
                        "apart."),
                instead(lambda: bank_conflicts(11), "12 shares a divisor with 32: some banks are never "
                        "used."),
            ),
        ),
        Exercise(
            "transfers.flight", "How many MB must be under way to keep an A100's memory busy at 500 ns of "
            "latency?",
            lambda: bytes_in_flight(A100.bandwidth, 500e-9) / 1e6, "Bandwidth x latency.", "MB",
            mistakes=(MIB_FOR_MB, BITS, KILO, MILLI),
        ),
    ),
)  # fmt: skip

_GRADIENTS = ResNet50().params * FP32.bytes
_PICTURES = 1_281_167  # the training set of ImageNet's 1000 classes


def _zero(stage: int, parameters: float = 7.5e9, ranks: int = 64) -> float:
    """Return the GB a rank holds of a model's weights, gradients and state under ZeRO."""
    one = Linear(1, 1024, 1024, bias=False)
    held = footprint(one, FP16, "adam", "master", zero=stage, ranks=ranks).constant
    return held / one.params * parameters / 1e9


MANY_GPUS = Lesson(
    "14_many_gpus", "What do eight GPUs do that one does not?", 45, ("TrainingExplorer",),
    (
        Exercise(
            "gpus.all_reduce", "How many MB does each of 8 GPUs send to sum ResNet-50's FP32 gradients in "
            "a ring?",
            lambda: all_reduce_bytes(_GRADIENTS, 8) / 1e6, "2 (n - 1) / n of 102.2 MB.", "MB",
            mistakes=(
                MIB_FOR_MB, BITS,
                instead(lambda: _GRADIENTS / 1e6, "That is what there is to sum."),
                instead(lambda: reduce_scatter_bytes(_GRADIENTS, 8) / 1e6, "That is half the way: the sums "
                        "must "
                        "go round as well."),
                instead(lambda: 2 * _GRADIENTS / 1e6, "Nobody sends a rank its own part: (n - 1) / n."),
            ),
        ),
        Exercise(
            "gpus.bubble", "Which share of the time does a stage wait: 4 stages, 8 micro-batches?",
            lambda: 100 * pipeline_bubble(4, 8), "(p - 1) / (m + p - 1).", "%",
            mistakes=(
                SHARE,
                instead(lambda: 100 * pipeline_overhead(4, 8), "That is the wait against the work, not "
                        "against "
                        "the whole time."),
                instead(lambda: 100 * pipeline_bubble(8, 4), "Four stages and eight micro-batches."),
            ),
        ),
        Exercise(
            "gpus.speedup", "How many times faster are these four stages than one GPU?",
            lambda: pipeline_speedup(4, 8), "p m / (m + p - 1).",
            mistakes=(
                instead(lambda: 4, "So it would be without a bubble."),
                instead(lambda: 8, "Those are the micro-batches."),
            ),
        ),
        Exercise(
            "gpus.iterations", "How many steps has an epoch of 1,281,167 pictures at batch 256?",
            lambda: -(-_PICTURES // 256), "The last step may be smaller.", tolerance=0,
            mistakes=(instead(lambda: _PICTURES // 256, "The pictures that are left need a step too."),),
        ),
        Exercise(
            "gpus.zero", "How many GB of weights, gradients and state has each of 64 ranks of 7.5 billion "
            "parameters, under ZeRO stage 3?",
            lambda: _zero(3), "16 bytes a parameter, shared by all.", "GB",
            mistakes=(
                GIB_FOR_GB,
                instead(lambda: _zero(0), "That is without ZeRO."),
                instead(lambda: _zero(1), "That is stage 1, which shares the optimizer's state."),
                instead(lambda: _zero(2), "That is stage 2, which keeps all weights."),
            ),
        ),
    ),
)  # fmt: skip

READINGS = (21.2, 21.0, 95.4, 21.4, 21.9)  # µs: an example of what a timer says
_PRODUCT, _PRODUCT_TIME = Matmul(1, 4096, 4096, 4096), 0.5e-3
_PASS, _PASS_TIME = Scenario(Activation(2**26), A100, FP16), 0.15e-3


def _achieved() -> float:
    return _PRODUCT.flops / _PRODUCT_TIME / 1e12


MEASURE = Lesson(
    "15_measure", "Is it true?", 45, ("LayerExplorer",),
    (
        Exercise(
            "measure.median", "Readings are 21.2, 21.0, 95.4, 21.4 and 21.9 µs. Which number stands for "
            "them?",
            lambda: median(READINGS), "One reading was disturbed: which number does not mind?", "µs",
            tolerance=0.005,
            mistakes=(
                instead(lambda: fmean(READINGS), "That is the mean: one disturbed reading moves it far."),
                instead(lambda: min(READINGS), "That is the best of five: no typical run."),
            ),
        ),
        Exercise(
            "measure.rate", "A product of 4096 x 4096 x 4096 took 0.5 ms: how many TFLOPS is that?",
            _achieved, "2 x 4096 to the third over the time.", "TFLOPS",
            mistakes=(HALF_FLOPS, MILLI, KILO),
        ),
        Exercise(
            "measure.share", "Which share of an A100's dense FP16 peak is it?",
            lambda: 100 * _achieved() * 1e12 / A100.peak(FP16), "312 TFLOPS, dense.", "%",
            mistakes=(
                SHARE,
                times(0.5, "That is against the peak with sparsity, or a multiply-add was counted as one."),
            ),
        ),
        Exercise(
            "measure.bandwidth", "ReLU of 2 to the 26 FP16 elements took 0.15 ms: how many GB/s?",
            lambda: _PASS.bytes / _PASS_TIME / 1e9, "Read and written, two bytes each.", "GB/s",
            mistakes=(
                GIB_FOR_GB, BITS,
                times(0.5, "Every element is read and written."),
                times(0.25, "Those are elements a second."),
            ),
        ),
    ),
)  # fmt: skip


def _reached(peak: float) -> float:
    """Return the share of a peak that the start reaches, in percent."""
    return 100 * capstone.start().flops / capstone.start().time / peak


CAPSTONE = Lesson(
    capstone.LESSON, "Can you make it five times faster?", 60, ("ModelExplorer",),
    (
        Exercise(
            "capstone.start", "How long does a training step take at the start?",
            lambda: 1e3 * capstone.start().time, "Print start.time, in seconds.", "ms", tolerance=0.02,
            mistakes=(
                MILLI, KILO,
                instead(lambda: 1e3 * capstone.a_picture(capstone.start()), "That is for one picture."),
            ),
        ),
        Exercise(
            "capstone.reached", "Which share of the A100's dense FP16 peak does it reach?",
            lambda: _reached(A100.peak(FP16)), "start.flops over start.time, over 312 TFLOPS.", "%",
            tolerance=0.03,
            mistakes=(
                SHARE,
                instead(lambda: _reached(A100.peak(FP32)), "That is against the FP32 peak of the CUDA "
                        "cores."),
                times(0.5, "That is against the peak with sparsity, or a multiply-add was counted as one."),
            ),
        ),
    ),
)  # fmt: skip

LESSONS = (TRANSFERS, MANY_GPUS, MEASURE, CAPSTONE)
