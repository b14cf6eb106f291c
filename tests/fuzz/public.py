"""Every public function with arguments that it answers: what the fuzzer changes one or two of."""

from collections.abc import Callable
from typing import Any, NamedTuple

import dlperf_widgets as dp
from dlperf_widgets import advice, course, dtypes, gpus, links, models, units
from dlperf_widgets.cost import (
    collectives,
    lanes,
    occupancy,
    overlap,
    precision,
    quantization,
    scaling,
    serving,
    transfer,
)
from dlperf_widgets.cost.prices import checked_prices, price_text
from dlperf_widgets.cost.rank_memory import rank_footprint
from dlperf_widgets.layers import Linear

V100, A100 = gpus.V100_SXM2_16GB, gpus.A100_SXM4_80GB
LINEAR = Linear(64, 128, 256)
SCENARIO = dp.Scenario(LINEAR, V100, dtypes.FP16)
GPT = models.Gpt2("small", batch=1, sequence=128)
GENERATES = dp.Scenario(GPT, A100, dtypes.FP16)
TINY_PLAN = dp.Plan(data=2)


class Call(NamedTuple):
    """A function and keyword arguments that it answers."""

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any]

    def __str__(self) -> str:
        return self.name

    def with_(self, **changed: Any) -> Any:
        """Call the function with some arguments changed."""
        return self.function(**{**self.arguments, **changed})


def _call(function: Callable[..., Any], /, **arguments: Any) -> Call:
    package = function.__module__.removeprefix("dlperf_widgets.")
    return Call(f"{package}.{function.__qualname__}", function, arguments)


