"""How far predictions were from measurements: the error that goes with a predicted time.

Mean absolute errors over public data, from ``make accuracy``. The constants were fitted to the same data,
so on other GPUs of a generation the error may be larger. What nothing backs has no error.
"""

from typing import TYPE_CHECKING, NamedTuple

from ..dtypes import BF16, FP16, FP32
from ..ops import Attention, Conv, Gemm, Pass, Phase, Stream
from .launch import Launch

if TYPE_CHECKING:
    from .time import Cost


class Validation(NamedTuple):
    """The mean absolute relative error over some measured latencies."""

    error: float
    rows: int
    data: str  # whose, and on what


_AICONFIGURATOR, _NEUSIGHT, _SERVING = "aiconfigurator", "NeuSight", "LLMServingSim"
# By kind of operation and compute capability.
_MEASURED = {
    ("16-bit product", "8.0"): Validation(0.091, 49_877, f"{_AICONFIGURATOR} and Vidur, A100"),
    ("16-bit product", "8.6"): Validation(0.093, 65_536, f"{_SERVING}, RTX 3090 and A6000"),
    ("16-bit product", "8.9"): Validation(0.162, 17_510, f"{_AICONFIGURATOR}, L40S"),
    ("16-bit product", "9.0"): Validation(0.079, 17_564, f"{_AICONFIGURATOR}, H100"),
    ("prefill", "8.0"): Validation(0.148, 2_787, f"{_AICONFIGURATOR}, A100"),
    ("prefill", "8.9"): Validation(0.228, 6_703, f"{_AICONFIGURATOR}, L40S"),
    ("prefill", "9.0"): Validation(0.132, 7_014, f"{_AICONFIGURATOR}, H100"),
    ("decode", "8.0"): Validation(0.456, 2_793, f"{_AICONFIGURATOR}, A100"),
    ("decode", "8.9"): Validation(0.636, 8_283, f"{_AICONFIGURATOR}, L40S"),
    ("decode", "9.0"): Validation(0.430, 8_782, f"{_AICONFIGURATOR}, H100"),
    ("elementwise", "6.0"): Validation(0.233, 14_869, f"{_NEUSIGHT}, P100"),
    ("elementwise", "6.1"): Validation(0.030, 14_760, f"{_NEUSIGHT}, P4"),
    ("elementwise", "7.0"): Validation(0.110, 14_783, f"{_NEUSIGHT}, V100"),
    ("elementwise", "7.5"): Validation(0.042, 14_865, f"{_NEUSIGHT}, T4"),
    ("elementwise", "8.0"): Validation(0.054, 14_834, f"{_NEUSIGHT}, A100"),
    ("softmax", "6.0"): Validation(0.310, 1_375, f"{_NEUSIGHT}, P100"),
    ("softmax", "6.1"): Validation(0.153, 1_345, f"{_NEUSIGHT}, P4"),
    ("softmax", "7.0"): Validation(0.161, 1_384, f"{_NEUSIGHT}, V100"),
    ("softmax", "7.5"): Validation(0.115, 1_381, f"{_NEUSIGHT}, T4"),
    ("softmax", "8.0"): Validation(0.078, 1_358, f"{_NEUSIGHT}, A100"),
    ("norm", "6.0"): Validation(0.112, 1_113, f"{_NEUSIGHT}, P100"),
    ("norm", "6.1"): Validation(0.096, 1_099, f"{_NEUSIGHT}, P4"),
    ("norm", "7.0"): Validation(0.127, 1_085, f"{_NEUSIGHT}, V100"),
    ("norm", "7.5"): Validation(0.151, 1_113, f"{_NEUSIGHT}, T4"),
    ("norm", "8.0"): Validation(0.074, 1_099, f"{_NEUSIGHT}, A100"),
    ("fp32 linear", "6.0"): Validation(0.231, 6_490, f"{_NEUSIGHT}, P100"),
    ("fp32 linear", "6.1"): Validation(0.375, 6_453, f"{_NEUSIGHT}, P4"),
    ("fp32 linear", "7.0"): Validation(0.088, 6_474, f"{_NEUSIGHT}, V100"),
    ("fp32 linear", "7.5"): Validation(0.127, 6_504, f"{_NEUSIGHT}, T4"),
    ("fp32 linear", "8.0"): Validation(0.082, 6_524, f"{_NEUSIGHT}, A100"),
    ("fp32 batched", "6.0"): Validation(0.098, 17_199, f"{_NEUSIGHT}, P100"),
    ("fp32 batched", "6.1"): Validation(0.142, 15_482, f"{_NEUSIGHT}, P4"),
    ("fp32 batched", "7.0"): Validation(0.146, 15_437, f"{_NEUSIGHT}, V100"),
    ("fp32 batched", "7.5"): Validation(0.188, 17_144, f"{_NEUSIGHT}, T4"),
    ("fp32 batched", "8.0"): Validation(0.050, 16_436, f"{_NEUSIGHT}, A100"),
    ("fp32 convolution", "6.0"): Validation(0.308, 4_952, f"{_NEUSIGHT}, P100"),
    ("fp32 convolution", "6.1"): Validation(0.275, 4_996, f"{_NEUSIGHT}, P4"),
    ("fp32 convolution", "7.0"): Validation(0.256, 4_958, f"{_NEUSIGHT}, V100"),
    ("fp32 convolution", "7.5"): Validation(0.259, 4_969, f"{_NEUSIGHT}, T4"),
}


def validation(cost: "Cost") -> Validation | None:
    """Return what backs a predicted time, or None: forward passes, launched as the data were."""
    half = cost.format.math in (FP16, BF16)
    if not (half or cost.format.math == FP32) or (cost.launch is Launch.EAGER) == half:
        return None
    kind = _half(cost) if half else _single(cost)
    return _MEASURED.get((kind, cost.gpu.compute_capability)) if kind else None


def _half(cost: "Cost") -> str | None:
    match cost.op:
        case Gemm(batch=1, repeat=1):
            return "16-bit product"
        case Attention(phase=Phase.FPROP, queries=1):
            return "decode"
        case Attention(phase=Phase.FPROP, causal=True):
            return "prefill"
    return None


def _single(cost: "Cost") -> str | None:
    match cost.op:
        case Stream(kernels=1, steps=1, kind=kind) if cost.phase is Phase.FPROP:
            return {Pass.SOFTMAX: "softmax", Pass.NORM: "norm"}.get(kind, "elementwise")
        case Gemm(repeat=1, batch=batch):
            return "fp32 linear" if batch == 1 else "fp32 batched"
        case Conv(phase=Phase.FPROP, kernel=(3, 3)):
            return "fp32 convolution"
    return None
