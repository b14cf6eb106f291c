"""Kepler, 2012: a board of two chips."""

from ..units import GB_S, GIB, KIB, MHZ
from . import _prices
from ._gpu import Gpu
from ._sources import COMMON_11, Page, derived, techpowerup, tflops

K80_ONE_GK210_DIE = Gpu(
    name="K80 (one GK210 die)",
    architecture="Kepler",
    compute_capability="3.7",
    sms=13,
    clock=875 * MHZ,
    bandwidth=240 * GB_S,
    memory=12 * GIB,
    memory_type="GDDR5",
    cuda_peak=tflops(FP64=1.46, FP32=4.37),
    l2=1536 * KIB,
    shared_memory_per_sm=112 * KIB,
    registers_per_sm=131072,
    threads_per_sm=2048,
    power=150,
    pcie=3,
    prices=_prices.K80_ONE_GK210_DIE,
    sources=(
        techpowerup("tesla-k80.c2616", without=("clock", "cuda_peak", "bandwidth", "power")),
        Page(
            "AnandTech, NVIDIA Launches Tesla K80",
            "https://www.anandtech.com/show/8729/nvidia-launches-tesla-k80-gk210-gpu",
        ).covers("clock"),
        derived("half of the board, which has two dies", "bandwidth", "cuda_peak", "power"),
        *COMMON_11,
    ),
)
