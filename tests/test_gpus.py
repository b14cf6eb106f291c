"""Peak = 2 x multiply-adds per clock x SMs x clock, and every number has a source."""

import csv
import dataclasses
import re
from pathlib import Path

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.dtypes import BF16, FP8, FP16, FP32, FP64, INT4, INT8, TF32, DType
from dlperf_widgets.gpus import GPUS, Gpu
from dlperf_widgets.units import GB_S, GIB, KIB, MHZ, MIB, TFLOPS

TOLERANCE = 0.013  # datasheets round to two or three figures
CSV = Path(__file__).parents[2] / "shared" / "gpus.csv"
every_gpu = pytest.mark.parametrize("gpu", GPUS, ids=str)

# Dense multiply-adds per clock and SM with FP32 accumulate. FP64 where Tensor Cores do it.
HALF = {FP16: 256, BF16: 256, TF32: 128, INT8: 1024}  # GeForce: half rate with FP32 accumulate, INT8 full
FULL = {FP16: 512, BF16: 512, TF32: 256, INT8: 1024}
FMA = {
    "7.0": {FP16: 512},  # 8 Tensor Cores of 4x4x4
    "7.5": {FP16: 512, INT8: 1024},
    "8.0": {FP16: 1024, BF16: 1024, TF32: 512, INT8: 2048, FP64: 64},  # 4 of 256
    "8.6": FULL,  # 4 of 128
    "8.9": FULL | {FP8: 1024},
    "9.0": {FP16: 2048, BF16: 2048, TF32: 1024, FP8: 4096, INT8: 4096, FP64: 128},
    "10.0": {FP16: 4096, BF16: 4096, TF32: 2048, FP8: 8192, INT8: 8192, FP64: 64},
    "12.0": FULL | {FP8: 1024},
}
EXCEPTIONS = {
    "RTX 2080 Ti": {FP16: 256, INT8: 1024},
    "RTX 3080 10GB": HALF,
    "RTX 3090": HALF,
    "RTX 4090": HALF | {FP8: 512},
    "RTX 5090": HALF | {FP8: 512},
    "L40": {FP16: 256, BF16: 256, TF32: 128, FP8: 512, INT8: 512},  # the datasheet has half the L40S
}
FP32_CORES = {"3.7": 192, "5.2": 128, "6.0": 64, "6.1": 128, "7.0": 64, "7.5": 64, "8.0": 64}
ROUNDED_FP32 = {
    "P40": 0.021,  # NVIDIA rounds 11.76 to 12
    "RTX PRO 6000 Blackwell Server": 0.027,  # 120 TFLOPS would need 2493 MHz, the tensor peaks 2430
}


def tensor_error(gpu: Gpu, dtype: DType, peak: float) -> float:
    """How far a peak is from what the units and the clock give."""
    fma = EXCEPTIONS.get(gpu.name, FMA[gpu.compute_capability])[dtype]
    clock = gpu.clock if dtype == FP64 or gpu.tensor_clock is None else gpu.tensor_clock
    return abs(peak / (2 * fma * gpu.sms * clock) - 1)


TENSOR_PEAKS = [(gpu, dtype) for gpu in GPUS for dtype, _ in gpu.tensor_peak]
each_tensor_peak = pytest.mark.parametrize(("gpu", "dtype"), TENSOR_PEAKS, ids=str)


@each_tensor_peak
def test_tensor_peak_is_units_times_clock(gpu: Gpu, dtype: DType) -> None:
    assert tensor_error(gpu, dtype, gpu.peak(dtype)) < TOLERANCE


@each_tensor_peak
def test_a_sparse_peak_would_be_noticed(gpu: Gpu, dtype: DType) -> None:
    assert tensor_error(gpu, dtype, 2 * gpu.peak(dtype)) > 0.9


@every_gpu
def test_fp32_peak_is_two_flops_per_core_and_clock(gpu: Gpu) -> None:
    cores = gpu.sms * FP32_CORES.get(gpu.compute_capability, 128)
    tolerance = ROUNDED_FP32.get(gpu.name, TOLERANCE)
    assert gpu.cuda_core_peak(FP32) == pytest.approx(2 * cores * gpu.clock, rel=tolerance)


