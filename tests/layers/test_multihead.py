"""Attention with its projections, and products of two activations."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16, uniform
from dlperf_widgets.layers import Attention, Matmul, MultiheadAttention
from dlperf_widgets.ops import Phase

A100 = gpus.A100_SXM4_80GB
SIZE = st.integers(1, 64)


class TestMultihead:
    def test_of_512_by_4_over_580_tokens(self):
        # 4*580*512^2 + 2*580^2*512
        assert MultiheadAttention(1, 580, 512, 4).macs == 952_647_680

    def test_parameters(self):
        assert MultiheadAttention(width=512, heads=4).params == 4 * 512 * 512 + 4 * 512
        assert MultiheadAttention(width=512, heads=4, bias=False).params == 4 * 512 * 512

    def test_cached_tokens_are_seen_but_not_projected(self):
        layer = MultiheadAttention(2, 1, 512, 4, context=99)
        assert (layer.attention.queries, layer.attention.keys) == (1, 100)
        assert layer.macs == 2 * (4 * 512 * 512 + 2 * 100 * 512)

    def test_rows_are_named(self):
        scenario = Scenario(MultiheadAttention(1, 64, 128, 4), A100, FP16)
        assert [row.path for row in scenario.costs] == ["qkv", "attention", "output"]

    def test_neighbours_keep_one_tensor_between_them(self):
        tokens, width = 8 * 64, 128
        kept = MultiheadAttention(8, 64, width, 4).saved
        assert (kept.input, kept.output) == (tokens * width, 0)
        assert kept.extra == tokens * (3 * width + width)  # Q, K, V; O, which the last projection needs too

    @given(batch=SIZE, sequence=SIZE, heads=st.integers(1, 8), head_dim=SIZE, context=st.integers(0, 64))
    def test_work(self, batch, sequence, heads, head_dim, context):
        layer = MultiheadAttention(batch, sequence, heads * head_dim, heads, context=context)
        width, keys = heads * head_dim, context + sequence
        assert layer.macs == batch * sequence * (4 * width**2 + 2 * keys * width)
        assert replace(layer, head_dim=head_dim, kv_heads=heads).parts == layer.parts


class TestMatmul:
    def test_two_gradients(self):
        layer = Matmul(batch=2, m=3, n=5, k=7)
        shapes = [(op.m, op.n, op.k, op.batch) for phase in Phase for op in layer.ops(phase)]
        assert shapes == [(3, 5, 7, 2), (3, 7, 5, 2), (7, 5, 3, 2)]
        assert sum(op.macs for op in layer.ops(Phase.DGRAD)) == 2 * layer.macs
        assert layer.params == 0

    def test_rows_lie_apart_by_what_is_contiguous(self):
        form, layer = uniform(FP16), Matmul(batch=2, m=3, n=5, k=7)
        apart = [op.leading_bytes(form) for phase in Phase for op in layer.ops(phase)]
        # A by k, B by n, C by n; dC by n, B by n, dA by k; A by k, dC by n, dB by n
        assert apart == [(14, 10, 10), (10, 10, 14), (14, 10, 10)]

    def test_both_operands_are_kept(self):
        assert Matmul(batch=2, m=3, n=5, k=7).saved.elements == 2 * (3 * 7 + 7 * 5)

    def test_it_is_the_product_of_unfused_attention(self):
        form = uniform(FP16)
        scores = Attention(2, 32, 48, 4, 8, fused=False).ops(Phase.FPROP)[0]
        (product,) = Matmul(2 * 4, 32, 48, 8).ops(Phase.FPROP)
        assert product.traffic(form) == scores.traffic(form)
