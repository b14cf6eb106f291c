"""Every layer and network as a torch module computes what the layer says, and runs in every phase."""

import pytest
from sizes import NETWORKS, SMALL

from dlperf_widgets import gpus, layers
from dlperf_widgets.cost import Layout, Library, Scenario
from dlperf_widgets.dtypes import BF16, FP8, FP16, FP32, FP64, INT4, INT8, TF32, Format
from dlperf_widgets.layers import LAYERS, Activation, Attention, Linear, Repeat, Residual, Sequence
from dlperf_widgets.ops import TRAINING, Phase

torch = pytest.importorskip("torch")
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

from dlperf_widgets.measure.formats import Held, UnsupportedError, held, switches  # noqa: E402
from dlperf_widgets.measure.modules import BUILDERS, How, inputs, module  # noqa: E402
from dlperf_widgets.measure.work import present, work  # noqa: E402

CPU, META = torch.device("cpu"), torch.device("meta")
FPROP, DGRAD, WGRAD, UPDATE = Phase
ON_META = How(META, torch.float32, torch.float32)
every_layer = pytest.mark.parametrize("layer", SMALL.values(), ids=lambda layer: type(layer).__name__)


def scenario(layer, dtype=FP32, phases=(FPROP,), **how):
    return Scenario(layer, gpus.H100_SXM5_80GB, dtype, phases, **how)


def test_every_layer_is_here():
    assert set(SMALL) == {kind.__name__ for kind in LAYERS}
    apart = {"OptimizerStep", "DepthwiseSeparable", "MultiheadAttention"}  # a step; two made of others
    assert set(SMALL) - {kind.__name__ for kind in BUILDERS} == apart


@pytest.mark.parametrize(
    "layer", [each for each in (*SMALL.values(), *NETWORKS) if each.title != "OptimizerStep"], ids=str
)
def test_a_module_has_the_layers_parameters_shape_and_work(layer):
    net = module(layer, ON_META)
    assert sum(p.numel() for p in net.parameters()) == layer.params
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        output = net(*inputs(layer, ON_META))
    assert output.numel() == torch.Size(layer.output_shape).numel()
    causal = sum(  # torch counts what a causal mask hides
        count * 4 * leaf.batch * leaf.heads * leaf.head_dim * (leaf.queries * leaf.keys - leaf.pairs)
        for _, leaf, count in layer.leaves()
        if isinstance(leaf, Attention)
    )
    assert counter.get_total_flops() == layer.flops + causal


def test_tied_weights_are_one_tensor():
    net = module(NETWORKS[-3], ON_META)  # GPT-2
    named = dict(net.named_parameters(remove_duplicate=False))
    shared = [tensor for tensor in named.values() if tensor.shape == (50257, 768)]
    assert len(shared) == 2 and shared[0] is shared[1]


TOGETHER = ("Rnn", "Lstm", "Gru", "DepthwiseSeparable", "MultiheadAttention")  # dgrad and wgrad


@every_layer
@pytest.mark.parametrize("phases", [*((phase,) for phase in Phase), TRAINING], ids=lambda p: "+".join(p))
@pytest.mark.parametrize("dtype", [FP32, BF16, FP64], ids=str)
def test_every_phase_runs_or_says_why_not(layer, phases, dtype):
    asked = scenario(layer, dtype, phases)
    reason = "without dgrad" if phases == (WGRAD,) and type(layer).__name__ in TOGETHER else None
    if not present(asked):
        reason = f"{layer.title} moves and computes nothing in {phases[0]}"
    if reason:
        with pytest.raises(UnsupportedError, match=reason):
            work(asked, CPU)
        return
    done = work(asked, CPU)
    done.run()
    done.run()  # as often as one likes
    assert done.bytes > 0


def gradients(layer, *phases):
    """Return the shapes of what the phases compute."""
    return sorted(tuple(each.shape) for each in work(scenario(layer, phases=phases), CPU).run())


def test_dgrad_and_wgrad_are_of_inputs_and_weights_alone():
    layer = Linear(4, 8, 16)
    assert gradients(layer, DGRAD) == [(4, 8)]
    assert gradients(layer, WGRAD) == [(16,), (16, 8)]
    assert gradients(layer, FPROP, DGRAD, WGRAD) == [(4, 8), (16,), (16, 8)]


