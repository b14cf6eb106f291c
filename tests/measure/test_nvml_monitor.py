"""What NVML tells of whole GPUs and of parts of them, and the thread that asks. With a stand-in for NVML."""

import sys
from threading import Event
from types import SimpleNamespace

import pytest

from dlperf_widgets.measure.nvml_monitor import Look, NvmlReader, Watch, open_reader
from dlperf_widgets.units import GIB

NOT_SUPPORTED, NOT_FOUND, LOST = 3, 6, 15


class Nvml:
    """Stands in for pynvml: the second of two GPUs is split into two parts."""

    NVML_DEVICE_MIG_ENABLE = 1
    NVML_ERROR_NOT_SUPPORTED, NVML_ERROR_NOT_FOUND = NOT_SUPPORTED, NOT_FOUND

    class NVMLError(Exception):
        def __init__(self, value):
            super().__init__(f"error {value}")
            self.value = value

    def __init__(self, count=2, fails=None):
        self.count, self.fails = count, fails or {}

    def nvmlInit(self):  # noqa: N802 (names of NVML's)
        self._answers("init")

    def nvmlDeviceGetCount(self):  # noqa: N802
        return self.count

    def nvmlDeviceGetHandleByIndex(self, index):  # noqa: N802
        return f"gpu{index}"

    def nvmlDeviceGetName(self, handle):  # noqa: N802
        return {"gpu0": b"NVIDIA T4", "gpu1": "NVIDIA A100-SXM4-80GB"}[handle]

    def nvmlDeviceGetMigMode(self, handle):  # noqa: N802
        if handle == "gpu0":  # a T4 cannot be split
            raise self.NVMLError(NOT_SUPPORTED)
        return [1, 0]  # now, and after the next reset

    def nvmlDeviceGetMaxMigDeviceCount(self, handle):  # noqa: N802
        return 7

    def nvmlDeviceGetMigDeviceHandleByIndex(self, handle, index):  # noqa: N802
        if index not in (0, 2):
            raise self.NVMLError(NOT_FOUND)
        return f"{handle} part {index}"

    def nvmlDeviceGetMemoryInfo(self, handle):  # noqa: N802
        self._answers("memory")
        return SimpleNamespace(total=16 * GIB, free=12 * GIB, used=4 * GIB)

    def nvmlDeviceGetUtilizationRates(self, handle):  # noqa: N802
        self._answers("rates")
        if "part" in handle:
            raise self.NVMLError(NOT_SUPPORTED)
        return SimpleNamespace(gpu=37, memory=5)

    def _answers(self, what):
        if what in self.fails:
            raise self.NVMLError(self.fails[what])


def test_every_gpu_and_every_part_of_one_that_is_split():
    reader = NvmlReader(Nvml())
    assert reader.names == (
        "0: NVIDIA T4",
        "1: NVIDIA A100-SXM4-80GB, MIG 0",
        "1: NVIDIA A100-SXM4-80GB, MIG 1",
    )
    assert reader.read(0) == Look(4 * GIB, 16 * GIB, 0.37)
    assert reader.read(0).share == 0.25
    assert reader.read(2) == Look(4 * GIB, 16 * GIB, None)  # a part tells no utilization


def test_what_a_gpu_does_not_tell_is_none():
    reader = NvmlReader(Nvml(1, {"memory": NOT_SUPPORTED, "rates": NOT_SUPPORTED}))
    assert reader.read(0) == Look(None, None, None)
    assert reader.read(0).share is None


def test_a_gpu_that_is_lost_is_an_error():
    with pytest.raises(OSError, match="NVML: error 15"):
        NvmlReader(Nvml(1, {"rates": LOST})).read(0)


@pytest.mark.parametrize(
    ("module", "words"),
    [
        (None, r"nvidia-ml-py is missing: pip install 'dlperf_widgets\[measure\]'"),
        (Nvml(fails={"init": 9}), "no NVIDIA driver answers here: error 9"),
        (Nvml(0), "the NVIDIA driver sees no GPU here"),
    ],
)
def test_why_there_is_nothing_to_read(monkeypatch, module, words):
    monkeypatch.setitem(sys.modules, "pynvml", module)
    with pytest.raises(ValueError, match=words):
        open_reader()


def test_a_driver_is_opened(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynvml", Nvml())
    assert len(open_reader().names) == 3


class Counting:
    """Tells how often it was asked; after ``last`` times it answers no more."""

    names = ("a", "b")

    def __init__(self, last=10**9):
        self.asked, self.last = 0, last

    def read(self, index):
        self.asked += 1
        if self.asked > self.last:
            raise OSError("it fell off the bus")
        return Look(self.asked, 100, 0.5)


def test_a_watch_looks_at_all_again_and_again_until_it_is_stopped():
    heard, enough = [], Event()
    watch = Watch(
        Counting(), lambda looks: heard.append(looks) or len(heard) == 3 and enough.set(), pytest.fail, 0.001
    )
    watch.start()
    assert enough.wait(10)
    watch.stop()
    watch.thread.join(10)
    assert not watch.thread.is_alive()
    assert [look.used for looks in heard[:3] for look in looks] == [1, 2, 3, 4, 5, 6]


def test_a_watch_ends_with_a_reason():
    heard, reasons = [], []
    watch = Watch(Counting(4), heard.append, reasons.append, 0.001)
    watch.start()
    watch.thread.join(10)
    assert len(heard) == 2 and reasons == ["it fell off the bus"]


def test_a_watch_needs_time_between_two_looks():
    with pytest.raises(ValueError, match="every must be a positive number of seconds, not 0"):
        Watch(Counting(), print, print, 0)
