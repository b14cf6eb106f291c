"""Turing, 2018: Tensor Cores for INT8.

GeForce runs FP16 with FP32 accumulate at half the rate of a data-center card.
"""

from ..units import GB_S, GIB, KIB, MHZ, MIB
from . import _prices
from ._gpu import Gpu
from ._sources import COMMON, TURING_BLOG, Page, derived, techpowerup, tflops

# NVIDIA's pages say 300 and "320+"; 320 is 256 bits x 5001 MHz.
T4 = Gpu(
    name="T4",
    architecture="Turing",
    compute_capability="7.5",
    sms=40,
    clock=1590 * MHZ,
    bandwidth=320 * GB_S,
    memory=16 * GIB,
    memory_type="GDDR6",
    tensor_peak=tflops(FP16=65, INT8=130),
    cuda_peak=tflops(FP64=0.25, FP32=8.1, FP16=16.3),
    l2=4 * MIB,
    shared_memory_per_sm=64 * KIB,
    registers_per_sm=65536,
    threads_per_sm=1024,
    power=70,
    pcie=3,
    sources=(
        techpowerup("tesla-t4.c3316"),
        Page("deviceQuery capture", "https://github.com/sylvia-ymlin/cuda-kernels-from-scratch").covers(
            "sms", "clock", "bandwidth", "l2"
        ),
        Page(
            "Tom's Hardware, Nvidia Tesla T4",
            "https://www.tomshardware.co.uk/nvidia-tesla-t4-turing-gpu,news-59152.html",
        ).covers("tensor_peak", "cuda_peak", "power"),
        derived("FP16 twice FP32", "cuda_peak"),
        *COMMON,
    ),
)

# Reference clocks; the Founders Edition boosts to 1635 MHz.
RTX_2080_TI = Gpu(
    name="RTX 2080 Ti",
    architecture="Turing",
    compute_capability="7.5",
    sms=68,
    clock=1545 * MHZ,
    bandwidth=616 * GB_S,
    memory=11 * GIB,
    memory_type="GDDR6",
    line="GeForce",
    tensor_peak=tflops(FP16=53.8, INT8=215),
    cuda_peak=tflops(FP64=0.42, FP32=13.4, FP16=26.9),
    l2=5632 * KIB,
    shared_memory_per_sm=64 * KIB,
    registers_per_sm=65536,
    threads_per_sm=1024,
    power=250,
    nvlink=100 * GB_S,
    pcie=3,
    prices=_prices.RTX_2080_TI,
    sources=(
        techpowerup("geforce-rtx-2080-ti.c3305"),
        TURING_BLOG.covers("tensor_peak", "cuda_peak", "clock", "l2", "nvlink"),
        *COMMON,
    ),
)
