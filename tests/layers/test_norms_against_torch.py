"""PyTorch's own layers have as many parameters, give the same shapes, and keep the same tensors."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlperf_widgets.layers import (
    Activation,
    BatchNorm2d,
    Embedding,
    GroupNorm,
    InstanceNorm2d,
    LayerNorm,
    RmsNorm,
)

torch = pytest.importorskip("torch")
nn = torch.nn

size = st.integers(1, 64)
images = st.tuples(size, size, size, size)  # N, C, H, W
unhurried = settings(deadline=None, max_examples=25)


def same(layer, module, dtype=None):
    """Compare with a module on the meta device, which computes shapes alone."""
    assert sum(p.numel() for p in module.parameters()) == layer.params
    given = torch.empty(layer.input_shape, dtype=dtype, device="meta")
    assert tuple(module(given).shape) == layer.output_shape


@unhurried
@given(images)
def test_batch_norm(shape):
    same(BatchNorm2d(*shape), nn.BatchNorm2d(shape[1], device="meta").eval())


@unhurried
@given(images, st.booleans())
def test_instance_norm(shape, affine):
    module = nn.InstanceNorm2d(shape[1], affine=affine, device="meta").eval()
    if shape[2] * shape[3] > 1:  # of one pixel PyTorch takes no variance
        same(InstanceNorm2d(*shape, affine=affine), module)


@unhurried
@given(size, st.integers(1, 8), st.integers(1, 8), st.integers(2, 64), size)  # PyTorch wants two pixels
def test_group_norm(batch, groups, per_group, height, width):
    channels = groups * per_group
    layer = GroupNorm(batch, channels, height, width, groups)
    same(layer, nn.GroupNorm(groups, channels, device="meta"))


@unhurried
@given(size, size)
def test_layer_norm_and_rms_norm(rows, columns):
    same(LayerNorm(rows, columns), nn.LayerNorm(columns, device="meta"))
    same(RmsNorm(rows, columns), nn.RMSNorm(columns, device="meta"))


@unhurried
@given(size, size, size)
def test_embedding(tokens, width, rows):
    same(Embedding(tokens, width, rows), nn.Embedding(rows, width, device="meta"), torch.int64)


def kept(module, *inputs):
    """Return the bytes of the distinct tensors that autograd keeps, but for the module's own."""
    own = {tensor.data_ptr() for tensor in (*module.parameters(), *module.buffers())}
    storages = {}

    def pack(tensor):
        if tensor.data_ptr() not in own:
            storages[tensor.untyped_storage().data_ptr()] = tensor  # held, so that no address is used twice
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        module(*inputs)
    return sum(tensor.untyped_storage().nbytes() for tensor in storages.values())


def identity(x):
    return x * 1.0  # not a leaf, so that it can be overwritten, and keeps nothing


@pytest.mark.parametrize(
    ("kind", "function"),
    [("relu", nn.ReLU), ("sigmoid", nn.Sigmoid), ("tanh", nn.Tanh), ("gelu", nn.GELU), ("silu", nn.SiLU)],
)
def test_activations_keep_one_tensor(kind, function):
    x = torch.randn(1000, requires_grad=True)
    assert kept(function(), identity(x)) == 4 * Activation(1000, kind).saved.elements


def test_in_place_keeps_as_much_as_not():
    x = torch.randn(1000, requires_grad=True)
    assert kept(nn.ReLU(inplace=True), identity(x)) == kept(nn.ReLU(), identity(x)) == 4 * 1000


@pytest.mark.parametrize(
    ("layer", "module"),
    [
        (BatchNorm2d(4, 8, 6, 6), nn.BatchNorm2d(8)),
        (GroupNorm(4, 8, 6, 6, groups=2), nn.GroupNorm(2, 8)),
        (LayerNorm(32, 48), nn.LayerNorm(48)),
    ],
    ids=lambda part: type(part).__name__,
)
def test_norms_keep_their_input_and_statistics(layer, module):
    x = torch.randn(layer.input_shape, requires_grad=True)
    expected = 4 * layer.saved.elements + layer.saved.side_bytes
    assert kept(module.train(), identity(x)) == expected
