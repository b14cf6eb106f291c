"""Attention: fused and not, backward, masked, decoding from a cache."""

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16, FP32, Format, uniform
from dlperf_widgets.layers import Attention, Linear, MultiheadAttention
from dlperf_widgets.ops import Gemm, Phase
from dlperf_widgets.units import GIB

A100 = gpus.A100_SXM4_80GB
HALF = uniform(FP16)
SIZE = st.integers(1, 64)


def traffic(layer, phase=Phase.FPROP, form=HALF):
    return sum(op.traffic(form) for op in layer.ops(phase))


def macs(layer, phase):
    return sum(op.macs for op in layer.ops(phase))


@st.composite
def attentions(draw):
    kv_heads, group = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    sizes = [draw(SIZE) for _ in range(3)]
    return Attention(*sizes, kv_heads * group, draw(SIZE), kv_heads, draw(st.booleans()), draw(st.booleans()))


class TestMemory:
    """Batch 8, 16 heads of 64, 2048 tokens, FP16."""

    fused = Attention(8, 2048, 2048, 16, 64)
    unfused = Attention(8, 2048, 2048, 16, 64, fused=False)

    def test_flops(self):
        # 4 * 8 * 16 * 2048^2 * 64
        assert self.fused.flops == self.unfused.flops == 137_438_953_472

    def test_fused_moves_queries_keys_values_and_output(self):
        # 2 * (2*8*2048*16*64 + 2*8*2048*16*64) + 4*8*16*2048
        assert traffic(self.fused) == 135_266_304
        assert self.fused.flops / traffic(self.fused) == pytest.approx(1016, abs=0.5)

    def test_unfused_moves_the_scores_four_times(self):
        # 2 * 4*8*16*2048*64 + 4 * 2 * 8*16*2048^2
        assert traffic(self.unfused) == 4_429_185_024
        assert self.unfused.flops / traffic(self.unfused) == pytest.approx(31.0, abs=0.05)

    def test_the_scores_are_a_gibibyte(self):
        scores = self.unfused.ops(Phase.FPROP)[0]
        assert 2 * scores.batch * scores.m * scores.n == GIB

    def test_unfused_grows_with_the_square_of_the_sequence(self):
        twice = [replace(layer, queries=4096, keys=4096) for layer in (self.fused, self.unfused)]
        assert traffic(twice[0]) == 2 * traffic(self.fused)
        assert traffic(twice[1]) > 3.9 * traffic(self.unfused)

    def test_softmax_is_other_flops_either_way(self):
        assert self.fused.other_flops == self.unfused.other_flops == 5 * 8 * 16 * 2048**2

    def test_saved(self):
        token = 8 * 2048 * 16 * 64
        assert self.fused.saved.elements == 4 * token  # Q, K, V, O
        assert self.fused.saved.side_bytes == 4 * 8 * 16 * 2048
        assert self.unfused.saved.elements == 3 * token + 8 * 16 * 2048**2  # Q, K, V, P

    def test_fused_is_faster(self):
        assert Scenario(self.fused, A100, FP16).time < Scenario(self.unfused, A100, FP16).time


