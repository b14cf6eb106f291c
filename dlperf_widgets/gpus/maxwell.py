"""Maxwell, 2014."""

from ..units import GB_S, GIB, KIB, MHZ, MIB
from . import _prices
from ._gpu import Gpu
from ._sources import COMMON_11, TITAN_X_REVIEW, techpowerup, tflops

M40 = Gpu(
    name="M40",
    architecture="Maxwell",
    compute_capability="5.2",
    sms=24,
    clock=1114 * MHZ,
    bandwidth=288 * GB_S,
    memory=12 * GIB,
    memory_type="GDDR5",
    cuda_peak=tflops(FP64=0.21, FP32=6.8),
    l2=3 * MIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=250,
    pcie=3,
    sources=(
        techpowerup("tesla-m40.c2771"),
        *COMMON_11,
    ),
)

GTX_TITAN_X_MAXWELL = Gpu(
    name="GTX Titan X (Maxwell)",
    architecture="Maxwell",
    compute_capability="5.2",
    sms=24,
    clock=1075 * MHZ,
    bandwidth=336.5 * GB_S,
    memory=12 * GIB,
    memory_type="GDDR5",
    line="GeForce",
    cuda_peak=tflops(FP64=0.21, FP32=6.6),
    l2=3 * MIB,
    shared_memory_per_sm=96 * KIB,
    registers_per_sm=65536,
    threads_per_sm=2048,
    power=250,
    pcie=3,
    prices=_prices.GTX_TITAN_X_MAXWELL,
    sources=(
        techpowerup("geforce-gtx-titan-x.c2632", without=("clock", "cuda_peak")),
        TITAN_X_REVIEW.covers("clock", "cuda_peak"),
        *COMMON_11,
    ),
)
