"""Blackwell, 2024: data center and, from the RTX 5090 on, GeForce and professional cards."""

from ..units import GB_S, GIB, KIB, MHZ, MIB
from . import _prices
from ._gpu import Gpu
from ._sources import (
    BLACKWELL_DATASHEET,
    COMMON,
    COMMON_LIKE_A100,
    RTX_BLACKWELL_WHITEPAPER,
    Page,
    derived,
    techpowerup,
    tflops,
)

# Of an HGX board; the GPU of a GB200 has more of everything.
B200_SXM_180GB = Gpu(
    name="B200 SXM 180GB",
    architecture="Blackwell",
    compute_capability="10.0",
    sms=148,
    clock=1965 * MHZ,
    bandwidth=7700 * GB_S,
    memory=180 * GIB,
    memory_type="HBM3e",
    tensor_peak=tflops(FP16=2250, BF16=2250, TF32=1125, FP8=4500, INT8=4500, FP64=37),
    cuda_peak=tflops(FP64=37, FP32=75),
    tensor_clock=1855 * MHZ,
    l2=129536 * KIB,
    shared_memory_per_sm=228 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=1000,
    nvlink=1800 * GB_S,
    pcie=5,
    alignment=128,
    prices=_prices.B200_SXM_180GB,
    sources=(
        Page("PyTorch AO 4002, a driver query", "https://github.com/pytorch/ao/pull/4002").covers(
            "sms", "l2"
        ),
        Page("TechPowerUp GPU database", "https://www.techpowerup.com/gpu-specs/b200.c4210").covers("clock"),
        BLACKWELL_DATASHEET.covers(
            "bandwidth", "memory", "memory_type", "line", "cuda_peak", "nvlink", "pcie", "power"
        ),
        derived("exact half of the datasheet's sparse figures; TF32 half of FP16", "tensor_peak"),
        derived("the clock at which 148 SMs of 4096 FMA reach the tensor peak", "tensor_clock"),
        *COMMON_LIKE_A100,
    ),
)

# One of the GPUs of a GB200 NVL72. No clock and no L2 is published: the clock that its FP32 peak needs,
# 80 TFLOPS / (2 x 128 x 152 SMs), is taken as the boost clock.
GB200_PER_GPU = Gpu(
    name="GB200 (per GPU)",
    architecture="Blackwell",
    compute_capability="10.0",
    sms=152,
    clock=2056 * MHZ,
    bandwidth=8000 * GB_S,
    memory=186 * GIB,
    memory_type="HBM3e",
    tensor_peak=tflops(FP16=2500, BF16=2500, TF32=1250, FP8=5000, INT8=5000, FP64=40),
    cuda_peak=tflops(FP64=40, FP32=80),
    tensor_clock=2008 * MHZ,
    l2=129536 * KIB,
    shared_memory_per_sm=228 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=1200,
    nvlink=1800 * GB_S,
    pcie=5,
    alignment=128,
    prices=_prices.GB200_PER_GPU,
    sources=(
        derived("152 as torch.cuda reports it", "sms"),
        BLACKWELL_DATASHEET.covers(
            "bandwidth", "memory", "memory_type", "line", "cuda_peak", "nvlink", "pcie", "power"
        ),
        derived("the clock at which 152 SMs of 128 cores reach the FP32 peak", "clock"),
        derived("exact half of the datasheet's sparse figures; TF32 half of FP16", "tensor_peak"),
        derived("the clock at which 152 SMs of 4096 FMA reach the tensor peak", "tensor_clock"),
        derived("L2 of the B200, which has the same chips", "l2"),
        *COMMON_LIKE_A100,
    ),
)

RTX_5090 = Gpu(
    name="RTX 5090",
    architecture="Blackwell",
    compute_capability="12.0",
    sms=170,
    clock=2407 * MHZ,
    bandwidth=1792 * GB_S,
    memory=32 * GIB,
    memory_type="GDDR7",
    line="GeForce",
    tensor_peak=tflops(FP16=209.5, BF16=209.5, TF32=104.8, FP8=419, INT8=838),
    cuda_peak=tflops(FP64=1.64, FP32=104.8, FP16=104.8),
    l2=96 * MIB,
    shared_memory_per_sm=100 * KIB,
    registers_per_sm=65536,
    threads_per_sm=1536,
    power=575,
    pcie=5,
    prices=_prices.RTX_5090,
    sources=(
        techpowerup("geforce-rtx-5090.c4216"),
        RTX_BLACKWELL_WHITEPAPER.covers("sms", "clock", "bandwidth", "tensor_peak", "cuda_peak", "l2"),
        *COMMON,
    ),
)

# FP32 120 would need 2493 MHz; the tensor peaks fit 2430.
RTX_PRO_6000_BLACKWELL_SERVER = Gpu(
    name="RTX PRO 6000 Blackwell Server",
    architecture="Blackwell",
    compute_capability="12.0",
    sms=188,
    clock=2430 * MHZ,
    bandwidth=1597 * GB_S,
    memory=96 * GIB,
    memory_type="GDDR7",
    tensor_peak=tflops(FP16=467.8, BF16=467.8, TF32=234, FP8=935.6, INT8=935.6),
    cuda_peak=tflops(FP32=120),
    l2=128 * MIB,
    shared_memory_per_sm=100 * KIB,
    registers_per_sm=65536,
    threads_per_sm=1536,
    power=600,
    pcie=5,
    prices=_prices.RTX_PRO_6000_BLACKWELL_SERVER,
    sources=(
        techpowerup("rtx-pro-6000-blackwell-server.c4274", without=("clock", "bandwidth", "cuda_peak")),
        Page(
            "NVIDIA, RTX PRO 6000 Blackwell Server Edition",
            "https://www.nvidia.com/en-us/data-center/rtx-pro-6000-blackwell-server-edition/",
        ).covers("bandwidth", "tensor_peak", "cuda_peak", "power"),
        derived("the clock at which 188 SMs reach the TF32 peak", "clock"),
        derived("FP16 and BF16 twice TF32; FP8 and INT8 four times", "tensor_peak"),
        *COMMON,
    ),
)

RTX_PRO_6000_BLACKWELL_WORKSTATION = Gpu(
    name="RTX PRO 6000 Blackwell Workstation",
    architecture="Blackwell",
    compute_capability="12.0",
    sms=188,
    clock=2617 * MHZ,
    bandwidth=1792 * GB_S,
    memory=96 * GIB,
    memory_type="GDDR7",
    line="workstation",
    tensor_peak=tflops(FP16=503.8, BF16=503.8, TF32=251.9, FP8=1007.6, INT8=1007.6),
    cuda_peak=tflops(FP64=1.97, FP32=126, FP16=126),
    l2=128 * MIB,
    shared_memory_per_sm=100 * KIB,
    registers_per_sm=65536,
    threads_per_sm=1536,
    power=600,
    pcie=5,
    prices=_prices.RTX_PRO_6000_BLACKWELL_WORKSTATION,
    sources=(
        techpowerup("rtx-pro-6000-blackwell.c4272"),
        derived("188 SMs x 512 multiply-adds x the boost clock in FP16", "tensor_peak"),
        *COMMON,
    ),
)