CALLS = (
    _call(dp.Scenario, layer=LINEAR, gpu=V100, dtype=dtypes.FP16, phases=dp.TRAINING, launch="graph",
          layout="NHWC", library="current", sparse=False),
    _call(SCENARIO.resized, field="batch", value=128),
    _call(SCENARIO.on, gpu=A100),
    _call(dp.Scenario.from_json, text=SCENARIO.to_json()),
    _call(dp.Plan.from_json, text=TINY_PLAN.to_json()),
    _call(dp.sweep, scenario=SCENARIO, field="batch", values=(1, 2)),
    _call(dp.compare, scenario=SCENARIO, gpus=(V100, A100), dtypes=(dtypes.FP32,), per="hour", prices={}),
    _call(dp.advise, scenario=SCENARIO),
    _call(dp.summary, layer=LINEAR, by="layer"),
    _call(dp.tabulate, scenario=SCENARIO, by="phase"),
    _call(dp.footprint, layer=LINEAR, dtype=dtypes.FP16, optimizer="adam", mixed_precision=None,
          checkpoint=False, zero=0, ranks=1, training=True, context=0),
    _call(dp.largest_batch, layer=LINEAR, gpu=V100, dtype=dtypes.FP16, reserve=6e8, optimizer="adam",
          mixed_precision="amp", checkpoint=True, zero=1, ranks=2, training=True, context=0),
    _call(rank_footprint, layer=GPT, dtype=dtypes.FP16, plan=TINY_PLAN, optimizer="adam",
          mixed_precision="amp"),
    _call(dp.training_step, scenario=GENERATES, plan=TINY_PLAN),
    _call(serving.Serving, scenario=GENERATES, generated=16, kv_heads=4, weights=dtypes.INT8),
    _call(dp.occupancy, gpu="8.0", threads=256, registers=32, shared_memory=1024),
    _call(occupancy.lane_efficiency, threads=100),
    _call(occupancy.divergence, paths=((16, 1.0), (16, 2.0))),
    _call(dp.overlap, h2d=1e-3, kernel=2e-3, d2h=1e-3, chunks=4, engines=2, launch=1e-6),
    _call(overlap.best_chunks, h2d=1e-3, kernel=2e-3, d2h=1e-3, launch=1e-6, engines=1, most=16),
    _call(overlap.loader_step, load=1e-3, h2d=1e-3, compute=2e-3, prefetch=True),
    _call(dp.all_reduce_bytes, size=1e9, ranks=8),
    _call(collectives.all_gather_bytes, size=1e9, ranks=8),
    _call(collectives.all_to_all_bytes, size=1e9, ranks=8),
    _call(collectives.reduce_scatter_bytes, size=1e9, ranks=8),
    _call(collectives.broadcast_bytes, size=1e9, ranks=8),
    _call(collectives.zero_bytes, size=1e9, ranks=8, stage=3, microbatches=2),
    _call(collectives.all_reduce_time, size=1e9, ranks=8, link=links.NVLINK_3),
    _call(collectives.all_gather_time, size=1e9, ranks=8, link=links.NVLINK_3),
    _call(collectives.all_to_all_time, size=1e9, ranks=8, link=links.NVLINK_3),
    _call(collectives.reduce_scatter_time, size=1e9, ranks=8, link=links.NVLINK_3),
    _call(collectives.broadcast_time, size=1e9, ranks=8, link=links.NVLINK_3),
    _call(dp.pipeline_bubble, stages=4, microbatches=8, interleave=2),
    _call(scaling.pipeline_overhead, stages=4, microbatches=8, interleave=2),
    _call(scaling.pipeline_speedup, stages=4, microbatches=8, interleave=2),
    _call(scaling.in_flight, stages=4, microbatches=8, schedule="1f1b"),
    _call(scaling.amdahl, serial=0.1, ranks=8),
    _call(scaling.scaling_efficiency, one=8.0, ranks=8, many=1.5),
    _call(transfer.host_copy, size=2**20, link=links.PCIE_3, memory="pageable", efficiency=0.8, latency=1e-5,
          staging=1e10),
    _call(transfer.zero_copy, size=2**20, link=links.PCIE_3, reads=2.0, efficiency=0.8),
    _call(transfer.unified, size=2**20, link=links.PCIE_3, page=65536, fault=2e-5, efficiency=0.8),
    _call(lanes.sectors, addresses=4, element=4, offset=0),
    _call(lanes.sector_efficiency, addresses=(0, 4, 8), element=4, offset=4),
    _call(lanes.bank_conflicts, stride=2),
    _call(lanes.atomic_rounds, addresses=(0, 0, 4)),
    _call(lanes.bytes_in_flight, bandwidth=9e11, latency=4e-7),
    _call(precision.quantize, value=0.1, dtype=dtypes.FP16, saturate=False),
    _call(precision.floating, dtype=dtypes.FP16),
    _call(precision.loss_scaling, gradients=(1e-9, 1e-3), scale=8.0, dtype=dtypes.FP16),
    _call(precision.dynamic_scaling, largest=(1.0, 2.0), scale=1024.0, interval=2, growth=2.0, backoff=0.5,
          dtype=dtypes.FP16),
    _call(precision.update_is_lost, weight=1.0, update=1e-5, dtype=dtypes.FP16),
    _call(precision.lost_ratio, dtype=dtypes.BF16),
    _call(quantization.symmetric, values=(1.0, -2.0), dtype=dtypes.INT8),
    _call(quantization.asymmetric, values=(1.0, -2.0), dtype=dtypes.INT8),
    _call(quantization.per_channel, rows=((1.0,), (2.0,)), dtype=dtypes.INT8),
    _call(quantization.per_tensor, rows=((1.0,), (2.0,)), dtype=dtypes.INT8),
    _call(quantization.quantized_bytes, elements=10, dtype=dtypes.INT4, scales=2),
    _call(quantization.compression_ratio, before=dtypes.FP32, after=dtypes.INT4),
    _call(quantization.longest_sum, dtype=dtypes.INT8, accumulator=32),
    _call(quantization.integer, dtype=dtypes.INT8),
    _call(checked_prices, texts=("T4=0.35/hour 2026-12-01",)),
    _call(price_text, gpu="T4", amount="0.35", per="hour", date="2026-12-01"),
    _call(gpus.find, name="a100"),
    _call(gpus.mig, gpu=A100, profile="1g.10gb"),
    _call(gpus.mig_profiles, gpu=A100),
    _call(A100.peak, dtype=dtypes.FP16, sparse=True),
    _call(A100.ops_byte_ratio, dtype=dtypes.FP16, sparse=True),
    _call(A100.cuda_core_peak, dtype=dtypes.FP16),
    _call(gpus.RTX_4090.price, per="card"),
    _call(A100.source, field="sms"),
    _call(links.find, name="hdr"),
    _call(links.pcie, generation=3, lanes=16),
    _call(links.ethernet, gbit_s=100),
    _call(links.infiniband, name="HDR", gbit_s=200),
    _call(links.nvlink, name="mine", both_directions=3e11, title="a", address="b"),
    _call(links.of_gpu, gpu=A100),
    _call(links.one_way, both_directions=3e11),
    _call(links.bytes_per_second, bits_per_second=1e11),
    _call(links.Link, name="mine", bandwidth=1e9, latency=1e-6, kind="", title="", address=""),
    _call(links.NVLINK_3.seconds, size=1e9, steps=2),
    _call(dtypes.find, name="fp16"),
    _call(dtypes.as_format, dtype=dtypes.FP16),
    _call(dtypes.uniform, dtype=dtypes.FP16),
    _call(dtypes.DType, name="FP6", bytes=0.75),
    _call(dtypes.Format, weights=dtypes.FP16, activations=dtypes.FP16, gradients=dtypes.FP16,
          accumulate=dtypes.FP32),
    _call(units.si, value=3e12, unit="B"),
    _call(units.short, value=3e12),
    _call(units.figures, value=3e12),
    _call(units.prefix, value=3e12),
    _call(dp.set_language, name="en"),
    _call(course.exercise, key="intensity.relu"),
    _call(course.check, key="intensity.relu", answer=0.2),
    _call(course.reveal, key="intensity.relu"),
    _call(course.classifier, batch=8, colours=3, channels=8, classes=10),
    _call(course.a_picture, scenario=SCENARIO),
    _call(advice.verdict, scenario=SCENARIO),
    _call(advice.times, scenario=SCENARIO),
    _call(advice.readouts, scenario=SCENARIO),
    _call(advice.why, scenario=SCENARIO, key="fprop"),
    _call(advice.difference, before=SCENARIO, now=SCENARIO),
    _call(dp.Gpu, name="Mine", architecture="Ampere", compute_capability="8.6", sms=40, clock=1.5e9,
          bandwidth=5e11, memory=2**34, memory_type="GDDR6", line="GeForce",
          cuda_peak=((dtypes.FP32, 1.5e13),), tensor_peak=((dtypes.FP16, 6e13),), l2=2**22, power=300.0,
          nvlink=None, pcie=4, alignment=16, l2_bandwidth=None, calibration=None, prices=(), sources=()),
)  # fmt: skip
