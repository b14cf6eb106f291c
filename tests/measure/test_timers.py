"""The clocks: what is started, waited for and read, in which order. The GPU's with a stand-in for it."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

from dlperf_widgets.cost import Launch  # noqa: E402
from dlperf_widgets.measure import nvml, timer  # noqa: E402
from dlperf_widgets.measure.formats import UnsupportedError  # noqa: E402
from dlperf_widgets.measure.nvml import Reading, middle  # noqa: E402
from dlperf_widgets.measure.timer import CpuWatch, CudaWatch  # noqa: E402
from dlperf_widgets.units import MIB  # noqa: E402


class Gpu:
    """Stands in for torch.cuda: work is queued with its length, and time passes when it is waited for."""

    def __init__(self):
        self.log, self.queue, self.now, self.capturing = [], [], 0.0, None
        gpu = self

        class Event:
            def __init__(self, enable_timing):
                assert enable_timing
                self.at = None

            def record(self, stream):
                assert stream == "stream"
                gpu.queue.append(self)

            def elapsed_time(self, other):
                return 1e3 * (other.at - self.at)  # None where nobody waited

        class Graph:
            def replay(self):
                gpu.log.append("replay")
                gpu.queue += self.held

        self.Event, self.CUDAGraph = Event, Graph

    def run(self, seconds, name="run"):
        def start():
            self.log.append(name)
            (self.queue if self.capturing is None else self.capturing).append(seconds)

        return start

    def synchronize(self, device):
        self.log.append("wait")
        for each in self.queue:
            if isinstance(each, float):
                self.now += each
            else:
                each.at = self.now
        self.queue.clear()

    @contextmanager
    def graph(self, graph, stream, capture_error_mode):
        assert (stream, capture_error_mode) == ("stream", "thread_local")
        self.log.append("capture")
        self.capturing = []
        try:
            yield
        except RuntimeError:  # as torch does: ending a capture that failed fails, too
            raise RuntimeError("CUDA error: operation failed due to a previous error during capture")  # noqa: B904
        graph.held, self.capturing = self.capturing, None

    @contextmanager
    def stream(self, stream):
        self.log.append("enter")
        yield
        self.log.append("leave")

    device = stream

    def Stream(self, device):  # noqa: N802 (torch's name)
        return "stream"

    def empty_cache(self):
        self.log.append("freed")

    def get_device_properties(self, device):
        return SimpleNamespace(L2_cache_size=40 * MIB, uuid="1234")


@pytest.fixture
def gpu():
    return Gpu()


@pytest.fixture
def watch(gpu, monkeypatch):
    monkeypatch.setattr(timer, "reader", lambda uuid: None)
    made = CudaWatch(torch.device("cpu"), gpu)
    made._buffer = SimpleNamespace(zero_=gpu.run(1.0, "flush"))
    return made


def test_eager_runs_follow_one_another_between_two_events(gpu, watch):
    with watch.running():
        shot = watch.shot([gpu.run(2.0, "a"), gpu.run(4.0, "b")], 4, Launch.EAGER)
        gpu.log.clear()
        assert watch.read(shot, 2) == [12, 12]  # a b a b
    assert gpu.log[:9] == ["a", "b", "a", "b"] * 2 + ["wait"]


def test_a_flush_is_before_the_first_event_and_in_no_reading(gpu, watch):
    with watch.running():
        watch._buffer = SimpleNamespace(zero_=gpu.run(1.0, "flush"))
        shot = watch.shot([gpu.run(2.0)], 1, Launch.EAGER)
        gpu.log.clear()
        assert watch.read(shot, 2, flush=80 * MIB) == [2, 2]
        assert gpu.log == ["flush", "run", "flush", "run", "wait"]


@pytest.mark.parametrize("launch", [Launch.GRAPH, Launch.KERNEL])
def test_a_graph_is_captured_once_and_replayed(gpu, watch, launch):
    with watch.running():
        shot = watch.shot([gpu.run(2.0)], 3, launch)
        assert gpu.log.count("run") == 3
        assert watch.read(shot, 2) == [6, 6]
        assert gpu.log.count("run") == 3 and gpu.log.count("replay") == 2


def test_what_a_graph_cannot_hold_is_named(gpu, watch):
    def refuses():
        raise RuntimeError("operation not permitted when stream is capturing")

    with watch.running(), pytest.raises(UnsupportedError, match="graph cannot hold it.*not permitted"):
        watch.shot([refuses], 1, Launch.GRAPH)

    def breaks():
        raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")

    with watch.running(), pytest.raises(RuntimeError, match="shapes"):
        watch.shot([breaks], 1, Launch.GRAPH)

    def full():
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB")

    with watch.running(), pytest.raises(torch.OutOfMemoryError, match="Tried to allocate"):
        watch.shot([full], 1, Launch.GRAPH)


def test_all_is_finished_and_freed_at_the_end(gpu, watch):
    with pytest.raises(KeyError), watch.running():
        raise KeyError
    assert gpu.log[-2:] == ["wait", "freed"]
    assert watch._buffer is None


def test_clock_and_power_are_looked_at_while_the_gpu_works(gpu, watch):
    readings = iter([Reading(1.0e9, 100.0), Reading(1.4e9, None), Reading(1.5e9, 300.0), None])
    waiting = []

    def look():
        waiting.append(len(gpu.queue))
        return next(readings)

    watch._look = look
    with watch.running():
        shot = watch.shot([gpu.run(2.0)], 1, Launch.EAGER)
        for _ in range(4):  # the last time NVML does not answer
            watch.read(shot, 1)
    assert waiting == [3, 3, 3, 3]  # two events and a run, not yet waited for
    assert watch.conditions() == (1.4e9, 200.0)


def test_one_run_is_waited_for(gpu, watch):
    watch.once(gpu.run(2.0))
    assert gpu.log == ["wait", "run", "wait"]


def test_the_hosts_clock_counts_every_copy_in_turn():
    watch, runs = CpuWatch(), []
    shot = watch.shot([lambda: runs.append("a"), lambda: runs.append("b")], 3, Launch.GRAPH)
    assert len(watch.read(shot, 2)) == 2
    assert runs == ["a", "b", "a"] * 2
    assert watch.launch(Launch.GRAPH) is Launch.EAGER
    assert watch.conditions() == (None, None) and watch.l2 is None


class Nvml:
    """Stands in for pynvml."""

    class NVMLError(Exception):
        pass

    NVML_CLOCK_SM = 1

    def __init__(self, power=True):
        self.power = power

    def nvmlInit(self):  # noqa: N802
        pass

    def nvmlSystemGetDriverVersion(self):  # noqa: N802
        return b"580.1"

    def nvmlDeviceGetHandleByUUID(self, uuid):  # noqa: N802
        if uuid != "GPU-1234":
            raise self.NVMLError
        return "handle"

    def nvmlDeviceGetClockInfo(self, handle, kind):  # noqa: N802
        return {("handle", 1): 1410}[handle, kind]

    def nvmlDeviceGetPowerUsage(self, handle):  # noqa: N802
        if not self.power:
            raise self.NVMLError
        return 250_500


@pytest.mark.parametrize(("power", "expected"), [(True, 250.5), (False, None)])
def test_nvml(monkeypatch, power, expected):
    monkeypatch.setitem(__import__("sys").modules, "pynvml", Nvml(power))
    assert nvml.reader("1234")() == Reading(1.41e9, expected)
    assert nvml.reader("another") is None
    assert nvml.driver() == "580.1"


def test_without_nvml_nothing_is_told(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pynvml", None)  # as if it were not installed
    assert nvml.reader("1234") is None and nvml.driver() is None
    assert middle([]) == (None, None)
