"""Networks written with torch get the counts of ours, where other counters are known to go wrong."""

import pytest

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional

import networks  # noqa: E402
from networks import Calling, kinds, on_meta, parameters, tokens  # noqa: E402
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402

import dlperf_widgets as dp  # noqa: E402
from dlperf_widgets import layers, models  # noqa: E402
from dlperf_widgets.models._transformer import pre_norm_block  # noqa: E402

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*padding='same' with even kernel:UserWarning",
    "ignore:LSTM with projections is not supported with oneDNN:UserWarning",
)
from_torch = models.from_torch


def test_alexnet_is_ours():
    ours = models.AlexNet(batch=2)
    model = from_torch(on_meta(networks.AlexNet), torch.empty(2, 3, 224, 224))
    assert (model.params, model.macs, model.flops) == (ours.params, ours.macs, ours.flops)
    weighted = [leaf for _, leaf, _ in model.leaves() if leaf.params]
    assert weighted == [leaf for _, leaf, _ in ours.leaves() if leaf.params]
    assert model.layers[0][0] == "features.0"
    assert model.unplaced == ()
    assert model.input_shape == (2, 3, 224, 224) and model.output_shape == (2, 1000)


@pytest.mark.parametrize("training", [True, False])
def test_resnet_50_is_ours(training):
    ours = models.ResNet50()
    module = on_meta(networks.ResNet50).train(training)
    model = from_torch(module, torch.empty(1, 3, 224, 224))
    assert (model.params, model.macs, model.flops) == (ours.params, ours.macs, ours.flops)
    assert model.params == parameters(module)
    assert model.unplaced == ()
    ours_by_kind = [type(leaf).__name__ for _, leaf, _ in ours.leaves()]
    assert sorted(kinds(model)) == sorted(ours_by_kind)  # in place, pools and additions too
    norm = dict(model.layers)["bn1"]
    assert norm.passes == (layers.Passes.PERSISTENT if training else layers.Passes.INFERENCE)
    assert "layer4.2.relu#3" in dict(model.layers)


def test_vit_block_is_ours():
    ours = pre_norm_block(2 * 50, 96, layers.MultiheadAttention(2, 50, 96, 6), 4 * 96)
    model = from_torch(networks.VitBlock(96, 6), torch.empty(2, 50, 96))
    assert [leaf for _, leaf, _ in model.leaves()] == [leaf for _, leaf, _ in ours.leaves()]
    assert (model.params, model.macs, model.other_flops) == (ours.params, ours.macs, ours.other_flops)
    assert [path for path, _ in model.layers][:4] == [
        "norm1", "attention.qkv", "attention.attention", "attention.output",
    ]  # fmt: skip


def test_gpt_block_is_ours():
    attention = layers.MultiheadAttention(2, 50, 96, 6, causal=True)
    ours = pre_norm_block(2 * 50, 96, attention, 4 * 96)
    model = from_torch(networks.GptBlock(96, 6), torch.empty(2, 50, 96))
    assert [leaf for _, leaf, _ in model.leaves()] == [leaf for _, leaf, _ in ours.leaves()]
    assert (model.params, model.macs) == (ours.params, ours.macs)
    # heads side by side again are a copy of the attention's output, which no layer of ours is
    assert [(each.name, each.count) for each in model.unplaced] == [("aten.clone", 1)]


def test_grouped_query_attention_is_seen():
    model = from_torch(networks.GptBlock(96, 6, kv_heads=2), torch.empty(2, 50, 96))
    assert dict(model.layers)["attention"] == layers.Attention(2, 50, 50, 6, 16, kv_heads=2, causal=True)


def test_lstm_classifier_is_ours():
    module = networks.LstmClassifier()
    model = from_torch(module, tokens(4, 9))
    assert [layer for _, layer in model.layers] == [
        layers.Embedding(36, 32, 1000),
        layers.Lstm(4, 9, 32, 48, layers=2, bidirectional=True),
        layers.Linear(4, 96, 7),
    ]
    assert model.params == parameters(module)
    assert model.macs == 2 * 4 * 9 * 4 * 48 * (32 + 48 + 96 + 48) + 4 * 96 * 7
    assert model.unplaced == ()


