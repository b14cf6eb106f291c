"""The time is a waterfall of named terms that add up."""

from dataclasses import FrozenInstanceError, replace
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Library, Limiter, Scenario
from dlperf_widgets.cost.calibration import of
from dlperf_widgets.cost.time import cost
from dlperf_widgets.dtypes import FP16, FP32, INT8, uniform
from dlperf_widgets.layers import Activation, Attention, BatchNorm2d, Conv2d, LayerNorm, Linear, Softmax
from dlperf_widgets.ops import TRAINING, Gemm, Phase

V100 = gpus.V100_SXM2_16GB
PLAIN = (Launch.GRAPH, Library.CURRENT, False)
PRODUCT_TERMS = ["tile", "wave", "prologue", "alignment", "clock", "memory", "split-K", "launch"]
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
        assert [t.name for t in row.terms][1:] == PRODUCT_TERMS
        assert row.terms[0].name == ("math" if row.math_time >= row.memory_time else "memory")
        assert all(term.formula and term.source for term in row.terms)


@given(scenarios)
def test_only_the_clock_and_memory_can_save_time(scenario):
    for row in scenario.costs:
        geforce = row.gpu.line == "GeForce"
        for name, seconds in zip(["ideal", *PRODUCT_TERMS], row.seconds, strict=True):
            if name != "memory" and not (name == "clock" and geforce):
                assert seconds >= -1e-12 * row.time, name
        assert row.tiling.split > 1 or row.seconds[PRODUCT_TERMS.index("split-K") + 1] == 0


@given(scenarios)
def test_no_time_is_below_the_launch_nor_any_share_above_one(scenario):
    for row in scenario.costs:
        assert row.time >= row.launch_time * (1 - 1e-12)
        assert row.time >= row.math_time / of(row.gpu).tensor_boost
        for share in (row.tile_efficiency, row.wave_efficiency, row.alignment_efficiency):
            assert 0 < share <= 1 + 1e-12


@given(scenarios)
def test_a_product_is_split_only_where_tiles_are_few(scenario):
    for row in scenario.costs:
        if row.tiling.split > 1:
            assert row.tiling.tiles < 2 * row.gpu.sms


@given(scenarios)
def test_a_higher_peak_takes_no_more_time(scenario):
    gpu = scenario.gpu
    faster = replace(
        gpu,
        name="faster",
        tensor_peak=tuple((dtype, 1.25 * rate) for dtype, rate in gpu.tensor_peak),
        power=gpu.power and 1.25 * gpu.power,
    )
    asked = scenario.on(faster) if gpu.tensor_peak else scenario
    assert asked.time <= scenario.time * (1 + 1e-9)


def test_a_large_cache_saves_memory_time():
    # 25 MB of activations, just written, in 96 MB of cache: the memory term takes back some of the ideal
    row = Scenario(Linear(65_536, 64, 128), gpus.L40S, FP16, launch=Launch.KERNEL).costs[0]
    assert row.limiter is Limiter.MEMORY
    assert row.seconds[PRODUCT_TERMS.index("memory") + 1] < 0
    assert row.wasted_time < 0


def test_one_row_more_than_a_tile_is_a_step():
    # RTX A6000, k 4096, n 14336: 128 rows fill a tile, 129 begin another
    gpu = gpus.RTX_A6000
    times = {
        m: Scenario(Linear(m, 4096, 14336), gpu, FP16, launch=Launch.KERNEL).time
        for m in (120, 127, 128, 129)
    }
    assert times[127] == pytest.approx(times[128], rel=0.01)
    assert times[120] == pytest.approx(times[128], rel=0.02)
    assert times[129] > 1.15 * times[128]


def test_large_products_meet_the_power_limit():
    row = Scenario(Linear(8192, 8192, 8192), gpus.A100_PCIE_40GB, FP16).costs[0]
    roomy = replace(gpus.A100_PCIE_40GB, name="roomy", power=1000)
    assert row.time > 1.1 * Scenario(Linear(8192, 8192, 8192), roomy, FP16).time
    unstated = replace(roomy, name="unstated", power=None)
    free = Scenario(Linear(8192, 8192, 8192), unstated, FP16).costs[0]
    assert free.seconds[PRODUCT_TERMS.index("clock") + 1] == 0
    assert "no power limit is stated" in free.explain()


@pytest.mark.parametrize("gpu", [V100, gpus.P100_PCIE_16GB, gpus.A100_SXM4_80GB], ids=str)
@pytest.mark.parametrize("dtype", [FP16, FP32], ids=str)
@pytest.mark.parametrize("batch", [1, 48])
def test_a_product_takes_as_long_as_its_transpose(gpu, dtype, batch):
    # C = A B by columns and C' = B' A' by rows lie alike in memory: a library sees the same call
    columns = Gemm(2000, 300, 640, batch, leading="kkm")
    rows = Gemm(300, 2000, 640, batch, a=columns.b, b=columns.a, leading="kkn")
    one, other = (cost("", Phase.FPROP, op, 1, gpu, uniform(dtype), *PLAIN) for op in (columns, rows))
    assert one.time == pytest.approx(other.time)
    assert (one.tiling.tile_m, one.tiling.tile_n) == (other.tiling.tile_n, other.tiling.tile_m)


def test_steps_in_time_take_so_many_times_as_long():
    two, ten = (
        cost("", Phase.FPROP, Gemm(4096, 64, 1024, repeat=r), 1, V100, uniform(FP16), *PLAIN) for r in (2, 10)
    )
    assert ten.time == pytest.approx(5 * two.time)


