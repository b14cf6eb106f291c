"""What one reading covers, decided from sizes alone."""

import pytest

from dlperf_widgets.cost import Launch
from dlperf_widgets.measure.protocol import COLD, WARM, Plan, plan

MIB = 2**20
L2 = 40 * MIB


def test_large_tensors_need_neither_flush_nor_copies():
    assert plan(Launch.GRAPH, False, 1e-3, 200 * MIB, L2) == Plan(1, cache=COLD)


def test_copies_take_turns():
    # 80 / 20 + 1 = 5 copies; 100 us / 30 us = 4 runs, made 5
    for launch in (Launch.GRAPH, Launch.EAGER):
        assert plan(launch, False, 30e-6, 20 * MIB, L2) == Plan(5, copies=5, cache=COLD)


def test_what_copies_cannot_drive_out_is_called_warm():
    # 80 MiB / 0.25 MiB + 1 = 321 copies are too many
    for launch in (Launch.GRAPH, Launch.EAGER):
        assert plan(launch, False, 3e-6, MIB // 4, L2) == Plan(34, cache=WARM)


def test_copies_must_fit():
    # 4 more of 20 MiB
    assert plan(Launch.GRAPH, False, 1e-3, 20 * MIB, L2, room=80 * MIB).copies == 5
    assert plan(Launch.GRAPH, False, 1e-3, 20 * MIB, L2, room=79 * MIB) == Plan(1, cache=WARM)


def test_a_kernel_alone_is_read_one_by_one_behind_a_write():
    assert plan(Launch.KERNEL, False, 1e-3, 200 * MIB, L2) == Plan(1, flush=80 * MIB, cache=COLD)


@pytest.mark.parametrize("launch", Launch)
def test_warm_runs_follow_one_another(launch):
    assert plan(launch, True, 3e-6, MIB, L2) == Plan(34, cache=WARM)
    assert plan(launch, False, 3e-6, MIB, None) == Plan(34, cache=WARM)  # of an unknown cache
