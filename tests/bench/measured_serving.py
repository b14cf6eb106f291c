"""Operations of language models while serving: kernel times, and products of 8-bit numbers."""

from collections.abc import Iterator

from dlperf_widgets.cost import Launch
from dlperf_widgets.dtypes import BF16, FP8, FP16, INT8, Format
from dlperf_widgets.layers import Activation, Add, Embedding, Layer, LayerNorm, Linear, RmsNorm
from dlperf_widgets.ops import Gemm, Operand, Pass, Stream
from tests.bench.rows import Bare, Listed, Measured, measured, rows, sizes

_LLAMA_WIDTH, _LLAMA_INNER, _LLAMA_ROTATED, _LLAMA_VOCABULARY = 4096, 14336, 4096 + 1024, 128256


def _vidur() -> Iterator[Measured]:
    """Vidur: durations of kernels from a profiler, without the gaps between; rounded to 1 us, A100."""
    for row in rows("vidur_mlp"):
        if row["op"] == "linear":
            m, n, k = sizes(row, "m", "n", "k")
            yield measured(row, "fp16 product", Linear(m, k, n), FP16, Launch.KERNEL)
        else:
            family, layer = _vidur_stream(row["op"], *sizes(row, "rows", "cols"))
            yield measured(row, family, layer, FP16, Launch.KERNEL)


def _vidur_stream(op: str, r: int, c: int) -> tuple[str, Layer]:
    match op:
        case "rmsnorm":
            return "16-bit rms norm", RmsNorm(r, c)
        case "layernorm":
            return "16-bit layer norm", LayerNorm(r, c)
        case "add":
            return "16-bit add", Add(r * c)
        case "silu_and_mul":  # columns of the result
            return "16-bit activation", Activation(r * c, kind="swiglu")
        case "gelu":
            return "16-bit activation", Activation(r * c, kind="gelu")
        case "rope":
            return "16-bit rotation", rotation(r, c)
        case "embedding":
            return "16-bit embedding", Embedding(r, c)
    raise ValueError(f"vidur_mlp: unknown operation {op}")


def rotation(tokens: int, width: int) -> Bare:
    """Return the rotary embedding of queries and keys of so many elements a token, in place."""
    moved = tokens * width
    return Bare(Stream(moved, moved, flops=3 * moved))


def added_norm(tokens: int, width: int) -> Bare:
    """Return the RMS norm that adds the residual first: it reads both and writes the sum and the result."""
    e = tokens * width
    return Bare(Stream(2 * e, 2 * e, flops=5 * e, weights=width, kind=Pass.NORM, rows=tokens))


def _dense() -> Iterator[Measured]:
    """LLMServingSim: kernel times of Llama-3.1 8B's operations, RTX 4090; residuals are added in the norm."""
    for row in rows("llmservingsim_dense"):
        family, layer = _llama(row["layer"], int(row["tokens"]))
        yield measured(row, family, layer, BF16, Launch.KERNEL)


def _llama(name: str, tokens: int) -> tuple[str, Layer]:
    width, inner = _LLAMA_WIDTH, _LLAMA_INNER
    match name:
        case "qkv_proj":
            return "16-bit product, in serving", Linear(tokens, width, 6144, bias=False)
        case "o_proj":
            return "16-bit product, in serving", Linear(tokens, width, width, bias=False)
        case "gate_up_proj":
            return "16-bit product, in serving", Linear(tokens, width, 2 * inner, bias=False)
        case "down_proj":
            return "16-bit product, in serving", Linear(tokens, inner, width, bias=False)
        case "act_fn":
            return "16-bit activation", Activation(tokens * inner, kind="swiglu")
        case "embedding":
            return "16-bit embedding", Embedding(tokens, width, _LLAMA_VOCABULARY)
        case "rotary_emb":
            return "16-bit rotation", rotation(tokens, _LLAMA_ROTATED)
        case "layernorm" | "final_layernorm":
            return "16-bit rms norm", added_norm(tokens, width)
    raise ValueError(f"llmservingsim_dense: unknown layer {name}")


_EIGHT_BITS = {"fp8": ("fp8 product", FP8), "int8_sq": ("int8 product", INT8)}


def _eight_bits() -> Iterator[Measured]:
    """aiconfigurator: CUDA graphs replayed; activations are quantized from 16 bits, which is timed too.

    Block-wise scaled FP8, and 16-bit products of weights stored in 8 or 4 bits, are other kernels of
    their own: they are left out.
    """
    for row in rows("aiconfigurator_gemm"):
        if row["dtype"] in _EIGHT_BITS:
            family, dtype = _EIGHT_BITS[row["dtype"]]
            m, n, k = sizes(row, "m", "n", "k")
            form = Format(dtype, dtype, BF16)  # the result, taken for a gradient, has 16 bits
            product = Bare(Gemm(n, m, k, c=Operand.GRADIENT))
            run = [*_quantization(m * k, row["kernel"]), product]
            layers = Listed(tuple((str(i), layer) for i, layer in enumerate(run)))
            yield measured(row, family, layers, form, Launch.GRAPH)


def _quantization(elements: int, kernel: str) -> list[Bare]:
    """Return what quantizes: vLLM's kernel, or TensorRT-LLM's for maximum, scale and cast."""
    cast = Bare(Stream(0, 0, flops=2 * elements, side_bytes=3 * elements))
    if kernel != "torch_flow":
        return [cast]
    return [
        Bare(Stream(0, 0, flops=elements, side_bytes=2 * elements)),
        *[Bare(Stream(1, 1, flops=1))] * 2,
        cast,
    ]


READERS = (_vidur, _dense, _eight_bits)
