"""Campaigns: resumed without losing or repeating a row, alone or on an executor's workers."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from threading import Event, Lock
from time import sleep

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import BF16, FP8, FP16, FP32, INT8, TF32
from dlperf_widgets.layers import Linear, Softmax
from dlperf_widgets.measure.suite import guide
from dlperf_widgets.ops import Phase

pytest.importorskip("torch")

from dlperf_widgets.measure import Outcome, append, campaign, load, session  # noqa: E402

SCENARIOS = [Scenario(Softmax(rows, 8), gpus.H100_SXM5_80GB, FP32) for rows in (1, 2, 3, 4)]
QUICK = {"device": "cpu", "seconds": 0.003}


@pytest.fixture
def out(tmp_path):
    return tmp_path / "measured.jsonl"


def rows(measurements):
    return [m.scenario.layer.rows for m in measurements]


def test_each_result_is_in_the_file_before_the_next_begins(out, monkeypatch):
    counts, real = [], session.work

    def work(asked, device):
        counts.append(len(load(out).measurements) if out.exists() else 0)
        return real(asked, device)

    monkeypatch.setattr(session, "work", work)
    new = campaign(SCENARIOS, out=out, **QUICK)
    assert rows(new) == rows(load(out).measurements) == [1, 2, 3, 4]
    assert counts == [0, 1, 2, 3]


def test_an_interrupted_one_goes_on_where_it_was(out, monkeypatch):
    real = session.work

    def interrupted(asked, device):
        if asked.layer.rows == 3:
            raise KeyboardInterrupt
        return real(asked, device)

    monkeypatch.setattr(session, "work", interrupted)
    with pytest.raises(KeyboardInterrupt):
        campaign(SCENARIOS, out=out, **QUICK)
    assert rows(load(out).measurements) == [1, 2]
    monkeypatch.setattr(session, "work", real)
    out.write_bytes(out.read_bytes()[:-5])  # the power failed, too
    assert rows(campaign(SCENARIOS, out=out, **QUICK)) == [2, 3, 4]
    assert rows(load(out).measurements) == [1, 2, 3, 4]
    assert campaign(SCENARIOS, out=out, **QUICK) == ()


def test_what_failed_is_tried_again_and_what_was_skipped_is_not(out):
    (skipped,) = campaign([Scenario(Linear(4, 8, 16), gpus.H100_SXM5_80GB, FP8)], out=out, **QUICK)
    assert skipped.outcome is Outcome.SKIPPED
    append(
        out, [replace(skipped, scenario=SCENARIOS[0], outcome=Outcome.FAILED, reason="a bolt of lightning")]
    )
    assert rows(campaign([SCENARIOS[0], skipped.scenario], out=out, **QUICK)) == [1]


def test_another_device_or_protocol_is_another_measurement(out):
    (here,) = campaign(SCENARIOS[:1], out=out, **QUICK)
    assert rows(campaign(SCENARIOS[:1], out=out, warm=True, **QUICK)) == [1]
    out.unlink()
    append(out, [replace(here, device=replace(here.device, name="another"))])
    assert rows(campaign(SCENARIOS[:1], out=out, **QUICK)) == [1]


def test_cancelling_keeps_what_is_done(out):
    cancel, steps = Event(), []

    def progress(done, total, left):
        steps.append((done, total))
        if done == 2:
            cancel.set()

    new = campaign(SCENARIOS, out=out, progress=progress, cancel=cancel, **QUICK)
    assert rows(new) == rows(load(out).measurements) == [1, 2]
    assert steps == [(1, 4), (2, 4)]


def test_threads(out):
    with ThreadPoolExecutor(2) as executor:
        new = campaign(SCENARIOS, executor, out=out, **QUICK)
        assert sorted(rows(new)) == [1, 2, 3, 4]
        assert campaign(SCENARIOS, executor, out=out, **QUICK) == ()
    assert load(out).measurements == new


def test_threads_do_not_disturb_each_other(out, monkeypatch):
    alone, real = Lock(), session.work

    def work(asked, device):
        assert alone.acquire(blocking=False)
        sleep(0.02)
        alone.release()
        return real(asked, device)

    monkeypatch.setattr(session, "work", work)
    with ThreadPoolExecutor(3) as executor:
        new = campaign(SCENARIOS, executor, out=out, **QUICK)
    assert {m.outcome for m in new} == {Outcome.MEASURED}


def test_processes(out):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        assert sorted(rows(campaign(SCENARIOS[:2], executor, out=out, **QUICK))) == [1, 2]
    assert len(load(out).measurements) == 2


def test_a_dask_cluster(out):
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client:
        assert sorted(rows(campaign(SCENARIOS[:2], client, out=out, **QUICK))) == [1, 2]
    assert len(load(out).measurements) == 2


class Unlucky:
    """An executor whose second worker dies."""

    def __init__(self, pool):
        self.pool, self.count = pool, 0

    def submit(self, function, /, *args, **how):
        self.count += 1
        return self.pool.submit(_dies if self.count == 2 else function, *args, **how)


def _dies(*_args, **_how):
    raise OSError("the worker died")


def test_a_worker_that_dies_costs_its_own_row_alone(out):
    with ThreadPoolExecutor(1) as pool, pytest.raises(OSError, match="the worker died"):
        campaign(SCENARIOS, Unlucky(pool), out=out, **QUICK)
    assert rows(load(out).measurements) == [1, 3, 4]


def test_cancelling_an_executor_lets_the_running_finish(out):
    cancel = Event()
    with ThreadPoolExecutor(1) as executor:
        how = {"device": "cpu", "seconds": 0.2}  # the others wait behind the first
        progress = lambda done, total, left: cancel.set()  # noqa: E731
        new = campaign(SCENARIOS, executor, out=out, cancel=cancel, progress=progress, **how)
    assert 1 <= len(new) < 4 and load(out).measurements == new


@pytest.mark.parametrize("quick", [False, True])
def test_the_guides_suite(quick):
    suite = guide(gpus.A100_SXM4_80GB, quick)
    assert len(suite) == len(set(suite))
    kinds = {type(s.layer).__name__ for s in suite}
    assert kinds == {"Linear", "Conv2d", "BatchNorm2d", "Activation", "Pool2d", "Attention", "Lstm"}
    assert {s.dtype for s in suite} == {FP16, BF16, TF32, INT8}
    products = [s.layer for s in suite if isinstance(s.layer, Linear)]
    assert any(layer.outputs % 8 for layer in products) and any(layer.inputs % 8 for layer in products)
    assert all(s.costs for s in suite)
    assert all(s.phases == (Phase.FPROP,) for s in suite if s.dtype == INT8)
    assert {s.dtype for s in guide(gpus.V100_SXM2_16GB, quick)} == {FP16}
