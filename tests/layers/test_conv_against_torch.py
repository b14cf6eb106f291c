"""Shapes, parameters and flops of convolutions and pooling agree with PyTorch's."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dlperf_widgets import layers

torch = pytest.importorskip("torch")
from torch.utils.flop_counter import FlopCounterMode  # noqa: E402 (torch may be missing)

NAMES = {1: ("length",), 2: ("height", "width"), 3: ("depth", "height", "width")}
several = settings(deadline=None, max_examples=150)


def built(kind, **given):
    """Return the layer, or skip the example if it says that it is not possible."""
    try:
        return kind(**given)
    except ValueError:
        assume(False)


def run(module, layer):
    """Return PyTorch's output shape and flops; its meta tensors hold no data."""
    with FlopCounterMode(display=False) as counter:
        output = module(torch.empty(layer.input_shape, device="meta"))
    return tuple(output.shape), counter.get_total_flops()


@st.composite
def cases(draw, transposed):
    """Return the fields of a random convolution, and how many axes it has."""
    axes = draw(st.integers(1, 3))
    each = {
        name: tuple(draw(st.integers(least, most)) for _ in range(axes))
        for name, least, most in (
            ("size", 1, 12), ("kernel", 1, 5), ("stride", 1, 4), ("padding", 0, 3), ("dilation", 1, 3)
        )
    }  # fmt: skip
    groups = draw(st.integers(1, 4))
    channels = {name: groups * draw(st.integers(1, 3)) for name in ("in_channels", "out_channels")}
    plain = {"batch": draw(st.integers(1, 3)), "groups": groups, "bias": draw(st.booleans())}
    if transposed:
        most = map(max, each["stride"], each["dilation"])
        each["output_padding"] = tuple(draw(st.integers(0, m - 1)) for m in most)
    return axes, each, {**channels, **plain}


def layer_and_module(name, axes, each, plain):
    """Return our layer and PyTorch's module of the same fields."""
    kernel, size = each.pop("kernel"), each.pop("size")
    sizes = dict(zip(NAMES[axes], size, strict=True))
    sizes |= {f"kernel_{axis}": taps for axis, taps in zip(NAMES[axes], kernel, strict=True)}
    layer = built(getattr(layers, f"{name}{axes}d"), **sizes, **each, **plain)
    plain = {key: value for key, value in plain.items() if key != "batch"}
    module = getattr(torch.nn, f"{name}{axes}d")(kernel_size=kernel, **each, **plain, device="meta")
    return layer, module


@several
@given(cases(transposed=False))
def test_convolutions(case):
    layer, module = layer_and_module("Conv", *case)
    assert run(module, layer) == (layer.output_shape, layer.flops)
    assert sum(p.numel() for p in module.parameters()) == layer.params


@several
@given(cases(transposed=True))
def test_transposed_convolutions(case):
    layer, module = layer_and_module("ConvTranspose", *case)
    assert run(module, layer) == (layer.output_shape, layer.flops)
    assert sum(p.numel() for p in module.parameters()) == layer.params


@pytest.mark.filterwarnings("ignore:Using padding='same':UserWarning")
@several
@given(cases(transposed=False), st.sampled_from(["same", "valid"]))
def test_padding_by_a_word(case, padding):
    axes, each, plain = case
    each = {**each, "padding": padding, "stride": 1}
    layer, module = layer_and_module("Conv", axes, each, plain)
    assert run(module, layer)[0] == layer.output_shape
    if padding == "same":
        after_and_before = module._reversed_padding_repeated_twice  # the last axis first
        assert [pad for pair in reversed(layer.pads) for pad in pair] == after_and_before


@several
@given(st.data())
def test_pooling(data):
    axis = {
        name: tuple(data.draw(st.integers(least, most)) for _ in range(2))
        for name, least, most in (
            ("size", 1, 12), ("kernel", 1, 5), ("stride", 1, 5), ("padding", 0, 3), ("dilation", 1, 3)
        )
    }  # fmt: skip
    ceil_mode, kind = data.draw(st.booleans()), data.draw(st.sampled_from(["max", "average"]))
    dilation = axis["dilation"] if kind == "max" else 1
    args = (axis["stride"], axis["padding"])
    layer = built(
        lambda **_: layers.Pool2d(2, 3, *axis["size"], *axis["kernel"], *args, dilation, ceil_mode, kind)
    )
    if kind == "max":
        module = torch.nn.MaxPool2d(axis["kernel"], *args, dilation, ceil_mode=ceil_mode)
    else:
        module = torch.nn.AvgPool2d(axis["kernel"], *args, ceil_mode=ceil_mode)
    assert run(module, layer)[0] == layer.output_shape


def test_the_default_stride_of_a_pool_is_its_kernel():
    layer = layers.Pool2d(2, 3, 12, 13, 3, 2)
    assert run(torch.nn.MaxPool2d((3, 2)), layer)[0] == layer.output_shape


def test_global_pooling():
    layer = layers.GlobalPool2d(2, 3, 7, 5)
    assert run(torch.nn.AdaptiveAvgPool2d(1), layer)[0] == layer.output_shape


def test_depthwise_separable():
    layer = layers.DepthwiseSeparable(2, 8, 12, 15, 16, 5, stride=2, padding=2, bias=True)
    module = torch.nn.Sequential(
        torch.nn.Conv2d(8, 8, 5, 2, 2, groups=8, device="meta"), torch.nn.Conv2d(8, 12, 1, device="meta")
    )
    assert run(module, layer) == (layer.output_shape, layer.flops)
    assert sum(p.numel() for p in module.parameters()) == layer.params
