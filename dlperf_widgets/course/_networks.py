"""Exercises about memory, and about what networks consist of."""

from functools import lru_cache

from ..cost import Scenario
from ..cost.memory import footprint, largest_batch
from ..dtypes import FP16, FP32
from ..gpus import A100_SXM4_80GB as A100
from ..gpus import V100_SXM2_16GB as V100
from ..layers import Attention, Conv2d, DepthwiseSeparable, Layer, Linear
from ..models import AlexNet, Llama, ResNet50, Vgg16
from ..ops import TRAINING, Phase
from ._exercise import (
    BITS,
    GB_FOR_GIB,
    GIB_FOR_GB,
    HALF_FLOPS,
    MB_FOR_MIB,
    SHARE,
    Exercise,
    Lesson,
    instead,
    times,
)


def _constant(optimizer: str, layer: Layer | None = None) -> float:
    return footprint(layer or Vgg16(), FP32, optimizer).constant / 1e9


def _grows(batch: int) -> float:
    """Return how many times more memory twice the batch takes."""
    need = footprint(Vgg16(), FP32, "adam")
    return need.total(2 * batch) / need.total(batch)


def _proportional() -> float:
    """Return the batch if memory were proportional to it."""
    need = footprint(Vgg16(), FP32, "adam")
    return V100.memory // need.per_sample


def _scores(bytes_each: float) -> float:
    """Return the GiB of the score matrices of an attention that is not fused."""
    a = Attention(8, 2048, 2048, 16, 64)
    return a.batch * a.heads * a.queries * a.keys * bytes_each / 2**30


@lru_cache(1)
def _cache() -> float:
    return footprint(Llama("2-7B"), FP16, training=False, context=4096).cache / 2**30


def _mixed() -> float:
    return footprint(Linear(), FP16, "adam", "master").per_parameter


MEMORY = Lesson(
    "11_memory", "Where does the memory go?", 45, ("MemoryExplorer", "ServingExplorer"),
    (
        Exercise(
            "memory.mib", "How many MiB is an FP32 matrix of 1000 x 1000?",
            lambda: 1000 * 1000 * FP32.bytes / 2**20, "Four million bytes.", "MiB",
            mistakes=(
                MB_FOR_MIB, BITS,
                times(0.25, "An element of FP32 has four bytes."),
                times(0.5, "That is FP16: FP32 has four bytes."),
            ),
        ),
        Exercise(
            "memory.adam", "How much do VGG16's weights, gradients and Adam's state take in FP32?",
            lambda: _constant("adam"), "138.4 million parameters, each with four numbers.", "GB",
            mistakes=(
                GIB_FOR_GB,
                times(0.25, "Those are the weights: gradients and two moments come on top."),
                instead(lambda: _constant("sgd"), "That is plain SGD, weights and gradients."),
                instead(lambda: _constant("momentum"), "That is momentum: Adam keeps two numbers a "
                        "parameter."),
                BITS,
            ),
        ),
        Exercise(
            "memory.mixed", "How many bytes a parameter takes mixed precision: FP16, FP32 master weights, "
            "Adam?",
            _mixed, "Weights 2, gradients 2, and three FP32 numbers.", "B",
            mistakes=(
                instead(lambda: _mixed() + 2, "That is with FP32 gradients; here they are FP16."),
                times(0.75, "The FP32 master weights are missing: they come on top of the two moments."),
                times(0.25, "Weights and gradients alone: the optimizer keeps three FP32 numbers."),
            ),
        ),
        Exercise(
            "memory.double", "By which factor does memory grow from batch 32 to 64, training VGG16 with "
            "Adam?",
            lambda: _grows(32), "Weights and state do not grow: a constant plus so much a sample.",
            tolerance=0.02,
            mistakes=(
                instead(lambda: 2, "It is not proportional to the batch: the weights and the optimizer's "
                        "state stay as they are."),
                instead(lambda: 1, "Activations grow with the batch."),
            ),
        ),
        Exercise(
            "memory.largest", "Which is VGG16's largest batch on a V100 of 16 GB, with Adam in FP32 and "
            "0.6 GiB reserved?",
            lambda: largest_batch(Vgg16(), V100, FP32), "(Room - constant) / a sample; the explorer says it.",
            tolerance=0.02,
            mistakes=(
                instead(_proportional, "That is as if weights, state and reserve took nothing."),
            ),
        ),
        Exercise(
            "memory.scores", "How many GiB are the scores of attention: batch 8, 16 heads, 2048 tokens, "
            "FP16?",
            lambda: _scores(FP16.bytes), "Every query meets every key, in every head.", "GiB",
            mistakes=(
                GB_FOR_GIB, BITS,
                instead(lambda: _scores(FP32.bytes), "That is FP32."),
                instead(lambda: _scores(FP16.bytes) / 16, "Each of the 16 heads has scores of its own."),
            ),
        ),
        Exercise(
            "memory.cache", "How many GiB is the cache of a sequence of 4096 tokens of Llama-2-7B in FP16?",
            _cache, "2 x 32 layers x 4096 tokens x 4096 numbers.", "GiB",
            mistakes=(
                GB_FOR_GIB, BITS,
                times(0.5, "Keys and values: both are kept."),
                times(2, "That is FP32."),
            ),
        ),
    ),
)  # fmt: skip


