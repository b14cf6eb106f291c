"""Layers made of layers: counts add up, shared tensors count once, shapes must chain."""

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.text import layer_from_data, layer_to_data
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import (
    Activation,
    Add,
    BatchNorm2d,
    Branches,
    Conv2d,
    Linear,
    Repeat,
    Residual,
    Saved,
    Sequence,
    Tied,
)
from dlperf_widgets.ops import TRAINING, Phase

UP, DOWN = Linear(8, 16, 64), Linear(8, 64, 16)
MLP = Sequence.of(up=UP, act=Activation(8 * 64), down=DOWN)


def paths(layer):
    return [(path, count) for path, _, count in layer.leaves()]


class TestSequence:
    def test_counts_add_up(self):
        assert MLP.params == UP.params + DOWN.params
        assert MLP.macs == 2 * 8 * 16 * 64
        assert MLP.other_flops == 8 * 64 + 8 * 64 + 8 * 16  # bias, ReLU, bias
        assert paths(MLP) == [("up", 1), ("act", 1), ("down", 1)]

    def test_a_tensor_between_neighbours_is_kept_once(self):
        # x for up; the ReLU's output, which is down's input: 8 x 16 + 8 x 64
        assert MLP.saved == Saved(input=8 * 16, extra=8 * 64)

    def test_a_normalization_before_a_relu_keeps_its_own_input(self):
        size = (2, 4, 8, 8)
        block = Sequence.of(
            conv=Conv2d(2, 4, 4, 8, 8, 3, 3, padding=1, bias=False),
            norm=BatchNorm2d(*size),
            act=Activation(2 * 4 * 64, inplace=True),
        )
        # the convolution's x, its output for the norm, the ReLU's output; mean and deviation of 4 channels
        assert block.saved == Saved(input=512, output=512, extra=512, side_bytes=2 * 4 * 4)

    def test_unnamed_layers_are_numbered(self):
        assert paths(Sequence((UP, DOWN))) == [("0", 1), ("1", 1)]

    def test_shapes_must_chain(self):
        words = r"Sequence: b \(Linear\) takes 8 x 16 = 128 elements, but a \(Linear\) gives 8 x 64 = 512"
        with pytest.raises(ValueError, match=words):
            Sequence.of(a=UP, b=UP)
        with pytest.raises(ValueError, match="at least one layer"):
            Sequence()

    def test_backward_runs_from_the_last_layer(self):
        rows = Scenario(MLP, gpus.T4, FP16, TRAINING).costs
        assert [(row.path, str(row.phase)) for row in rows] == [
            ("up", "fprop"),
            ("act", "fprop"),
            ("down", "fprop"),
            ("down", "dgrad"),
            ("down", "wgrad"),
            ("act", "dgrad"),
            ("up", "dgrad"),
            ("up", "wgrad"),
        ]


class TestResidual:
    def test_it_adds_and_names_nothing_but_its_parts(self):
        block = Residual(MLP)
        assert paths(block) == [("up", 1), ("act", 1), ("down", 1), ("add", 1)]
        assert block.params == MLP.params
        assert block.other_flops == MLP.other_flops + 8 * 16
        assert paths(Sequence.of(mlp=block))[-1] == ("mlp.add", 1)

    def test_both_sides_share_their_input(self):
        block = Residual(MLP, Linear(8, 16, 16))
        assert block.saved == MLP.saved
        assert paths(block)[-2:] == [("shortcut", 1), ("add", 1)]

    def test_sides_must_fit(self):
        words = "the body gives 8 x 64 = 512 elements, but the shortcut gives 8 x 16"
        with pytest.raises(ValueError, match=words):
            Residual(UP)
        with pytest.raises(
            ValueError, match="the body takes 8 x 16 = 128 elements, but the shortcut takes 8 x 64"
        ):
            Residual(UP, Linear(8, 64, 64))