def test_transposed_convolution_counts_input_pixels():
    module = nn.ConvTranspose2d(64, 32, 4, stride=2, padding=1, bias=False)
    assert from_torch(module, torch.empty(1, 64, 16, 16)).macs == 8_388_608  # 64 x 32 x 16 x 256


def test_backward_of_a_depthwise_convolution_is_three_times_forward_with_its_gradients():
    model = from_torch(nn.Conv2d(24, 24, 3, groups=24), torch.empty(1, 24, 32, 32))
    ((_, conv),) = model.layers
    work = [
        sum(op.macs for op in conv.ops(phase)) for phase in (dp.Phase.FPROP, dp.Phase.DGRAD, dp.Phase.WGRAD)
    ]
    assert 2 * sum(work) == 3 * 388_800  # 24 x 9 x 30 x 30 multiply-adds each


@pytest.mark.parametrize(("shape", "macs"), [((5, 10, 3), 1_200), ((5, 100, 100, 3), 1_200_000)])
def test_a_linear_layers_batch_is_all_leading_dimensions(shape, macs):
    assert from_torch(nn.Linear(3, 8), torch.empty(shape)).macs == macs


@pytest.mark.parametrize("training", [True, False])
def test_vit_is_the_same_with_and_without_gradients(training):
    module = on_meta(networks.VitB16).train(training)
    image = torch.empty(1, 3, 224, 224)
    traced = [from_torch(module, image)]
    with torch.no_grad():
        traced.append(from_torch(module, image))
    with torch.inference_mode():
        traced.append(from_torch(module, image))
    traced.append(from_torch(module.requires_grad_(False), image))
    assert all(each == traced[0] for each in traced)
    assert traced[0].macs == models.VitB16().macs
    assert round(traced[0].macs / 1e9, 3) == 17.564
    assert traced[0].params == models.VitB16().params == parameters(module)
    assert [each.name for each in traced[0].unplaced] == ["aten.cat"]  # of the class token


@pytest.mark.parametrize("training", [True, False])
def test_lstm(training):
    model = from_torch(nn.LSTM(10, 20).train(training), torch.empty(5, 3, 10))
    assert model.macs == 36_000  # 5 x 3 x (4 x 20 x 10 + 4 x 20 x 20)


@pytest.mark.parametrize(
    ("module", "layer"),
    [
        (
            nn.LSTM(10, 20, 3, proj_size=7, bidirectional=True),
            layers.Lstm(3, 5, 10, 20, 3, True, projection=7),
        ),
        (nn.GRU(10, 20, bias=False), layers.Gru(3, 5, 10, 20, bias=False)),
        (nn.RNN(10, 20, nonlinearity="relu"), layers.Rnn(3, 5, 10, 20)),
    ],
)
def test_recurrent_layers(module, layer):
    model = from_torch(module, torch.empty(5, 3, 10))
    assert [leaf for _, leaf in model.layers] == [layer]
    assert model.params == layer.params == parameters(module)
    assert model.output_shape == module(torch.zeros(5, 3, 10))[0].shape
    first = from_torch(module, torch.empty(5, 10))  # without a batch
    assert first.layers[0][1].batch == 1


def test_a_long_sequence_is_not_gone_through_step_by_step():
    assert from_torch(nn.LSTM(4, 4), torch.empty(10**6, 1, 4)).macs == 10**6 * 4 * 4 * 8


def test_a_packed_sequence_is_refused():
    def forward(self, x):
        packed = nn.utils.rnn.pack_padded_sequence(x, [3, 2])
        return self.lstm(packed)[0].data

    # its lengths are data, which the meta device has not
    with pytest.raises(ValueError, match="Calling fails on these inputs"):
        from_torch(Calling(forward, lstm=nn.LSTM(10, 20)), torch.empty(3, 2, 10))


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("gradient", [True, False])
@pytest.mark.parametrize("weights", [True, False])
def test_multihead_attention(training, gradient, weights):
    module = nn.MultiheadAttention(512, 4).train(training).requires_grad_(gradient)
    x = torch.empty(580, 1, 512)
    model = from_torch(module, x, x, x, need_weights=weights)
    assert model.macs == 952_647_680  # 4 x 580 x 512^2 + 2 x 580^2 x 512
    assert model.params == parameters(module) == sum(layer.params for _, layer in model.layers)
    assert model.layers[1][1].fused is not weights


