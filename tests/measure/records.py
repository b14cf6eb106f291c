"""Measurements made by hand, for what reads them."""

from dataclasses import replace

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear
from dlperf_widgets.measure import Device, Measurement, Outcome, Protocol, Summary
from dlperf_widgets.units import GIB, MIB

A100 = Device(
    "NVIDIA A100-SXM4-80GB", "cuda", "2.13.0", "13.0", "92000", "580.65.06",
    "8.0", 108, 79 * GIB + 500 * MIB, 40 * MIB,
)  # fmt: skip
HOST = Device("A CPU", "cpu", "2.13.0", memory=16 * GIB, threads=4, cores=8)
COLD = Protocol("cuda events", "graph", "cold", 1, 1, 80 * MIB, 0.3, True, clock=1.41e9, power=300.0)
SCENARIO = Scenario(Linear(512, 1024, 4096), gpus.A100_SXM4_80GB, FP16)


def measured(
    seconds: float = 20e-6, scenario: Scenario = SCENARIO, device: Device = A100, **how
) -> Measurement:
    """Return a measurement of so many seconds."""
    summary = Summary(seconds, 0.9 * seconds, 1.2 * seconds, 40)
    made = Measurement(
        device, scenario, Outcome.MEASURED, "2026-01-02T03:04:05+00:00", summary=summary, protocol=COLD
    )
    return replace(made, **how)
