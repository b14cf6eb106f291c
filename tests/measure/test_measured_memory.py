"""Bytes that autograd keeps beside the predicted ones; on a CPU nothing else can be told."""

from types import SimpleNamespace

import pytest
from records import SCENARIO
from sizes import SMALL

from dlperf_widgets import gpus, layers, models
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP32
from dlperf_widgets.layers import Activation, LayerNorm, Linear, Sequence
from dlperf_widgets.measure.need import need
from dlperf_widgets.ops import TRAINING, Phase

torch = pytest.importorskip("torch")

from dlperf_widgets.measure import Outcome, measure_memory, memory, work  # noqa: E402


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


def test_what_cannot_run_says_why():
    found = used(layers.Lstm(2, 3, 8, 16, persistent=True))
    assert found.outcome is Outcome.SKIPPED and "persistent" in found.reason
    assert (found.allocated, found.reserved, found.saved) == (None, None, None)


def test_without_room_nothing_is_tried_and_the_need_is_told(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda device: 10**9)
    found = used(Linear(1, 2**15, 2**15, bias=False), (Phase.FPROP,))
    assert found.outcome is Outcome.NO_MEMORY
    assert (
        found.reason == "Linear needs 4.295 GB = 4 GiB by prediction: the device has 1 GB = 0.9313 GiB free"
    )


class Cuda:
    """Stands in for torch.cuda: counts bytes as its caching allocator does."""

    def __init__(self):
        self.now = self.top = self.held = self.top_held = 0
        self.log = []

    def allocate(self, size):
        self.now += size
        self.held = max(self.held, self.now)
        self.top, self.top_held = max(self.top, self.now), max(self.top_held, self.held)

    def free(self, size):
        self.now -= size

    def empty_cache(self):
        self.log.append("empty")
        self.held = self.now

    def reset_peak_memory_stats(self, device):
        self.log.append("reset")
        self.top, self.top_held = self.now, self.held

    def synchronize(self, device):
        self.log.append("wait")

    memory_allocated = lambda self, device: self.now  # noqa: E731
    memory_reserved = lambda self, device: self.held  # noqa: E731
    max_memory_allocated = lambda self, device: self.top  # noqa: E731
    max_memory_reserved = lambda self, device: self.top_held  # noqa: E731


def test_the_peak_is_of_one_run_without_what_was_there_before(monkeypatch):
    """Of the user 500, of libraries 30 that stay; the run itself takes 100 and 40 for a moment."""
    cuda, runs = Cuda(), []
    cuda.allocate(500)

    def made(scenario, device):
        cuda.allocate(100)
        return SimpleNamespace(run=run)

    def run():
        if not runs:
            cuda.allocate(30)
        cuda.log.append("run")
        runs.append(1)
        cuda.allocate(40)
        cuda.free(40)
        cuda.free(100)  # what was made goes with the call

    monkeypatch.setattr(work, "work", made)
    device = SimpleNamespace(type="cuda")
    assert memory._peak(SimpleNamespace(cuda=cuda), device, SCENARIO) == (140, 140)
    assert cuda.log == ["run", "wait", "empty", "reset", "run", "wait"]
    assert memory._peak(SimpleNamespace(cuda=cuda), torch.device("cpu"), SCENARIO) == (None, None)


def test_an_optimizers_step_needs_its_state():
    asked = Scenario(layers.OptimizerStep(64), gpus.A100_SXM4_80GB, FP32, (Phase.UPDATE,))
    assert need(asked) == 64 * 16  # weight, gradient, momentum, variance
