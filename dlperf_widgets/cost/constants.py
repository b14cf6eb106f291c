"""The fitted constants: value, unit, what it stands for, and the measurements it was fitted to.

Each has one value for all GPUs but the kinds listed in ``own``: a compute capability, an architecture, a
line of cards, or a kind of memory or SM. ``make fit`` refits them and prints what would change.
"""

from collections.abc import Mapping
from math import inf
from types import MappingProxyType
from typing import NamedTuple


class Family(NamedTuple):
    """What the constants of one kind of operation were fitted to."""

    data: str  # whose measurements, of what, on which GPUs
    rows: int  # measurements there are; the fit takes a sample of 3,000
    date: str  # of the fit
    measured: tuple[str, ...]  # compute capabilities


class Constant(NamedTuple):
    """One number of the time model."""

    name: str
    family: str
    value: float
    unit: str  # "1" for a plain ratio
    meaning: str
    own: Mapping[str, float] = MappingProxyType({})  # the values of some kinds of GPU
    guessed: tuple[str, ...] = ()  # kinds of GPU whose value was not fitted
    most: float = inf  # by its meaning


class Calibration(NamedTuple):
    """The constants of one GPU, as plain numbers, by the names in ``CONSTANTS``."""

    bandwidth_share: float
    tensor_rate: float
    tensor_reread: float
    tensor_prologue: float
    tensor_overlap: float
    tensor_bandwidth: float
    tensor_l2_part: float
    tensor_l2_rate: float
    tensor_launch: float
    tensor_split: float
    tensor_boost: float
    tensor_energy: float
    tensor_delay: float
    cuda_rate: float
    cuda_reread: float
    cuda_prologue: float
    cuda_bandwidth: float
    cuda_reach: float
    cuda_energy: float
    cuda_delay: float
    stream_l2_part: float
    stream_l2_rate: float
    stream_l1_part: float
    norm_row: float
    norm_column: float
    softmax_column: float
    row_overlap: float
    reread_l2_rate: float
    indexed_element: float
    implicit_rate: float
    fused_rate: float
    stored_rate: float
    convolution_bandwidth: float
    convolution_prologue: float
    attention_rate: float
    attention_launch: float
    attention_exponential: float
    attention_prologue: float
    attention_alone: float
    attention_l2_rate: float
    attention_block: float
    attention_combine: float
    attention_l2_part: float
    attention_reread: float
    recurrent_call: float
    recurrent_latency: float
    recurrent_ahead: float
    recurrent_bandwidth: float
    recurrent_stall: float
    stream_launch: float
    weights_between: float
    host: float
    eager_product: float
    eager_linear: float
    eager_convolution: float
    eager_exposed: float
    eager_stream: float
    eager_overlap: float
    eager_one: float
    eager_two: float
    eager_softmax: float
    eager_norm: float


_NEUSIGHT = ("6.0", "6.1", "7.0", "7.5", "8.0")
FAMILIES = {
    "memory": Family(
        "NeuSight, FP32 passes over memory, A100, V100, T4, P100, P4", 86_463, "2026-12-01", _NEUSIGHT
    ),
    "tensor": Family(
        "aiconfigurator, BF16 products, A100, H100, L40S; Vidur, FP16, A100; LLMServingSim, 16 bits, "
        "RTX 3090, RTX A6000, RTX 4090",
        151_095, "2026-12-01", ("8.0", "8.6", "8.9", "9.0"),
    ),
    "cuda": Family("NeuSight, FP32 products, A100, V100, T4, P100, P4", 114_143, "2026-12-01", _NEUSIGHT),
    "stream": Family(
        "NeuSight, FP32 elementwise, softmax and layer norm, A100, V100, T4, P100, P4",
        86_463, "2026-12-01", _NEUSIGHT,
    ),
    "convolution": Family(
        "NeuSight, FP32 3 x 3, V100, T4, P100, P4", 19_875, "2026-12-01", ("6.0", "6.1", "7.0", "7.5")
    ),
    "attention": Family(
        "aiconfigurator, BF16 prefill and decode, A100, H100, L40S",
        36_362, "2026-12-01", ("8.0", "8.9", "9.0"),
    ),
    "recurrent": Family(
        "DeepBench, FP32 and FP16 without the input product, V100, P100, M40, 1080 Ti, three Titans",
        1_161, "2026-12-01", ("5.2", "6.0", "6.1", "7.0"),
    ),
    "launch": Family("Vidur, A100; NeuSight's hosts", 86_463, "2026-12-01", ("8.0",)),
}  # fmt: skip

