"""A traced module travels as JSON like any other layer."""

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.ops import TRAINING

torch = pytest.importorskip("torch", reason="torch is not installed")


def test_a_scenario_of_a_traced_module():
    from dlperf_widgets.models import from_torch

    module = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    scenario = Scenario(from_torch(module, torch.zeros(8, 16)), gpus.A100_SXM4_80GB, FP16, TRAINING)
    again = Scenario.from_json(scenario.to_json())
    assert again == scenario
    assert again.costs == scenario.costs