def test_cross_attention_projects_queries_apart():
    module = nn.MultiheadAttention(64, 4, batch_first=True, kdim=32, vdim=16)
    model = from_torch(module, torch.empty(2, 5, 64), torch.empty(2, 9, 32), torch.empty(2, 9, 16))
    assert model.macs == 2 * (5 * 64 * 64 + 9 * 32 * 64 + 9 * 16 * 64 + 2 * 5 * 9 * 64 + 5 * 64 * 64)
    packed, memory = nn.MultiheadAttention(64, 4, batch_first=True), torch.empty(2, 9, 64)
    model = from_torch(packed, torch.empty(2, 5, 64), memory, memory)
    assert [path for path, _ in model.layers] == ["q", "kv", "attention", "output"]
    assert model.params == parameters(packed) == sum(layer.params for _, layer in model.layers)


def attend(**how):
    return Calling(lambda self, q, k, v: F.scaled_dot_product_attention(q, k, v, **how))


@pytest.mark.parametrize(("causal", "flops"), [(False, 12_582_912), (True, 6_389_760)])
def test_attention_as_a_function(causal, flops):
    x = torch.empty(1, 12, 64, 64)
    assert from_torch(attend(is_causal=causal), x, x, x).flops == flops


@pytest.mark.parametrize(("queries", "keys"), [(6, 4), (4, 6), (1, 5)])
def test_a_causal_mask_begins_at_the_first_key(queries, keys):
    pairs = int(torch.ones(queries, keys).tril().sum())
    inputs = torch.empty(2, 3, queries, 8), *[torch.empty(2, 3, keys, 8)] * 2
    assert from_torch(attend(is_causal=True), *inputs).macs == 2 * 2 * 3 * 8 * pairs


@pytest.mark.parametrize("width", [16, 17])  # an odd sum of widths is seen as the products it becomes
def test_attention_with_wider_values(width):
    inputs = torch.empty(2, 3, 5, 8), torch.empty(2, 3, 7, 8), torch.empty(2, 3, 7, width)
    assert from_torch(attend(), *inputs).macs == 2 * 3 * 5 * 7 * (8 + width)


@pytest.mark.parametrize("training", [True, False])
def test_transformer_encoder_has_no_fast_path_that_counts_nothing(training):
    layer = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
    module = nn.TransformerEncoder(layer, 2).train(training)
    model = from_torch(module, torch.empty(2, 10, 64))
    assert model.macs == 2 * (4 * 20 * 64 * 64 + 2 * 2 * 10 * 10 * 64 + 2 * 20 * 64 * 128)
    assert model.params == parameters(module) and model.unplaced == ()
    assert ("Dropout" in kinds(model)) is training


@pytest.mark.parametrize(
    ("build", "shape"),
    [
        (networks.AlexNet, (2, 3, 224, 224)),
        (networks.ResNet50, (1, 3, 160, 160)),
        (lambda: nn.Conv1d(6, 9, 4, 2, 1, dilation=2, groups=3), (2, 6, 40)),
        (lambda: nn.Conv3d(4, 6, (1, 2, 3), padding="same"), (2, 4, 5, 6, 7)),
        (lambda: nn.ConvTranspose3d(4, 6, 3, 2, 1, 1), (1, 4, 5, 6, 7)),
        (lambda: nn.ConvTranspose1d(4, 6, 3, 2, groups=2), (3, 4, 9)),
    ],
)
def test_torchs_own_count_agrees(build, shape):
    module = on_meta(build).eval()
    with FlopCounterMode(display=False) as counter:
        module(torch.empty(shape, device="meta"))
    model = from_torch(module, torch.empty(shape, device="meta"))
    assert model.flops == 2 * model.macs == counter.get_total_flops()
    assert model.params == parameters(module)
