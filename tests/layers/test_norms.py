"""Normalizations: how often they read, by hand."""

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import BatchNorm2d, GroupNorm, InstanceNorm2d, LayerNorm, Passes, RmsNorm, Saved
from dlperf_widgets.ops import Phase

A100 = gpus.A100_SXM4_80GB
FPROP, DGRAD, WGRAD, UPDATE = Phase
RESNET = (32, 64, 56, 56)
E = 32 * 64 * 56 * 56


def row(layer, phase=FPROP, dtype=FP16):
    (only,) = Scenario(layer, A100, dtype, (phase,), Launch.KERNEL).costs
    return only


def tensors(layer, phase):
    """Return how many tensors of the input's size move, but for parameters and statistics."""
    return round(row(layer, phase).bytes / (2 * layer.elements), 2)


class TestBatchNorm:
    def test_elements_of_the_example(self):
        assert BatchNorm2d(*RESNET).elements == E == 6_422_528

    @pytest.mark.parametrize(
        ("passes", "forward", "backward"),
        [
            (Passes.PERSISTENT, 2, 3),  # x, y; x, dy, dx
            (Passes.TWO_PASS, 3, 5),  # x twice, y; x and dy twice, dx
            (Passes.THREE_PASS, 4, 5),
            (Passes.INFERENCE, 2, 0),
            (Passes.FOLDED, 0, 0),
        ],
    )
    def test_tensors_moved(self, passes, forward, backward):
        layer = BatchNorm2d(*RESNET, passes=passes)
        for phase, count in ((FPROP, forward), (DGRAD, backward)):
            if count:
                assert tensors(layer, phase) == count
            else:
                assert layer.ops(phase) == ()
        assert layer.ops(WGRAD) == layer.ops(UPDATE) == ()

    @pytest.mark.parametrize(
        ("passes", "tensor_bytes", "microseconds"),
        [
            (Passes.PERSISTENT, 25_690_112, 12.60),  # 2 * 6,422,528 * 2 B / 2039 GB/s
            # 3 * 6,422,528 * 2 B: two reads and a write. Texts that count the write too call it 3-pass;
            # here a pass is a read of the input.
            (Passes.TWO_PASS, 38_535_168, 18.90),
        ],
    )
    def test_resnet_on_a100(self, passes, tensor_bytes, microseconds):
        only = row(BatchNorm2d(*RESNET, passes=passes))
        # scale and shift: 2 C in FP16; mean and inverse deviation: 2 C in FP32
        assert only.bytes == tensor_bytes + 2 * 64 * 2 + 2 * 64 * 4
        assert round(only.memory_time * 1e6, 2) == microseconds

    def test_flops_are_within_the_range_that_texts_give(self):
        assert 4 * E <= row(BatchNorm2d(*RESNET)).flops == 5 * E <= 6 * E

    def test_parameters_and_what_is_kept(self):
        layer = BatchNorm2d(*RESNET)
        assert layer.params == 2 * 64
        assert layer.saved == Saved(input=E, side_bytes=2 * 64 * 4)
        assert BatchNorm2d(*RESNET, passes=Passes.INFERENCE).saved == Saved()

    def test_what_must_fit_on_the_chip(self):
        # 32 * 56 * 56 of a channel; (64 / 32) * 56 * 56 of a group; 56 * 56
        assert BatchNorm2d(*RESNET).slab == 100_352
        assert GroupNorm(*RESNET, groups=32).slab == 6_272
        assert InstanceNorm2d(*RESNET).slab == 3_136

    def test_passes_are_words(self):
        assert BatchNorm2d(passes="two-pass") == BatchNorm2d(passes=Passes.TWO_PASS)
        with pytest.raises(ValueError, match="BatchNorm2d passes must be one of persistent, two-pass"):
            BatchNorm2d(passes="one")


class TestGroupsAndInstances:
    def test_one_group_is_a_channel_of_an_instance_norm(self):
        groups, instances = GroupNorm(*RESNET, groups=64), InstanceNorm2d(*RESNET, affine=True)
        for phase in Phase:
            assert groups.ops(phase) == instances.ops(phase)
        assert groups.saved == instances.saved
        assert groups.params == instances.params

    @pytest.mark.parametrize("layer", [GroupNorm(*RESNET, groups=32), InstanceNorm2d(*RESNET)])
    def test_two_tensors_forward_and_three_backward(self, layer):
        assert (tensors(layer, FPROP), tensors(layer, DGRAD)) == (2, 3)

    def test_statistics_of_every_group_are_kept(self):
        # a mean and an inverse deviation for each of 32 * 16 groups
        assert GroupNorm(*RESNET, groups=16).saved == Saved(input=E, side_bytes=32 * 16 * 8)

    def test_groups_must_divide_the_channels(self):
        with pytest.raises(ValueError, match="5 groups do not divide 64 channels equally"):
            GroupNorm(*RESNET, groups=5)


class TestRows:
    def test_layer_norm(self):
        # T = 4096 rows of D = 1024: x and y; scale and shift; a mean and an inverse deviation a row
        layer, e = LayerNorm(4096, 1024), 4096 * 1024
        assert row(layer).bytes == 2 * 2 * e + 2 * 2 * 1024 + 8 * 4096
        # x, dy, dx; scale; the two parameters' gradients; statistics
        assert row(layer, DGRAD).bytes == 2 * 3 * e + 2 * 1024 + 2 * 2 * 1024 + 8 * 4096
        assert row(layer).flops == 8 * e
        assert layer.params == 2 * 1024
        assert layer.saved == Saved(input=e, side_bytes=8 * 4096)

    def test_rms_norm_has_half_of_it(self):
        layer, e = RmsNorm(4096, 1024), 4096 * 1024
        assert row(layer).bytes == 2 * 2 * e + 2 * 1024 + 4 * 4096
        assert row(layer, DGRAD).bytes == 2 * 3 * e + 2 * 1024 + 2 * 1024 + 4 * 4096
        assert row(layer).flops == 4 * e
        assert layer.params == 1024
        assert layer.saved == Saved(input=e, side_bytes=4 * 4096)

    def test_intensity_is_about_two_in_fp16(self):
        # 8 flops / 4 B, a little less with the parameters and statistics
        assert row(LayerNorm(8192, 4096)).arithmetic_intensity == pytest.approx(2, rel=0.01)
        assert row(LayerNorm(8192, 4096), dtype=FP32).arithmetic_intensity == pytest.approx(1, rel=0.01)
