"""Recurrent and attention layers agree with PyTorch's own."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlperf_widgets.layers import Attention, Gru, Lstm, Matmul, MultiheadAttention, Rnn
from dlperf_widgets.ops import Phase

torch = pytest.importorskip("torch")
flop_counter = pytest.importorskip("torch.utils.flop_counter")

OURS = {Rnn: "RNN", Lstm: "LSTM", Gru: "GRU"}
SIZE = st.integers(1, 24)
slow = settings(max_examples=25, deadline=None)


def counted(function, *inputs, backward=False):
    """Return the flops torch counts, on tensors that hold nothing."""
    tensors = [torch.empty(shape, device="meta", requires_grad=backward) for shape in inputs]
    with flop_counter.FlopCounterMode(display=False) as counter:
        result = function(*tensors)
        if backward:
            result.sum().backward()
    return counter.get_total_flops()


def flops(layer, *phases):
    return sum(2 * op.macs for phase in phases for op in layer.ops(phase))


def parameters(module):
    return sum(p.numel() for p in module.parameters())


@st.composite
def recurrent(draw):
    kind, hidden = draw(st.sampled_from(list(OURS))), draw(st.integers(2, 24))
    narrower = draw(st.integers(0, hidden - 1)) if kind is Lstm else 0
    ours = kind(
        *(draw(SIZE) for _ in range(3)), hidden, draw(st.integers(1, 3)),
        draw(st.booleans()), draw(st.booleans()),
        **({"projection": narrower} if narrower else {}),
    )  # fmt: skip
    theirs = getattr(torch.nn, OURS[kind])(
        ours.inputs, hidden, ours.layers, bias=ours.bias, bidirectional=ours.bidirectional,
        **({"proj_size": narrower} if narrower else {}),
    )  # fmt: skip
    return ours, theirs


@pytest.mark.filterwarnings("ignore:LSTM with projections is not supported with oneDNN:UserWarning")
@slow
@given(pair=recurrent())
def test_recurrent_parameters_and_shapes(pair):
    ours, theirs = pair
    assert ours.params == parameters(theirs)
    output, _ = theirs(torch.zeros(ours.input_shape))
    assert tuple(output.shape) == ours.output_shape


@slow
@given(kind=st.sampled_from(list(OURS)), batch=SIZE, steps=st.integers(1, 4), inputs=SIZE, hidden=SIZE)
def test_recurrent_flops_forward(kind, batch, steps, inputs, hidden):
    # torch's whole layers count nothing; its cells, a step each, count their two products
    cell = getattr(torch.nn, f"{OURS[kind]}Cell")(inputs, hidden, device="meta")
    found = counted(lambda x: [cell(x) for _ in range(steps)], (batch, inputs))
    assert found == kind(batch, steps, inputs, hidden).flops


@slow
@given(batch=SIZE, m=SIZE, n=SIZE, k=SIZE)
def test_matmul_flops_forward_and_backward(batch, m, n, k):
    shapes = (batch, m, k), (batch, k, n)
    layer = Matmul(batch, m, n, k)
    assert counted(torch.bmm, *shapes) == layer.flops
    both = counted(torch.bmm, *shapes, backward=True)
    assert both == flops(layer, Phase.FPROP, Phase.DGRAD)


@slow
@given(batch=SIZE, queries=SIZE, keys=SIZE, kv_heads=st.integers(1, 4), group=st.integers(1, 4), dim=SIZE)
def test_unfused_attention_flops(batch, queries, keys, kv_heads, group, dim):
    layer = Attention(batch, queries, keys, kv_heads * group, dim, kv_heads, fused=False)
    q = (batch, layer.heads, queries, dim)
    kv = (batch, kv_heads, keys, dim)

    def attend(q, k, v):
        k, v = (x.repeat_interleave(group, dim=1) for x in (k, v))
        return torch.softmax(q @ k.transpose(-1, -2), dim=-1) @ v

    assert counted(attend, q, kv, kv) == layer.flops
    assert counted(attend, q, kv, kv, backward=True) == flops(layer, Phase.FPROP, Phase.DGRAD)


@slow
@given(batch=SIZE, queries=SIZE, keys=SIZE, heads=SIZE, dim=SIZE)
def test_fused_attention_flops(batch, queries, keys, heads, dim):
    layer = Attention(batch, queries, keys, heads, dim)
    q, kv = (batch, heads, queries, dim), (batch, heads, keys, dim)
    assert flop_counter.sdpa_flop_count(q, kv, kv) == layer.flops
    assert flop_counter.sdpa_backward_flop_count(q, q, kv, kv) == flops(layer, Phase.DGRAD)


@slow
@given(heads=st.integers(1, 8), head_dim=SIZE, bias=st.booleans())
def test_multihead_parameters(heads, head_dim, bias):
    theirs = torch.nn.MultiheadAttention(heads * head_dim, heads, bias=bias)
    ours = MultiheadAttention(width=heads * head_dim, heads=heads, bias=bias)
    assert ours.params == parameters(theirs)


def test_multihead_of_512_by_4_over_580_tokens():
    theirs = torch.nn.MultiheadAttention(512, 4, device="meta")
    ours = MultiheadAttention(1, 580, 512, 4)
    # torch counts 4*580*512^2 + 2*580^2*512 multiply-adds as two flops each
    assert counted(lambda x: theirs(x, x, x)[0], (580, 1, 512)) == ours.flops == 2 * 952_647_680
