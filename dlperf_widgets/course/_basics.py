"""Exercises of the first lessons: what limits a layer, and arithmetic intensity by hand."""

from dataclasses import replace
from math import prod

from ..advice import crossover
from ..cost import Scenario
from ..cost.sm_limits import sm_limits
from ..dtypes import FP16, FP32
from ..gpus import A100_SXM4_80GB as A100
from ..gpus import V100_SXM2_16GB as V100
from ..layers import Activation, Linear, Pool2d
from ..ops import TRAINING
from ._exercise import (
    BITS,
    HALF_FLOPS,
    MIB_FOR_MB,
    MILLI,
    SPARSE,
    Exercise,
    Lesson,
    instead,
    times,
    word,
)

LIMITS = ("math", "memory", "launch")
LINEAR = Scenario(Linear(512, 1024, 4096), V100, FP16)  # the guide's own example
BLOCKS_PER_SM = 4  # from which a GPU has enough to do, by NVIDIA's background guide
MICROSECONDS = 1e6


def limiter(scenario: Scenario) -> str:
    """Return what limits the one operation of a scenario."""
    return str(scenario.costs[0].limiter)


def _crossover(scenario: Scenario) -> float:
    size = crossover(scenario, "batch")
    assert size is not None
    return size


def _fastest(scenario: Scenario) -> tuple[float, float]:
    """Return the microseconds of a product's math and of its memory traffic, at the peak rates."""
    cost = scenario.costs[0]
    return cost.math_time * MICROSECONDS, cost.memory_time * MICROSECONDS


def one_thread(operations: int = 16_000, size: int = 16) -> str:
    """Return what limits a kernel of one thread: its intensity counts only if the GPU has enough threads."""
    threads = A100.sms * sm_limits(A100).threads_per_sm
    if threads > 1:
        return "latency"
    return "math" if operations / size > A100.ops_byte_ratio(FP16) else "memory"


START = Lesson(
    "00_start", "Math or memory limited?", 15, ("LayerExplorer",),
    (
        Exercise(
            "start.crossover", "From which batch size is the layer math limited on a V100?",
            lambda: _crossover(LINEAR),
            "Drag the batch size until the verdict changes, or read the sentence below the verdict.",
            tolerance=0,
            mistakes=(
                instead(lambda: _crossover(LINEAR.on(A100)), "That is where an A100 crosses: its math has "
                        "grown more than its memory. Choose the V100 again."),
                instead(lambda: _crossover(LINEAR) - 1, "One less is still memory limited, if only just."),
            ),
        ),
        Exercise(
            "start.limiter", "What limits the layer at batch size 64?",
            lambda: limiter(LINEAR.resized("batch", 64)),
            "Set the batch size to 64 and read the verdict.", choices=LIMITS,
            mistakes=(word("math", "At 64 the point lies left of the ridge: bytes take longer than "
                    "operations."),),
        ),
        Exercise(
            "start.a100", "From which batch size is it math limited on an A100 SXM4 80GB?",
            lambda: _crossover(LINEAR.on(A100)),
            "Choose the A100 SXM4 80GB among the GPUs: the ridge moves.", tolerance=0,
            mistakes=(
                instead(lambda: _crossover(LINEAR), "That is the V100's: the A100 has more math for each "
                        "byte, so a layer must bring more of it."),
            ),
        ),
    ),
)  # fmt: skip