class TestBackward:
    def test_fused_recomputes_the_scores(self):
        layer = Attention(2, 32, 32, 4, 8)
        assert macs(layer, Phase.DGRAD) == 2.5 * layer.macs

    def test_unfused_is_four_products(self):
        layer = Attention(2, 32, 48, 4, 8, fused=False)
        shapes = [(op.m, op.n, op.k) for op in layer.ops(Phase.DGRAD) if isinstance(op, Gemm)]
        assert shapes == [(48, 8, 32), (32, 48, 8), (32, 8, 48), (48, 8, 32)]  # dV, dP, dQ, dK
        assert macs(layer, Phase.DGRAD) == 2 * layer.macs
        softmax = layer.ops(Phase.DGRAD)[2]
        pairs = 2 * 4 * 32 * 48
        assert (softmax.reads, softmax.kept, softmax.writes) == (pairs, pairs, pairs)  # dP, P; dS
        assert softmax.flops == 4 * pairs

    def test_unfused_moves_gradients_in_their_own_format(self):
        layer = Attention(1, 2, 3, 1, 5, fused=False)
        wider = traffic(layer, Phase.DGRAD, Format(FP16, FP16, FP32)) - traffic(layer, Phase.DGRAD)
        q, k, scores = 2 * 5, 3 * 5, 2 * 3
        # two bytes more for dO, dV; dO, dP; dP, dS in softmax; dS, dQ; dS, dK
        assert wider == 2 * ((q + k) + (q + scores) + 2 * scores + (scores + q) + (scores + k))

    def test_rows_lie_apart_by_a_head_or_by_the_keys(self):
        layer = Attention(2, 31, 48, 4, 8, kv_heads=2, fused=False)
        for phase in (Phase.FPROP, Phase.DGRAD):
            for op in layer.ops(phase):
                if isinstance(op, Gemm):
                    # scores and probabilities by their keys; Q, K, V, O by a head; nothing by the queries
                    sizes = (op.m * op.k, op.k * op.n, op.m * op.n)
                    apart = tuple(2 * 48 if size == 62 * 48 else 2 * 8 for size in sizes)
                    assert op.leading_bytes(HALF) == apart

    def test_there_are_no_weights(self):
        assert Attention().ops(Phase.WGRAD) == Attention().ops(Phase.UPDATE) == ()
        assert Attention().params == 0


class TestCausal:
    def test_conventions_of_64_tokens(self):
        full, masked = (Attention(1, 64, 64, 12, 64, causal=causal) for causal in (False, True))
        assert full.flops == 12_582_912  # 4 * 12 * 64 * 64^2
        assert masked.flops == 6_389_760  # 4 * 12 * 64 * 64*65/2
        assert 4 * 12 * 64 * masked.pairs_half == 6_291_456  # 4 * 12 * 64 * 64^2/2

    def test_a_training_step_of_llama_2_7b_at_batch_4_and_8192_tokens(self):
        # 3 times forward, 32 layers: 422.21 TFLOP in full, 211.11 by the usual half
        full, masked = (Attention(4, 8192, 8192, 32, 128, causal=causal) for causal in (False, True))
        assert 3 * 32 * full.flops == pytest.approx(422.21e12, rel=1e-5)
        assert 3 * 32 * full.flops * masked.pairs_half / full.pairs == pytest.approx(211.11e12, rel=3e-5)
        assert masked.flops / full.flops == 8193 / (2 * 8192)

    def test_four_queries_after_six_cached_keys(self):
        layer = Attention(1, 4, 10, 1, 8, causal=True)
        assert layer.pairs == 34  # 7 + 8 + 9 + 10
        assert layer.pairs_half == 32  # 4*10 - 4*4/2

    def test_one_new_token_sees_everything(self):
        layer = Attention(1, 1, 10, 1, 8, causal=True)
        assert layer.pairs == layer.pairs_half == 10

    def test_of_more_queries_than_keys_the_first_see_none(self):
        assert Attention(1, 7, 3, 1, 8, causal=True).pairs == 6  # 0 + 0 + 0 + 0 + 1 + 2 + 3

    def test_unfused_computes_what_the_mask_hides(self):
        full, masked = (Attention(fused=False, causal=causal) for causal in (False, True))
        assert masked.ops(Phase.FPROP) == full.ops(Phase.FPROP)

    @given(queries=SIZE, keys=SIZE)
    def test_pairs_one_by_one(self, queries, keys):
        layer = Attention(1, queries, keys, 1, 8, causal=True)
        assert layer.pairs == sum(max(0, keys - queries + 1 + i) for i in range(queries))
        assert 0 <= layer.pairs - layer.pairs_half <= min(queries, keys) / 2 + 1