_M, _T, _C, _S, _V, _A, _R, _L = FAMILIES
CONSTANTS = (
    Constant(
        "bandwidth_share", _M, 0.925, "1", "share of the datasheet bandwidth that a pass over memory reaches",
        {"slow memory": 0.751}, most=1.0,
    ),
    # Products on Tensor Cores.
    Constant(
        "tensor_rate", _T, 0.931, "1",
        "share of the peak rate in the largest tile's inner loop", most=1.0,
    ),
    Constant(
        "tensor_reread", _T, 27, "elements",
        "how much slower smaller tiles are, as they read operands more often: times 1/tm + 1/tn - 3/256",
    ),
    Constant(
        "tensor_prologue", _T, 0.174, "clocks of an SM", "filling and writing a tile, for one element",
        {"7.0": 0.29, "7.5": 0.29, "9.0": 0.0527},
        ("7.0", "7.5"),  # without asynchronous copies; as DeepBench's products on the V100 suggest
    ),
    Constant(
        "tensor_overlap", _T, 2.83, "1", "p in time^p = math^p + memory^p: how well the two overlap"
    ),
    Constant(
        "tensor_bandwidth", _T, 0.927, "1", "share of the datasheet bandwidth that operands reach",
        {"HBM": 0.837, "slow memory": 0.796}, most=1.0,
    ),
    Constant(
        "tensor_l2_part", _T, 0.623, "1",
        "part of the L2 cache that still holds operands just used", most=1.0,
    ),
    Constant("tensor_l2_rate", _T, 5.06, "bytes a clock and SM", "what the L2 cache then delivers"),
    Constant("tensor_launch", _T, 4640, "clocks", "launch and drain of one kernel in a CUDA graph"),
    Constant("tensor_split", _T, 0.817, "launches", "the kernel that adds up a product split along k"),
    Constant(
        "tensor_boost", _T, 1.0, "1", "clock above the specification's while power allows",
        {"GeForce": 1.156}, ("",),
    ),
    Constant(
        "tensor_energy", _T, 1.259e-12, "J", "one FLOP at 16 bits; other formats draw as much at their peak",
        {
            "7.0": 1.6e-12, "7.5": 1.6e-12, "8.0": 1.292e-12, "8.6": 2e-12, "8.9": 1.27e-12,
            "9.0": 6.53e-13, "10.0": 0.43e-12,
        },
        ("", "7.0", "7.5", "10.0"),
    ),
    Constant("tensor_delay", _T, 8.9e-05, "s", "how long until the power limit lowers the clock"),
    # Products on CUDA cores.
    Constant(
        "cuda_rate", _C, 1, "1",
        "share of the peak rate in the largest tile; 128 lanes compete with loads for issue slots",
        {"128 lanes": 0.8151}, most=1.0,
    ),
    Constant(
        "cuda_reread", _C, 15.57, "elements",
        "how much slower and hungrier smaller tiles are: times 1/tm + 1/tn - 1/64",
    ),
    Constant("cuda_prologue", _C, 14.29, "elements of k", "filling and draining a tile's pipeline"),
    Constant("cuda_bandwidth", _C, 0.7641, "1", "share of a pass's bandwidth that operands reach", most=1.0),
    Constant(
        "cuda_reach", _C, 1.2e10, "B",
        "rows of operands that one wave reads, in whole, at which translating addresses doubles the time",
        {"6.0": 1.8e8},
    ),
    Constant(
        "cuda_energy", _C, 1.48e-11, "J", "one FP32 FLOP",
        {"Ampere": 1.064e-11, "Ada": 7.4e-12, "Hopper": 7.4e-12, "Blackwell": 7.4e-12},
        ("Ada", "Hopper", "Blackwell"),
    ),
    Constant("cuda_delay", _C, 0.0005335, "s", "how long until the power limit lowers the clock"),
    # Passes over memory.
    Constant(
        "stream_l2_part", _S, 0.79, "1",
        "part of the L2 cache that still holds what was just used", most=1.0,
    ),
    Constant("stream_l2_rate", _S, 9, "bytes a clock and SM", "what the L2 cache then delivers"),
    Constant(
        "stream_l1_part", _S, 0.446, "1", "part of the L1 cache that holds rows until they are read again",
        {"7.x": 0.623}, most=1.0,
    ),
    Constant("norm_row", _S, 476, "clocks of an SM", "instructions for one row of a norm or long softmax"),
    Constant("norm_column", _S, 0.492, "clocks of an SM", "instructions for one element of a layer norm"),
    Constant("softmax_column", _S, 0.723, "clocks of an SM", "instructions for an element of a long softmax"),
    Constant(
        "row_overlap", _S, 1.73, "1",
        "p in time^p = memory^p + instructions^p: how well the two overlap where rows are reduced",
    ),
    Constant(
        "reread_l2_rate", _S, 57.6, "bytes a clock and SM",
        "what the L2 cache delivers of rows read again",
    ),
    Constant(
        "indexed_element", _S, 1.19, "clocks of an SM",
        "instructions for an element of a pass that repeats or transposes an operand",
    ),
    # FP32 convolutions.
    Constant("implicit_rate", _V, 0.927, "1", "rate of implicit GEMM relative to a product's"),
    Constant("fused_rate", _V, 0.769, "1", "rate of Winograd F(2 x 2) in one kernel relative to a product's"),
    Constant("stored_rate", _V, 0.745, "1", "rate of Winograd F(4 x 4) relative to a product's"),
    Constant("convolution_bandwidth", _V, 0.955, "1", "share of the datasheet bandwidth", most=1.0),
    Constant("convolution_prologue", _V, 15.6, "elements of k", "filling and draining a tile's pipeline"),
    # Fused attention.
    Constant(
        "attention_rate", _A, 0.721, "1", "share of the peak rate",
        {"8.0": 0.721, "8.9": 0.603, "9.0": 1.0}, ("",), most=1.0,
    ),
    Constant(
        "attention_launch", _A, 1.184e-05, "s", "launch in a CUDA graph",
        {"8.0": 1.184e-05, "8.9": 7.82e-06, "9.0": 1.18e-05}, ("",)
    ),
    Constant(
        "attention_exponential", _A, 0.962, "head dimensions",
        "whose products take as long as one exponential: times FLOP a clock and SM over 64",
    ),
    Constant(
        "attention_prologue", _A, 51.2, "keys", "filling and draining a block's pipeline",
        {"8.0": 51.2, "8.9": 2.5, "9.0": 156}, ("",),
    ),
    Constant(
        "attention_alone", _A, 0.729, "1", "time of a block that has an SM to itself relative to two at once",
        most=1.0,
    ),
    Constant("attention_l2_rate", _A, 5.81, "bytes a clock and SM", "what the L2 cache then delivers"),
    Constant(
        "attention_block", _A, 3.93e-06, "s", "an SM's time for one KV head, however few its keys"
    ),
    Constant(
        "attention_combine", _A, 6.69e-06, "s",
        "a second kernel when decoding: it combines what was computed for parts of the keys",
        {"8.0": 6.69e-06, "8.9": 4.28e-06, "9.0": 2.5e-07}, ("",),
    ),
    Constant(
        "attention_l2_part", _A, 1, "1",
        "part of the L2 cache that still holds what was just used", most=1.0,
    ),
    Constant("attention_reread", _A, 1.7, "1", "how often other blocks of queries read K and V again"),
    # Recurrent layers.
    Constant("recurrent_call", _R, 20e-6, "s", "host time of one call to cuDNN"),
    Constant("recurrent_latency", _R, 49e-6, "s", "launches of one step that the GPU waits for"),
    Constant("recurrent_ahead", _R, 100.0, "steps", "after which the host has run ahead of the GPU"),
    Constant("recurrent_bandwidth", _R, 0.8, "1", "share of a pass's bandwidth that the weights reach"),
    Constant(
        "recurrent_stall", _R, 167.0, "clocks",
        "an element of k in Pascal's kernel for batches of 17 to 32 (cuDNN 5 and 6), which is not split",
    ),
    # Launch.
    Constant("stream_launch", _L, 2.34e-6, "s", "launch and drain of a pass in a CUDA graph"),
    Constant(
        "weights_between", _L, 1000.0, "1",
        "bytes of weights read from one use of a layer's to the next, relative to them: a large model's",
    ),
    Constant("host", _L, 1.0, "1", "time of the host for one operation, relative to the fastest measured"),
    Constant("eager_product", _L, 33.5e-6, "s", "host time of one product from PyTorch"),
    Constant("eager_linear", _L, 1.67, "1", "a linear layer with its bias relative to a product"),
    Constant("eager_convolution", _V, 6.71, "1", "a convolution with its bias relative to a product"),
    Constant(
        "eager_exposed", _L, 0.766, "1",
        "share of a product's host time that a long kernel shows", most=1.0,
    ),
    Constant("eager_stream", _L, 25.5e-6, "s", "host time of one pass over memory from PyTorch"),
    Constant("eager_overlap", _L, 0.457, "1", "share of it that a long kernel hides", most=1.0),
    Constant("eager_one", _L, 1.2, "1", "a pass with one operand relative to it"),
    Constant("eager_two", _L, 1.02, "1", "a pass with two operands relative to it"),
    Constant("eager_softmax", _L, 1.28, "1", "a softmax relative to it"),
    Constant("eager_norm", _L, 1.82, "1", "a layer norm relative to it"),
)  # fmt: skip