LIMITED = Lesson(
    "01_math_or_memory", "When is a layer limited by math, by memory, or by neither?", 30,
    ("LayerExplorer",),
    (
        Exercise(
            "limits.ratio", "How many FLOPS for each byte does an A100 SXM4 80GB have in dense FP16?",
            lambda: A100.ops_byte_ratio(FP16),
            "Divide the Tensor Cores' peak in FP16 by the bandwidth of memory.", "FLOPS/byte",
            mistakes=(
                SPARSE, HALF_FLOPS,
                instead(lambda: V100.ops_byte_ratio(FP16), "That is the V100's."),
                instead(lambda: A100.ops_byte_ratio(FP32), "That is the ratio of FP32 on CUDA cores: "
                        "products in FP16 run on Tensor Cores."),
            ),
        ),
        Exercise(
            "limits.one", "What limits the layer for a single sample?",
            lambda: limiter(LINEAR.resized("batch", 1)),
            "Compare the intensity, about 1, with what the GPU needs.", choices=LIMITS,
            mistakes=(
                word("math", "Every weight is read from memory for one multiply-add: intensity is about 1."),
                word("launch", "A launch takes some 2 µs; reading the weights alone takes longer."),
            ),
        ),
        Exercise(
            "limits.time", "What is the shortest time of the layer at batch 512 on a V100?",
            lambda: max(_fastest(LINEAR)),
            "Divide FLOPs by the peak and bytes by the bandwidth: the longer of the two counts.", "µs",
            mistakes=(
                HALF_FLOPS, MILLI,
                instead(lambda: min(_fastest(LINEAR)), "That is the memory's part: both run at the same "
                        "time, and the longer counts."),
                instead(lambda: sum(_fastest(LINEAR)), "That is the sum: math and memory overlap, so the "
                        "longer of the two counts."),
            ),
        ),
        Exercise(
            "limits.latency", "What limits one thread that does 16,000 operations on 16 bytes?",
            one_thread, "The roofline assumes that the GPU is full of work. Is it?",
            choices=("math", "memory", "latency"),
            mistakes=(
                word("math", "Its intensity of 1000 lies right of the ridge, but one thread keeps one lane "
                     "of one SM busy: the peak is out of reach."),
                word("memory", "16 bytes are nothing for this memory, and intensity is 1000."),
            ),
        ),
        Exercise(
            "limits.blocks", "How many blocks keep an A100 busy, at four for each SM?",
            lambda: BLOCKS_PER_SM * A100.sms, "An A100 has 108 SMs.", tolerance=0,
            mistakes=(
                instead(lambda: A100.sms, "That is one block for each SM: when it waits, nothing else runs."),
                instead(lambda: BLOCKS_PER_SM * V100.sms, "That is for the 80 SMs of a V100."),
            ),
        ),
    ),
)  # fmt: skip

_POOL = Scenario(Pool2d(32, 64, 56, 56, 3, 3, stride=1, padding=1), A100, FP16)


def _no_reuse(taps: int) -> float:
    """Return a pooling's intensity if every tap came from memory."""
    return taps / (FP16.bytes * (taps + 1))


INTENSITY = Lesson(
    "02_intensity_by_hand", "How do you work out arithmetic intensity with a pencil?", 40, ("LayerExplorer",),
    (
        Exercise(
            "intensity.flops", "How many FLOPs is the forward pass of Linear(512, 1024, 4096)?",
            lambda: LINEAR.flops / 1e9, "Every output is a sum of 1024 products: 2 x batch x inputs x "
                    "outputs.",
            "GFLOP",
            mistakes=(
                HALF_FLOPS,
                instead(lambda: replace(LINEAR, phases=TRAINING).flops / 1e9, "That is a training step: "
                        "forward is a third of it."),
                times(1000, "The digits are right: count in GFLOP, billions."),
            ),
        ),
        Exercise(
            "intensity.bytes", "How many bytes does it move in FP16, each operand once?",
            lambda: LINEAR.bytes / 1e6,
            "Input, weights and output, each with two bytes an element.", "MB",
            mistakes=(
                BITS, MIB_FOR_MB,
                times(0.5, "Those are the elements: FP16 has two bytes for each."),
                times(2, "That is FP32: FP16 has two bytes an element."),
                instead(lambda: prod((1024, 4096)) * FP16.bytes / 1e6, "Those are the weights alone: the "
                        "input is read and the output written too."),
            ),
        ),
        Exercise(
            "intensity.linear", "What is its arithmetic intensity?",
            lambda: LINEAR.arithmetic_intensity, "Divide the two numbers before.", "FLOPS/byte",
            mistakes=(
                times(0.5, "That is half of it: either multiply-adds were counted as one operation, or four "
                      "bytes an element."),
                times(1 / 8, "That is an operation for each bit, not for each byte."),
            ),
        ),
        Exercise(
            "intensity.relu", "What is the intensity of ReLU in FP16?",
            lambda: Scenario(Activation(2**24), A100, FP16).arithmetic_intensity,
            "One operation for each element that is read and written.", "FLOPS/byte",
            mistakes=(
                times(2, "The output is written too: four bytes for each element."),
                times(0.5, "In FP16 an element is read and written in two bytes each."),
            ),
        ),
        Exercise(
            "intensity.pool", "What is the intensity of a 3 x 3 max pooling with stride 1 in FP16?",
            lambda: _POOL.arithmetic_intensity,
            "Nine operations an output; in the ideal case every input is read once.", "FLOPS/byte",
            mistakes=(
                instead(lambda: _no_reuse(9), "So it would be if every tap were read from memory: "
                        "neighbouring windows share their inputs."),
                instead(lambda: replace(_POOL, layer=Pool2d(32, 64, 112, 112, 3, 3, 2,
                        1)).arithmetic_intensity,
                        "That is with stride 2, as in ResNet: a quarter of the outputs for the same inputs."),
                times(2, "The outputs are written too: a read and a write of two bytes for each output."),
            ),
        ),
    ),
)  # fmt: skip

LESSONS = (START, LIMITED, INTENSITY)
