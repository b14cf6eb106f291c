"""Steps planned from what is worked out once are the same steps."""

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.parallel import Plan, training_step
from dlperf_widgets.cost.planned import planned
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.layers import OptimizerStep
from dlperf_widgets.models import Gpt2, ResNet50, VitB16

A100 = gpus.A100_SXM4_80GB
PLANS = (
    Plan(),
    Plan(data=8),
    Plan(data=4, zero=1),
    Plan(data=4, zero=3, microbatches=3, overlap=False),
    Plan(data=2, pipeline=4, microbatches=8, interleave=2, zero=1),
)


@pytest.mark.parametrize("plan", PLANS, ids=str)
@pytest.mark.parametrize("layer", [Gpt2("small", 4), ResNet50(batch=16)], ids=lambda layer: layer.title)
def test_a_planned_step_is_a_training_step(layer, plan):
    scenario = Scenario(layer, A100, FP16)
    step, other = planned(scenario, plan), training_step(scenario, plan)
    assert step.time == pytest.approx(other.time, rel=1e-12)
    assert step.whole.forward == pytest.approx(other.whole.forward, rel=1e-12)
    assert [e.name for e in step.exchanges] == [e.name for e in other.exchanges]
    assert step.exposed == pytest.approx(other.exposed, rel=1e-9, abs=1e-15)
    assert step.scaling_efficiency == pytest.approx(other.scaling_efficiency, rel=1e-12)


@pytest.mark.parametrize(("tensor", "pipeline", "data"), [(2, 1, 1), (4, 3, 2), (12, 1, 4)])
def test_tensor_ranks_share_the_same_work(tensor, pipeline, data):
    scenario = Scenario(VitB16(batch=8), A100, FP16)
    plan = Plan(data, tensor, pipeline, 4, node=tensor * pipeline * data)
    step, other = planned(scenario, plan), training_step(scenario, plan)
    assert step.hops == other.hops
    assert step.work.backward == pytest.approx(other.work.backward, rel=1e-12)
    assert step.time == pytest.approx(other.time, rel=1e-12)


def test_faults_are_named_as_by_the_plan():
    with pytest.raises(ValueError, match="16 stages of 1 need 16 blocks: Gpt2 has 12"):
        planned(Scenario(Gpt2("small"), A100, FP16), Plan(pipeline=16))


@pytest.mark.parametrize("plan", [Plan(data=4), Plan(data=4, zero=1)], ids=str)
def test_an_update_is_shared_by_the_ranks_of_zero(plan):
    scenario = Scenario(OptimizerStep(10**8), A100, FP32)
    assert planned(scenario, plan).work == training_step(scenario, plan).work
