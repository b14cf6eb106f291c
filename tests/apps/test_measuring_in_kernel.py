"""Measuring and watching in a real kernel: it answers other cells in the meantime."""

import time
from queue import Empty

import pytest

pytest.importorskip("torch")
manager = pytest.importorskip("jupyter_client.manager")

OPEN = """
import dlperf_widgets as dp
from dlperf_widgets import dtypes, gpus, layers
from dlperf_widgets.measure.nvml_monitor import Look
import torch
torch.set_num_threads(1)
explorer = dp.LayerExplorer(dp.Scenario(layers.Linear(64, 128, 128), gpus.T4, dtypes.FP32))
bar = explorer.measuring.bar
"""
PRESS = "bar.press('measure')"
STATE = "(bar.running, bar.progress, bar.left, len(explorer.measurements), bar.result)"
WATCH = """
class Fake:
    names = ("a GPU",)
    def read(self, index):
        return Look(1, 2, 0.5)
shown = dp.GpuMonitor(Fake(), every=0.1)
"""


class Kernel:
    """A kernel to run cells in."""

    def __init__(self):
        self.manager, self.client = manager.start_new_kernel()

    def run(self, code, value=""):
        """Run a cell, and return the value of an expression after it."""
        reply = self.client.execute_interactive(
            code, timeout=120, store_history=False, user_expressions={"it": value} if value else {},
            output_hook=lambda message: None,
        )["content"]  # fmt: skip
        assert reply["status"] == "ok", reply.get("traceback", reply)
        return eval(reply["user_expressions"]["it"]["data"]["text/plain"]) if value else None

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel():
    made = Kernel()
    made.run(OPEN)
    yield made
    made.close()


def test_other_cells_are_answered_while_it_measures_and_a_cancel_keeps_what_there_is(kernel):
    kernel.run(PRESS)
    answered, longest, deadline = 0, 0.0, time.monotonic() + 60
    while True:
        began = time.monotonic()
        running, progress, left, _, _ = kernel.run("x = 6 * 7", STATE)
        answered, longest = answered + 1, max(longest, time.monotonic() - began)
        assert running, "it was done before a third of it was seen"
        if progress >= 8 / 21:
            break
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert answered >= 3 and longest < 5 and "left" in left
    kernel.run("bar.press('cancel')")
    while kernel.run("", STATE)[0]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    _, _, _, measured, said = kernel.run("", STATE)
    assert measured == 7 and said.startswith("7 measured on")


def test_the_gpu_monitor_moves_while_a_cell_runs(kernel):
    kernel.run(WATCH)
    request = kernel.client.execute("import time; time.sleep(1.5)")
    moved = 0
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            message = kernel.client.get_iopub_msg(timeout=1)
        except Empty:
            continue
        moved += message["msg_type"] == "comm_msg"
        idle = message["msg_type"] == "status" and message["content"]["execution_state"] == "idle"
        if idle and message["parent_header"].get("msg_id") == request:
            break
    assert moved >= 3  # of some fifteen looks
    kernel.client.get_shell_msg(timeout=30)
    thread = kernel.run("thread = shown._watch.thread; shown.close(); thread.join(10)", "thread.is_alive()")
    assert thread is False
