"""The GPU monitor: two lines that a thread moves, what they mean, and why there may be none."""

import sys
import time

import pytest

import dlperf_widgets as dp
from dlperf_widgets.charts import Line, Spans
from dlperf_widgets.charts.monitor import WINDOW, Moment, monitor
from dlperf_widgets.measure.nvml_monitor import Look
from dlperf_widgets.units import GIB


class Two:
    """A GPU, and a part of one that tells no utilization."""

    names = ("0: one", "1: other, MIG 0")

    def __init__(self):
        self.asked, self.broken = 0, False

    def read(self, index):
        self.asked += 1
        if self.broken:
            raise OSError("it fell off the bus")
        return Look(20 * GIB, 80 * GIB, 0.5) if index == 0 else Look(2 * GIB, 10 * GIB, None)


@pytest.fixture
def made():
    shown = []
    yield lambda *given, **how: shown.append(dp.GpuMonitor(*given, **how)) or shown[-1]
    for each in shown:
        each.close()


def until(condition):
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def lines(shown):
    return {mark.name: mark for mark in shown.figure.chart.marks if isinstance(mark, Line)}


def test_two_lines_follow_what_is_read(made):
    shown = made(Two(), every=0.1)
    until(lambda: len(shown.moments[0]) >= 3)
    found = lines(shown)
    assert set(found) == {"memory used", "GPU utilization"}
    assert set(found["memory used"].y) == {0.25} and set(found["GPU utilization"].y) == {0.5}
    assert found["memory used"].x[-1] == 0 and list(found["memory used"].x) == sorted(found["memory used"].x)
    assert shown.numbers.value == "Memory used 20 of 80 GiB (25%). GPU utilization 50%."


def test_another_gpu_is_a_choice_and_a_part_says_what_it_does_not_tell(made):
    shown = made(Two(), every=0.1)
    assert [label for label, _ in shown.gpu.options] == list(Two.names) and shown.gpu.layout.display == ""
    until(lambda: shown.moments[1])
    shown.gpu.value = 1
    assert set(lines(shown)) == {"memory used"}
    assert "It does not tell its utilization: drivers do not for parts of a GPU (MIG)." in shown.numbers.value


def test_pausing_and_closing_end_the_thread(made):
    reader = Two()
    shown = made(reader, every=0.1)
    threads = []
    for stop in (lambda: shown.button.click(), shown.close):
        threads.append(shown._watch.thread)
        stop()
        threads[-1].join(10)
        assert not threads[-1].is_alive() and not shown.running
        seen = reader.asked
        time.sleep(0.25)
        assert reader.asked == seen
        if shown.comm is not None:
            assert shown.button.description == "Go on"
            shown.resume()
            assert shown.running and shown.button.description == "Pause"
    assert shown.comm is None and shown.figure.comm is None


def test_a_gpu_that_answers_no_more_is_said_and_its_lines_stay(made):
    reader = Two()
    shown = made(reader, every=0.1)
    until(lambda: shown.moments[0])
    reader.broken = True
    until(lambda: not shown.running)
    assert shown.numbers.value == "This GPU answers no more: it fell off the bus."
    assert set(lines(shown)) == {"memory used", "GPU utilization"}


def test_without_a_gpu_it_says_why_and_shows_an_example(made, monkeypatch):
    monkeypatch.setitem(sys.modules, "pynvml", None)  # as if it were not installed
    shown = made()
    assert shown.reason == "nvidia-ml-py is missing: pip install 'dlperf_widgets[measure]'"
    assert "an example, made up" in shown.numbers.value and not shown.running
    found = lines(shown)
    apart = {
        (m > 0.4, b > 0.4) for m, b in zip(found["memory used"].y, found["GPU utilization"].y, strict=True)
    }
    assert apart == {(False, False), (True, False), (False, True), (True, True)}
    assert len([mark for mark in shown.figure.chart.marks if isinstance(mark, Spans)]) == 5
    shown.resume()
    assert not shown.running


def test_what_each_tells_is_said_in_the_language_chosen(made):
    shown = made(Two(), every=0.1)
    until(lambda: shown.moments[0])
    shown.gpu.value = 1
    assert "at least one kernel ran" in shown.words.value and "roofline" in shown.words.value
    try:
        dp.set_language("zh_CN")
        assert "屋顶线" in shown.words.value and "kernel ran" not in shown.words.value
        assert shown.gpu.value == 1 and shown.running and shown.moments[0]
    finally:
        dp.set_language("en")


def test_only_the_last_two_minutes_are_drawn():
    moments = [Moment(float(at), 0.1, None if at % 2 else 0.2) for at in range(300)]
    chart = monitor(moments)
    memory, busy = chart.marks
    assert memory.x == tuple(float(at) for at in range(-120, 1))
    assert len(busy.x) == 60 and chart.x.domain == (-WINDOW, 0)
    assert "now memory used 10%, GPU utilization not told" in chart.alt
    assert monitor([]).marks == () and "nothing was read yet" in monitor([]).alt


def test_a_page_without_a_kernel_has_the_picture_and_the_words(made):
    html = made(Two(), every=0.1)._repr_mimebundle_()["text/html"]
    assert "<svg" in html and "at least one kernel ran" in html


def test_nonsense(made):
    with pytest.raises(ValueError, match="every must be at least 0.1 seconds, not 0"):
        made(Two(), every=0)
