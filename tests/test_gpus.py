"""Peak = 2 x multiply-adds per clock x SMs x clock, and every number has a source."""

import csv
import dataclasses
import doctest
import re
from pathlib import Path

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import BF16, FP8, FP16, FP32, FP64, INT4, INT8, TF32, DType
from dlperf_widgets.gpus import GPUS, Gpu, Price
from dlperf_widgets.layers import Linear
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
    without = {"name", "architecture", "calibration", "prices", "sources"}  # each price has its own
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


@pytest.mark.parametrize(
    ("name", "gpu"),
    [
        ("rtx4090", gpus.RTX_4090),
        ("RTX-4090", gpus.RTX_4090),
        ("4090", gpus.RTX_4090),
        ("h100 pcie", gpus.H100_PCIE_80GB),
        ("h100pcie", gpus.H100_PCIE_80GB),
        ("NVIDIA A100-SXM4-80GB", gpus.A100_SXM4_80GB),  # as drivers call it
        ("NVIDIA A100 80GB PCIe", gpus.A100_PCIE_80GB),
        ("Tesla V100-SXM2-16GB", gpus.V100_SXM2_16GB),
        ("gb200", gpus.GB200_PER_GPU),
    ],
)
def test_find_reads_many_spellings(name: str, gpu: Gpu) -> None:
    assert gpus.find(name) is gpu


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("a10O", "A100 SXM4 80GB"),  # with a zero it would be an alias
        ("A1OO", "A100 SXM4 80GB"),
        ("rtx 409O", "RTX 4090"),
        ("p10O", "P100 PCIe 16GB, P100 SXM2 16GB"),
        ("gb20O", "GB200 (per GPU)"),
    ],
)
def test_the_letter_o_for_a_zero_is_pointed_out(name: str, meant: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"unknown GPU {name!r}: did you mean {meant}?") + "$"):
        gpus.find(name)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("h100 pice", "H100 PCIe 80GB"),
        ("b2000", "B200 SXM 180GB"),
        ("rtx 6000 aida", "RTX 6000 Ada"),
        ("NVIDIA H100 80GB HBM3", "H100 SXM5 80GB"),
        ("3080ti", "RTX 2080 Ti"),
    ],
)
def test_find_suggests_the_nearest_spelling_first(name: str, first: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"did you mean {first}")):
        gpus.find(name)


def test_find_lists_the_candidates() -> None:
    with pytest.raises(ValueError, match="'titan' could mean GTX Titan X .*, Titan X .*, Titan Xp$"):
        gpus.find("titan")
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


with_the_table = pytest.mark.skipif(
    not CSV.exists(), reason="the table the records were written from is not here"
)
# No confirmed source states their SMs or a clock: there is nothing to predict a time from.
WITHOUT_A_RECORD = {"B100 SXM", "B300 SXM"}
# Derived here, and empty or unverified there.
DERIVED = {("GB200 (per GPU)", "boost_mhz"), ("GB200 (per GPU)", "l2_mb")}


def table() -> list[dict[str, str]]:
    with CSV.open(newline="") as file:
        return list(csv.DictReader(file))


@with_the_table
def test_every_nvidia_gpu_of_the_table_has_a_record() -> None:
    nvidia = {row["gpu"] for row in table() if row["cc"][0].isdigit()}
    assert nvidia == {gpu.name for gpu in GPUS} | WITHOUT_A_RECORD
    for row in table():
        if row["gpu"] in WITHOUT_A_RECORD:
            assert row["sm_count"] == row["boost_mhz"] == row["fp64_tflops"] == ""


@with_the_table
@every_gpu
def test_numbers_agree_with_the_table(gpu: Gpu) -> None:
    row = next(row for row in table() if row["gpu"] == gpu.name)
    assert (row["arch"], row["cc"]) == (gpu.architecture, gpu.compute_capability)
    assert row["mem_type"] == gpu.memory_type
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
        if (gpu.name, column) in DERIVED:
            continue
        stated = float(row[column]) * unit if row[column] else None
        assert value == pytest.approx(stated), f"{gpu.name}: {column}"


def test_a_source_says_what_it_covers() -> None:
    titles = [source.title for source in gpus.H100_NVL_94GB.source("tensor_clock")]
    assert titles == ["derived: the clock at which 132 SMs reach the tensor peak"]
    assert gpus.T4.source("calibration") == ()


def test_a_gpu_of_ones_own() -> None:
    """The example in the docstring, as it stands there."""
    (example,) = (test for test in doctest.DocTestFinder(recurse=False).find(Gpu, globs={}))
    assert len(example.examples) == 4
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


def test_replace_keeps_everything_else() -> None:
    slower = dataclasses.replace(gpus.A40, clock=1.2e9)
    kept = [f.name for f in dataclasses.fields(Gpu) if f.name != "clock"]
    assert [getattr(slower, name) for name in kept] == [getattr(gpus.A40, name) for name in kept]
    assert slower.clock == 1.2e9 and slower.prices == gpus.A40.prices != ()
    assert Scenario.from_json(Scenario(Linear(), slower, FP16).to_json()).gpu == slower


