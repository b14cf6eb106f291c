"""Bytes that autograd keeps beside the predicted ones; on a CPU nothing else can be told."""

import pytest
from sizes import SMALL

from dlperf_widgets import gpus, layers, models
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP32
from dlperf_widgets.layers import Activation, LayerNorm, Linear, Sequence
from dlperf_widgets.measure.need import need
from dlperf_widgets.ops import TRAINING, Phase

torch = pytest.importorskip("torch")

from dlperf_widgets.measure import measure_memory  # noqa: E402


def used(layer, phases=TRAINING):
    return measure_memory(Scenario(layer, gpus.A100_SXM4_80GB, FP32, phases), device="cpu")


@pytest.mark.parametrize(
    "layer",
    [
        Linear(4, 8, 16),
        LayerNorm(8, 16),
        Activation(64, "gelu"),
        Activation(64, inplace=True),
        Sequence.of(a=Linear(4, 8, 16), act=Activation(64), b=Linear(4, 16, 8)),
        SMALL["Conv3d"],
        SMALL["Softmax"],
        SMALL["Multiply"],
        models.ResNet18(2, 64),
    ],
    ids=lambda layer: layer.title,
)
def test_saved_bytes_are_the_predicted_ones(layer):
    found = used(layer)
    assert found.saved == found.predicted_saved > 0
    assert found.allocated is None and found.reserved is None


def test_without_backward_nothing_is_kept():
    found = used(Linear(4, 8, 16), (Phase.FPROP,))
    assert found.saved is None and found.predicted_saved is None
    # weights, a bias, input and output, of 4 bytes
    assert found.predicted == 4 * (8 * 16 + 16 + 4 * 8 + 4 * 16)


def test_an_optimizers_step_needs_its_state():
    asked = Scenario(layers.OptimizerStep(64), gpus.A100_SXM4_80GB, FP32, (Phase.UPDATE,))
    assert need(asked) == 64 * 16  # weight, gradient, momentum, variance
