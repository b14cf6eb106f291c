"""What every pass moves, by hand, and all passes together as the cost model counts them."""

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.charts import passes, passes_alt, passes_html
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16, FP32, Format
from dlperf_widgets.layers import (
    Activation,
    Add,
    BatchNorm2d,
    Dropout,
    GlobalPool2d,
    GroupNorm,
    InstanceNorm2d,
    LayerNorm,
    Multiply,
    Pool2d,
    RmsNorm,
    Softmax,
)
from dlperf_widgets.ops import Phase

A100 = gpus.A100_SXM4_80GB
BOTH = (Phase.FPROP, Phase.DGRAD)
E = 32 * 64 * 56 * 56  # 6,422,528 elements of the example
X = 2 * E  # bytes of x in FP16

EVERY = [
    *(BatchNorm2d(passes=passes) for passes in ("persistent", "two-pass", "three-pass", "inference")),
    GroupNorm(), InstanceNorm2d(), InstanceNorm2d(affine=True), LayerNorm(), RmsNorm(), Softmax(),
    Activation(1000), Activation(1000, "gelu"), Activation(1000, "swiglu"), Add(1000), Multiply(1000),
    Dropout(1000), Pool2d(), Pool2d(kind="average"), GlobalPool2d(), GlobalPool2d(kind="max"),
]  # fmt: skip


def moved(layer, phases=BOTH, dtype=FP16):
    return passes(Scenario(layer, A100, dtype, phases))


def batch_norm(kind, phase):
    return moved(BatchNorm2d(32, 64, 56, 56, kind), (phase,))


def images(tensors):
    """Names of the tensors as large as the input."""
    return [tensor.name for tensor in tensors if tensor.bytes == X]


@pytest.mark.parametrize("layer", EVERY, ids=str)
@pytest.mark.parametrize("dtype", [FP16, FP32, Format(FP32, FP16, FP32, FP32)], ids=str)
def test_passes_move_what_the_costs_count(layer, dtype):
    scenario = Scenario(layer, A100, dtype, BOTH)
    assert sum(each.bytes for each in passes(scenario)) == pytest.approx(scenario.bytes, rel=1e-12)
    assert all(tensor.bytes > 0 for each in passes(scenario) for tensor in (*each.reads, *each.writes))


@pytest.mark.parametrize(
    ("kind", "names", "reads"),
    [
        ("persistent", ["one pass"], 1),  # 2 E b = 25,690,112 B
        ("two-pass", ["statistics", "normalize"], 2),
        ("three-pass", ["mean", "variance", "normalize"], 3),  # 4 E b
    ],
)
def test_batch_norm_forward(kind, names, reads):
    found = batch_norm(kind, Phase.FPROP)
    assert [each.name for each in found] == names
    assert [images(each.reads) for each in found] == [["x"]] * reads
    assert [images(each.writes) for each in found] == [[]] * (reads - 1) + [["y"]]
    # beside the images: scale and shift, 2 x 64 x 2 B; a mean and a deviation, 2 x 64 x 4 B
    assert sum(each.bytes for each in found) == (reads + 1) * X + 256 + 512


def test_batch_norm_backward():
    # x and dy once, dx: 3 E b; in two passes x and dy twice: 5 E b
    (once,) = batch_norm("persistent", Phase.DGRAD)
    assert (images(once.reads), images(once.writes)) == (["dy", "x"], ["dx"])
    sums, gradient = batch_norm("three-pass", Phase.DGRAD)
    assert (images(sums.reads), images(sums.writes)) == (["dy", "x"], [])
    assert (images(gradient.reads), images(gradient.writes)) == (["dy", "x"], ["dx"])
    assert [tensor.name for tensor in sums.writes] == ["gradients of scale, shift"]


def test_what_backward_reads():
    (relu,) = moved(Activation(1000), (Phase.DGRAD,))
    assert [tensor.name for tensor in relu.reads] == ["dy", "y"]
    (gelu,) = moved(Activation(1000, "gelu"), (Phase.DGRAD,))
    assert [tensor.name for tensor in gelu.reads] == ["dy", "x"]
    (dropout,) = moved(Dropout(1000), (Phase.DGRAD,))
    assert dropout.reads == (("dy", 2000), ("mask", 1000))
    (product,) = moved(Multiply(1000), (Phase.DGRAD,))
    assert [tensor.name for tensor in product.reads] == ["dy", "a", "b"]
    assert [tensor.name for tensor in product.writes] == ["da", "db"]
    (pool,) = moved(Pool2d(1, 1, 4, 4, 2, 2), (Phase.DGRAD,))
    assert pool.reads == (("dy", 8), ("indices of the maxima", 32))  # 2 x 2 outputs of 2 B and of 8 B


def test_the_picture_says_how_much_and_how_long():
    scenario = Scenario(BatchNorm2d(32, 64, 56, 56, "three-pass"), A100, FP16)
    # 38.5 MB read and 12.8 MB written; 51.4 MB at 2039 GB/s are 25.2 µs
    assert passes_alt(scenario) == "3 passes read 38.5 MB and write 12.8 MB: 25.2 µs at 2.04 TB/s."
    html = passes_html(scenario)
    assert html.count("x <b>12.8 MB</b>") == 3
    assert html.count("y <b>12.8 MB</b>") == 1
    assert "width:100%;height:12px" in html
