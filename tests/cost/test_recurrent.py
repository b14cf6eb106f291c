"""Recurrent products: what a step takes, what the host adds, and kernels that keep the weights."""

from dataclasses import replace
from math import exp, fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.cost.calibration import of
from dlperf_widgets.cost.product import moved_time
from dlperf_widgets.cost.recurrent import fits
from dlperf_widgets.dtypes import FP16, FP32, uniform
from dlperf_widgets.layers import Gru, Lstm, Rnn
from dlperf_widgets.ops import Gemm, Phase

V100, P100 = gpus.V100_SXM2_16GB, gpus.P100_PCIE_16GB
NAMES = ["tile", "wave", "prologue", "alignment", "clock", "memory", "split-K", "steps", "launch"]


def step_row(layer, gpu=V100, dtype=FP32, launch=Launch.GRAPH, phase=Phase.FPROP):
    """Return the row of the recurrent product."""
    rows = Scenario(layer, gpu, dtype, (phase,), launch).costs
    return next(row for row in rows if row.recurrence)


class TestTime:
    def test_of_large_weights_is_their_reading(self):
        # 4 x 4096 x 4096 weights of 4 bytes, 268.4 MB a step: far more than the L2 cache; with 16 columns of
        # h (4096) and of the gates (16384) 269.7 MB. At 900 GB/s x 0.925 x 0.8 = 666.0 GB/s: 405.0 us.
        row = step_row(Lstm(16, 25, 4096, 4096))
        assert row.busy_time / 25 == pytest.approx(405.0e-6, rel=1e-3)

    def test_of_small_weights_is_not_that_of_dram(self):
        # 4 x 256 x 256 weights of 2 bytes, 0.5 MB, stay in the L2 cache of 6 MB
        row = step_row(Lstm(1, 100, 256, 256), dtype=FP16)
        assert row.recurrence.work.moved < row.recurrence.work.engine.room / 2
        work = row.recurrence.work
        assert moved_time(work) == pytest.approx(work.moved / work.engine.l2, rel=0.03)

    @pytest.mark.parametrize("launch", [Launch.GRAPH, Launch.KERNEL])
    @given(layer=st.sampled_from([Rnn, Lstm, Gru]), steps=st.integers(2, 500), batch=st.integers(1, 256))
    def test_grows_with_the_steps_where_no_host_waits(self, launch, layer, steps, batch):
        one, two = (step_row(layer(batch, t, 512, 512), launch=launch).time for t in (steps, 2 * steps))
        assert two == pytest.approx(2 * one)

    def test_of_the_host_is_a_call_and_what_it_takes_to_run_ahead(self):
        # 50 steps of 49 us latency, ahead after 100: 4.9 ms x (1 - e^-0.5) = 1.928 ms, and a call of 20 us
        c, layer = of(V100), Lstm(64, 50, 1024, 1024)
        eager, graph = (step_row(layer, launch=launch) for launch in (Launch.EAGER, Launch.GRAPH))
        waits = c.recurrent_latency * c.recurrent_ahead * (1 - exp(-50 / c.recurrent_ahead))
        assert eager.time - graph.time == pytest.approx(waits + c.recurrent_call)
        assert eager.busy_time == graph.busy_time

    def test_of_long_sequences_hides_the_host(self):
        def waits(steps):
            rows = (step_row(Gru(32, steps, 1024, 1024), launch=how) for how in (Launch.EAGER, Launch.GRAPH))
            eager, graph = (row.time for row in rows)
            return eager - graph

        assert waits(100) > 1.5 * waits(50)
        assert waits(2000) < 1.01 * waits(1000)

    def test_of_pascals_kernel_for_17_to_32_is_its_stalls(self):
        # backward k = 4 x 1024 = 4096 elements of 167 clocks at 1303 MHz: 525 us, as DeepBench's 551
        row = step_row(Lstm(32, 25, 1024, 1024), P100, phase=Phase.DGRAD)
        assert row.busy_time / 25 == pytest.approx(4096 * of(P100).recurrent_stall / P100.clock)
        assert row.tiling.split == 1
        for batch in (16, 33):
            assert step_row(Lstm(batch, 25, 1024, 1024), P100, phase=Phase.DGRAD).time < row.time / 2
        assert not step_row(Lstm(32, 25, 1024, 1024), V100, phase=Phase.DGRAD).recurrence.stall


class TestPersistent:
    def test_weights_that_fit_are_read_once(self):
        layer = Lstm(4, 500, 1024, 1024)
        kept, read = (step_row(replace(layer, persistent=flag)) for flag in (True, False))
        assert kept.recurrence.held
        assert kept.time < read.time / 2
        assert kept.launch_time == pytest.approx(read.launch_time / 500)  # one launch

    def test_weights_that_do_not_fit_are_read_every_step(self):
        # 4 x 4096 x 4096 x 4 bytes, 268 MB; the registers of 80 SMs hold 80 x 65536 x 4 bytes, 21 MB
        kept, read = (step_row(Lstm(4, 50, 4096, 4096, persistent=flag)) for flag in (True, False))
        assert not kept.recurrence.held
        assert kept.busy_time == read.busy_time

    @pytest.mark.parametrize(("hidden", "held"), [(1144, True), (1152, False)])
    def test_registers_of_a_v100_hold_1144_hidden_units_of_an_lstm(self, hidden, held):
        # 4 x 1144 x 1144 x 4 bytes = 20.94 MB and 80 x 65536 x 4 = 20.97 MB; 1152: 21.23 MB
        assert fits(Gemm(4 * hidden, 16, hidden), V100, uniform(FP32)) is held

    def test_steps_meet_at_a_barrier(self):
        row = step_row(Gru(1, 1000, 256, 256, persistent=True))
        steps = next(term for term in row.terms if term.name == "steps")
        assert steps.seconds == pytest.approx(1000 * row.recurrence.barrier)
        assert "estimate" in steps.formula


class TestTerms:
    @pytest.mark.parametrize("gpu", [V100, P100, gpus.A100_SXM4_80GB])
    @pytest.mark.parametrize("launch", list(Launch))
    @pytest.mark.parametrize("persistent", [False, True])
    @pytest.mark.parametrize("dtype", [FP16, FP32])
    def test_add_up_to_the_time(self, gpu, launch, persistent, dtype):
        row = step_row(Lstm(32, 25, 1024, 1024, persistent=persistent), gpu, dtype, launch)
        assert [term.name for term in row.terms][1:] == NAMES
        assert row.time == fsum(term.seconds for term in row.terms)
        assert "steps" in row.explain()

    def test_of_the_pointwise_pass_are_not_those_that_passes_were_measured_as(self):
        rows = Scenario(Lstm(32, 25, 1024, 1024), gpus.V100_PCIE_32GB, FP32, launch=Launch.EAGER).costs
        assert all(row.validation is None for row in rows[1:])

    def test_of_the_pointwise_pass_are_launched_every_step(self):
        layer = Lstm(32, 25, 1024, 1024)
        kept, read = (
            Scenario(replace(layer, persistent=flag), V100, FP16).costs[-1] for flag in (True, False)
        )
        assert read.launch_time == pytest.approx(25 * kept.launch_time)
