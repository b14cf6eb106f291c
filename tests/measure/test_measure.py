"""``dp.measure`` on this machine's CPU: real modules, a real clock; watched, stopped, and failing."""

import os
from contextlib import nullcontext
from threading import Event, Thread

import pytest
from sizes import SMALL

import dlperf_widgets as dp
from dlperf_widgets import gpus, models
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP8, FP16, FP32
from dlperf_widgets.layers import Linear, Repeat, Sequence, Softmax
from dlperf_widgets.ops import TRAINING, Phase

torch = pytest.importorskip("torch")

from dlperf_widgets.measure import Outcome, modules, session  # noqa: E402
from dlperf_widgets.measure.modules import Leaf  # noqa: E402
from dlperf_widgets.measure.work import Held, Work, present  # noqa: E402

SMALLEST = 0.003  # seconds of readings


def scenario(layer, dtype=FP32, phases=(Phase.FPROP,)):
    return Scenario(layer, gpus.H100_SXM5_80GB, dtype, phases)


def measure(scenarios, **how):
    return dp.measure(scenarios, device="cpu", seconds=SMALLEST, **how)


@pytest.mark.parametrize("layer", SMALL.values(), ids=lambda layer: type(layer).__name__)
def test_every_layer_in_every_phase(layer):
    for phase in Phase:
        asked = scenario(layer, phases=(phase,))
        (found,) = measure(asked)
        if found.outcome is Outcome.SKIPPED:
            assert "without dgrad" in found.reason or not present(asked)
        else:
            assert found.outcome is Outcome.MEASURED, found.reason
            assert 0 < found.summary.lower <= found.seconds <= found.summary.upper
            assert found.summary.samples >= session.LEAST


def test_what_a_measurement_says():
    (found,) = measure(scenario(Linear(4, 8, 16)))
    assert found.scenario == found.asked == scenario(Linear(4, 8, 16))
    assert found.device.kind == "cpu" and found.device.torch == torch.__version__
    assert found.device.threads == torch.get_num_threads() and found.device.cores == os.cpu_count()
    assert (found.protocol.timer, found.protocol.launch, found.protocol.cache) == (
        "perf_counter",
        "eager",
        "warm",
    )
    assert found.protocol.inner > 1  # microseconds must be counted together
    assert found.date.endswith("+00:00")


class Slow:
    """A clock by which one run seems to take a millisecond, but 3 us among others."""

    name, l2, room = "slow", None, None

    def __init__(self):
        self.inner = []

    running = staticmethod(nullcontext)

    def launch(self, asked):
        return asked

    def once(self, run):
        return 1e-3

    def shot(self, runs, inner, launch):
        self.inner.append(inner)
        return inner

    def read(self, shot, many, flush=0):
        return [3e-6 * shot] * many

    def conditions(self):
        return None, None


def test_very_short_runs_are_counted_together():
    watch = Slow()
    tried = session.Session(scenario(Softmax(8, 8)), torch.device("cpu"), watch, warm=True)
    tried.take(SMALLEST, lambda: False)
    assert watch.inner == [1, 34]  # 100 us in a reading, of 3 us each
    assert tried.summary.median == pytest.approx(3e-6)
    assert tried.protocol.inner == 34 and tried.protocol.settled


def test_a_wish_to_stop_is_heard_between_batches(monkeypatch):
    monkeypatch.setattr(session, "WARM_UP", 0.0)
    tried = session.Session(scenario(Softmax(8, 8)), torch.device("cpu"), Slow(), warm=True)
    tried.take(1e6, lambda: len(tried.times) >= 200)
    assert tried.outcome is Outcome.MEASURED
    assert tried.summary.samples == 200  # batches of 100: 20 ms / 102 us would be 197


def test_rows():
    net = Repeat(Sequence.of(a=Linear(4, 8, 16), b=Linear(4, 16, 8)), 3)
    found = measure(scenario(net, phases=TRAINING), rows=True)
    names = [(m.path, str(m.phase)) for m in found]
    assert names == [(c.path, str(c.phase)) for c in scenario(net, phases=TRAINING).costs]
    assert found[1].asked == scenario(Linear(4, 16, 8))
    assert all(m.outcome is Outcome.MEASURED for m in found)


def test_what_cannot_be_run_is_said_to_be_skipped():
    (found,) = measure(scenario(Linear(32, 64, 16), FP8))
    assert (found.outcome, found.summary) == (Outcome.SKIPPED, None)
    assert found.reason == "FP8 needs a GPU of compute capability 8.9 or newer, not a CPU"
    with pytest.raises(ValueError, match="has no time: FP8 needs"):
        _ = found.seconds


def test_scenarios_take_turns_there_and_back(monkeypatch):
    order = []

    def work(asked, device):
        order.append(asked.layer.rows)
        return Work(lambda: None, 1, Held("float32", "float32"))

    monkeypatch.setattr(session, "work", work)
    found = measure([scenario(Softmax(rows, 8)) for rows in (1, 2, 3)])
    assert order == [1, 2, 3, 3, 2, 1, 1, 2, 3]
    assert [m.protocol.rounds for m in found] == [3, 3, 3]
    assert [m.scenario.layer.rows for m in found] == [1, 2, 3]


def test_equal_rows_are_measured_once(monkeypatch):
    runs = []
    real = session.work
    monkeypatch.setattr(session, "work", lambda asked, device: runs.append(asked) or real(asked, device))
    net = Sequence.of(a=Linear(4, 8, 8), b=Linear(4, 8, 8), c=Linear(4, 8, 16))
    found = measure(scenario(net), rows=True)
    assert len(found) == 3 and len(runs) == 2 * 3  # rounds
    assert found[0].summary == found[1].summary != found[2].summary


