"""Ada, 2022: FP8.

GeForce runs 16-bit and FP8 products with FP32 accumulate at half the rate of a data-center card.
"""

from ..units import GB_S, GIB, KIB, MHZ, MIB
from . import _prices
from ._gpu import Gpu
from ._sources import ADA_WHITEPAPER, COMMON, L40_DATASHEET, derived, techpowerup, tflops

# 58 of 60 SMs; TechPowerUp lists the full die.
L4 = Gpu(
    name="L4",
    architecture="Ada",
    compute_capability="8.9",
    sms=58,
    clock=2040 * MHZ,
    bandwidth=300 * GB_S,
    memory=24 * GIB,
    memory_type="GDDR6",
    tensor_peak=tflops(FP16=121, BF16=121, TF32=60, FP8=242, INT8=242),
    cuda_peak=tflops(FP64=0.47, FP32=30.3, FP16=30.3),
    l2=48 * MIB,
    shared_memory_per_sm=100 * KIB,
    registers_per_sm=65536,
    threads_per_sm=1536,
    power=72,
    pcie=4,
    prices=_prices.L4,
    sources=(
        techpowerup("l4.c4091", without=("sms", "cuda_peak")),
        ADA_WHITEPAPER.covers("sms", "tensor_peak", "cuda_peak"),
        *COMMON,
    ),
)

# FP16 at half the rate per clock of the L40S, as the datasheet has it.
L40 = Gpu(
    name="L40",
    architecture="Ada",
    compute_capability="8.9",
    sms=142,
    clock=2490 * MHZ,
    bandwidth=864 * GB_S,
    memory=48 * GIB,
    memory_type="GDDR6",
    tensor_peak=tflops(FP16=181.05, BF16=181.05, TF32=90.5, FP8=362, INT8=362),
    cuda_peak=tflops(FP64=1.41, FP32=90.5, FP16=90.5),
    l2=96 * MIB,
    shared_memory_per_sm=100 * KIB,
    registers_per_sm=65536,
    threads_per_sm=1536,
    power=300,
    pcie=4,
    prices=_prices.L40,
    sources=(
        techpowerup("l40.c3959"),
        L40_DATASHEET.covers("bandwidth", "tensor_peak", "power"),
        *COMMON,
    ),
)

L40S = Gpu(
    name="L40S",
    architecture="Ada",
    compute_capability="8.9",
    sms=142,
    clock=2520 * MHZ,
    bandwidth=864 * GB_S,
    memory=48 * GIB,
    memory_type="GDDR6",
    tensor_peak=tflops(FP16=362, BF16=362, TF32=183, FP8=733, INT8=733),
    cuda_peak=tflops(FP64=1.43, FP32=91.6, FP16=91.6),
    l2=96 * MIB,
    shared_memory_per_sm=100 * KIB,
    registers_per_sm=65536,
    threads_per_sm=1536,
    power=350,
    pcie=4,
    prices=_prices.L40S,
    sources=(
        techpowerup("l40s.c4173", without=("l2", "power")),
        L40_DATASHEET.covers("tensor_peak", "power"),
        derived("L2 as deviceQuery reports it, 100663296 bytes", "l2"),
        *COMMON,
    ),
)

# FP8 with FP32 accumulate, as version 2.02 of the whitepaper corrected it.
RTX_4090 = Gpu(
    name="RTX 4090",
    architecture="Ada",
    compute_capability="8.9",
    sms=128,
    clock=2520 * MHZ,
    bandwidth=1008 * GB_S,
    memory=24 * GIB,
    memory_type="GDDR6X",
    line="GeForce",
    tensor_peak=tflops(FP16=165.2, BF16=165.2, TF32=82.6, FP8=330.3, INT8=660.6),
    cuda_peak=tflops(FP64=1.29, FP32=82.6, FP16=82.6),
    l2=72 * MIB,
    shared_memory_per_sm=100 * KIB,
    registers_per_sm=65536,
    threads_per_sm=1536,
    power=450,
    pcie=4,
    prices=_prices.RTX_4090,
    sources=(
        techpowerup("geforce-rtx-4090.c3889"),
        ADA_WHITEPAPER.covers("sms", "clock", "bandwidth", "tensor_peak", "cuda_peak", "l2"),
        *COMMON,
    ),
)

RTX_6000_ADA = Gpu(
    name="RTX 6000 Ada",
    architecture="Ada",
    compute_capability="8.9",
    sms=142,
    clock=2505 * MHZ,
    bandwidth=960 * GB_S,
    memory=48 * GIB,
    memory_type="GDDR6",
    line="workstation",
    tensor_peak=tflops(FP16=364.2, BF16=364.2, TF32=182.1, FP8=728.5, INT8=728.5),
    cuda_peak=tflops(FP64=1.42, FP32=91.1, FP16=91.1),
    l2=96 * MIB,
    shared_memory_per_sm=100 * KIB,
    registers_per_sm=65536,
    threads_per_sm=1536,
    power=300,
    pcie=4,
    prices=_prices.RTX_6000_ADA,
    sources=(
        techpowerup("rtx-6000-ada-generation.c3933"),
        derived("the chip's multiply-adds per clock, as on the L40S", "tensor_peak"),
        *COMMON,
    ),
)