def _share(layers: type[Layer], what: str) -> float:
    """Return the share of AlexNet's parameters or multiply-adds in a kind of layer, in percent."""
    net = AlexNet()
    part = sum(getattr(leaf, what) for _, leaf, _ in net.leaves() if isinstance(leaf, layers))
    return float(100 * part / getattr(net, what))


def _separable(channels: int) -> tuple[int, int]:
    """Return the multiply-adds of a separable and of a standard 3 x 3 convolution."""
    light = DepthwiseSeparable(1, channels, channels, 14, 14, 3)
    return light.macs, Conv2d(1, channels, channels, 14, 14, 3, 3, padding=1, bias=False).macs


def _depthwise() -> float:
    conv = Conv2d(32, 512, 512, 14, 14, 3, 3, padding=1, groups=512, bias=False)
    return Scenario(conv, A100, FP16).arithmetic_intensity


@lru_cache(4)
def _resnet(*phases: Phase) -> float:
    """Return the GFLOP of ResNet-50's products for one picture."""
    rows = Scenario(ResNet50(), A100, FP16, phases).costs
    return sum(2 * row.op.macs * row.count for row in rows) / 1e9


NETWORKS = Lesson(
    "12_networks", "Where are a network's parameters, and where is its work?", 45, ("ModelExplorer",),
    (
        Exercise(
            "networks.linear", "Which share of AlexNet's parameters is in its fully-connected layers?",
            lambda: _share(Linear, "params"), "Open the shares of AlexNet.", "%",
            mistakes=(
                SHARE,
                instead(lambda: _share(Linear, "macs"), "That is their share of the multiply-adds."),
                instead(lambda: _share(Conv2d, "params"), "Those are the convolutions."),
            ),
        ),
        Exercise(
            "networks.conv", "And which share of its multiply-adds is in its convolutions?",
            lambda: _share(Conv2d, "macs"), "Small weights, used at every pixel.", "%",
            mistakes=(
                SHARE,
                instead(lambda: _share(Conv2d, "params"), "That is their share of the parameters."),
                instead(lambda: _share(Linear, "macs"), "Those are the fully-connected layers."),
            ),
        ),
        Exercise(
            "networks.resnet", "How many FLOPs is a picture through ResNet-50 v1.5?",
            lambda: ResNet50().flops / 1e9, "4.09 billion multiply-adds.", "GFLOP",
            mistakes=(
                HALF_FLOPS,
                instead(lambda: _resnet(*TRAINING), "That is a training step."),
                instead(lambda: ResNet50(version="v1").flops / 1e9, "That is v1, with the stride in a 1 x "
                        "1."),
            ),
        ),
        Exercise(
            "networks.training", "How many times more FLOPs are a training step's products than the "
            "forward pass's?",
            lambda: _resnet(*TRAINING) / _resnet(Phase.FPROP),
            "Two gradients for every layer but the first.",
            mistakes=(
                instead(lambda: _resnet(Phase.DGRAD, Phase.WGRAD) / _resnet(Phase.FPROP), "That is the "
                        "backward pass alone."),
                instead(lambda: 1, "Backward is not free: it has two products for every one of forward."),
            ),
        ),
        Exercise(
            "networks.separable", "Which share of a standard 3 x 3 convolution's work is left of a "
            "separable one, "
            "with 512 channels?",
            lambda: 100 * _separable(512)[0] / _separable(512)[1], "1/512 + 1/9.", "%",
            tolerance=0.005,
            mistakes=(
                SHARE,
                instead(lambda: _separable(512)[1] / _separable(512)[0], "That is how many times less."),
                instead(lambda: 100 / 9, "That is the depthwise half: the 1 x 1 one counts too."),
            ),
        ),
        Exercise(
            "networks.depthwise", "What is the intensity of its depthwise half: batch 32, 14 x 14 pixels, "
            "FP16?",
            _depthwise, "Nine multiply-adds an element that is read and written.", "FLOPS/byte",
            mistakes=(
                HALF_FLOPS,
                times(2, "Each element is read and written, in two bytes each."),
            ),
        ),
    ),
)  # fmt: skip

LESSONS = (MEMORY, NETWORKS)
