"""Layers and networks answer every size that they accept, and name the field of one that they refuse."""

from dataclasses import fields

import pytest
from hostile import EXTREME_FLOATS, EXTREME_INTS, WRONG, answer, anything, cases, finite
from hypothesis import given
from hypothesis import strategies as st
from ways import NETWORKS, composite, scenario, simple, sizes

from dlperf_widgets import Phase, footprint, summary
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import COMPOSITES, LAYERS, Linear, Matmul


def numbers(layer):
    """Return every number that a layer tells of itself."""
    return (
        layer.params, layer.macs, layer.flops, layer.other_flops, layer.input_shape, layer.output_shape,
        layer.saved.elements, layer.saved.side_bytes,
        [op.flops for phase in Phase for op in layer.ops(phase)],
    )  # fmt: skip


@pytest.mark.parametrize("kind", (*LAYERS, *NETWORKS), ids=lambda kind: kind.__name__)
def test_each_field_alone(kind):
    for field in fields(kind):
        words = (field.name, field.metadata.get("label", field.name).split()[0], kind.__name__)
        for value in (*EXTREME_INTS, *EXTREME_FLOATS, *WRONG):
            layer = answer(lambda f=field, v=value: kind(**{f.name: v}), *words)
            assert layer is None or finite(answer(lambda made=layer: numbers(made))), value


@pytest.mark.parametrize("kind", (*LAYERS, *NETWORKS), ids=lambda kind: kind.__name__)
@cases(short=10, long=500)
@given(data=st.data())
def test_several_fields_at_once(kind, data):
    sized = data.draw(sizes(kind))
    layer = answer(lambda: kind(**sized))
    if layer is not None:
        found = answer(lambda: numbers(layer))
        assert finite(found)
        assert all(number >= 0 for number in found[:4])


@pytest.mark.parametrize("kind", COMPOSITES, ids=lambda kind: kind.__name__)
def test_composites_refuse_what_is_no_layer(kind):
    for value in WRONG:
        for wrapped in (value, ((value, Linear()),), (("a", value),), ("a", Linear(), value)):
            field = fields(kind)[0].name
            layer = answer(lambda f=field, v=wrapped: kind(**{f: v}))
            if layer is not None:
                answer(lambda made=layer: numbers(made))


@cases(short=60, long=3000)
@given(layer=st.one_of(simple(), composite()), name=anything)
def test_what_is_asked_of_any_layer(layer, name):
    if layer is None:
        return
    assert finite(answer(lambda: numbers(layer)))
    answer(lambda: summary(layer).rows)
    answer(lambda: footprint(layer, FP16).total(1))
    answer(lambda: Linear(**{str(name): 1}) if str(name) in {f.name for f in fields(Linear)} else Matmul())


@cases(short=150, long=12_000)
@given(asked=scenario())
def test_every_question_has_a_finite_answer(asked):
    if asked is None:
        return
    costs = answer(lambda: asked.costs)
    if costs is None:
        return
    for cost in costs:
        assert finite(
            (cost.time, cost.seconds, cost.efficiency, cost.flops, cost.bytes, cost.arithmetic_intensity)
        ), asked
        assert cost.time > 0, asked
        assert cost.limiter, asked
    assert finite((asked.time, asked.flops, asked.bytes, asked.arithmetic_intensity)), asked
    assert all(answer(cost.explain) for cost in costs[:3])
