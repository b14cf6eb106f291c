"""Equal layers counted once: the same totals in fewer rows, and a row for each layer."""

from math import fsum

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.collapse import collapsed, once
from dlperf_widgets.cost.layerwise import layer_rows
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear, Repeat, Sequence
from dlperf_widgets.models import MODELS, ResNet50
from dlperf_widgets.ops import TRAINING

A100 = gpus.A100_SXM4_80GB


@pytest.mark.parametrize("phases", [("fprop",), TRAINING], ids=["inference", "training"])
@pytest.mark.parametrize("kind", MODELS, ids=lambda kind: kind.__name__)
def test_totals_are_those_of_the_network(kind, phases):
    scenario = Scenario(kind(), A100, FP16, phases)
    for asked in (once(scenario), once(scenario, named=False)):
        assert asked.time == pytest.approx(scenario.time)
        assert asked.flops == scenario.flops
        assert asked.bytes == pytest.approx(scenario.bytes)
        assert asked.layer.params == scenario.layer.params
        assert len(asked.costs) <= len(scenario.costs)


def test_a_first_layer_that_comes_again_keeps_the_gradient_of_its_second_run():
    class Network(Sequence):
        needs_input_gradient = False

    # three equal layers, of which the first alone has no dgrad: 2 dgrads and 3 wgrads
    network = Network(tuple((f"{i}.fc", Linear(8, 64, 64)) for i in range(3)))
    asked = once(Scenario(network, A100, FP16, TRAINING))
    times = {phase: sum(c.count for c in asked.costs if c.phase == phase) for phase in TRAINING}
    assert (times["fprop"], times["dgrad"], times["wgrad"]) == (3, 2, 3)


def test_layers_of_one_name_share_a_row_and_repeats_multiply():
    block = Sequence.of(up=Linear(8, 64, 256), down=Linear(8, 256, 64))
    network = Sequence.of(first=block, blocks=Repeat(block, 4))
    assert [(path, times) for path, _, times in collapsed(network).layers] == [
        ("first.up", 5),
        ("first.down", 5),
    ]


@pytest.mark.parametrize("collapse", [False, True])
def test_rows_add_up_to_the_network(collapse):
    scenario = Scenario(ResNet50(batch=8), A100, FP16, TRAINING)
    rows = layer_rows(scenario, collapse)
    assert fsum(row.time for row in rows) == pytest.approx(scenario.time)
    assert sum(row.flops for row in rows) == scenario.flops
    assert sum(row.params for row in rows) == scenario.layer.params
    assert sum(row.times for row in rows) == len(list(scenario.layer.leaves())) == 174
    assert len(rows) == (77 if collapse else 174)


def test_a_row_is_its_layers_costs():
    scenario = Scenario(ResNet50(batch=8), A100, FP16, TRAINING)
    row = next(row for row in layer_rows(scenario) if row.path == "conv4_3.conv2")
    costs = [cost for cost in scenario.costs if cost.path == "conv4_3.conv2"]
    assert row.forward == pytest.approx(costs[0].time)
    assert row.backward == pytest.approx(sum(cost.time for cost in costs[1:]))
    assert row.parts.math + row.parts.memory <= row.time
    assert row.limiter == "math"


def test_passes_are_forward_and_backward_apart():
    scenario = Scenario(ResNet50(batch=8), A100, FP16, TRAINING)
    both, forward, backward = (
        layer_rows(scenario, True, passes) for passes in ("all", "forward", "backward")
    )
    for whole, first, second in zip(both, forward, backward, strict=True):
        assert first.time + second.time == pytest.approx(whole.time)
        assert first.backward == second.forward == 0
    with pytest.raises(ValueError, match="passes must be one of all, forward, backward, not 'sideways'"):
        layer_rows(scenario, passes="sideways")
