"""What a GPU of a plan holds: shares that add up to the whole."""

import pytest

from dlperf_widgets.cost.memory import footprint
from dlperf_widgets.cost.parallel import Plan
from dlperf_widgets.cost.rank_memory import held, rank_footprint
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.models import Gpt3, ResNet50

GPT3, RESNET = Gpt3(1), ResNet50(batch=1)


def test_a_single_gpu_holds_the_footprint():
    rank, whole = rank_footprint(RESNET, FP16, Plan()), footprint(RESNET, FP16)
    assert rank.total(32) == pytest.approx(whole.total(32))


def test_zero_shares_what_its_stages_say():
    # 2 + 2 + 4 + 4 + 4 = 16 bytes a parameter; stage 1 shares 12 of them, 2 also 2, 3 all
    sizes = [16, 4 + 12 / 64, 2 + 14 / 64, 16 / 64]
    for zero, size in enumerate(sizes):
        rank = rank_footprint(GPT3, FP16, Plan(data=64, zero=zero), "adam", "master")
        assert rank.constant == pytest.approx(size * GPT3.params)


def test_tensor_ranks_and_stages_share_weights():
    rank = rank_footprint(GPT3, FP16, Plan(tensor=8, pipeline=16), "adam", "master")
    assert rank.constant == pytest.approx(16 * GPT3.params / 128)


def test_norms_keep_their_input_and_output_on_every_tensor_rank():
    one = rank_footprint(GPT3, FP16, Plan()).activations_per_sample
    two, four = (rank_footprint(GPT3, FP16, Plan(tensor=n)).activations_per_sample for n in (2, 4))
    # 96 blocks with two norms and one at the end, two tensors of 2048 x 12288 and 2 bytes each
    kept = (96 * 2 + 1) * 2 * 2048 * 12288 * 2
    assert two == pytest.approx(kept + (one - kept) / 2)
    assert four == pytest.approx(kept + (one - kept) / 4)


@pytest.mark.parametrize(
    ("plan", "many"),
    [
        (Plan(microbatches=8), 1),  # one after another
        (Plan(pipeline=4, microbatches=8), 1),  # 4 in flight, a quarter of the blocks of each
        (Plan(pipeline=4, microbatches=2), 0.5),  # 2 in flight
        (Plan(pipeline=4, microbatches=8, interleave=2), 1 + 3 / 8),  # and 3 more of 8 chunks
    ],
)
def test_a_first_stage_holds_what_is_in_flight(plan, many):
    assert held(plan) == many
    whole = rank_footprint(GPT3, FP16, Plan()).activations_per_sample
    assert rank_footprint(GPT3, FP16, plan).activations_per_sample == pytest.approx(many * whole)