def test_one_pass_of_a_normalization_gives_both():
    assert gradients(layers.LayerNorm(8, 16), DGRAD) == [(8, 16), (16,), (16,)]


def test_every_operand_has_a_gradient():
    assert gradients(layers.Matmul(2, 4, 8, 16), DGRAD) == [(2, 4, 16), (2, 16, 8)]
    assert gradients(layers.Multiply(64), DGRAD) == [(64,), (64,)]
    assert gradients(Attention(2, 16, 16, 4, 8, 2), DGRAD) == [(2, 2, 16, 8), (2, 2, 16, 8), (2, 4, 16, 8)]
    assert gradients(layers.MseLoss(64), DGRAD) == [(64,)]  # but not a target


def test_a_network_needs_no_gradient_of_its_input():
    net = Sequence.of(a=Linear(4, 8, 16), b=Linear(4, 16, 8))
    assert (4, 8) in gradients(net, DGRAD, WGRAD)
    resnet = NETWORKS[2]
    assert (1, 3, 64, 64) not in gradients(resnet, DGRAD, WGRAD)
    with pytest.raises(UnsupportedError, match="dgrad of ResNet without wgrad"):
        work(scenario(resnet, phases=(DGRAD,)), CPU)


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize(("queries", "keys"), [(8, 8), (3, 8), (1, 8)])
def test_attention_is_attention(fused, causal, queries, keys):
    layer = Attention(2, queries, keys, 4, 8, kv_heads=2, causal=causal, fused=fused)
    how = How(CPU, torch.float64, torch.float64)
    q, k, v = inputs(layer, how)
    scores = torch.einsum("bhqd,bhkd->bhqk", q, k.repeat_interleave(2, 1)) / 8**0.5
    if causal:  # the last query sees the last key
        hidden = torch.ones(queries, keys).triu(1 + keys - queries).bool()
        scores = scores.masked_fill(hidden, float("-inf"))
    expected = torch.einsum("bhqk,bhkd->bqhd", scores.softmax(-1), v.repeat_interleave(2, 1)).flatten(2)
    torch.testing.assert_close(module(layer, how)(q, k, v), expected)


def test_cached_tokens_are_attended_to():
    layer = layers.MultiheadAttention(2, 1, 16, 4, causal=True, context=7)
    done = work(scenario(layer), CPU)
    assert done.run().shape == (2, 16)


def test_padding_as_tensorflow_has_it():
    layer = layers.Conv2d(1, 1, 1, 4, 4, 3, 3, stride=2, padding="same", bias=False)
    how = How(CPU, torch.float32, torch.float32)
    net = module(layer, how)
    torch.nn.init.ones_(next(net.parameters()))
    # 4 pixels, 3 taps, stride 2: one pixel of padding after the last; corners sum 9, 6, 6 and 4 ones
    assert net(torch.ones(1, 1, 4, 4)).flatten().tolist() == [9, 6, 6, 4]


def test_layout():
    layer = layers.Conv2d(2, 4, 8, 9, 9, 3, 3)
    for layout, expected in ((Layout.NHWC, torch.channels_last), (Layout.NCHW, torch.contiguous_format)):
        output = work(scenario(layer, layout=layout), CPU).run()
        assert output.is_contiguous(memory_format=expected)
        how = How(CPU, torch.float32, torch.float32, last=layout is Layout.NHWC)
        (x,), weight = inputs(layer, how), next(module(layer, how).parameters())
        assert x.is_contiguous(memory_format=expected) and weight.is_contiguous(memory_format=expected)


def test_in_place():
    layer = Activation(64, inplace=True)
    for phases in ((FPROP,), (DGRAD,)):
        done = work(scenario(layer, phases=phases), CPU)
        done.run(), done.run()
    with pytest.raises(UnsupportedError, match="in place"):
        work(scenario(layer, phases=(FPROP, DGRAD)), CPU)


def test_a_repeated_residual():
    layer = Repeat(Residual(Sequence.of(a=Linear(4, 8, 8), act=Activation(32, "gelu"))), 3)
    assert len(gradients(layer, FPROP, DGRAD, WGRAD)) == 1 + 3 * 2


