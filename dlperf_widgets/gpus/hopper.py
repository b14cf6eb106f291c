"""Hopper, 2022.

NVIDIA computed the tensor peaks at a lower clock than boost; FP64 and the CUDA cores run at boost.
"""

from ..units import GB_S, GIB, KIB, MHZ, MIB
from . import _prices
from ._gpu import Gpu
from ._sources import (
    COMMON_LIKE_A100,
    DEVICE_QUERY,
    H100_WHITEPAPER,
    MT4G,
    Page,
    derived,
    techpowerup,
    tflops,
)

H100_PCIE_80GB = Gpu(
    name="H100 PCIe 80GB",
    architecture="Hopper",
    compute_capability="9.0",
    sms=114,
    clock=1755 * MHZ,
    bandwidth=2039 * GB_S,
    memory=80 * GIB,
    memory_type="HBM2e",
    tensor_peak=tflops(FP16=756, BF16=756, TF32=378, FP8=1513, INT8=1513, FP64=51),
    cuda_peak=tflops(FP64=26, FP32=51, FP16=102.4),
    tensor_clock=1620 * MHZ,
    l2=50 * MIB,
    shared_memory_per_sm=228 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=350,
    nvlink=600 * GB_S,
    pcie=5,
    alignment=128,
    sources=(
        techpowerup("h100-pcie-80-gb.c3899", without=("cuda_peak",)),
        H100_WHITEPAPER.covers("tensor_peak", "tensor_clock", "cuda_peak", "nvlink"),
        derived("exact half of NVIDIA's sparse figures", "tensor_peak"),
        *COMMON_LIKE_A100,
    ),
)

H100_SXM5_80GB = Gpu(
    name="H100 SXM5 80GB",
    architecture="Hopper",
    compute_capability="9.0",
    sms=132,
    clock=1980 * MHZ,
    bandwidth=3350 * GB_S,
    memory=80 * GIB,
    memory_type="HBM3",
    tensor_peak=tflops(FP16=989.4, BF16=989.4, TF32=494.7, FP8=1978.9, INT8=1978.9, FP64=67),
    cuda_peak=tflops(FP64=34, FP32=67, FP16=133.8),
    tensor_clock=1830 * MHZ,
    l2=50 * MIB,
    shared_memory_per_sm=228 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=700,
    nvlink=900 * GB_S,
    pcie=5,
    alignment=128,
    prices=_prices.H100_SXM5_80GB,
    sources=(
        techpowerup("h100-sxm5-80-gb.c3900", without=("cuda_peak",)),
        DEVICE_QUERY.covers("sms", "clock", "l2"),
        H100_WHITEPAPER.covers("tensor_peak", "tensor_clock", "cuda_peak", "bandwidth", "nvlink"),
        *COMMON_LIKE_A100,
    ),
)

# The attributes of the CUDA driver say 6144 bits (4022 GB/s); the datasheet 3.9 TB/s.
H100_NVL_94GB = Gpu(
    name="H100 NVL 94GB",
    architecture="Hopper",
    compute_capability="9.0",
    sms=132,
    clock=1785 * MHZ,
    bandwidth=3938 * GB_S,
    memory=94 * GIB,
    memory_type="HBM3",
    tensor_peak=tflops(FP16=835.5, BF16=835.5, TF32=417.5, FP8=1670.5, INT8=1670.5, FP64=60),
    cuda_peak=tflops(FP64=30, FP32=60),
    tensor_clock=1545 * MHZ,
    l2=60 * MIB,
    shared_memory_per_sm=228 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=400,
    nvlink=600 * GB_S,
    pcie=5,
    alignment=128,
    prices=_prices.H100_NVL_94GB,
    sources=(
        techpowerup("h100-nvl-94-gb.c4327", without=("cuda_peak", "l2")),
        MT4G.covers("clock", "l2"),
        Page("NVIDIA, H100 product page", "https://www.nvidia.com/en-us/data-center/h100/").covers(
            "cuda_peak", "power", "nvlink"
        ),
        derived("exact half of the product page's sparse figures", "tensor_peak"),
        derived("the clock at which 132 SMs reach the tensor peak", "tensor_clock"),
        *COMMON_LIKE_A100,
    ),
)

H200_SXM_141GB = Gpu(
    name="H200 SXM 141GB",
    architecture="Hopper",
    compute_capability="9.0",
    sms=132,
    clock=1980 * MHZ,
    bandwidth=4800 * GB_S,
    memory=141 * GIB,
    memory_type="HBM3e",
    tensor_peak=tflops(FP16=989.4, BF16=989.4, TF32=494.7, FP8=1978.9, INT8=1978.9, FP64=67),
    cuda_peak=tflops(FP64=34, FP32=67, FP16=133.8),
    tensor_clock=1830 * MHZ,
    l2=60 * MIB,
    shared_memory_per_sm=228 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=700,
    nvlink=900 * GB_S,
    pcie=5,
    alignment=128,
    prices=_prices.H200_SXM_141GB,
    sources=(
        techpowerup("h200-sxm-141-gb.c4255", without=("bandwidth", "cuda_peak", "l2")),
        Page("gpu-datasheet, the H200 row", "https://github.com/astroC86/gpu-datasheet").covers(
            "bandwidth", "tensor_peak", "cuda_peak"
        ),
        Page("H200 specifications", "https://lzwjava.github.io/nvidia-h200-gpu-specs-en").covers(
            "power", "nvlink"
        ),
        derived(
            "same tensor peaks as the H100 SXM5, so the same clock and FP16 rate", "tensor_clock", "cuda_peak"
        ),
        derived("60 MB as torch.cuda reports it", "l2"),
        *COMMON_LIKE_A100,
    ),
)

# The module's power is set between 450 and 1000 W, and nobody has stated its L2.
GH200_96GB = Gpu(
    name="GH200 96GB",
    architecture="Hopper",
    compute_capability="9.0",
    sms=132,
    clock=1980 * MHZ,
    bandwidth=4000 * GB_S,
    memory=96 * GIB,
    memory_type="HBM3",
    tensor_peak=tflops(FP16=989.4, BF16=989.4, TF32=494.7, FP8=1978.9, INT8=1978.9, FP64=67),
    cuda_peak=tflops(FP64=34, FP32=67, FP16=133.8),
    tensor_clock=1830 * MHZ,
    shared_memory_per_sm=228 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    nvlink=900 * GB_S,
    pcie=5,
    alignment=128,
    prices=_prices.GH200_96GB,
    sources=(
        Page("OpenCL-Benchmark capture", "https://github.com/mredenti/PowerCapping").covers("sms", "clock"),
        Page(
            "NVIDIA, GH200 datasheet",
            "https://nvdam.widen.net/s/rrgqqnpbz8/grace-datasheet-gh200-grace-hopper-superchip-3773000",
        ).covers("bandwidth", "memory", "memory_type", "line", "tensor_peak", "cuda_peak", "nvlink", "pcie"),
        derived(
            "same tensor peaks as the H100 SXM5, so the same clock and FP16 rate", "tensor_clock", "cuda_peak"
        ),
        *COMMON_LIKE_A100,
    ),
)
