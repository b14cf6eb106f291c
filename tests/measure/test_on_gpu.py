"""The same on a real GPU: events, graphs, cold and warm caches, memory."""

from threading import Event, Thread

import pytest
from sizes import SMALL

import dlperf_widgets as dp
from dlperf_widgets import gpus
from dlperf_widgets.cost import Launch, Scenario
from dlperf_widgets.dtypes import BF16, FP8, FP16, FP32, INT8, TF32
from dlperf_widgets.layers import Activation, Linear, OptimizerStep
from dlperf_widgets.ops import TRAINING, Phase

torch = pytest.importorskip("torch")

from dlperf_widgets.measure import Outcome, compare, describe, gpu_of, measure_memory  # noqa: E402
from dlperf_widgets.measure.nvml_monitor import open_reader  # noqa: E402
from dlperf_widgets.measure.work import present  # noqa: E402

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="torch finds no CUDA device"),
]


def measure(layer, dtype=FP16, phases=(Phase.FPROP,), launch=Launch.GRAPH, **how):
    asked = Scenario(layer, gpus.H100_SXM5_80GB, dtype, phases, launch=launch)
    (found,) = dp.measure(asked, device="cuda", seconds=0.05, **how)
    return found


@pytest.mark.parametrize("launch", Launch)
@pytest.mark.parametrize("layer", SMALL.values(), ids=lambda layer: type(layer).__name__)
def test_every_layer_in_every_phase(layer, launch):
    for phases in [*((phase,) for phase in Phase), TRAINING]:
        found = measure(layer, FP16, phases, launch)
        lacks = "without dgrad" in found.reason or not present(found.scenario)
        assert found.outcome is (Outcome.SKIPPED if lacks else Outcome.MEASURED), found.reason


@pytest.mark.parametrize("dtype", [FP32, TF32, BF16, FP16, FP8, INT8], ids=str)
def test_formats(dtype):
    found = measure(Linear(1024, 1024, 1024), dtype)
    assert found.outcome is Outcome.MEASURED or "needs compute capability" in found.reason
    assert found.summary is None or found.protocol.tf32 == (dtype is TF32)


def test_cold_and_warm_are_told_apart():
    l2 = describe("cuda").l2
    layer = Activation(l2 // 16)  # an eighth of the cache read, an eighth written
    cold, warm = measure(layer), measure(layer, warm=True)
    assert (cold.protocol.cache, warm.protocol.cache) == ("cold", "warm")
    assert cold.protocol.copies > 1 or cold.protocol.flush
    assert warm.seconds < cold.seconds


def test_other_threads_may_use_the_gpu_meanwhile():
    """They neither break the capture of a graph nor are stopped by it."""
    done, errors, rounds, kept = Event(), [], [], []

    def work():
        try:
            while not done.is_set():
                if len(kept) < 20:
                    kept.append(torch.ones(2**24, device="cuda"))  # large enough to ask the driver for
                rounds.append(kept[-1].sum().item())
        except RuntimeError as error:
            errors.append(error)

    thread = Thread(target=work)
    thread.start()
    try:
        found = [measure(Linear(64, 64, size)) for size in (64, 128, 256)]
    finally:
        done.set()
        thread.join(60)
    assert {m.outcome for m in found} == {Outcome.MEASURED} and not errors and len(rounds) > 3


def test_random_numbers_stay_those_that_a_seed_gives():
    torch.cuda.manual_seed(7)
    expected = torch.rand(3, device="cuda")
    torch.cuda.manual_seed(7)
    measure(Linear(64, 64, 64), phases=TRAINING)
    assert torch.equal(torch.rand(3, device="cuda"), expected)


def test_the_driver_tells_memory_and_utilization():
    pytest.importorskip("pynvml")
    reader = open_reader()
    looks = [reader.read(index) for index in range(len(reader.names))]
    assert all(look.total is None or 0 < look.used <= look.total for look in looks)
    assert all(look.busy is None or 0 <= look.busy <= 1 for look in looks)


def test_an_optimizers_step_in_a_graph():
    assert measure(OptimizerStep(2**20), FP32, (Phase.UPDATE,)).outcome is Outcome.MEASURED


def test_a_published_gpu_is_compared_with_its_prediction():
    try:
        gpu = gpu_of("cuda")
        asked = Scenario(Linear(4096, 4096, 4096), gpu, FP16)
    except ValueError as error:
        pytest.skip(str(error))
    (found,) = dp.measure(asked, device="cuda")
    assert 0.5 < compare(found).ratio < 2


def test_memory():
    asked = Scenario(
        Linear(4096, 4096, 4096), gpus.H100_SXM5_80GB, FP16, (Phase.FPROP, Phase.DGRAD, Phase.WGRAD)
    )
    found = measure_memory(asked, device="cuda")
    assert found.saved == found.predicted_saved
    assert 0.5 * found.predicted < found.allocated <= found.reserved


def test_out_of_memory_is_told():
    many = torch.cuda.mem_get_info()[0] // 2**19  # as many rows of a megabyte would take twice the memory
    found = measure(Linear(int(many), 2**19, 8))
    assert found.outcome is Outcome.NO_MEMORY and "by prediction" in found.reason
