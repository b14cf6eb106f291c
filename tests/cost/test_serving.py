"""Serving a language model: decode steps are the model at one token, and the cache is what fills memory."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.cost.generation import decoding, prefilling
from dlperf_widgets.cost.serving import Serving
from dlperf_widgets.dtypes import FP16, INT4, INT8
from dlperf_widgets.layers import Attention
from dlperf_widgets.models import Bert, Gpt2, Gpt3, Llama, ResNet50

A100 = gpus.A100_SXM4_80GB
LLAMA = Scenario(Llama("3-8B", batch=32, sequence=2048), A100, FP16)


@pytest.mark.parametrize("batch", [1, 7, 32, 200])
@pytest.mark.parametrize("name", ["2-7B", "3-8B"])
def test_a_decode_step_is_the_model_at_one_token_with_the_rest_cached(name, batch):
    served = Serving(Scenario(Llama(name, batch, 512), A100, FP16), 64)
    assert served.keys == 576
    model = Scenario(Llama(name, batch, sequence=1, context=575), A100, FP16)
    assert served.decode.time == pytest.approx(model.time, rel=1e-12)


def test_prefill_is_the_model_but_for_the_output_layer_on_the_last_tokens():
    served = Serving(LLAMA)
    rows = {c.path: c.time * c.count for c in LLAMA.costs}
    last = Scenario(Llama("3-8B", batch=32, sequence=1), A100, FP16)
    head = next(c.time for c in last.costs if c.path == "head")
    assert served.prefill.time == pytest.approx(sum(rows.values()) - rows["head"] + head, rel=1e-12)


def test_tokens_that_are_cached_already_are_not_read_again():
    cached = Serving(replace(LLAMA, layer=Llama("3-8B", 32, sequence=48, context=2000)))
    assert cached.keys == Serving(LLAMA).keys == 2304
    assert cached.prefill.time < Serving(LLAMA).prefill.time / 20
    assert cached.decode.time == pytest.approx(Serving(LLAMA).decode.time)


@pytest.mark.parametrize("layer", [Gpt2("xl", 4, 512), Gpt3(2, 1024)], ids=lambda layer: layer.title)
def test_models_with_tied_embeddings_decode_too(layer):
    step = decoding(layer, 640)
    attention = [leaf for _, leaf, _ in step.leaves() if isinstance(leaf, Attention)]
    assert {(each.queries, each.keys) for each in attention} == {(1, 640)}
    assert (step.params, prefilling(layer).params) == (layer.params, layer.params)
    # one token does 1/512 (1/1024) of the work of a prompt's products with weights
    products = {path: leaf.macs for path, leaf, _ in layer.leaves() if not isinstance(leaf, Attention)}
    for path, leaf, _ in step.leaves():
        if not isinstance(leaf, Attention):
            assert leaf.macs * layer.sequence == products[path]


@pytest.mark.parametrize(
    ("name", "size"),
    # blocks x (keys and values) x key-value heads x head dimension x 2 bytes
    [("2-7B", 32 * 2 * 32 * 128 * 2), ("2-70B", 80 * 2 * 8 * 128 * 2), ("3-8B", 32 * 2 * 8 * 128 * 2)],
)
def test_the_cache_of_a_token(name, size):
    served = Serving(replace(LLAMA, layer=Llama(name, 1, 100)))
    assert served.cache_per_token == size
    assert served.memory.cache == size * 356  # 100 of the prompt and 256 generated
    assert served.blocks * 2 * served.attention.kv_heads * served.attention.head_dim * 2 == size


def test_memory_is_weights_cache_and_what_is_alive():
    served = Serving(LLAMA)
    assert served.memory.weights == 2 * 8_030_261_248  # the parameters that Meta states as 8.03 billion
    grown = served.memory.total(33) - served.memory.total(32)
    assert grown == pytest.approx(served.memory.cache, rel=0.01)
    room = A100.memory - 0.6 * 2**30
    fits = int((room - served.memory.constant) // served.memory.per_sample)
    # (85.26 GB - 16.26 GB) / (131,072 B x 2,304 + 0.26 MB) = 228
    assert fits == 228


def test_heads_with_keys_of_their_own_need_as_many_times_the_cache():
    grouped, own, one = (Serving(LLAMA, kv_heads=heads) for heads in (None, 0, 1))
    assert (own.cache_per_token, one.cache_per_token) == (
        4 * grouped.cache_per_token, grouped.cache_per_token / 8,
    )  # fmt: skip
    assert own.decode.attention.memory == pytest.approx(4 * grouped.decode.attention.memory, rel=0.01)
    assert one.decode.time < grouped.decode.time < own.decode.time
    # keys and values of 32 heads in place of 8: 2 x 24 x 128 x 4096 weights more in each of 32 blocks
    assert own.memory.weights - grouped.memory.weights == 2 * 32 * 2 * 24 * 128 * 4096


def test_stored_weights_shrink_without_the_cache():
    plain, int8, int4 = (Serving(LLAMA, weights=weights) for weights in (None, INT8, INT4))
    assert (int8.memory.weights, int4.memory.weights) == (
        plain.memory.weights / 2, plain.memory.weights / 4,
    )  # fmt: skip
    assert int4.cache_per_token == plain.cache_per_token
    assert int4.format.math is FP16
    assert int4.decode.time < int8.decode.time < plain.decode.time
    assert int4.decode.products.math == plain.decode.products.math


@pytest.mark.parametrize("weights", [None, INT8, INT4])
def test_products_turn_where_math_takes_as_long_as_memory(weights):
    served = Serving(LLAMA, weights=weights)
    turn = served.turns
    below, at = served.decode_at(turn - 1).products, served.decode_at(turn).products
    assert below.math < below.memory and at.math >= at.memory
    # A100: 312e12 / 2039e9 = 153 FLOPS a byte; two FLOP and so many bytes a weight and request
    size = served.format.weights.bytes
    assert 153 * size / 2 < turn < 1.1 * 153 * size / 2


def test_launch_is_part_of_a_step():
    # one request on H100: 16 GB of weights at 3.35 TB/s take 4.8 ms, and the host takes 14 ms for its
    # 32 blocks of four linear layers of 56 us, two norms of 46, attention of 34 and three passes of 26
    alone = Scenario(Llama("3-8B", batch=1, sequence=2048), gpus.H100_SXM5_80GB, FP16)
    bare, graph, eager = (
        Serving(replace(alone, launch=launch)) for launch in (Launch.KERNEL, Launch.GRAPH, Launch.EAGER)
    )
    assert bare.decode.time < graph.decode.time < eager.decode.time / 1.5
    assert eager.prefill.time == pytest.approx(graph.prefill.time)  # 2048 tokens hide the host


def test_rates_follow_from_times():
    served = Serving(LLAMA, 256)
    assert served.tokens_per_second == 32 / served.decode.time
    assert served.prompt_tokens_per_second == 32 * 2048 / served.prefill.time
    assert served.request_time == served.prefill.time + 255 * served.decode.time


@pytest.mark.parametrize(
    ("layer", "generated", "words"),
    [
        (Gpt2(batch=1, sequence=1000), 100, "Gpt2 has positions for 1,024 tokens: a prompt of 1,000 and 100"),
        (Bert(), 1, "Bert generates no tokens"),
        (ResNet50(), 1, "ResNet has no sequence of tokens"),
        (Llama(), 0, "generated must be between 1 and"),
    ],
    ids=["positions", "encoder", "images", "none"],
)
def test_what_cannot_be_served_is_named(layer, generated, words):
    with pytest.raises(ValueError, match=words):
        Serving(Scenario(layer, A100, FP16), generated)


def test_the_last_position_can_be_used():
    assert Serving(Scenario(Gpt2(batch=1, sequence=1000), A100, FP16), 24).keys == 1024
