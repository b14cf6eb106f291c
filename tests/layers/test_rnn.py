"""Recurrent layers: the products of a step and of all steps, parameters, traffic, what backward keeps."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlperf_widgets import gpus
from dlperf_widgets.cost import Limiter, Scenario
from dlperf_widgets.dtypes import FP16, FP32, Format, uniform
from dlperf_widgets.layers import Gru, Lstm, Rnn
from dlperf_widgets.ops import Gemm, Phase, Stream

V100 = gpus.V100_SXM2_16GB
BACKWARD = (Phase.DGRAD, Phase.WGRAD)
SIZE = st.integers(1, 300)
KINDS = st.sampled_from([Rnn, Lstm, Gru])


def gemms(layer, phase):
    return [op for op in layer.ops(phase) if isinstance(op, Gemm)]


def products(layer, phase):
    return [(op.m, op.n, op.k, op.repeat) for op in gemms(layer, phase)]


def macs(layer, phase):
    return sum(op.macs for op in layer.ops(phase))


@st.composite
def recurrent(draw):
    kind, hidden = draw(KINDS), draw(st.integers(2, 300))
    narrower = {"projection": draw(st.integers(0, hidden - 1))} if kind is Lstm else {}
    sizes = [draw(SIZE) for _ in range(3)]
    flags = {name: draw(st.booleans()) for name in ("bidirectional", "bias", "persistent")}
    return kind(*sizes, hidden, draw(st.integers(1, 4)), **flags, **narrower)


class TestProducts:
    def test_of_every_phase(self):
        lstm = Lstm(batch=3, timesteps=5, inputs=7, hidden=11)
        assert products(lstm, Phase.FPROP) == [(44, 15, 7, 1), (44, 3, 11, 5)]
        assert products(lstm, Phase.DGRAD) == [(11, 3, 44, 5), (7, 15, 44, 1)]
        assert products(lstm, Phase.WGRAD) == [(11, 44, 15, 1), (7, 44, 15, 1)]
        assert lstm.ops(Phase.UPDATE) == ()

    @pytest.mark.parametrize(("kind", "a_step"), [(Rnn, 2), (Gru, 6), (Lstm, 8)])
    def test_a_step_has_two_for_each_gate_fused_to_two(self, kind, a_step):
        assert 2 * kind.gates == a_step
        assert [m for m, _, _, _ in products(kind(1, 1, 8, 8), Phase.FPROP)] == [kind.gates * 8] * 2

    def test_input_of_all_steps_at_once_and_recurrent_one_step_after_another(self):
        # M = 4H, N = B T, K = I once; M = 4H, N = B, K = H, T times
        shapes = products(Lstm(64, 50, 1024, 512), Phase.FPROP)
        assert shapes == [(2048, 64 * 50, 1024, 1), (2048, 64, 512, 50)]

    def test_later_layers_see_both_directions(self):
        layer = Gru(2, 3, inputs=5, hidden=7, layers=2, bidirectional=True)
        forward = [k for _, _, k, repeat in products(layer, Phase.FPROP) if repeat == 1]
        assert forward == [5, 5, 14, 14]
        backward = [m for m, _, _, repeat in products(layer, Phase.DGRAD) if repeat == 1]
        assert backward == [14, 14, 5, 5]

    def test_a_projection_narrows_what_is_fed_back(self):
        layer = Lstm(batch=2, timesteps=3, inputs=5, hidden=7, layers=2, projection=4)
        first, second = products(layer, Phase.FPROP)[:3], products(layer, Phase.FPROP)[3:]
        assert first == [(28, 6, 5, 1), (28, 2, 4, 3), (4, 2, 7, 3)]
        assert second == [(28, 6, 4, 1), (28, 2, 4, 3), (4, 2, 7, 3)]
        assert products(layer, Phase.DGRAD)[:3] == [(7, 2, 4, 3), (4, 2, 28, 3), (4, 6, 28, 1)]
        assert products(layer, Phase.WGRAD)[:3] == [(7, 4, 6, 1), (4, 28, 6, 1), (4, 28, 6, 1)]
        assert layer.output_shape == (3, 2, 4)

    def test_lstm_10_to_20_over_5_steps(self):
        # 5 steps * 3 samples * (4*20*10 + 4*20*20)
        assert Lstm(batch=3, timesteps=5, inputs=10, hidden=20).macs == 36_000

    def test_rows_of_weights_and_activations_lie_apart_by_their_features(self):
        form = uniform(FP16)
        given, fed = Lstm(3, 5, 8, 16).ops(Phase.FPROP)[:2]
        assert given.leading_bytes(form) == (2 * 8, 2 * 8, 2 * 64)  # W by inputs, x by inputs, gates
        assert fed.leading_bytes(form) == (2 * 16, 2 * 16, 2 * 64)
        gates, hidden, inputs = 2 * 64, 2 * 16, 2 * 8
        apart = [op.leading_bytes(form) for phase in BACKWARD for op in gemms(Lstm(3, 5, 8, 16), phase)]
        assert apart == [
            (hidden, gates, hidden), (inputs, gates, inputs),  # dh = R' dgates
            (hidden, gates, hidden), (inputs, gates, inputs),  # dR' = h dgates'
        ]  # fmt: skip


class TestIntensity:
    """LSTM, hidden = inputs = 1024, 50 steps, FP16."""

    def rows(self, batch):
        return Scenario(Lstm(batch, 50, 1024, 1024), V100, FP16).costs

    def test_of_the_input_product(self):
        # 4096*3200*1024 / (4096*1024 + 3200*1024 + 4096*3200)
        assert self.rows(64)[0].arithmetic_intensity == pytest.approx(652.2, abs=0.05)

    @pytest.mark.parametrize(
        ("batch", "intensity", "limiter"),
        [(64, 59.36, Limiter.MEMORY), (128, 110.70, Limiter.MEMORY), (256, 195.05, Limiter.MATH)],
    )
    def test_of_the_recurrent_product(self, batch, intensity, limiter):
        # 4096*64*1024 / (4096*1024 + 64*1024 + 4096*64); V100 turns at 138.9: batch above 128
        fed = self.rows(batch)[1]
        assert fed.arithmetic_intensity == pytest.approx(intensity, abs=0.005)
        assert (
            fed.math_time >= fed.memory_time if limiter is Limiter.MATH else fed.math_time < fed.memory_time
        )

    def test_doubling_the_batch_takes_less_than_twice_the_time(self):
        times = [Scenario(Lstm(batch, 50, 1024, 1024), V100, FP16).time for batch in (32, 64)]
        assert times[1] < 2 * times[0]

    def test_persistent_reads_recurrent_weights_once(self):
        # 49 fewer reads of 4096*1024 weights of 2 bytes, forward and backward
        for phase in (Phase.FPROP, Phase.DGRAD):
            standard, persistent = (
                sum(op.traffic(uniform(FP16)) for op in Lstm(64, 50, persistent=flag).ops(phase))
                for flag in (False, True)
            )
            assert standard - persistent == 49 * 4096 * 1024 * 2

    def test_persistent_is_the_same_work(self):
        assert Lstm(persistent=True).macs == Lstm().macs
        assert Lstm(persistent=True).params == Lstm().params


class TestParameters:
    @pytest.mark.parametrize(("kind", "params"), [(Rnn, 2_099_200), (Lstm, 8_396_800), (Gru, 6_297_600)])
    def test_of_1024_to_1024(self, kind, params):
        # G (I H + H H + 2 H): two biases
        assert kind(inputs=1024, hidden=1024).params == params

    def test_without_bias(self):
        assert Gru(inputs=5, hidden=7, bias=False).params == 3 * 7 * (5 + 7)

    def test_with_a_projection(self):
        # 4*7 (5 + 4 + 2) + 4*7
        assert Lstm(inputs=5, hidden=7, projection=4).params == 336


class TestPointwise:
    def unit(self, kind, phase):
        (stream,) = (op for op in kind(1, 1, 1, 1).ops(phase) if isinstance(op, Stream))
        return stream.reads + stream.kept, stream.writes, stream.flops

    def test_forward(self):
        # both halves of the gates' preactivations and the state; what backward needs, and h
        assert self.unit(Rnn, Phase.FPROP) == (2, 1, 2)  # sum, tanh
        assert self.unit(Lstm, Phase.FPROP) == (
            9,
            6,
            4 + 4 + 3 + 1 + 1,
        )  # sums, activations, products, c, tanh
        assert self.unit(Gru, Phase.FPROP) == (7, 5, 3 + 3 + 1 + 3)

    def test_backward(self):
        # two gradients of h, what was kept and the state before; gradients of preactivations and state
        assert self.unit(Rnn, Phase.DGRAD) == (2 + 1, 1, 1 + 3)
        assert self.unit(Lstm, Phase.DGRAD) == (2 + 1 + 5 + 1, 4 + 1, 1 + 1 + 5 + 5 + 4 * 3)
        assert self.unit(Gru, Phase.DGRAD) == (2 + 4 + 1, 4 + 1, 1 + 2 + 2 + 1 + 1 + 1 + 3 * 3)

    def test_biases_move_nothing(self):
        assert Lstm(bias=False).ops(Phase.FPROP) == Lstm().ops(Phase.FPROP)
        # two for each of 4 gates
        assert Lstm(1, 1, 1, 1).other_flops - Lstm(1, 1, 1, 1, bias=False).other_flops == 8

    def test_reads_gradients_and_what_was_kept_each_in_its_format(self):
        form = Format(FP16, FP16, FP32, FP32)
        forward, backward = (
            next(op for op in Lstm(1, 1, 1, 1).ops(phase) if isinstance(op, Stream))
            for phase in (Phase.FPROP, Phase.DGRAD)
        )
        assert (forward.traffic(form), backward.traffic(form)) == (2 * 15, 4 * 8 + 2 * 6)


class TestSaved:
    def test_an_lstm_keeps_four_gates_and_its_state(self):
        kept = Lstm(batch=2, timesteps=3, inputs=5, hidden=7).saved
        assert (kept.input, kept.output, kept.extra) == (30, 42, 5 * 42)

    def test_a_gru_keeps_three_gates_and_half_of_one_before_the_reset(self):
        kept = Gru(batch=2, timesteps=3, inputs=5, hidden=7).saved
        assert (kept.input, kept.output, kept.extra) == (30, 42, 4 * 42)

    def test_a_plain_one_keeps_its_output(self):
        kept = Rnn(batch=2, timesteps=3, inputs=5, hidden=7).saved
        assert (kept.input, kept.output, kept.extra) == (30, 42, 0)

    def test_between_layers_there_is_one_tensor(self):
        kept = Rnn(batch=2, timesteps=3, inputs=5, hidden=7, layers=3, bidirectional=True).saved
        assert (kept.output, kept.extra) == (84, 2 * 84)

    def test_a_projection_needs_what_it_projects(self):
        kept = Lstm(batch=2, timesteps=3, inputs=5, hidden=7, projection=4).saved
        assert (kept.output, kept.extra) == (24, 6 * 42)


@pytest.mark.parametrize("projection", [7, 8])
def test_a_projection_must_narrow(projection):
    with pytest.raises(ValueError, match=f"Lstm projection {projection} must be less than hidden 7"):
        Lstm(hidden=7, projection=projection)


@given(layer=recurrent())
def test_backward_is_as_much_work_for_inputs_as_for_weights(layer):
    assert macs(layer, Phase.FPROP) == macs(layer, Phase.DGRAD) == macs(layer, Phase.WGRAD) == layer.macs


@given(layer=recurrent())
def test_every_weight_is_used_once_a_step_and_sample(layer):
    weights = replace(layer, bias=False).params
    assert layer.macs == weights * layer.batch * layer.timesteps


@given(layer=recurrent(), times=st.integers(2, 5))
def test_work_is_linear_in_steps_as_in_samples(layer, times):
    longer = replace(layer, timesteps=times * layer.timesteps)
    wider = replace(layer, batch=times * layer.batch)
    for phase in (Phase.FPROP, *BACKWARD):
        assert macs(longer, phase) == macs(wider, phase) == times * macs(layer, phase)
    assert longer.other_flops == wider.other_flops == times * layer.other_flops
    assert longer.saved.elements == wider.saved.elements == times * layer.saved.elements
    assert longer.params == wider.params == layer.params


@given(layer=recurrent())
def test_a_layer_fits_onto_another(layer):
    again = replace(layer, inputs=layer.output_shape[-1], layers=1)
    deeper = replace(layer, layers=layer.layers + 1)
    assert again.input_shape == layer.output_shape == deeper.output_shape
    assert deeper.params == layer.params + again.params
    assert deeper.macs == layer.macs + again.macs


@given(layer=recurrent())
def test_a_persistent_kernel_never_moves_more(layer):
    form = uniform(FP16)
    for phase in (Phase.FPROP, *BACKWARD):
        moved = [
            sum(op.traffic(form) for op in replace(layer, persistent=flag).ops(phase))
            for flag in (False, True)
        ]
        assert moved[1] <= moved[0]
