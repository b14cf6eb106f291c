"""What belongs to how a thing was measured, not to the GPU: the host, and what the L2 cache holds.

Eager PyTorch takes as long as its host needs, and the published files come from several hosts. How much
slower than the fastest each was is read off the rows that do nothing but wait for it. That is the one
thing about a GPU that a prediction here may know which was left out of a fit.

Benchmarks run one product again and again: the weights of a real model are cold, theirs may be in L2. And
what a profiler calls the duration of a kernel includes its first loads and last stores: the floor of a CUDA
graph, which is little else, fits such files too.
"""

from collections.abc import Iterable
from dataclasses import replace
from statistics import median

from dlperf_widgets.cost import Launch
from dlperf_widgets.gpus import Gpu
from tests.bench.rows import Measured

FEWEST = 20
# Operations of one file that were measured in one go on one host.
FILES = {
    "elementwise": "elementwise",
    "softmax": "softmax",
    "layer norm": "layer norm",
    "fp32 linear": "products",
    "fp32 batched product": "products",
    "fp32 convolution": "products",
}
# How many sets of weights a benchmark goes through before the same again. LLMServingSim and Vidur use one;
# aiconfigurator rotates some, L40S shows how many: up to 11 MB of weights stay in its 96 MB, 16 do not.
WEIGHTS = {
    "bf16 product": 5.0,
    "fp8 product": 5.0,
    "int8 product": 5.0,
    "fp16 product": 1.0,
    "fp16 product, DeepBench": 1.0,
    "16-bit product, m by 1": 1.0,
    "16-bit product, in serving": 1.0,
}
Hosts = dict[str, float]  # by "file, GPU": the time relative to the model's host


def hosts(rows: Iterable[Measured]) -> Hosts:
    """Return how slow each host was: the median of measured over floor where the launch decides."""
    waits: dict[str, list[float]] = {}
    for row in rows:
        if row.family in FILES and row.scenario.launch is Launch.EAGER and row.family != "fp32 convolution":
            (cost,) = row.scenario.costs
            if cost.launch_time > 0.999 * cost.time:
                waits.setdefault(_key(row), []).append(row.seconds / cost.launch_time)
    return {key: round(median(found), 3) for key, found in waits.items() if len(found) >= FEWEST}


def hosted(row: Measured, known: Hosts) -> Measured:
    """Return the same measurement on its host, with the weights where its benchmark left them."""
    if row.scenario.launch is Launch.KERNEL:
        row = row._replace(scenario=replace(row.scenario, launch=Launch.GRAPH))
    values = {}
    if row.family in WEIGHTS:
        values["weights_between"] = WEIGHTS[row.family]
    if row.family in FILES and _key(row) in known:
        values["host"] = known[_key(row)]
    if not values:
        return row
    gpu = calibrated(row.scenario.gpu, values)
    return row._replace(scenario=replace(row.scenario, gpu=gpu))


def calibrated(gpu: Gpu, values: dict[str, float]) -> Gpu:
    """Return a GPU with some constants changed."""
    return replace(gpu, calibration=tuple((dict(gpu.calibration or ()) | values).items()))


def _key(row: Measured) -> str:
    return f"{FILES[row.family]}, {row.scenario.gpu.name}"
