"""Which record a device has: the published one, or what it tells of itself."""

from dataclasses import replace

import pytest
from records import A100, HOST

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear
from dlperf_widgets.measure import gpu_of, match
from dlperf_widgets.measure.gpu import record
from dlperf_widgets.units import GIB


@pytest.mark.parametrize(
    ("name", "capability", "sms", "gigabytes", "expected"),
    [
        ("Tesla V100-SXM2-16GB", "7.0", 80, 15.8, gpus.V100_SXM2_16GB),
        ("Tesla V100-SXM2-32GB", "7.0", 80, 31.7, gpus.V100_SXM2_32GB),
        ("Tesla T4", "7.5", 40, 14.6, gpus.T4),
        ("NVIDIA A100-SXM4-40GB", "8.0", 108, 39.4, gpus.A100_SXM4_40GB),
        ("NVIDIA A100-SXM4-80GB", "8.0", 108, 79.2, gpus.A100_SXM4_80GB),
        ("NVIDIA A100 80GB PCIe", "8.0", 108, 79.2, gpus.A100_PCIE_80GB),
        ("NVIDIA A100-PCIE-40GB", "8.0", 108, 39.4, gpus.A100_PCIE_40GB),
        ("NVIDIA H100 80GB HBM3", "9.0", 132, 79.1, gpus.H100_SXM5_80GB),
        ("NVIDIA H100 PCIe", "9.0", 114, 79.1, gpus.H100_PCIE_80GB),
        ("NVIDIA H200", "9.0", 132, 139.8, gpus.H200_SXM_141GB),
        ("NVIDIA GeForce RTX 4090", "8.9", 128, 23.5, gpus.RTX_4090),
        ("NVIDIA L40S", "8.9", 142, 44.4, gpus.L40S),
        ("NVIDIA TITAN X (Pascal)", "6.1", 28, 11.9, gpus.find("Titan X (Pascal)")),
        ("NVIDIA RTX A6000", "8.6", 84, 47.4, gpus.RTX_A6000),
        ("Tesla P100-PCIE-16GB", "6.0", 56, 15.9, gpus.P100_PCIE_16GB),
        ("NVIDIA A100-SXM4-80GB MIG 3g.40gb", "8.0", 42, 39.2, None),  # a part
        ("NVIDIA GeForce RTX 4090 D", "8.9", 114, 23.5, None),  # fewer SMs
        ("NVIDIA GeForce RTX 4070", "8.9", 46, 11.7, None),
    ],
)
def test_names_as_drivers_give_them(name, capability, sms, gigabytes, expected):
    device = replace(A100, name=name, compute_capability=capability, sms=sms, memory=int(gigabytes * GIB))
    assert match(device) == expected


def test_a_cpu_has_no_record():
    assert match(HOST) is None
    pytest.importorskip("torch")
    with pytest.raises(ValueError, match="is a CPU: there is no record"):
        gpu_of("cpu")


TOLD = {  # as of an A100: 2 x 1.593 GHz x 5120 bit / 8 = 2039 GB/s
    "clock_rate": 1_410_000, "memory_clock_rate": 1_593_000, "memory_bus_width": 5120,
    "regs_per_multiprocessor": 65536, "max_threads_per_multi_processor": 2048,
}  # fmt: skip
UNKNOWN = replace(A100, name="NVIDIA A700", sms=100)


def test_an_unknown_device_tells_what_it_can_and_no_more():
    gpu = record(UNKNOWN, TOLD, {})
    assert (gpu.name, gpu.architecture, gpu.sms, gpu.clock) == ("NVIDIA A700", "Ampere", 100, 1.41e9)
    assert gpu.bandwidth == pytest.approx(2039.04e9)
    assert gpu.registers_per_sm == 65536 and gpu.l2 == A100.l2
    assert gpu.power is None and gpu.dtypes == () and gpu.tensor_peak == ()
    assert gpu.sources[0].title == "as the device itself told torch"
    assert "power" not in gpu.sources[0].fields and "bandwidth" in gpu.sources[0].fields


def test_without_peaks_a_scenario_says_so():
    with pytest.raises(ValueError, match="NVIDIA A700 has no FP16 peak"):
        Scenario(Linear(), record(UNKNOWN, TOLD, {}), FP16)


def test_what_a_user_knows_completes_the_record():
    peaks = ((FP16, 1e14),)
    gpu = record(UNKNOWN, {}, {"clock": 1e9, "bandwidth": 1e12, "tensor_peak": peaks})
    assert gpu.tensor_peak == peaks
    assert gpu.source("bandwidth")[0].title == "given by the user"


def test_what_is_missing_is_named():
    with pytest.raises(ValueError, match="NVIDIA A700 does not tell its clock, bandwidth"):
        record(UNKNOWN, {}, {})


@pytest.mark.parametrize(
    ("capability", "name"), [("7.0", "Volta"), ("8.9", "Ada"), ("9.0", "Hopper"), ("10.3", "Blackwell")]
)
def test_architectures(capability, name):
    assert record(replace(UNKNOWN, compute_capability=capability), TOLD, {}).architecture == name


@pytest.mark.parametrize("gpu", gpus.GPUS, ids=str)
def test_architectures_of_the_published_ones(gpu):
    assert record(replace(UNKNOWN, compute_capability=gpu.compute_capability), TOLD, {}).architecture in (
        gpu.architecture
    )
