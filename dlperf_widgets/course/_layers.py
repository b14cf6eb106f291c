"""Exercises about convolution, recurrent layers, and layers that memory limits."""

from math import prod

from ..cost import Launch, Scenario
from ..dtypes import FP16
from ..gpus import A100_SXM4_80GB as A100
from ..gpus import V100_SXM2_16GB as V100
from ..layers import Activation, BatchNorm2d, Conv2d, Gru, Lstm, Passes, Pool2d, Rnn
from ..ops import TRAINING, Gemm, Phase, Stream
from ._basics import LIMITS
from ._exercise import (
    BITS,
    HALF_FLOPS,
    KILO,
    MIB_FOR_MB,
    MILLI,
    SHARE,
    Exercise,
    Lesson,
    instead,
    times,
    word,
)

_CONV2 = Conv2d(32, 64, 64, 56, 56, 3, 3, padding=1, bias=False)  # ResNet's first 3 x 3
_POINTWISE = Conv2d(32, 256, 64, 56, 56, 1, 1, bias=False)


def _stem(colours: int = 3, padding: int = 3) -> Conv2d:
    return Conv2d(32, colours, 64, 224, 224, 7, 7, stride=2, padding=padding, bias=False)


def _implicit(conv: Conv2d) -> Gemm:
    """Return the product that a convolution's forward pass is."""
    return Scenario(conv, A100, FP16).costs[0].op.gemms[0]


def _conv_gflop(*phases: Phase) -> float:
    return Scenario(_CONV2, A100, FP16, phases).flops / 1e9