AUTOCAST = Format(FP32, BF16, FP32)


def test_autocast():
    done = work(scenario(Linear(4, 8, 16), AUTOCAST, (FPROP, WGRAD)), CPU)
    assert {each.dtype for each in done.run()} == {torch.float32}
    assert work(scenario(Linear(4, 8, 16), AUTOCAST), CPU).run().dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("form", "kind", "capability", "reason"),
    [
        (FP8, "cpu", None, "FP8 needs a GPU of compute capability 8.9 or newer, not a CPU"),
        (TF32, "cpu", None, "TF32 needs a GPU of compute capability 8.0"),
        (TF32, "cuda", (7, 0), "TF32 needs compute capability 8.0 or newer: this GPU has 7.0"),
        (BF16, "cuda", (7, 5), "BF16 needs"),
        (FP8, "cuda", (8, 0), "FP8 needs compute capability 8.9"),
        (INT4, "cuda", (8, 0), "no INT4 products"),
        (Format(FP16, FP16, FP16, FP16), "cuda", (9, 0), None),
        (Format(BF16, BF16, BF16, FP16), "cuda", (9, 0), "accumulate BF16 products in FP16"),
        (Format(FP16, BF16, FP32), "cuda", (9, 0), "FP16 weights, BF16 activations and FP32 gradients"),
        (Format(FP16, INT8, FP16), "cuda", (9, 0), "no module with FP16 weights, INT8 activations"),
        (Format(FP8, FP8, BF16), "cuda", (8, 9), None),
    ],
)
def test_what_a_device_lacks_is_named(form, kind, capability, reason):
    form = form if isinstance(form, Format) else Format(form, form, form)
    if reason is None:
        plain, quantized = Held("float16", "float16"), Held("", "", quantized=FP8)
        assert held(form, kind, capability) == (quantized if form.math is FP8 else plain)
        return
    with pytest.raises(UnsupportedError, match=reason):
        held(form, kind, capability)


def test_int8():
    done = work(scenario(Linear(32, 64, 16), INT8), CPU)
    assert done.run().dtype == torch.int32
    assert done.bytes == 32 * 64 + 16 * 64 + 4 * 32 * 16
    for layer, phases, reason in (
        (Linear(32, 64, 16), (DGRAD,), "forward pass alone"),
        (layers.Softmax(8, 8), (FPROP,), "no INT8 Softmax"),
    ):
        with pytest.raises(UnsupportedError, match=reason):
            work(scenario(layer, INT8, phases), CPU)


@pytest.mark.parametrize(
    ("layer", "how", "reason"),
    [
        (Linear(4, 8, 16), {"sparse": True}, "sparsity"),
        (Linear(4, 8, 16), {"library": Library.LEGACY}, "libraries"),
        (layers.Lstm(2, 3, 8, 16, persistent=True), {}, "persistent"),
        (layers.OptimizerStep(64, mixed=True), {"phases": (UPDATE,)}, "master weights"),
        (Sequence.of(a=layers.OptimizerStep(64)), {"phases": (UPDATE,)}, "by itself"),
    ],
)
def test_what_torch_cannot_be_asked_for_is_named(layer, how, reason):
    with pytest.raises(UnsupportedError, match=reason):
        work(scenario(layer, FP16, **how), CPU)


@pytest.mark.parametrize("kind", ["sgd", "momentum", "adam", "adamw"])
def test_optimizers_step(kind):
    done = work(scenario(layers.OptimizerStep(64, kind), phases=(UPDATE,)), CPU)
    done.run()
    assert done.bytes == 64 * layers.OptimizerStep(64, kind).moved_bytes


def test_switches_are_put_back():
    places = (torch.backends.cuda.matmul, torch.backends.cudnn.conv, torch.backends.cudnn.rnn)
    before = [place.fp32_precision for place in places], torch.backends.cudnn.benchmark
    for tf32, expected in ((True, "tf32"), (False, "ieee")):
        with pytest.raises(KeyError), switches(torch, tf32):
            assert {place.fp32_precision for place in places} == {expected}
            assert torch.backends.cudnn.benchmark
            raise KeyError
        assert ([place.fp32_precision for place in places], torch.backends.cudnn.benchmark) == before