@every_gpu
def test_every_number_has_a_source(gpu: Gpu) -> None:
    without = {"name", "architecture", "calibration", "sources"}
    for name in (f.name for f in dataclasses.fields(gpu) if f.name not in without):
        if getattr(gpu, name) not in (None, ()):
            assert gpu.source(name), f"{gpu.name}: nothing covers {name}"


@every_gpu
def test_sources_are_public_pages_or_derivations(gpu: Gpu) -> None:
    known = {f.name for f in dataclasses.fields(gpu)}
    for source in gpu.sources:
        assert source.address.startswith("https://") != source.title.startswith("derived: ")
        assert source.fields and set(source.fields) <= known
        for name in source.fields:
            assert getattr(gpu, name) is not None, f"{gpu.name} cites {source.title} for {name}"


@every_gpu
def test_names_and_lookup(gpu: Gpu) -> None:
    assert getattr(gpus, re.sub(r"\W+", "_", gpu.name.upper()).strip("_")) is gpu
    assert gpus.find(gpu.name) is gpu
    assert gpus.find(f"NVIDIA {gpu.name.lower().replace(' ', '-')}") is gpu
    assert gpus.find(gpu.name.upper().replace(" ", "_")) is gpu


def test_records_are_values() -> None:
    copy = dataclasses.replace(gpus.T4)
    assert copy == gpus.T4 and hash(copy) == hash(gpus.T4)
    assert dataclasses.replace(gpus.T4, sms=41) != gpus.T4
    assert len(set(GPUS)) == len(GPUS) == len({gpu.name for gpu in GPUS})
    capabilities = [int(gpu.compute_capability.split(".")[0]) for gpu in GPUS]
    assert capabilities == sorted(capabilities)


@pytest.mark.parametrize(
    ("gpu", "ratio"),
    [
        (gpus.V100_SXM2_16GB, 138.9),  # 125e12 / 900e9
        (gpus.A100_SXM4_40GB, 200.6),  # 312 / 1.555
        (gpus.A100_SXM4_80GB, 153.0),  # 312 / 2.039
        (gpus.H100_SXM5_80GB, 295.3),  # 989.4 / 3.35
        (gpus.H200_SXM_141GB, 206.1),  # 989.4 / 4.8
        (gpus.T4, 203.1),  # 65 / 0.32
    ],
    ids=str,
)
def test_ops_byte_ratio(gpu: Gpu, ratio: float) -> None:
    assert gpu.ops_byte_ratio(FP16) == pytest.approx(ratio, abs=0.05)


def test_v100_ratio_against_l2() -> None:
    assert gpus.V100_SXM2_16GB.l2_bandwidth is not None
    assert gpus.V100_SXM2_16GB.peak(FP16) / gpus.V100_SXM2_16GB.l2_bandwidth == pytest.approx(40.3, abs=0.05)


@pytest.mark.parametrize(
    ("gpu", "dtype", "peak"),
    [
        (gpus.H100_PCIE_80GB, FP16, 756.5),  # 1513 is the sparse figure
        (gpus.H100_SXM5_80GB, BF16, 132 * 4 * 512 * 2 * 1.83e-3),  # 989.4; 1979 is the sparse figure
        (gpus.A100_SXM4_80GB, BF16, 108 * 4 * 256 * 2 * 1.41e-3),  # 311.87
        (gpus.H100_SXM5_80GB, TF32, 494.7),
        (gpus.RTX_3090, FP16, 71),  # 142 with FP16 accumulate
        (gpus.RTX_4090, FP16, 165.2),  # 330 with FP16 accumulate
        (gpus.RTX_A6000, FP16, 154.8),
        (gpus.B200_SXM_180GB, FP16, 2250),
        (gpus.GTX_1080_TI, INT8, 45.4),  # dot products on CUDA cores
    ],
    ids=str,
)
def test_peaks_people_get_wrong(gpu: Gpu, dtype: DType, peak: float) -> None:
    assert gpu.peak(dtype) == pytest.approx(peak * TFLOPS, rel=1e-3)


