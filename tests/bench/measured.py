"""Published latencies as scenarios: what each file measured, how, and how long it took.

The files are other projects' data, kept beside the repository where they are at hand and never in it.
"""

import csv
import gzip
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.dtypes import BF16, FP16, FP32, DType
from dlperf_widgets.layers import (
    Activation,
    Add,
    Attention,
    Conv2d,
    Layer,
    LayerNorm,
    Linear,
    Matmul,
    Multiply,
    Softmax,
)

FOLDER = Path(__file__).parents[3] / "shared" / "measured"


class Measured(NamedTuple):
    """One published latency."""

    family: str
    scenario: Scenario  # with the launch of the file's protocol
    seconds: float
    host: float = 1.0  # eager host time of the measuring machine, relative to the model's

    @property
    def predicted(self) -> float:
        """The model's time in seconds, with this host's part in it."""
        return sum(
            replace(c, floor=c.floor._replace(seconds=self.host * c.floor.seconds)).time
            for c in self.scenario.costs
        )


def rows(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a file that were measured on a GPU with a record."""
    with gzip.open(FOLDER / f"{name}.csv.gz", "rt", newline="") as file:
        for row in csv.DictReader(file):
            if row["gpu"] in _GPUS:
                yield row


def everything() -> Iterator[Measured]:
    """Yield every measurement that a layer stands for."""
    for reader in (_gemms, _stepped_gemms, _vidur, _fp32_products, _streams, _convolutions, _attention):
        yield from reader()


_GPUS = {
    label: gpus.find(label)
    for label in (
        "A100-SXM4-80GB", "A100-PCIe-40GB", "H100-SXM5-80GB", "L40S", "RTX-3090", "RTX-A6000", "RTX-4090",
        "V100-PCIe-32GB", "T4", "P100-PCIe-16GB", "P4",
    )
}  # fmt: skip


# The smallest elementwise operations and products take so many times as long on these machines as on the
# A100's: it is the host that is slow, not the GPU. The P100's layer norms were not measured so.
_HOSTS = {"V100-PCIe-32GB": 1.25, "P100-PCIe-16GB": 1.65}


def _measured(row: dict[str, str], family: str, layer: Layer, dtype: DType, launch: Launch) -> Measured:
    scenario = Scenario(layer, _GPUS[row["gpu"]], dtype, launch=launch)
    slow = launch is Launch.EAGER and not (row["gpu"].startswith("P100") and family == "layer norm")
    host = _HOSTS.get(row["gpu"], 1.0) if slow else 1.0
    return Measured(family, scenario, float(row["measured_ms"]) / 1e3, host)


def _sizes(row: dict[str, str], *names: str) -> list[int]:
    return [int(row[name]) for name in names]


def _gemms() -> Iterator[Measured]:
    for row in rows("aiconfigurator_gemm"):
        if row["dtype"] == "bf16":
            m, n, k = _sizes(row, "m", "n", "k")
            yield _measured(row, "bf16 product", Linear(m, k, n), BF16, Launch.GRAPH)


def _stepped_gemms() -> Iterator[Measured]:
    for row in rows("llmservingsim_v0_linear"):
        m, n, k = _sizes(row, "m", "n", "k")
        yield _measured(row, "16-bit product, m by 1", Linear(m, k, n), FP16, Launch.KERNEL)


def _vidur() -> Iterator[Measured]:
    for row in rows("vidur_mlp"):
        if row["op"] == "linear":
            m, n, k = _sizes(row, "m", "n", "k")
            yield _measured(row, "fp16 product", Linear(m, k, n), FP16, Launch.KERNEL)


def _fp32_products() -> Iterator[Measured]:
    for row in rows("neusight_gemm"):
        batch, m, n, k = _sizes(row, "batch", "m", "n", "k")
        if row["op"] == "linear":
            yield _measured(row, "fp32 linear", Linear(m, k, n), FP32, Launch.EAGER)
        else:
            yield _measured(row, "fp32 batched product", Matmul(batch, m, n, k), FP32, Launch.EAGER)


def _streams() -> Iterator[Measured]:
    for row in rows("neusight_vec"):
        r, c = _sizes(row, "rows", "cols")
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
        yield _measured(row, family, layer, FP32, Launch.EAGER)


def _convolutions() -> Iterator[Measured]:
    for row in rows("neusight_conv"):
        sizes = _sizes(row, "batch", "c_in", "c_out", "h", "w", "kh", "kw", "stride", "pad")
        yield _measured(row, "fp32 convolution", Conv2d(*sizes), FP32, Launch.EAGER)


def _attention() -> Iterator[Measured]:
    names = ("batch", "q_len", "past_kv", "heads", "kv_heads", "head_dim")
    for row in rows("aiconfigurator_attention"):
        if row["dtype"] == row["kv_dtype"] == "bf16" and row["window"] == "0":
            batch, queries, past, heads, kv_heads, head_dim = _sizes(row, *names)
            layer = Attention(batch, queries, queries + past, heads, head_dim, kv_heads, causal=True)
            family = "attention, prefill" if row["op"] == "context_attention" else "attention, decode"
            yield _measured(row, family, layer, BF16, Launch.GRAPH)
