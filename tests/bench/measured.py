"""Published latencies as scenarios: what each file measured, how, and how long it took.

The files are other projects' data, kept beside the repository where they are at hand and never in it. Each
reader says under which protocol its file was measured: a floor of one protocol fits no other.
"""

from collections.abc import Iterator

from dlperf_widgets.cost import Launch
from dlperf_widgets.dtypes import BF16, FP16, FP32
from dlperf_widgets.layers import (
    Activation,
    Add,
    Attention,
    Conv2d,
    LayerNorm,
    Linear,
    Matmul,
    Multiply,
    Softmax,
)
from tests.bench import measured_deepbench, measured_models, measured_serving, measured_timm
from tests.bench.rows import FOLDER as FOLDER
from tests.bench.rows import Measured as Measured
from tests.bench.rows import measured, rows, sizes


def everything() -> Iterator[Measured]:
    """Yield every measurement that a layer stands for."""
    for reader in (_gemms, _stepped_gemms, _fp32_products, _streams, _convolutions, _attention):
        yield from reader()
    for part in (measured_serving, measured_deepbench, measured_models, measured_timm):
        for reader in part.READERS:
            yield from reader()


def _gemms() -> Iterator[Measured]:
    """aiconfigurator: CUDA graphs replayed, weights rotated so that a small one is not always in the L2."""
    for row in rows("aiconfigurator_gemm"):
        if row["dtype"] == "bf16":
            m, n, k = sizes(row, "m", "n", "k")
            yield measured(row, "bf16 product", Linear(m, k, n), BF16, Launch.GRAPH)


def _stepped_gemms() -> Iterator[Measured]:
    """LLMServingSim: kernel time alone; the rows of a product one by one."""
    for row in rows("llmservingsim_v0_linear"):
        m, n, k = sizes(row, "m", "n", "k")
        yield measured(row, "16-bit product, m by 1", Linear(m, k, n), FP16, Launch.KERNEL)


def _fp32_products() -> Iterator[Measured]:
    """NeuSight: events around one eager PyTorch operation, TF32 off, the mean of the fastest 5 of 25."""
    for row in rows("neusight_gemm"):
        batch, m, n, k = sizes(row, "batch", "m", "n", "k")
        if row["op"] == "linear":
            yield measured(row, "fp32 linear", Linear(m, k, n), FP32, Launch.EAGER)
        else:
            yield measured(row, "fp32 batched product", Matmul(batch, m, n, k), FP32, Launch.EAGER)


def _streams() -> Iterator[Measured]:
    """NeuSight, as above; the second operand of mul, div and pow is a tensor, of the others a number."""
    for row in rows("neusight_vec"):
        r, c = sizes(row, "rows", "cols")
        match row["op"]:
            case "add":
                family, layer = "elementwise", Add(r * c)
            case "mul" | "div" | "pow":
                family, layer = "elementwise", Multiply(r * c)
            case "softmax":
                family, layer = "softmax", Softmax(r, c)
            case "ln":
                family, layer = "layer norm", LayerNorm(r, c)
            case _:  # one operand, or a scalar beside it
                family, layer = "elementwise", Activation(r * c)
        yield measured(row, family, layer, FP32, Launch.EAGER)


def _convolutions() -> Iterator[Measured]:
    """NeuSight, as above."""
    for row in rows("neusight_conv"):
        shape = sizes(row, "batch", "c_in", "c_out", "h", "w", "kh", "kw", "stride", "pad")
        yield measured(row, "fp32 convolution", Conv2d(*shape), FP32, Launch.EAGER)


def _attention() -> Iterator[Measured]:
    """aiconfigurator: CUDA graphs replayed."""
    names = ("batch", "q_len", "past_kv", "heads", "kv_heads", "head_dim")
    for row in rows("aiconfigurator_attention"):
        if row["dtype"] == row["kv_dtype"] == "bf16" and row["window"] == "0":
            batch, queries, past, heads, kv_heads, head_dim = sizes(row, *names)
            layer = Attention(batch, queries, queries + past, heads, head_dim, kv_heads, causal=True)
            family = "attention, prefill" if row["op"] == "context_attention" else "attention, decode"
            yield measured(row, family, layer, BF16, Launch.GRAPH)
