"""Pascal, 2016: FP16 at twice the FP32 rate on the P100, INT8 dot products on the others."""

from ..units import GB_S, GIB, KIB, MHZ, MIB
from . import _prices
from ._gpu import Gpu
from ._sources import (
    AMPERE_BLOG,
    COMMON_11,
    P4_P40_NEWS,
    TITAN_X_REVIEW,
    TURING_BLOG,
    Page,
    derived,
    techpowerup,
    tflops,
)

# TechPowerUp has 1329 MHz and 9.53 TFLOPS.
P100_PCIE_16GB = Gpu(
    name="P100 PCIe 16GB",
    architecture="Pascal",
    compute_capability="6.0",
    sms=56,
    clock=1303 * MHZ,
    bandwidth=732 * GB_S,
    memory=16 * GIB,
    memory_type="HBM2",
    cuda_peak=tflops(FP64=4.7, FP32=9.3, FP16=18.7),
    l2=4 * MIB,
    shared_memory_per_sm=64 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=250,
    pcie=3,
    sources=(
        techpowerup("tesla-p100-pcie-16-gb.c2888", without=("clock", "cuda_peak")),
        Page(
            "Tom's Hardware, Nvidia Tesla P100 PCIe",
            "https://www.tomshardware.com/news/nvidia-tesla-p100-pcie-gpu,32119.html",
        ).covers("clock", "cuda_peak"),
        *COMMON_11,
    ),
)

P100_SXM2_16GB = Gpu(
    name="P100 SXM2 16GB",
    architecture="Pascal",
    compute_capability="6.0",
    sms=56,
    clock=1480 * MHZ,
    bandwidth=732 * GB_S,
    memory=16 * GIB,
    memory_type="HBM2",
    cuda_peak=tflops(FP64=5.3, FP32=10.6, FP16=21.2),
    l2=4 * MIB,
    shared_memory_per_sm=64 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=300,
    nvlink=160 * GB_S,
    pcie=3,
    sources=(
        techpowerup("tesla-p100-sxm2.c3183"),
        AMPERE_BLOG.covers("sms", "clock", "memory", "cuda_peak", "l2"),
        Page(
            "HotHardware, NVIDIA Unveils Tesla P100",
            "https://hothardware.com/news/nvidia-unveils-beastly-tesla-p100-15-billion-transistor-16nm-finfet-gpu",
        ).covers("nvlink"),
        *COMMON_11,
    ),
)

P4 = Gpu(
    name="P4",
    architecture="Pascal",
    compute_capability="6.1",
    sms=20,
    clock=1063 * MHZ,
    bandwidth=192 * GB_S,
    memory=8 * GIB,
    memory_type="GDDR5",
    cuda_peak=tflops(FP64=0.18, FP32=5.5, FP16=0.09, INT8=22),
    l2=2 * MIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=75,
    pcie=3,
    sources=(
        techpowerup("tesla-p4.c2879", without=("clock", "cuda_peak")),
        P4_P40_NEWS.covers("clock", "cuda_peak"),
        derived("FP64 1/32 and FP16 1/64 of the FP32 rate", "cuda_peak"),
        *COMMON_11,
    ),
)

# 12 is NVIDIA's rounded figure; units and clock give 11.76.
P40 = Gpu(
    name="P40",
    architecture="Pascal",
    compute_capability="6.1",
    sms=30,
    clock=1531 * MHZ,
    bandwidth=346 * GB_S,
    memory=24 * GIB,
    memory_type="GDDR5",
    cuda_peak=tflops(FP64=0.37, FP32=12, FP16=0.18, INT8=47),
    l2=3 * MIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=250,
    pcie=3,
    prices=_prices.P40,
    sources=(
        techpowerup("tesla-p40.c2878"),
        P4_P40_NEWS.covers("cuda_peak"),
        *COMMON_11,
    ),
)

GTX_1080_TI = Gpu(
    name="GTX 1080 Ti",
    architecture="Pascal",
    compute_capability="6.1",
    sms=28,
    clock=1582 * MHZ,
    bandwidth=484 * GB_S,
    memory=11 * GIB,
    memory_type="GDDR5X",
    line="GeForce",
    cuda_peak=tflops(FP64=0.35, FP32=11.3, FP16=0.18, INT8=45.4),
    l2=2816 * KIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=250,
    pcie=3,
    prices=_prices.GTX_1080_TI,
    sources=(
        techpowerup("geforce-gtx-1080-ti.c2877"),
        TURING_BLOG.covers("cuda_peak", "clock"),
        derived("INT8 four times FP32, with DP4A", "cuda_peak"),
        *COMMON_11,
    ),
)

TITAN_X_PASCAL = Gpu(
    name="Titan X (Pascal)",
    architecture="Pascal",
    compute_capability="6.1",
    sms=28,
    clock=1531 * MHZ,
    bandwidth=480 * GB_S,
    memory=12 * GIB,
    memory_type="GDDR5X",
    line="GeForce",
    cuda_peak=tflops(FP64=0.34, FP32=11, FP16=0.17, INT8=44),
    l2=3 * MIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=250,
    pcie=3,
    prices=_prices.TITAN_X_PASCAL,
    sources=(
        techpowerup("titan-x-pascal.c2863"),
        TITAN_X_REVIEW.covers("cuda_peak"),
        derived("INT8 four times FP32, with DP4A", "cuda_peak"),
        *COMMON_11,
    ),
)

TITAN_XP = Gpu(
    name="Titan Xp",
    architecture="Pascal",
    compute_capability="6.1",
    sms=30,
    clock=1582 * MHZ,
    bandwidth=547.7 * GB_S,
    memory=12 * GIB,
    memory_type="GDDR5X",
    line="GeForce",
    cuda_peak=tflops(FP64=0.38, FP32=12.1, FP16=0.19, INT8=48.6),
    l2=3 * MIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=250,
    pcie=3,
    sources=(
        techpowerup("titan-xp.c2948"),
        derived("INT8 four times FP32, with DP4A", "cuda_peak"),
        *COMMON_11,
    ),
)
