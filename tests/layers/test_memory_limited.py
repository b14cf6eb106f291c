"""Elementwise layers, softmax, losses, embeddings and optimizers: what they move, by hand."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Limiter, Scenario
from dlperf_widgets.dtypes import FP16, FP32, uniform
from dlperf_widgets.layers import (
    Activation,
    Add,
    CrossEntropy,
    Dropout,
    Embedding,
    LayerNorm,
    Linear,
    MseLoss,
    Multiply,
    OptimizerStep,
    Saved,
    Softmax,
)
from dlperf_widgets.ops import Phase

A100 = gpus.A100_SXM4_80GB
FPROP, DGRAD, WGRAD, UPDATE = Phase
E = 1_000_000  # elements


def row(layer, phase=FPROP, dtype=FP16, launch=Launch.KERNEL):
    (only,) = Scenario(layer, A100, dtype, (phase,), launch).costs
    return only


class TestElementwise:
    def test_intensities_of_the_background_guide(self):
        assert row(Activation(E)).arithmetic_intensity == 0.25  # 1 / (2 B + 2 B)
        assert row(Add(E)).arithmetic_intensity == pytest.approx(1 / 6)  # 1 / (2 B + 2 B + 2 B)
        assert row(LayerNorm(1000, 1000)).arithmetic_intensity < 10

    @pytest.mark.parametrize(
        ("layer", "forward", "backward"),
        [
            (Activation(E), 2, 3),
            (Activation(E, "gelu"), 2, 3),
            (Activation(E, "swiglu"), 3, 5),  # 2E in, E out; dy and 2E in, 2E out
            (Add(E), 3, None),
            (Multiply(E), 3, 5),
            (MseLoss(E), 2, 3),
        ],
        ids=str,
    )
    def test_tensors_moved(self, layer, forward, backward):
        assert row(layer).bytes == 2 * forward * E
        if backward is None:
            assert layer.ops(DGRAD) == ()
        else:
            assert row(layer, DGRAD).bytes == 2 * backward * E
        assert layer.ops(WGRAD) == layer.ops(UPDATE) == ()

    def test_an_addition_counts_whatever_it_adds(self):
        # x + x on 20 elements: 20; a + b and a - b on 6: both are one addition an element
        assert Add(20).other_flops == row(Add(20)).flops == 20
        assert Add(6).other_flops == 6
        assert Add(6).flops == 0  # no product

    def test_dropout_moves_its_mask_both_ways(self):
        # FP16: 2 * 2 B + 1 B; FP32: 2 * 4 B + 1 B
        assert row(Dropout(E)).bytes == row(Dropout(E), DGRAD).bytes == 5 * E
        assert row(Dropout(E), dtype=FP32).bytes == 9 * E
        assert Dropout(E).saved == Saved(side_bytes=E)

    def test_doubling_elements_doubles_the_time_of_a_kernel(self):
        for layer in (Activation, Add, Dropout):
            assert row(layer(2 * E)).time == pytest.approx(2 * row(layer(E)).time)

    def test_few_elements_take_as_long_as_the_launch(self):
        # floor * 2039 GB/s / 4 B elements are where the floor ends and the slope begins
        floor = row(Activation(1), launch=Launch.GRAPH).launch_time
        knee = int(floor * A100.bandwidth / 4)
        limiters = [row(Activation(e), launch=Launch.GRAPH).limiter for e in (knee // 8, 8 * knee)]
        assert limiters == [Limiter.LAUNCH, Limiter.MEMORY]
        small = [row(Activation(e), launch=Launch.GRAPH).time for e in (1, 1000)]
        assert small[1] == pytest.approx(small[0], rel=0.01)

    def test_drawing_twice_changes_nothing(self):
        scenario = Scenario(Activation(E, "gelu"), A100, FP16, (FPROP, DGRAD))
        first = [c.explain() for c in scenario.costs]
        assert [c.explain() for c in scenario.costs] == first
        assert scenario.flops == Scenario(Activation(E, "gelu"), A100, FP16, (FPROP, DGRAD)).flops


class TestActivation:
    @pytest.mark.parametrize("phase", [FPROP, DGRAD])
    def test_sigmoid_tanh_and_relu_take_as_long(self, phase):
        times = {row(Activation(E, kind), phase).time for kind in ("sigmoid", "tanh", "relu")}
        assert len(times) == 1

    def test_what_backward_needs(self):
        for kind in ("relu", "sigmoid", "tanh"):
            assert Activation(E, kind).saved == Saved(output=E)
        for kind in ("gelu", "silu"):
            assert Activation(E, kind).saved == Saved(input=E)
        assert Activation(E, "geglu").saved == Saved(input=2 * E)

    def test_gates_halve(self):
        gate = Activation(E, "swiglu")
        assert (gate.input_shape, gate.output_shape) == ((2 * E,), (E,))

    def test_in_place_allocates_one_tensor_less_but_moves_as_much(self):
        usual, in_place = Activation(E), Activation(E, inplace=True)
        assert (usual.allocated, in_place.allocated) == (E, 0)
        for phase in (FPROP, DGRAD):
            assert row(in_place, phase).bytes == row(usual, phase).bytes
        # backward takes the mask y > 0 from the output, wherever it lies
        assert in_place.saved == usual.saved == Saved(output=E)

    @pytest.mark.parametrize("kind", ["gelu", "silu", "hardswish", "glu", "geglu", "swiglu"])
    def test_in_place_only_where_backward_needs_the_output_alone(self, kind):
        with pytest.raises(ValueError, match=f"{kind} cannot run in place, as its backward pass reads"):
            Activation(E, kind, inplace=True)

    def test_unknown_kinds_are_listed(self):
        with pytest.raises(ValueError, match=r"Activation kind must be one of relu, .*, not 'relo'"):
            Activation(E, "relo")


class TestSoftmaxAndLosses:
    def test_softmax_reads_a_row_once(self):
        layer = Softmax(1000, 1000)
        assert (row(layer).bytes, row(layer).flops) == (2 * 2 * E, 5 * E)
        assert (row(layer, DGRAD).bytes, row(layer, DGRAD).flops) == (2 * 3 * E, 4 * E)
        assert layer.saved == Saved(output=E)

    def test_logits_of_gpt_2(self):
        # 4096 x 50257 x 4 B; beside them 8 B of target and 4 B of statistics a row
        layer, logits, side = CrossEntropy(4096, 50257), 823_410_688, 4096 * 12
        assert row(layer, dtype=FP32).bytes == logits + side
        assert row(layer, DGRAD, FP32).bytes == 2 * logits + side
        assert 4 * layer.saved.elements == logits
        assert layer.output_shape == (1,)

    def test_squared_error(self):
        assert row(MseLoss(E)).flops == 3 * E
        assert MseLoss(E).output_shape == (1,)
        assert MseLoss(E).saved.elements == 2 * E


class TestEmbedding:
    T, D, V = 2048, 768, 50257
    layer = Embedding(T, D, V)

    def test_forward_copies_rows(self):
        # 2 T D b + 8 T = 2 * 2048 * 768 * 2 + 16384
        assert row(self.layer).bytes == 6_291_456 + 16_384
        assert row(self.layer).flops == 0
        assert self.layer.output_shape == (2048, 768)

    def test_a_dense_gradient_costs_a_table(self):
        # zeros V D, dy T D, read and write of what it is added to 2 T D
        assert row(self.layer, WGRAD).bytes == 2 * (self.V * self.D + 3 * self.T * self.D)
        assert self.layer.ops(DGRAD) == ()

    def test_a_sparse_gradient_costs_what_was_used(self):
        assert row(Embedding(self.T, self.D, self.V, sparse=True), WGRAD).bytes == 2 * self.T * self.D

    def test_parameters(self):
        assert self.layer.params == 50257 * 768 == 38_597_376

    def test_tables_are_stored_as_weights_are(self):
        fp32_weights = replace(uniform(FP16), weights=FP32)
        assert row(self.layer, dtype=fp32_weights).bytes == self.T * self.D * (4 + 2) + 8 * self.T


class TestOptimizerStep:
    @pytest.mark.parametrize(
        ("kind", "mixed", "moved", "state", "flops"),
        [
            ("sgd", False, 12, 0, 2),  # reads p g, writes p: 3 * 4
            ("momentum", False, 20, 4, 4),  # reads p g m, writes p m: 5 * 4
            ("adam", False, 28, 8, 14),  # reads p g m v, writes p m v: 7 * 4
            ("adamw", False, 28, 8, 14),
            ("adamw", True, 28, 12, 14),  # reads g 2 and p m v 12, writes p m v 12 and a copy 2
        ],
    )
    def test_per_parameter(self, kind, mixed, moved, state, flops):
        step = OptimizerStep(E, kind, mixed)
        assert step.state_bytes == state
        for dtype in (FP16, FP32):  # the step is FP32 whatever the layers compute in
            assert row(step, UPDATE, dtype).bytes == moved * E
        assert row(step, UPDATE).flops == flops * E
        assert row(step, UPDATE).arithmetic_intensity < 1

    @pytest.mark.parametrize(("kind", "multiple"), [("sgd", 2), ("momentum", 3), ("adam", 4)])
    def test_memory_in_multiples_of_fp32_weights(self, kind, multiple):
        # weights 4 B, gradients 4 B, states
        assert (4 + 4 + OptimizerStep(E, kind).state_bytes) / 4 == multiple

    def test_it_runs_after_the_backward_pass_and_owns_nothing(self):
        step = OptimizerStep(Linear(512, 1024, 4096).params)
        assert [phase for phase in Phase if step.ops(phase)] == [UPDATE]
        assert step.params == 0

    def test_the_parameters_of_a_large_model(self):
        assert row(OptimizerStep(174_604_259_328), UPDATE).bytes == 28 * 174_604_259_328
