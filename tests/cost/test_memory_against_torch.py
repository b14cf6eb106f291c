"""Saved activations and optimizer state against what torch keeps, on the CPU."""

from itertools import pairwise

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402, N812
from torch.utils.checkpoint import checkpoint  # noqa: E402

import dlperf_widgets as dp  # noqa: E402
from dlperf_widgets import models  # noqa: E402
from dlperf_widgets.dtypes import BF16, FP16, FP32  # noqa: E402
from dlperf_widgets.layers import (  # noqa: E402
    Activation,
    Dropout,
    LayerNorm,
    Linear,
    MultiheadAttention,
    Repeat,
    Residual,
    Sequence,
    Take,
)

BATCH = 4


def kept(module, *inputs):
    """Return the bytes of the distinct storages that autograd keeps, but for the module's own."""
    own = {tensor.untyped_storage().data_ptr() for tensor in (*module.parameters(), *module.buffers())}
    storages = {}

    def pack(tensor):
        if tensor.untyped_storage().data_ptr() not in own:
            storages[tensor.untyped_storage().data_ptr()] = tensor  # held, so that no address is used twice
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        module(*inputs)
    return sum(tensor.untyped_storage().nbytes() for tensor in storages.values())


def ours(layer, batch, **how):
    held = dp.footprint(layer, FP32, **how)
    return held.activations_constant + batch * held.activations_per_sample


class Basic(nn.Module):
    """Two 3 x 3 convolutions and a shortcut."""

    def __init__(self, given, width, stride, inplace):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(given, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace)
        self.side = None
        if stride > 1 or given != width:
            self.side = nn.Sequential(nn.Conv2d(given, width, 1, stride, bias=False), nn.BatchNorm2d(width))

    def forward(self, x):
        y = self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x)))))
        return y + (x if self.side is None else self.side(x))


class ResNet18(nn.Module):
    def __init__(self, inplace=True, checkpointed=False):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64)
        self.relu, self.pool = nn.ReLU(inplace), nn.MaxPool2d(3, 2, 1)
        widths = [64, 64, 64, 128, 128, 256, 256, 512, 512]
        self.blocks = nn.ModuleList([Basic(a, b, 1 if a == b else 2, inplace) for a, b in pairwise(widths)])
        self.fc = nn.Linear(512, 1000)
        self.checkpointed = checkpointed

    def forward(self, x):
        x = self.pool(self.relu(self.bn1(self.conv1(x))))
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.checkpointed else block(x)
            x = self.relu(x)
        return self.fc(x.mean((2, 3)))


