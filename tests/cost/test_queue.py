"""Launches of a network from Python: the host runs ahead, and rows still add up."""

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.cost.queue import gap
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import Activation, Linear, Repeat, Sequence
from dlperf_widgets.models import Bert, ResNet50
from dlperf_widgets.ops import TRAINING

A100 = gpus.A100_SXM4_80GB


def network(batch, width, times):
    """Return layers of one width, a product and a short pass each."""
    block = Sequence.of(linear=Linear(batch, width, width), act=Activation(batch * width))
    return Repeat(block, times)


def parts(layer, gpu=A100, dtype=FP32, phases=TRAINING):
    """Return the seconds of all launches, and of all kernels as a graph runs them."""
    rows = [row for leaf in layer.leaves() for row in alone(leaf, gpu, dtype, phases)]
    return tuple(fsum(one) for one in zip(*rows, strict=True))


def alone(leaf, gpu, dtype, phases):
    _, layer, count = leaf
    for row in Scenario(layer, gpu, dtype, phases, Launch.EAGER).costs:
        yield count * row.launch_time, count * (row.busy_time + gap(row))


@given(batch=st.integers(1, 4096), width=st.integers(8, 4096), times=st.integers(1, 50))
def test_a_network_takes_what_host_or_kernels_take(batch, width, times):
    layer = network(batch, width, times)
    scenario = Scenario(layer, A100, FP32, TRAINING, Launch.EAGER)
    assert scenario.time == pytest.approx(max(parts(layer)), rel=1e-9)


def test_a_long_network_hides_the_host():
    # 64 x 512 tokens of BERT large: products of milliseconds, launches of 56 us
    scenario = Scenario(Bert("large", 64, 512), A100, FP32, launch=Launch.EAGER)
    graph = Scenario(Bert("large", 64, 512), A100, FP32, launch=Launch.GRAPH)
    assert scenario.time == pytest.approx(graph.time)


def test_a_short_network_is_the_host():
    scenario = Scenario(ResNet50(1), A100, FP16, launch=Launch.EAGER)
    host, kernels = parts(ResNet50(1), dtype=FP16, phases=scenario.phases)
    assert host > 5 * kernels
    assert scenario.time == pytest.approx(host)
    short = next(row for row in scenario.costs if row.path == "relu1")
    assert "runs ahead" in short.terms[-1].formula


def test_terms_add_up_to_the_time_of_every_row():
    for row in Scenario(Bert("base", 1, 128), A100, FP16, TRAINING, Launch.EAGER).costs:
        assert row.time == fsum(term.seconds for term in row.terms)


def test_a_layer_by_itself_waits_for_its_own_launch():
    row, *_ = Scenario(Linear(4096, 4096, 4096), A100, FP32, launch=Launch.EAGER).costs
    assert row.exposed_launch == pytest.approx(row.floor.exposed * row.launch_time)
    assert row.exposed_launch > 30e-6


@pytest.mark.parametrize("launch", [Launch.GRAPH, Launch.KERNEL])
def test_nothing_queues_where_no_host_starts_kernels(launch):
    rows = Scenario(network(64, 256, 3), A100, FP16, launch=launch).costs
    assert not any(row.floor.queued for row in rows)