@pytest.mark.parametrize(
    "layer", [Activation(2**20), Softmax(4096, 256), LayerNorm(4096, 1024), BatchNorm2d(8, 64, 28, 28)]
)
def test_a_pass_over_memory_has_terms_of_its_own(layer):
    for launch in Launch:
        for row in Scenario(layer, V100, FP16, TRAINING, launch).costs:
            assert [t.name for t in row.terms] == ["memory", "memory", "reread", "instructions", "launch"]
            assert row.time == fsum(term.seconds for term in row.terms)
            assert all(seconds >= -1e-18 for seconds in row.seconds[2:])


@pytest.mark.parametrize("layer", [lambda n: BatchNorm2d(n, 64, 32, 32), lambda n: Activation(n * 2**16)])
def test_passes_are_flat_while_small_and_proportional_when_large(layer):
    time = {n: Scenario(layer(n), V100, FP16).time for n in (1, 2, 2048, 4096)}
    assert time[2] < 1.2 * time[1]
    assert time[4096] == pytest.approx(2 * time[2048], rel=0.02)


@given(
    st.builds(
        lambda batch, queries, past, group, causal: Attention(
            batch, queries, queries + past, 4 * group, 64, 4, causal
        ),
        st.integers(1, 64), st.integers(1, 3000), st.integers(0, 3000), st.integers(1, 8), st.booleans(),
    ),
    st.sampled_from([gpu for gpu in gpus.GPUS if gpu.tensor_peak]),
    st.sampled_from(Launch),
)  # fmt: skip
def test_attention_has_terms_of_its_own(layer, gpu, launch):
    for row in Scenario(layer, gpu, FP16, (Phase.FPROP, Phase.DGRAD), launch).costs:
        names = ["tile", "alignment", "exponential", "wave", "memory", "launch"]
        assert [t.name for t in row.terms][1:] == names
        assert row.time == fsum(term.seconds for term in row.terms)
        signed = zip(["ideal", *names], row.seconds, strict=True)
        assert all(seconds >= -1e-12 * row.time for name, seconds in signed if name != "memory")


def test_a_causal_mask_saves_nearly_half_of_a_long_prefill():
    full, half = (
        Scenario(Attention(8, 8192, 8192, 32, 128, 32, causal), gpus.H100_SXM5_80GB, FP16).time
        for causal in (False, True)
    )
    assert full / 2 < half < 0.6 * full


@pytest.mark.parametrize("gpu", [gpus.V100_PCIE_32GB, gpus.P4, gpus.H100_SXM5_80GB], ids=str)
def test_a_convolution_in_fp32_takes_the_quickest_algorithm(gpu):
    rows = {
        k: Scenario(Conv2d(32, 128, 128, 56, 56, k, k, padding=k // 2), gpu, FP32, TRAINING).costs
        for k in (3, 5)
    }
    for row in rows[3] + rows[5]:
        names = ["algorithm", *PRODUCT_TERMS[:-1], "transforms", "launch"]
        assert [t.name for t in row.terms][1:] == names
        assert row.time == fsum(term.seconds for term in row.terms)
    algorithms = {(k, row.phase): row.way.name for k, many in rows.items() for row in many}
    assert algorithms[3, Phase.FPROP].startswith("Winograd") and algorithms[3, Phase.DGRAD].startswith(
        "Winograd"
    )
    assert algorithms[3, Phase.WGRAD] == "Winograd F(4 x 4)"  # one kernel for F(2 x 2) has no such form
    assert algorithms[5, Phase.FPROP] == "implicit GEMM"
    winograd = rows[3][0]
    assert winograd.seconds[1] < 0 < winograd.seconds[-2]


def test_a_long_softmax_reads_its_rows_again():
    short, long = (Scenario(Softmax(2**24 // c, c), V100, FP32).costs[0] for c in (1024, 8192))
    assert short.seconds[2] == 0 < long.seconds[2]
    assert "read again where L1 has lost them" in long.explain()


def test_tile_waste_is_no_limiter():
    # whole tiles, at least 32 wide, for a single column of output: the math is wasted, memory still decides
    row = Scenario(Linear(1, 4096, 4096), V100, FP16).costs[0]
    assert row.tile_efficiency <= 1 / 32
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


@pytest.mark.parametrize(
    ("layer", "gpu", "dtype", "launch", "backed"),
    [
        (Linear(512, 1024, 4096), gpus.A100_SXM4_80GB, FP16, Launch.GRAPH, True),
        (Linear(512, 1024, 4096), gpus.A100_SXM4_80GB, FP16, Launch.EAGER, False),  # measured in graphs
        (Linear(512, 1024, 4096), V100, FP16, Launch.GRAPH, False),  # no 16-bit data on Volta
        (Linear(512, 1024, 4096), V100, FP32, Launch.EAGER, True),
        (Linear(512, 1024, 4096), V100, FP32, Launch.GRAPH, False),
    ],
)
def test_an_error_goes_with_a_time_only_where_data_back_it(layer, gpu, dtype, launch, backed):
    row = Scenario(layer, gpu, dtype, launch=launch).costs[0]
    assert (row.error is not None) is backed
    said = "8 times in 10 between" if backed else "not validated by measurement"
    assert said in row.explain().splitlines()[-1]
    assert not backed or 0 < row.error < 1


def test_a_legacy_library_computes_what_cuda_cores_lack_in_fp32():
    scenario = Scenario(Linear(100, 100, 100), gpus.B200_SXM_180GB, INT8, library="legacy")
    fp32 = dict(gpus.B200_SXM_180GB.cuda_peak)[FP32]
    assert scenario.costs[0].alignment_efficiency == fp32 / gpus.B200_SXM_180GB.peak(INT8)
