"""What products and indexed passes meet: clocks that no wider unit shortens, rates that none raises."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.cost.calibration import of
from dlperf_widgets.cost.engine import engine
from dlperf_widgets.cost.stream import road
from dlperf_widgets.cost.stream import steps as stream_steps
from dlperf_widgets.dtypes import BF16, FP8, FP16, FP32, uniform
from dlperf_widgets.layers import Linear
from dlperf_widgets.ops import Pass, Stream

A100 = gpus.A100_PCIE_40GB


def test_a_tile_begins_and_ends_in_as_many_clocks_on_faster_tensor_cores():
    # A100: 312 TFLOPS / (108 SMs x 1410 MHz) = 2049 FLOP a clock and SM; 0.146 clocks x 2049 / 2 = 149.6
    # steps of k. RTX 3090: 71 TFLOPS / (82 x 1695 MHz) = 511, a quarter of it.
    assert engine(A100, BF16, False).prologue == pytest.approx(of(A100).tensor_prologue * 2049 / 2, rel=1e-3)
    for gpu, dtype in ((gpus.RTX_3090, BF16), (gpus.L40S, BF16), (gpus.L40S, FP8)):
        core = engine(gpu, dtype, False)
        clocks = core.prologue * 2 * gpu.sms * (gpu.tensor_clock or gpu.clock) / core.peak
        assert clocks == pytest.approx(of(gpu).tensor_prologue)


def test_alignment_slows_the_inner_loop_but_not_the_start_of_a_tile():
    # k of 1001: rows of 2002 bytes, multiples of 2 only
    row = Scenario(Linear(4096, 1001, 4096), A100, BF16, launch=Launch.KERNEL).costs[0]
    waved, filled, aligned = row.steps[2:5]
    assert aligned - filled == pytest.approx(waved * (1 / row.alignment_efficiency - 1))


def test_fp16_on_cuda_cores_is_no_quicker_than_the_fp32_it_is_added_up_in():
    # the P100's FP16 peak is twice that of FP32, without FP32 sums
    half, single = (engine(gpus.P100_PCIE_16GB, dtype, False) for dtype in (FP16, FP32))
    assert half.peak == pytest.approx(2 * single.peak, rel=0.01)
    assert half.rate == single.rate


def test_a_pass_that_computes_where_elements_lie_takes_instructions():
    # 2^26 elements x 1.19 clocks / (108 SMs x 1410 MHz) = 524 us; 537 MB at 1427 GB/s take 376 us
    e = 2**26
    op = Stream(e, e, flops=e, kind=Pass.INDEXED)
    moved = op.traffic(uniform(FP32))
    busy = stream_steps(op, A100, 0.0, moved / A100.bandwidth, moved, 4)[-1]
    assert busy == pytest.approx(e * of(A100).indexed_element / (108 * 1.41e9))
    plain = stream_steps(replace(op, kind=Pass.ELEMENTWISE), A100, 0.0, moved / A100.bandwidth, moved, 4)[-1]
    assert plain == pytest.approx(moved / road(A100).dram, rel=0.01)
    assert busy > 1.3 * plain