class TestDecoding:
    @pytest.mark.parametrize(("kv_heads", "group"), [(64, 1), (8, 8)])
    def test_intensity_of_one_token_in_fp16_is_its_group(self, kv_heads, group):
        # 4 h T d flops on 2 * 2 hk T d bytes
        layer = Attention(1, 1, 2**20, 64, 128, kv_heads)
        assert layer.flops / traffic(layer) == pytest.approx(group, rel=1e-3)
        # unfused too, a key-value head's keys are read once, for all queries of its group
        scores = replace(layer, fused=False).ops(Phase.FPROP)[0]
        assert (scores.m, scores.batch * scores.n * scores.k) == (group, kv_heads * 2**20 * 128)

    def test_llama_2_70b_reads_an_eighth_of_what_all_heads_would(self):
        # 2 * 4096 * 8 * 128 * 2 B = 16.8 MB a layer, against 134.2 MB of 64 heads
        grouped, every = Attention(1, 1, 4096, 64, 128, 8), Attention(1, 1, 4096, 64, 128)
        assert 2 * grouped.kv_cache == 16_777_216
        assert 2 * every.kv_cache == 134_217_728
        assert traffic(grouped) == pytest.approx(2 * grouped.kv_cache, rel=0.01)

    def test_caches(self):
        assert 32 * 2 * Attention(1, 1, 4096, 32, 128).kv_cache == 2 * GIB  # Llama-2-7B
        assert 32 * 2 * Attention(1, 1, 8192, 32, 128, 8).kv_cache == GIB  # 8 key-value heads

    def test_a_token_of_qwen3_32b(self):
        # 64 layers * 8 heads * 128 * 2 * 2 B; 64 heads of 128 are not its width of 5120
        layer = MultiheadAttention(1, 1, 5120, 64, kv_heads=8, head_dim=128)
        assert 64 * 2 * layer.attention.kv_cache == 262_144
        assert [part.inputs for _, part in layer.parts if isinstance(part, Linear)] == [5120, 8192]


class TestSizes:
    def test_kv_heads_are_as_many_as_heads_unless_given(self):
        assert Attention(heads=12).kv_heads == 12
        assert Attention(heads=12) == Attention(heads=12, kv_heads=12)
        assert Attention(heads=12, kv_heads=4).kv_heads == 4

    @pytest.mark.parametrize("kind", [Attention, MultiheadAttention])
    @pytest.mark.parametrize(
        ("heads", "kv_heads", "sentence"),
        [
            (8, 12, "kv_heads 12 is more than heads 8"),
            (12, 5, "heads 12 must be a multiple of kv_heads 5"),
        ],
    )
    def test_kv_heads_must_divide_heads(self, kind, heads, kv_heads, sentence):
        with pytest.raises(ValueError, match=f"^{kind.__name__} {sentence}$"):
            kind(heads=heads, kv_heads=kv_heads)

    def test_width_must_divide_among_heads(self):
        with pytest.raises(ValueError, match="MultiheadAttention width 100 must be a multiple of heads 3"):
            MultiheadAttention(width=100, heads=3)
        assert MultiheadAttention(width=100, heads=3, head_dim=32).attention.head_dim == 32

    def test_shapes_follow_the_packed_projection(self):
        layer = Attention(2, 3, 3, 8, 5, kv_heads=4)
        assert (layer.input_shape, layer.output_shape) == ((2, 3, (8 + 4 + 4) * 5), (2, 3, 40))


@given(layer=attentions())
def test_heads_of_a_group_share_their_keys(layer):
    every = replace(layer, kv_heads=layer.heads)
    for phase in (Phase.FPROP, Phase.DGRAD):
        assert macs(layer, phase) == macs(every, phase)
        assert traffic(layer, phase) <= traffic(every, phase)
    spared = 2 * (layer.heads - layer.kv_heads) * layer.batch * layer.keys * layer.head_dim
    assert traffic(every) - traffic(layer) == 2 * spared
    assert every.saved.elements - layer.saved.elements == spared


@given(layer=attentions())
def test_what_is_saved_is_what_fused_backward_reads(layer):
    assume(layer.fused)
    q = layer.batch * layer.queries * layer.heads * layer.head_dim
    assert layer.saved.elements == 2 * q + layer.kv_cache
    assert layer.saved.extra == 2 * layer.batch * layer.kv_heads * layer.head_dim * max(
        layer.keys - layer.queries, 0
    )
    assert traffic(layer) == 2 * layer.saved.elements + layer.saved.side_bytes


@given(layer=attentions())
def test_unfused_is_never_less_work(layer):
    fused, unfused = (replace(layer, fused=flag) for flag in (True, False))
    assert fused.macs <= unfused.macs
    assert fused.flops == 4 * layer.batch * layer.heads * layer.pairs * layer.head_dim
