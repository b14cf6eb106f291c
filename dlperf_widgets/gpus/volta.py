"""Volta, 2017: the first Tensor Cores, for FP16."""

from ..units import GB_S, GIB, KIB, MHZ, MIB, TB_S
from . import _prices
from ._gpu import Gpu
from ._sources import AMPERE_BLOG, COMMON_11, GPU_SPECS, PERFORMANCE_GUIDE, Page, techpowerup, tflops

V100_PCIE_16GB = Gpu(
    name="V100 PCIe 16GB",
    architecture="Volta",
    compute_capability="7.0",
    sms=80,
    clock=1380 * MHZ,
    bandwidth=900 * GB_S,
    memory=16 * GIB,
    memory_type="HBM2",
    tensor_peak=tflops(FP16=112),
    cuda_peak=tflops(FP64=7, FP32=14, FP16=28),
    l2=6 * MIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=250,
    pcie=3,
    prices=_prices.V100_16GB,
    sources=(
        techpowerup("tesla-v100-pcie-16-gb.c2957", without=("power", "bandwidth")),
        Page(
            "io-tech, Tesla V100 PCI Express",
            "https://www.io-tech.fi/uutinen/nvidia-esitteli-tesla-v100-pci-express-kiihdyttimen-tieteelliseen-laskentaan/",
        ).covers("bandwidth", "tensor_peak", "power"),
        *COMMON_11,
    ),
)

V100_PCIE_32GB = Gpu(
    name="V100 PCIe 32GB",
    architecture="Volta",
    compute_capability="7.0",
    sms=80,
    clock=1380 * MHZ,
    bandwidth=900 * GB_S,
    memory=32 * GIB,
    memory_type="HBM2",
    tensor_peak=tflops(FP16=112),
    cuda_peak=tflops(FP64=7, FP32=14, FP16=28),
    l2=6 * MIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=250,
    pcie=3,
    sources=(
        techpowerup("tesla-v100-pcie-32-gb.c3184", without=("bandwidth",)),
        GPU_SPECS.covers("bandwidth", "tensor_peak"),
        *COMMON_11,
    ),
)

# A refresh of 2019 (1597 MHz, 1.13 TB/s) goes by the same name.
V100_SXM2_16GB = Gpu(
    name="V100 SXM2 16GB",
    architecture="Volta",
    compute_capability="7.0",
    sms=80,
    clock=1530 * MHZ,
    bandwidth=900 * GB_S,
    memory=16 * GIB,
    memory_type="HBM2",
    tensor_peak=tflops(FP16=125),
    cuda_peak=tflops(FP64=7.8, FP32=15.7, FP16=31.4),
    l2=6 * MIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=300,
    nvlink=300 * GB_S,
    pcie=3,
    l2_bandwidth=3.1 * TB_S,
    prices=_prices.V100_16GB,
    sources=(
        techpowerup("tesla-v100-sxm2-16-gb.c3018", without=("power",)),
        AMPERE_BLOG.covers(
            "sms", "clock", "bandwidth", "memory", "tensor_peak", "cuda_peak", "l2", "power", "nvlink"
        ),
        PERFORMANCE_GUIDE.covers("l2_bandwidth"),
        *COMMON_11,
    ),
)

V100_SXM2_32GB = Gpu(
    name="V100 SXM2 32GB",
    architecture="Volta",
    compute_capability="7.0",
    sms=80,
    clock=1530 * MHZ,
    bandwidth=900 * GB_S,
    memory=32 * GIB,
    memory_type="HBM2",
    tensor_peak=tflops(FP16=125),
    cuda_peak=tflops(FP64=7.8, FP32=15.7, FP16=31.4),
    l2=6 * MIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=300,
    nvlink=300 * GB_S,
    pcie=3,
    l2_bandwidth=3.1 * TB_S,
    sources=(
        techpowerup("tesla-v100-sxm2-32-gb.c3185", without=("power",)),
        AMPERE_BLOG.covers(
            "sms", "clock", "bandwidth", "memory", "tensor_peak", "cuda_peak", "l2", "power", "nvlink"
        ),
        PERFORMANCE_GUIDE.covers("l2_bandwidth"),
        *COMMON_11,
    ),
)
