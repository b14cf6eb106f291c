"""What holds for every layer: frozen, described, linear in its scale, equal work in both directions."""

from dataclasses import FrozenInstanceError, fields, replace
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets.cost.text import layer_from_data, layer_to_data
from dlperf_widgets.layers import LAYERS, Layer
from dlperf_widgets.ops import Phase

every_layer = pytest.mark.parametrize("kind", LAYERS, ids=lambda kind: kind.__name__)


def work(layer: Layer, phase: Phase) -> int:
    return sum(op.macs for op in layer.ops(phase))


@every_layer
def test_a_layer_is_a_frozen_dataclass_of_described_fields(kind):
    layer = kind()
    assert layer == kind() and hash(layer) == hash(kind())
    with pytest.raises(FrozenInstanceError):
        layer.extra = 1
    for f in fields(layer):
        assert f.metadata["kind"] in ("dim", "axes", "flag", "choice", "parts")
        assert f.metadata["label"]
        if f.metadata["kind"] == "dim":
            assert f.metadata["min"] <= f.default <= f.metadata["max"] <= f.metadata["limit"]


@every_layer
def test_a_layer_says_what_it_is(kind):
    assert kind.__doc__
    layer = kind()
    assert prod(layer.input_shape) > 0 and prod(layer.output_shape) > 0
    assert layer.flops == 2 * layer.macs
    assert layer.params >= 0 and layer.other_flops >= 0


@every_layer
@given(factor=st.integers(2, 5))
def test_work_is_linear_in_the_scale(kind, factor):
    layer = kind()
    many = replace(layer, **{layer.scale: factor * getattr(layer, layer.scale)})
    for phase in (Phase.FPROP, Phase.DGRAD, Phase.WGRAD):
        assert work(many, phase) == factor * work(layer, phase)
        flops = [sum(op.flops for op in each.ops(phase)) for each in (layer, many)]
        assert flops[1] == pytest.approx(factor * flops[0], rel=1e-6)
    assert many.other_flops == pytest.approx(factor * layer.other_flops, rel=1e-6)
    assert many.params == layer.params or layer.macs == 0


@every_layer
def test_layers_with_weights_work_as_much_backward_for_each_of_input_and_weights(kind):
    for _, leaf, _ in kind().leaves():
        if work(leaf, Phase.WGRAD):  # a product of two activations has no gradient of weights
            assert work(leaf, Phase.FPROP) == work(leaf, Phase.DGRAD) == work(leaf, Phase.WGRAD)


@every_layer
def test_fields_round_trip(kind):
    layer = kind()
    assert layer_from_data(layer_to_data(layer)) == layer


@every_layer
def test_nonsense_names_the_layer_and_the_field(kind):
    for f in fields(kind):
        if f.metadata["kind"] == "dim":
            for value in (-1, 1.5, "many", 10**30):
                with pytest.raises(ValueError, match=f"{kind.__name__} {f.name} must be"):
                    kind(**{f.name: value})