def test_fp32_and_tf32_are_two_roofs() -> None:
    assert gpus.A100_SXM4_80GB.peak(FP32) == 19.5 * TFLOPS
    assert gpus.A100_SXM4_80GB.peak(TF32) == 156 * TFLOPS
    assert gpus.A100_SXM4_80GB.cuda_core_peak(TF32) == 19.5 * TFLOPS


def test_sparse_doubles_the_tensor_peak() -> None:
    assert gpus.A100_SXM4_80GB.peak(FP16, sparse=True) == 624 * TFLOPS
    assert gpus.H100_SXM5_80GB.ops_byte_ratio(FP8, sparse=True) == pytest.approx(2 * 1978.9e12 / 3.35e12)


@pytest.mark.parametrize("gpu", [g for g in GPUS if g.architecture in ("Volta", "Turing")], ids=str)
def test_no_sparsity_before_ampere(gpu: Gpu) -> None:
    with pytest.raises(
        ValueError, match=f"{gpu.name} has no sparse FP16 peak: 2:4 sparsity came with Ampere"
    ):
        gpu.peak(FP16, sparse=True)


@pytest.mark.parametrize("dtype", [FP32, FP64], ids=str)
def test_no_sparsity_for_wide_formats(dtype: DType) -> None:
    with pytest.raises(
        ValueError, match=f"A100 SXM4 80GB has no sparse {dtype} peak: .* FP16, BF16, TF32, INT8"
    ):
        gpus.A100_SXM4_80GB.peak(dtype, sparse=True)


def test_cuda_core_peak_falls_back_to_fp32() -> None:
    assert gpus.V100_SXM2_16GB.cuda_core_peak(FP16) == 31.4 * TFLOPS
    assert gpus.A30.cuda_core_peak(FP16) == gpus.A30.peak(FP32)  # no FP16 rate is listed
    assert gpus.A100_SXM4_80GB.cuda_core_peak(BF16) == 19.5 * TFLOPS
    with pytest.raises(ValueError, match="A100 SXM4 80GB has no INT8 peak on CUDA cores"):
        gpus.A100_SXM4_80GB.cuda_core_peak(INT8)


def test_dtypes_differ_by_gpu() -> None:
    assert gpus.V100_SXM2_16GB.dtypes == (FP16, FP64, FP32)
    assert gpus.T4.dtypes == (FP16, INT8, FP64, FP32)
    assert gpus.P100_SXM2_16GB.dtypes == (FP64, FP32, FP16)
    assert gpus.T4.has_tensor_cores(INT8) and not gpus.T4.has_tensor_cores(FP32)
    message = "V100 SXM2 16GB has no INT8 peak: it has FP16 on Tensor Cores, FP64, FP32, FP16 on CUDA cores"
    with pytest.raises(ValueError, match=message):
        gpus.V100_SXM2_16GB.peak(INT8)
    with pytest.raises(ValueError, match="M40 has no INT4 peak: it has FP64, FP32 on CUDA cores"):
        gpus.M40.peak(INT4)
    for gpu, dtype in [(gpus.T4, BF16), (gpus.V100_PCIE_16GB, TF32), (gpus.A100_SXM4_40GB, FP8)]:
        with pytest.raises(ValueError, match=f"{gpu.name} has no {dtype.name} peak"):
            gpu.peak(dtype)


@pytest.mark.parametrize("field", ["sms", "clock", "bandwidth", "memory", "alignment"])
def test_a_record_needs_positive_numbers(field: str) -> None:
    with pytest.raises(ValueError, match=f"T4: {field} must be positive, not 0"):
        dataclasses.replace(gpus.T4, **{field: 0})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="T4: the FP16 peak must be positive, not -1"):
        dataclasses.replace(gpus.T4, tensor_peak=((FP16, -1),))