class Block(nn.Module):
    """A decoder's block, with fused causal attention and no dropout."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def attend(self, x):
        q, k, v = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in self.qkv(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attend(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Blocks(nn.Module):
    def __init__(self, width, heads, times, checkpointed):
        super().__init__()
        self.blocks = nn.ModuleList([Block(width, heads) for _ in range(times)])
        self.checkpointed = checkpointed

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if self.checkpointed else block(x)
        return x


def block(width, heads, sequence):
    rows = BATCH * sequence
    attention = MultiheadAttention(BATCH, sequence, width, heads, causal=True)
    mlp = {
        "up": Linear(rows, width, 4 * width),
        "act": Activation(rows * 4 * width, "gelu"),
        "down": Linear(rows, 4 * width, width),
    }
    return Sequence.of(
        attention=Residual(Sequence.of(norm=LayerNorm(rows, width), heads=attention)),
        mlp=Residual(Sequence.of(norm=LayerNorm(rows, width), **mlp)),
    )


@pytest.mark.parametrize("inplace", [False, True])
def test_mlp(inplace):
    module = nn.Sequential(
        nn.Linear(64, 256), nn.ReLU(inplace), nn.Linear(256, 256), nn.ReLU(inplace), nn.Linear(256, 8)
    )
    layer = Sequence.of(
        a=Linear(BATCH, 64, 256), act=Activation(BATCH * 256, inplace=inplace),
        b=Linear(BATCH, 256, 256), act2=Activation(BATCH * 256, inplace=inplace), c=Linear(BATCH, 256, 8),
    )  # fmt: skip
    assert kept(module, torch.randn(BATCH, 64)) == ours(layer, 1)


@pytest.mark.parametrize("inplace", [False, True])
def test_resnet18(inplace):
    x = torch.randn(BATCH, 3, 96, 96)
    assert kept(ResNet18(inplace).train(), x) == ours(models.ResNet18(size=96), BATCH)


def test_resnet18_checkpointed():
    x = torch.randn(BATCH, 3, 96, 96)
    module = ResNet18(checkpointed=True).train()
    largest = module.blocks[0]  # 64 channels at a quarter of the size; its input counts with the others
    picture = torch.randn(BATCH, 64, 24, 24)
    again = kept(largest, picture) - picture.untyped_storage().nbytes()
    assert kept(module, x) + again == pytest.approx(
        ours(models.ResNet18(size=96), BATCH, checkpoint=True), rel=0.02
    )


@pytest.mark.parametrize("sequence", [16, 128])
def test_transformer_block(sequence):
    assert kept(Block(128, 4), torch.randn(BATCH, sequence, 128)) == ours(block(128, 4, sequence), 1)


@pytest.mark.parametrize("checkpointed", [False, True])
def test_transformer_blocks(checkpointed):
    x = torch.randn(BATCH, 32, 64)
    found = kept(Blocks(64, 4, 6, checkpointed), x)
    layer = Repeat(block(64, 4, 32), 6)
    if checkpointed:
        found += kept(Block(64, 4), x) - x.untyped_storage().nbytes()
    assert found == pytest.approx(ours(layer, 1, checkpoint=checkpointed), rel=0.02)


class FirstToken(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.head = nn.LayerNorm(64), nn.Linear(64, 10)

    def forward(self, x):
        return self.head(self.norm(x)[:, 0])


def test_a_view_of_one_token_keeps_all():
    layer = Sequence.of(norm=LayerNorm(BATCH * 16, 64), take=Take(BATCH, 16, 64), head=Linear(BATCH, 64, 10))
    assert kept(FirstToken(), torch.randn(BATCH, 16, 64)) == ours(layer, 1)


class Masked(nn.Module):
    """AlexNet's classifier, which starts from pooled pictures."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Dropout(), nn.Linear(96, 64), nn.ReLU(True), nn.Dropout(), nn.Linear(64, 10)
        )

    def forward(self, x):
        return self.layers(x * 1.0)


def test_dropout_but_for_the_mask():
    layer = Sequence.of(
        drop=Dropout(BATCH * 96), a=Linear(BATCH, 96, 64), act=Activation(BATCH * 64, inplace=True),
        drop2=Dropout(BATCH * 64), b=Linear(BATCH, 64, 10),
    )  # fmt: skip
    found = kept(Masked().train(), torch.randn(BATCH, 96, requires_grad=True))
    # on the CPU torch keeps the mask in FP32, on a GPU in a byte an element, as here
    assert found - 3 * BATCH * (96 + 64) == ours(layer, 1)


@pytest.mark.parametrize(
    ("optimizer", "build"),
    [
        ("sgd", lambda p: torch.optim.SGD(p, lr=0.1)),
        ("momentum", lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9)),
        ("adam", lambda p: torch.optim.Adam(p)),
        ("adamw", lambda p: torch.optim.AdamW(p)),
    ],
)
@pytest.mark.parametrize("dtype", [FP32, FP16, BF16], ids=str)
def test_optimizer_state(optimizer, build, dtype):
    kind = {FP32: torch.float32, FP16: torch.float16, BF16: torch.bfloat16}[dtype]
    module = nn.Linear(48, 32).to(kind)
    chosen = build(module.parameters())
    for parameter in module.parameters():
        parameter.grad = torch.ones_like(parameter)
    chosen.step()
    tensors = [t for state in chosen.state.values() for t in state.values() if isinstance(t, torch.Tensor)]
    found = sum(t.untyped_storage().nbytes() for t in tensors)
    steps = (
        4 * 2 if "adam" in optimizer else 0
    )  # Adam counts its steps in 4 more bytes a tensor: not modelled
    held = dp.footprint(Linear(1, 48, 32), dtype, optimizer)
    assert found - steps == held.optimizer_state
    assert sum(p.untyped_storage().nbytes() for p in module.parameters()) == held.weights
    assert sum(p.grad.untyped_storage().nbytes() for p in module.parameters()) == held.gradients