@every_gpu
def test_every_price_says_who_asked_for_it_when(gpu: Gpu) -> None:
    for price in gpu.prices:
        assert price.amount > 0 and price.currency == "USD" and price.per in ("hour", "card")
        assert price.seller and price.source.startswith("https://")
        assert re.fullmatch(r"20\d\d-(Q[1-4]|\d\d|\d\d-\d\d)", price.date)


def test_prices() -> None:
    assert gpus.RTX_4090.price("card")[:3] == (1599, "USD", "card")
    assert gpus.H100_SXM5_80GB.price("hour").amount == 3.25
    assert gpus.K80_ONE_GK210_DIE.price("card").amount == 5000 / 2  # a board has two dies
    # FLOPS for a dollar: 11.3 TFLOPS / 699 against 11.0 / 1200
    gtx, titan = (
        gpu.peak(FP32) / gpu.price("card").amount for gpu in (gpus.GTX_1080_TI, gpus.TITAN_X_PASCAL)
    )
    assert gtx / titan == pytest.approx(1.76, abs=0.005)
    with pytest.raises(ValueError, match="H100 SXM5 80GB has no price per card: no dated public price"):
        gpus.H100_SXM5_80GB.price("card")
    with pytest.raises(ValueError, match="T4 has no price per hour"):
        gpus.T4.price("hour")
    with pytest.raises(ValueError, match="what a price is per must be one of hour, card, not 'month'"):
        gpus.T4.price("month")


def test_the_latest_price_counts() -> None:
    old, new = (Price(a, "EUR", "hour", "me", date, "") for a, date in ((1, "2024-01"), (2, "2025-01-31")))
    for prices in ((new, old), (old, new)):
        assert dataclasses.replace(gpus.T4, prices=prices).price("hour") == new
    for wrong in (old._replace(amount=0), old._replace(per="day")):
        with pytest.raises(
            ValueError,
            match="T4: (the amount of a price must be positive|what a price is per must be one of)",
        ):
            dataclasses.replace(gpus.T4, prices=(wrong,))


PRICES = CSV.with_name("gpu_prices.csv")


@pytest.mark.skipif(not PRICES.exists(), reason="the table of prices is not here")
@every_gpu
def test_prices_agree_with_the_table(gpu: Gpu) -> None:
    with PRICES.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if is_about(row["gpu"], gpu.name)]
    # Estimates, and a range on the second-hand market, are no prices that anyone asked.
    rows = [row for row in rows if "estimate" not in row["kind"] and "range" not in row["kind"]]
    dies = 2 if gpu is gpus.K80_ONE_GK210_DIE else 1
    stated = [(float(row["price_usd"]) / dies, row["date"], row["address"].split()[0]) for row in rows]
    assert sorted((price.amount, price.date, price.source) for price in gpu.prices) == sorted(stated)


def is_about(label: str, name: str) -> bool:
    """Whether a row of prices is for a GPU: one is for a board of two dies, one for two forms of a card."""
    if label.startswith("V100"):
        return name in ("V100 PCIe 16GB", "V100 SXM2 16GB")
    return label == name or label.startswith("K80") and name.startswith("K80")