@pytest.mark.parametrize(
    ("name", "gpu"),
    [
        ("v100", gpus.V100_SXM2_16GB),
        ("A100", gpus.A100_SXM4_80GB),
        ("h100", gpus.H100_SXM5_80GB),
        ("h200", gpus.H200_SXM_141GB),
        ("b200", gpus.B200_SXM_180GB),
        ("Tesla T4", gpus.T4),
        ("A10", gpus.A10),  # the whole name, though A100 starts with it
        ("NVIDIA GeForce RTX 4090", gpus.RTX_4090),
        ("3090", gpus.RTX_3090),
        ("a100_pcie 40gb", gpus.A100_PCIE_40GB),
        ("h100 sxm", gpus.H100_SXM5_80GB),
        ("v100-pcie-32gb", gpus.V100_PCIE_32GB),
        ("gh200", gpus.GH200_96GB),
    ],
)
def test_find(name: str, gpu: Gpu) -> None:
    assert gpus.find(name) is gpu


def test_find_lists_the_candidates() -> None:
    with pytest.raises(ValueError, match="'a100 pcie' could mean A100 PCIe 40GB, A100 PCIe 80GB$"):
        gpus.find("a100 pcie")
    with pytest.raises(ValueError, match="'p100' could mean P100 PCIe 16GB, P100 SXM2 16GB$"):
        gpus.find("p100")


def test_find_refuses_what_it_does_not_know() -> None:
    with pytest.raises(ValueError, match="unknown GPU 'RTX 4080': did you mean RTX 4090"):
        gpus.find("RTX 4080")
    for name in ("MI350X", "", "nvidia", "---", "quantum"):
        with pytest.raises(ValueError, match=f"unknown GPU '{name}'"):
            gpus.find(name)


@pytest.mark.skipif(not CSV.exists(), reason="the table the records were written from is not here")
@every_gpu
def test_numbers_agree_with_the_table(gpu: Gpu) -> None:
    with CSV.open(newline="") as file:
        row = next(row for row in csv.DictReader(file) if row["gpu"] == gpu.name)
    assert (row["arch"], row["cc"]) == (gpu.architecture, gpu.compute_capability)
    columns = [
        ("sm_count", gpu.sms, 1),
        ("boost_mhz", gpu.clock, MHZ),
        ("mem_gb", gpu.memory, GIB),
        ("mem_bw_gbs", gpu.bandwidth, GB_S),
        ("l2_mb", gpu.l2, MIB),
        ("smem_per_sm_kb", gpu.shared_memory_per_sm, KIB),
        ("regs_per_sm", gpu.registers_per_sm, 1),
        ("max_threads_per_sm", gpu.threads_per_sm, 1),
        ("nvlink_total_gbs", gpu.nvlink, GB_S),
        ("pcie_gen", gpu.pcie, 1),
        ("tdp_w", gpu.power, 1),
    ]
    tensor, cuda = dict(gpu.tensor_peak), dict(gpu.cuda_peak)
    for dtype, column in [
        (FP64, "fp64_tc"),
        (TF32, "tf32_tc"),
        (FP16, "fp16_tc"),
        (BF16, "bf16_tc"),
        (FP8, "fp8_tc"),
    ]:
        columns.append((f"{column}_tflops", tensor.get(dtype), TFLOPS))
    for dtype, column in [(FP64, "fp64"), (FP32, "fp32"), (FP16, "fp16_nontc")]:
        columns.append((f"{column}_tflops", cuda.get(dtype), TFLOPS))
    columns.append(("int8_tops", tensor.get(INT8, cuda.get(INT8)), TFLOPS))
    for column, value, unit in columns:
        stated = float(row[column]) * unit if row[column] else None
        assert value == pytest.approx(stated), f"{gpu.name}: {column}"


def test_a_source_says_what_it_covers() -> None:
    titles = [source.title for source in gpus.H100_NVL_94GB.source("tensor_clock")]
    assert titles == ["derived: the clock at which 132 SMs reach the tensor peak"]
    assert gpus.T4.source("calibration") == ()
