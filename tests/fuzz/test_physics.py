"""Laws that no size, GPU or format may break."""

from dataclasses import replace

import pytest
from hostile import answer, cases, tried
from hypothesis import assume, example, given
from hypothesis import strategies as st
from ways import LAYERS, simple

from dlperf_widgets import Phase, Scenario, dtypes, models
from dlperf_widgets.cost import Launch
from dlperf_widgets.gpus import A100_SXM4_80GB, GPUS, H100_SXM5_80GB, T4, V100_SXM2_16GB
from dlperf_widgets.layers import ConvTranspose2d, Linear
from dlperf_widgets.ops import TRAINING, Conv, Stream

SLACK = 1 + 1e-9
# A wider kernel or dilation leaves less of the output; heads, groups and projections divide a fixed width.
NOT_GROWN = {
    "kernel_height", "kernel_width", "kernel_depth", "kernel_length", "kernel", "groups", "heads", "kv_heads",
    "head_dim", "projection", "dilation",
}  # fmt: skip
cards = st.sampled_from(GPUS)
# Most of whose products are cut off; and one whose rows are written a stride apart, each to another place.
CROPPED = ConvTranspose2d(32, 16384, 1234, 56, 56, 3, 3, 1, 13)
SPREAD = ConvTranspose2d(32, 64, 64, 56, 56, 11, 3, 11, 0, (3, 2))
RTX_PRO_6000 = next(card for card in GPUS if card.name == "RTX PRO 6000 Blackwell Server")


@st.composite
def questions(draw):
    """Draw a question on a published GPU in a format that it has."""
    layer, card = draw(simple(LAYERS)), draw(cards)
    if layer is None:
        return None
    return Scenario(
        layer, card, draw(st.sampled_from(card.dtypes)), draw(st.sampled_from((TRAINING, (Phase.FPROP,))))
    )


def ideal(scenario):
    return sum(cost.count * cost.ideal_time for cost in scenario.costs)


@cases(short=80, long=8000)
@example(asked=Scenario(CROPPED, H100_SXM5_80GB, dtypes.TF32, (Phase.FPROP,)))
@example(asked=Scenario(SPREAD, RTX_PRO_6000, dtypes.BF16, (Phase.FPROP,)))
@given(asked=questions())
def test_no_row_beats_the_math_or_the_memory_that_holds_its_bytes(asked):
    assume(asked is not None)
    tried["inputs"] += 1
    for cost in asked.costs:
        gpu = asked.gpu
        # A clock above the data sheet's is allowed where the model knows that cards boost so far.
        # The gradient of the input leaves out what meets padding, which its FLOPs count.
        skips = isinstance(cost.op, Conv) and cost.op.phase is Phase.DGRAD
        share = cost.op.useful if skips else 1.0
        assert cost.time * 1.2 >= cost.math_time * share, cost
        assert cost.time >= cost.launch_time / SLACK, cost
        cache = gpu.l2 or 0
        if cost.bytes > 8 * cache:  # more than any cache holds: every byte comes from DRAM
            assert cost.time * SLACK >= (cost.bytes - 2 * cache) / gpu.bandwidth, cost
        assert cost.time == pytest.approx(sum(term.seconds for term in cost.terms), rel=1e-9)


@cases(short=60, long=5000)
@given(asked=questions(), data=st.data())
def test_more_of_any_size_is_never_less_work(asked, data):
    assume(asked is not None)
    sizes = [name for name, f in asked.layer.__dataclass_fields__.items() if f.metadata.get("kind") == "dim"]
    grow = [name for name in sizes if name not in NOT_GROWN]
    assume(grow)
    name = data.draw(st.sampled_from(grow))
    more = data.draw(st.sampled_from((2, 3, 8)))
    bigger = answer(lambda: asked.resized(name, getattr(asked.layer, name) * more))
    if bigger is None:
        return
    assert bigger.flops >= asked.flops
    assert bigger.bytes >= asked.bytes / SLACK
    assert bigger.layer.macs >= asked.layer.macs
    assert bigger.layer.params >= asked.layer.params
    assert ideal(bigger) >= ideal(asked) / SLACK


@cases(short=50, long=4000)
@given(asked=questions(), more=st.sampled_from((2, 4, 8, 64)))
def test_work_is_linear_in_the_leading_dimension(asked, more):
    assume(asked is not None)
    name = asked.layer.scale
    inputs = [c for c in asked.costs if not isinstance(c.op, Stream)]
    bigger = answer(lambda: asked.resized(name, getattr(asked.layer, name) * more))
    if bigger is None:
        return
    assert bigger.layer.macs == more * asked.layer.macs
    assert bigger.bytes <= more * asked.bytes * SLACK  # weights are read once
    products = [c for c in bigger.costs if not isinstance(c.op, Stream)]
    assert sum(c.count * c.flops for c in products) == more * sum(c.count * c.flops for c in inputs)


@cases(short=60, long=5000)
@given(asked=questions())
@example(asked=Scenario(Linear(1, 8, 8), V100_SXM2_16GB, dtypes.FP16, TRAINING))
def test_a_graph_is_never_slower_than_eager_nor_faster_than_kernels_alone(asked):
    assume(asked is not None)
    tried["inputs"] += 1
    eager, graph, kernel = (
        replace(asked, launch=each).time for each in (Launch.EAGER, Launch.GRAPH, Launch.KERNEL)
    )
    assert kernel <= graph * SLACK
    assert graph <= eager * SLACK


@pytest.mark.parametrize("network", models.MODELS, ids=lambda each: each.__name__)
@pytest.mark.parametrize("card", (V100_SXM2_16GB, T4, A100_SXM4_80GB, H100_SXM5_80GB), ids=str)
def test_networks_keep_the_laws(network, card):
    one = Scenario(network(), card, dtypes.FP16, TRAINING)
    two = replace(one, layer=network(batch=2))
    tried["inputs"] += 2
    assert ideal(two) >= ideal(one)
    assert two.layer.macs == 2 * one.layer.macs
    assert two.layer.params == one.layer.params
    assert two.bytes <= 2 * one.bytes
    assert one.time >= ideal(one) / 1.2
    assert replace(one, launch=Launch.EAGER).time >= one.time / SLACK


@cases(short=40, long=4000)
@given(asked=questions(), factor=st.sampled_from((1.5, 2.0, 10.0)))
def test_a_faster_gpu_is_never_slower_in_ideal_time(asked, factor):
    assume(asked is not None)
    tried["inputs"] += 1
    gpu = asked.gpu
    faster = replace(
        gpu,
        bandwidth=gpu.bandwidth * factor,
        tensor_peak=tuple((d, rate * factor) for d, rate in gpu.tensor_peak),
        cuda_peak=tuple((d, rate * factor) for d, rate in gpu.cuda_peak),
    )
    assert ideal(replace(asked, gpu=faster)) == pytest.approx(ideal(asked) / factor)