CONVOLUTION = Lesson(
    "07_convolution", "Which matrix product is a convolution?", 40, ("LayerExplorer", "GemmExplorer"),
    (
        Exercise(
            "conv.alexnet", "How wide is the output of an 11 x 11 convolution of 227 pixels with stride 4?",
            lambda: Conv2d(1, 3, 96, 227, 227, 11, 11, stride=4).output[0],
            "(pixels + 2 x padding - kernel) / stride, rounded down, plus one.", tolerance=0,
            mistakes=(
                instead(lambda: (227 - 11) // 4, "Plus one: the kernel has a first place before it moves."),
                instead(lambda: 227 // 4, "The kernel must lie inside: subtract it first."),
            ),
        ),
        Exercise(
            "conv.stem", "And of ResNet's first: 7 x 7, stride 2, padding 3, on 224 pixels?",
            lambda: _stem().output[0], "Round down before adding one.", tolerance=0,
            mistakes=(
                instead(lambda: _stem().output[0] + 1, "Round down: half a step finds no pixels."),
                instead(lambda: _stem(padding=0).output[0], "The padding lies on both sides: 6 pixels more."),
            ),
        ),
        Exercise(
            "conv.m", "What is M of the product of ResNet's 3 x 3: batch 32, 56 x 56 pixels, 64 channels?",
            lambda: _implicit(_CONV2).m, "A row for every output pixel of every picture.", tolerance=0,
            mistakes=(
                instead(lambda: prod(_CONV2.output), "That is for one picture of 32."),
                instead(lambda: _CONV2.batch, "That is the batch: every pixel is a row of its own."),
            ),
        ),
        Exercise(
            "conv.k", "And its K?", lambda: _implicit(_CONV2).k,
            "An output pixel sums over every channel of every tap.", tolerance=0,
            mistakes=(
                instead(lambda: _CONV2.in_channels, "Each of the nine taps sees all channels."),
                instead(lambda: prod(_CONV2.kernel), "Each of the nine taps sees 64 channels."),
            ),
        ),
        Exercise(
            "conv.flops", "How many FLOPs is its forward pass?", lambda: _conv_gflop(Phase.FPROP),
            "2 x M x N x K.", "GFLOP",
            mistakes=(
                HALF_FLOPS,
                instead(lambda: _conv_gflop(*TRAINING), "That is a training step, three times as much."),
                times(1 / 9, "The nine taps are missing."),
            ),
        ),
        Exercise(
            "conv.pointwise", "What limits a 1 x 1 convolution of 256 to 64 channels, batch 32, 56 x 56 "
            "pixels?",
            lambda: str(Scenario(_POINTWISE, A100, FP16).costs[0].limiter),
            "Work out its intensity: K is only 256.", choices=LIMITS,
            mistakes=(
                word("math", "Its intensity is about 51, and an A100 wants 153: without taps, K is small."),
            ),
        ),
        Exercise(
            "conv.colours", "How many more FLOPs is ResNet's first convolution with 4 colours instead of 3?",
            lambda: 100 * (_stem(4).flops / _stem(3).flops - 1), "K grows from 3 x 49 to 4 x 49.", "%",
            mistakes=(
                SHARE,
                instead(lambda: 100 * (1 - _stem(3).flops / _stem(4).flops), "Compare with the 3 there "
                        "were."),
            ),
        ),
    ),
)  # fmt: skip


def _lstm(batch: int = 64) -> Scenario:
    return Scenario(Lstm(batch, 50, 1024, 1024), V100, FP16)


def _recurrent(batch: int) -> float:
    """Return the intensity of a time step's product."""
    return _lstm(batch).costs[1].arithmetic_intensity


RECURRENT = Lesson(
    "08_recurrent", "Why does a recurrent layer wait for itself?", 35, ("LayerExplorer",),
    (
        Exercise(
            "recurrent.products", "How many matrices multiply the input and the state in a step of an LSTM?",
            lambda: 2 * Lstm.gates, "Four gates, each sees the input and the state.", tolerance=0,
            mistakes=(
                instead(lambda: Lstm.gates, "Each gate has two: one for the input, one for the state."),
                instead(lambda: 2 * Gru.gates, "That is a GRU, of three gates."),
            ),
        ),
        Exercise(
            "recurrent.params", "How many parameters has an LSTM of 1024 inputs and 1024 units, with two "
            "biases?",
            lambda: Lstm(1, 1, 1024, 1024).params, "4 x (1024 x 1024 + 1024 x 1024 + 2 x 1024).",
            tolerance=0,
            mistakes=(
                instead(lambda: Rnn(1, 1, 1024, 1024).params, "That is one gate of four."),
                instead(lambda: Gru(1, 1, 1024, 1024).params, "That is a GRU, of three gates."),
                instead(lambda: Lstm(1, 1, 1024, 1024).params - 4 * 1024, "That is with one bias: PyTorch "
                        "and "
                        "cuDNN have two."),
                instead(lambda: Lstm(1, 1, 1024, 1024, bias=False).params, "The biases are missing."),
            ),
        ),
        Exercise(
            "recurrent.intensity", "What is the intensity of its recurrent product at batch 64 in FP16?",
            lambda: _recurrent(64), "A product of 4096 x 64 x 1024.", "FLOPS/byte",
            mistakes=(
                HALF_FLOPS,
                instead(lambda: _lstm().costs[0].arithmetic_intensity, "That is the input's product, which "
                        "takes all 50 time steps at once."),
            ),
        ),
        Exercise(
            "recurrent.limiter", "What limits the recurrent product at batch 128 on a V100?",
            lambda: str(_lstm(128).costs[1].limiter),
            "Its intensity is about 111.", choices=LIMITS,
            mistakes=(word("math", "A V100 wants 139 FLOPS a byte: the guide says more than 128 samples."),),
        ),
        Exercise(
            "recurrent.macs", "How many multiply-adds is LSTM(10, 20) on 5 steps of 3 sequences?",
            lambda: Lstm(3, 5, 10, 20).macs, "15 x 4 x 20 x (10 + 20).", tolerance=0,
            mistakes=(
                times(2, "Those are FLOPs: two for each multiply-add."),
                instead(lambda: Lstm(3, 1, 10, 20).macs, "That is one time step of five."),
                instead(lambda: Rnn(3, 5, 10, 20).macs, "That is one gate of four."),
            ),
        ),
    ),
)  # fmt: skip


def _norm(passes: Passes = Passes.PERSISTENT) -> Scenario:
    return Scenario(BatchNorm2d(32, 64, 56, 56, passes), A100, FP16)


def _norm_mb(passes: Passes = Passes.PERSISTENT) -> float:
    """Return the megabytes that the activations' reads and writes move."""
    op = _norm(passes).costs[0].op
    assert isinstance(op, Stream)
    return (op.reads + op.writes) * FP16.bytes / 1e6


def _norm_us(passes: Passes = Passes.PERSISTENT) -> float:
    return _norm_mb(passes) * 1e12 / A100.bandwidth


def _ratio(kind: str) -> float:
    """Return how many times longer a function takes than ReLU."""
    times_ = [Scenario(Activation(2**26, each), A100, FP16).costs[0].time for each in (kind, "relu")]
    return times_[0] / times_[1]


def _floor_mb() -> float:
    """Return the megabytes that pass at full bandwidth while a kernel starts from a graph."""
    cost = Scenario(Activation(1024), A100, FP16, launch=Launch.GRAPH).costs[0]
    return cost.launch_time * A100.bandwidth / 1e6


MEMORY_LIMITED = Lesson(
    "09_memory_limited", "What does a layer cost that hardly computes?", 45, ("MemoryLimitedExplorer",),
    (
        Exercise(
            "limited.bytes", "How many bytes does a persistent batch norm of 32 x 64 x 56 x 56 move "
            "forward, in FP16?",
            _norm_mb, "Every element is read once and written once.", "MB",
            mistakes=(
                BITS, MIB_FOR_MB,
                times(0.5, "Read and written: two passes over the elements."),
                instead(lambda: _norm_mb(Passes.TWO_PASS), "That is with two reads: a persistent kernel "
                        "keeps "
                        "a channel on the chip and reads once."),
                times(2, "That is FP32: FP16 has two bytes an element."),
            ),
        ),
        Exercise(
            "limited.time", "How long does it take at the full 2039 GB/s of an A100?", _norm_us,
            "Bytes over bandwidth.", "µs",
            mistakes=(
                MILLI,
                instead(lambda: _norm_us(Passes.TWO_PASS), "That is with two reads of the input."),
                instead(lambda: _norm_us(Passes.THREE_PASS), "That is with three reads of the input."),
                times(8, "Those are bits over bytes a second."),
            ),
        ),
        Exercise(
            "limited.function", "How many times longer does a sigmoid take than ReLU, on 64 million "
            "elements?",
            lambda: _ratio("sigmoid"), "What do both read and write?",
            mistakes=(
                instead(lambda: 4, "It computes about four times as much, but nobody waits for that: both "
                        "move the same bytes."),
            ),
        ),
        Exercise(
            "limited.pool", "What is the intensity of ResNet's max pooling: 3 x 3, stride 2, 112 to 56 "
            "pixels?",
            lambda: Scenario(Pool2d(32, 64, 112, 112, 3, 3, 2, 1), A100, FP16).arithmetic_intensity,
            "Nine operations an output; four inputs are read for each.", "FLOPS/byte",
            mistakes=(
                instead(lambda: Scenario(Pool2d(32, 64, 56, 56, 3, 3, 1, 1), A100, FP16).arithmetic_intensity,
                        "That is with stride 1: here there are four inputs to an output."),
                times(0.5, "Two bytes an element in FP16."),
            ),
        ),
        Exercise(
            "limited.knee",
            "How many MB pass at full bandwidth while a kernel starts from a CUDA graph?",
            _floor_mb, "Time x bandwidth: below it, a layer takes as long as its launch.", "MB",
            tolerance=0.02,
            mistakes=(
                BITS, MIB_FOR_MB, KILO,
            ),
        ),
    ),
)  # fmt: skip

LESSONS = (CONVOLUTION, RECURRENT, MEMORY_LIMITED)