class TestBranches:
    def test_channels_join(self):
        left, right = (Conv2d(2, 3, channels, 8, 8, 1, 1) for channels in (4, 5))
        both = Branches.of(left=left, right=right)
        assert both.output_shape == (2, 9, 8, 8)
        assert both.params == left.params + right.params
        assert both.saved == left.saved  # one input

    def test_they_must_fit(self):
        one = Conv2d(2, 3, 4, 8, 8, 1, 1)
        with pytest.raises(ValueError, match="Branches: b takes"):
            Branches.of(a=one, b=Conv2d(2, 4, 4, 8, 8, 1, 1))
        with pytest.raises(
            ValueError, match="Branches: b gives 2 x 4 x 6 x 6 .* does not join 2 x 4 x 8 x 8"
        ):
            Branches.of(a=one, b=Conv2d(2, 3, 4, 8, 8, 3, 3))


class TestRepeat:
    def test_rows_once_with_a_count(self):
        blocks = Sequence.of(blocks=Repeat(Residual(MLP), 12))
        assert paths(blocks)[0] == ("blocks[0..11].up", 12)
        assert blocks.params == 12 * MLP.params
        assert blocks.macs == 12 * MLP.macs

    def test_the_same_as_writing_them_out(self):
        block = Linear(8, 16, 16)
        one, written = Repeat(block, 3), Sequence((block, block, block))
        for name in ("params", "macs", "flops", "other_flops", "saved", "input_shape", "output_shape"):
            assert getattr(one, name) == getattr(written, name)
        times = [Scenario(each, gpus.T4, FP16, TRAINING).time for each in (one, written)]
        assert times[0] == pytest.approx(times[1])

    def test_what_it_gives_must_be_what_it_takes(self):
        with pytest.raises(
            ValueError, match="Repeat: the layer takes 8 x 16 = 128 elements, but gives 8 x 64"
        ):
            Repeat(UP, 2)


class TestTied:
    def test_it_works_and_owns_nothing(self):
        tied = Tied(UP)
        assert (tied.params, tied.macs, tied.title) == (0, UP.macs, "Linear (tied)")
        assert tied.ops(Phase.WGRAD) == UP.ops(Phase.WGRAD)

    def test_only_simple_layers(self):
        with pytest.raises(ValueError, match="Tied takes a simple layer, not Sequence"):
            Tied(MLP)

    def test_one_layer_applied_a_hundred_times(self):
        # 101 tensors of 10240 x 1024 FP32 are alive, and 4,198,400 bytes of weights: 4044.0039 MiB
        layer = Linear(10240, 1024, 1024)
        chain = Sequence((layer, *[Tied(layer)] * 99))
        assert 4 * chain.params == 4_198_400
        kept = chain.saved.elements + 10240 * 1024  # and the last output
        assert (4 * kept + 4 * chain.params) / 2**20 == pytest.approx(4044.0039, abs=5e-5)


@pytest.mark.parametrize(
    "layer",
    [MLP, Residual(MLP), Residual(UP, UP), Branches.of(a=MLP), Repeat(MLP, 3), Tied(UP)],
    ids=lambda layer: type(layer).__name__,
)  # fmt: skip
def test_json_round_trip(layer):
    assert layer_from_data(layer_to_data(layer)) == layer


def test_all_leading_dimensions_are_the_batch():
    # Linear(3, 8) on (5, 10, 3) and on (5, 100, 100, 3)
    assert Linear(5 * 10, 3, 8).macs == 1_200
    assert Linear(5 * 100 * 100, 3, 8).macs == 1_200_000


def test_asking_twice_gives_the_same():
    scenario = Scenario(Sequence.of(mlp=Residual(MLP), add=Add(8 * 16)), gpus.T4, FP16, TRAINING)
    assert scenario.costs == Scenario(scenario.layer, gpus.T4, FP16, TRAINING).costs
    assert str(scenario.time) == str(scenario.time)
