"""The time is a waterfall of named terms that add up."""

from dataclasses import FrozenInstanceError
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Library, Limiter, Scenario
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import Linear
from dlperf_widgets.ops import TRAINING, Phase

V100 = gpus.V100_SXM2_16GB
sizes = st.integers(1, 20_000)
scenarios = st.builds(
    lambda batch, inputs, outputs, gpu, launch, library, phases: Scenario(
        Linear(batch, inputs, outputs), gpu, gpu.dtypes[0], phases, launch, library=library
    ),
    sizes, sizes, sizes, st.sampled_from(gpus.GPUS), st.sampled_from(Launch), st.sampled_from(Library),
    st.sampled_from([(Phase.FPROP,), TRAINING]),
)  # fmt: skip


@given(scenarios)
def test_the_terms_add_up_to_the_time_in_one_order(scenario):
    for row in scenario.costs:
        assert row.time == fsum(term.seconds for term in row.terms)
        assert [t.name for t in row.terms][1:] == ["tile", "wave", "alignment", "launch"]
        assert row.terms[0].name == ("math" if row.math_time >= row.memory_time else "memory")
        assert all(term.seconds >= 0 and term.formula and term.source for term in row.terms)


@given(scenarios)
def test_no_time_is_below_the_ideal_nor_any_efficiency_above_one(scenario):
    for row in scenario.costs:
        assert row.time >= row.ideal_time * (1 - 1e-12)
        assert row.time >= row.launch_time * (1 - 1e-12)
        for share in (row.efficiency, row.tile_efficiency, row.wave_efficiency, row.alignment_efficiency):
            assert 0 < share <= 1 + 1e-12


def test_tile_waste_is_no_limiter():
    # one tile of 256 x 128 for a single column of output: the math is wasted, memory still decides
    row = Scenario(Linear(1, 4096, 4096), V100, FP16).costs[0]
    assert row.tile_efficiency < 0.02
    assert row.limiter is Limiter.MEMORY


def test_the_launch_decides_the_floor():
    layer = Linear(1, 8, 8)
    graph, eager, kernel = (Scenario(layer, V100, FP16, launch=launch).costs[0] for launch in Launch)
    assert graph.limiter is eager.limiter is Limiter.LAUNCH
    assert eager.time > graph.time > kernel.time > 0
    assert kernel.launch_time == 0


def test_with_eager_launch_the_guides_own_example_is_launch_limited():
    row = Scenario(Linear(512, 1024, 4096), V100, FP16, launch=Launch.EAGER).costs[0]
    assert row.limiter is Limiter.LAUNCH


def test_the_backward_pass_runs_in_reverse_after_the_forward():
    rows = Scenario(Linear(64, 64, 64), V100, FP16, phases=TRAINING).costs
    assert [row.phase for row in rows] == [Phase.FPROP, Phase.DGRAD, Phase.WGRAD]


def test_totals_add_the_rows():
    scenario = Scenario(Linear(512, 1024, 4096), V100, FP16, phases=TRAINING)
    assert scenario.flops == 3 * 4_294_967_296
    assert scenario.bytes == 3 * 13_631_488
    assert scenario.time == pytest.approx(sum(row.time for row in scenario.costs))


def test_an_explanation_puts_the_numbers_in():
    text = Scenario(Linear(512, 1024, 4096), V100, FP16).costs[0].explain()
    for words in ("4.29 GFLOP / 125 TFLOPS", "64 tiles of 256 x 128", "rows of 2,048, 2,048, 8,192 bytes"):
        assert words in text
    assert text.splitlines()[-1].startswith("time")


def test_cuda_cores_know_no_alignment():
    row = Scenario(Linear(512, 1023, 4095), V100, FP32).costs[0]
    assert row.alignment_efficiency == 1


def test_sparsity_doubles_the_roof_and_is_refused_where_there_is_none():
    dense, sparse = (Scenario(Linear(), gpus.A100_SXM4_80GB, FP16, sparse=s).costs[0] for s in (False, True))
    assert sparse.peak == 2 * dense.peak
    with pytest.raises(ValueError, match="V100 SXM2 16GB"):
        Scenario(Linear(), V100, FP16, sparse=True)


def test_costs_are_frozen():
    row = Scenario(Linear(), V100, FP16).costs[0]
    with pytest.raises(FrozenInstanceError):
        row.flops = 0