class TestMig:
    """Slices of a GPU. The numbers beside them are what the guide and nvidia-smi list."""

    EVERY = [(gpu, profile) for gpu in GPUS for profile in gpus.mig_profiles(gpu)]
    every_slice = pytest.mark.parametrize(("gpu", "profile"), EVERY, ids=str)

    def test_half_an_a100(self) -> None:
        half = gpus.mig(gpus.A100_SXM4_80GB, "3g.40gb")
        assert half.name == "A100 SXM4 80GB 3g.40gb"
        assert half.sms == 3 * 14
        assert (half.memory, half.bandwidth, half.l2) == (40 * GIB, 1019.5 * GB_S, 20 * MIB)  # 4/8
        assert half.peak(FP16) == pytest.approx(312e12 * 42 / 108)
        assert half.cuda_core_peak(FP32) == pytest.approx(19.5e12 * 42 / 108)
        assert (half.clock, half.alignment) == (gpus.A100_SXM4_80GB.clock, 128)
        assert half.power is half.nvlink is None
        with pytest.raises(ValueError, match="H200 SXM 141GB 1g.18gb has no price per hour"):  # its board has
            gpus.mig(gpus.H200_SXM_141GB, "1g.18gb").price("hour")

    @pytest.mark.parametrize(
        ("profile", "sms", "bits", "l2"),
        # An A100 80GB as a cluster documents its slices: bus of 640, 1280, 2560 of 5120 bits at 1593 MHz.
        [("1g.10gb", 14, 640, 5), ("2g.20gb", 28, 1280, 10), ("3g.40gb", 42, 2560, 20)],
    )
    def test_slices_as_a_cluster_sees_them(self, profile: str, sms: int, bits: int, l2: int) -> None:
        # https://arcs-njit-edu.github.io/Docs/MIG/profile-comparison
        found = gpus.mig(gpus.A100_SXM4_80GB, profile)
        assert (found.sms, found.l2) == (sms, l2 * MIB)
        assert found.bandwidth == pytest.approx(2 * 1593e6 * bits / 8, rel=1e-3)

    def test_a_seventh_with_twice_the_memory(self) -> None:
        # the guide: 1/4 of the memory, 1/7 of the SMs, 1/8 of the L2 cache
        found = gpus.mig(gpus.H100_SXM5_80GB, "1g.20gb")
        assert (found.memory, found.bandwidth) == (20 * GIB, 3350 * GB_S / 4)
        assert (found.sms, found.l2) == (26, 50 * MIB // 8)

    @pytest.mark.parametrize(
        ("gpu", "sms"),
        [
            (gpus.A30, (14, 28, 56)),
            (gpus.A100_PCIE_40GB, (14, 14, 28, 42, 56, 98)),
            (gpus.A100_SXM4_80GB, (14, 14, 28, 42, 56, 98)),
            (gpus.H100_SXM5_80GB, (16, 26, 32, 60, 64, 132)),
            (gpus.H100_NVL_94GB, (16, 26, 32, 60, 64, 132)),
            (gpus.GH200_96GB, (16, 26, 32, 60, 64, 132)),
            (gpus.H200_SXM_141GB, (16, 26, 32, 60, 64, 132)),
            (gpus.RTX_PRO_6000_BLACKWELL_SERVER, (46, 94, 188)),
        ],
        ids=str,
    )
    def test_sms_as_nvidia_smi_lists_them(self, gpu: Gpu, sms: tuple[int, ...]) -> None:
        assert tuple(gpus.mig(gpu, profile).sms for profile in gpus.mig_profiles(gpu)) == sms

    @every_slice
    def test_a_name_says_the_memory(self, gpu: Gpu, profile: str) -> None:
        # drivers round 17.6 of an H200 up to 18, and 11.75 of an H100 NVL to 12
        assert gpus.mig(gpu, profile).memory / GIB == pytest.approx(int(profile[3:-2]), abs=0.5)

    @every_slice
    def test_as_many_slices_as_fit_are_no_more_than_the_gpu(self, gpu: Gpu, profile: str) -> None:
        found = gpus.mig(gpu, profile)
        slices = 4 if gpu.memory < 32 * GIB or gpu.architecture == "Blackwell" else 7
        fit = min(slices // int(profile[0]), round(gpu.memory / found.memory))
        assert fit * found.sms <= gpu.sms
        assert fit * found.bandwidth <= gpu.bandwidth
        assert fit * found.memory <= gpu.memory
        assert fit * (found.l2 or 0) <= (gpu.l2 or 0)

    @every_slice
    def test_peaks_go_with_the_sms(self, gpu: Gpu, profile: str) -> None:
        found = gpus.mig(gpu, profile)
        assert found.dtypes == gpu.dtypes
        for dtype in gpu.dtypes:
            assert found.peak(dtype) / found.sms == pytest.approx(gpu.peak(dtype) / gpu.sms)

    @every_slice
    def test_every_number_of_a_slice_has_a_source(self, gpu: Gpu, profile: str) -> None:
        found = gpus.mig(gpu, profile)
        test_every_number_has_a_source(found)
        test_sources_are_public_pages_or_derivations(found)
        for field in ("sms", "memory", "bandwidth", "tensor_peak"):
            assert not set(found.source(field)) & set(gpu.source(field))

    def test_a_slice_is_a_gpu_like_any_other(self) -> None:
        scenario = Scenario(Linear(), gpus.mig(gpus.A100_SXM4_80GB, "2g.20gb"), FP16)
        assert scenario.time > Scenario(Linear(), gpus.A100_SXM4_80GB, FP16).time
        assert Scenario.from_json(scenario.to_json()) == scenario

    def test_a_profile_is_found_as_nvidia_smi_prints_it(self) -> None:
        assert (
            gpus.mig(gpus.A30, "MIG 1g.6gb") == gpus.mig(gpus.A30, " 1G.6GB ") == gpus.mig(gpus.A30, "1g.6gb")
        )

    @pytest.mark.parametrize(
        ("gpu", "profile", "message"),
        [
            (gpus.A30, "3g.20gb", "A30 has no MIG profile '3g.20gb': it has 1g.6gb, 2g.12gb, 4g.24gb"),
            (gpus.T4, "1g.2gb", "T4 has no MIG; recorded are the profiles of A100 PCIe 40GB, "),
            (gpus.RTX_5090, "1g.8gb", "RTX 5090 has no MIG"),
            (
                gpus.B200_SXM_180GB,
                "1g.23gb",
                "B200 SXM 180GB has MIG, but how many SMs its profiles hold is not recorded",
            ),
            (gpus.mig(gpus.A30, "2g.12gb"), "1g.6gb", "A30 2g.12gb has no MIG"),
        ],
        ids=str,
    )
    def test_what_there_is_is_listed(self, gpu: Gpu, profile: str, message: str) -> None:
        with pytest.raises(ValueError, match=re.escape(message)):
            gpus.mig(gpu, profile)

    def test_gpus_without_profiles(self) -> None:
        assert gpus.mig_profiles(gpus.T4) == gpus.mig_profiles(gpus.H100_PCIE_80GB) == ()