def test_progress():
    steps = []
    measure(
        [scenario(Softmax(8, 8)), scenario(Linear(4, 8, 16), FP8)], progress=lambda *each: steps.append(each)
    )
    assert [step[:2] for step in steps] == [(n, 6) for n in range(7)]
    assert steps[0][2] == pytest.approx(6 * SMALLEST / 3)  # before there is a pace
    assert steps[-1][2] == 0 and all(left > 0 for _, _, left in steps[:-1])


def test_cancelling_keeps_what_was_measured():
    cancel = Event()
    found = measure(
        [scenario(Softmax(rows, 8)) for rows in (1, 2, 3)],
        cancel=cancel,
        progress=lambda done, total, left: cancel.set() if done == 2 else None,
    )
    assert [m.scenario.layer.rows for m in found] == [1, 2]
    assert measure(scenario(Softmax(8, 8)), cancel=cancel) == ()


def test_a_wish_to_stop_is_heard_after_the_first_run_of_something_long(monkeypatch):
    cancel, runs = Event(), []

    def work(asked, device):
        return Work(lambda: runs.append(asked) or cancel.set(), 1, Held("float32", "float32"))

    monkeypatch.setattr(session, "work", work)
    assert measure(scenario(Softmax(8, 8)), cancel=cancel) == ()
    assert len(runs) == 1


@pytest.mark.parametrize("phases", [(Phase.FPROP,), TRAINING], ids=str)
def test_random_numbers_stay_those_that_a_seed_gives(phases):
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    measure(scenario(Linear(4, 8, 16), phases=phases))
    assert torch.equal(torch.rand(3), expected)


def test_a_whole_network_is_timed_forward_and_backward():
    (found,) = measure(scenario(models.ResNet18(2, 32), phases=TRAINING))
    assert found.outcome is Outcome.MEASURED, found.reason


def test_cancelling_from_another_thread_stops_a_long_one():
    cancel, found = Event(), []
    asked = scenario(Softmax(8, 8))
    thread = Thread(target=lambda: found.extend(dp.measure(asked, device="cpu", seconds=1e6, cancel=cancel)))
    thread.start()
    thread.join(0.7)  # past the 0.3 s of warm-up, most likely
    assert thread.is_alive()
    cancel.set()
    thread.join(60)
    assert not thread.is_alive()
    assert all(m.outcome is Outcome.MEASURED and m.summary.samples for m in found)


def test_an_exception_inside_a_module_is_told_and_stops_no_other(monkeypatch):
    def broken(layer, how):
        def call(x):
            raise RuntimeError("out of luck\nand a long trace")

        return Leaf(layer, call)

    monkeypatch.setitem(modules.BUILDERS, Softmax, broken)
    bad, good = measure([scenario(Softmax(8, 8)), scenario(Linear(4, 8, 16))])
    assert (bad.outcome, bad.reason) == (Outcome.FAILED, "RuntimeError: out of luck")
    assert good.outcome is Outcome.MEASURED


@pytest.mark.parametrize(
    ("error", "outcome", "words"),
    [
        (
            torch.OutOfMemoryError("CUDA out of memory."),
            Outcome.NO_MEMORY,
            "by prediction: CUDA out of memory.",
        ),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory"), Outcome.NO_MEMORY, "by prediction"),
        (
            RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
            Outcome.NO_MEMORY,
            "by prediction: CUDA error: CUBLAS_STATUS_ALLOC_FAILED",
        ),
        (RuntimeError("CUDA error: out of memory"), Outcome.NO_MEMORY, "by prediction: CUDA error"),
        (NotImplementedError("no such operator"), Outcome.SKIPPED, "torch: no such operator"),
        (RuntimeError("addmm not implemented for 'Half'"), Outcome.SKIPPED, "torch: addmm"),
        (RuntimeError("No available kernel. Aborting execution."), Outcome.SKIPPED, "torch: No available"),
        (AssertionError(), Outcome.FAILED, "AssertionError: AssertionError"),
    ],
)
def test_what_torchs_errors_mean(monkeypatch, error, outcome, words):
    def work(asked, device):
        raise error

    monkeypatch.setattr(session, "work", work)
    (found,) = measure(scenario(Softmax(8, 8)))
    assert found.outcome is outcome and words in found.reason


def test_without_room_nothing_is_tried_and_the_need_is_told(monkeypatch):
    monkeypatch.setattr(session, "available", lambda device: 10**9)
    monkeypatch.setattr(session, "work", lambda asked, device: pytest.fail("it was tried"))
    (found,) = measure(scenario(Linear(1, 2**15, 2**15, bias=False)))
    # 2^30 weights of 4 bytes = 4.295 GB, and the vectors
    assert found.outcome is Outcome.NO_MEMORY
    assert found.reason.startswith("Linear needs 4.295 GB = 4 GiB by prediction: the device has 1 GB")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"device": "abacus"}, "unknown device 'abacus'"),
        ({"device": "meta"}, "cannot measure on 'meta'"),
        ({"device": "cpu", "seconds": 0}, "seconds must be positive"),
    ],
)
def test_nonsense(how, words):
    with pytest.raises(ValueError, match=words):
        dp.measure(scenario(Softmax(8, 8), FP16), **how)


def test_a_gpu_that_is_not_there(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="no CUDA device"):
        dp.measure(scenario(Softmax(8, 8)), device="cuda")
