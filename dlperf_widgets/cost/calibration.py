"""Every constant of the time model that was fitted or estimated, with its meaning and unit.

The constants of a group were fitted together and trade off against one another: they predict times, and
none of them is by itself a measurement of physics. Data they were fitted to:

- Tensor Core products: aiconfigurator GEMM, BF16, A100, H100, L40S; LLMServingSim, FP16 and BF16, RTX 3090,
  RTX A6000, RTX 4090.
- Fused attention: aiconfigurator, BF16 causal prefill, A100, H100, L40S.
- CUDA-core products and streams: NeuSight, FP32, A100, V100, T4, P100, P4; convolutions without A100.

A GPU of another generation takes the constants of the nearest one, as noted where it does.
"""

from ..units import KIB

# --- Memory ---------------------------------------------------------------------------------------------

# Share of the datasheet bandwidth that a pass over memory reaches (streams). The second: GDDR that spends
# some of it on error correction, and the first HBM (P100).
BANDWIDTH_SHARE = 0.918
BANDWIDTH_SHARE_LOW = 0.753
HBM_LOW = ("Pascal",)  # generations whose HBM has the low share

# The L2 cache still holds a share 1 / (1 + (bytes / (part x L2 size))^4) of what was just used. The part
# of the cache that counts, and the bytes for each clock and SM that it delivers.
L2_PART_STREAM, L2_RATE_STREAM = 0.875, 9.75
L2_PART_PRODUCT, L2_RATE_PRODUCT = 0.253, 15.0

# --- Power ----------------------------------------------------------------------------------------------

# Share of a board's power limit that multiply-adds can draw; the rest is memory and standby. Not fitted.
POWER_SHARE = 0.75

# --- Tensor Core products -------------------------------------------------------------------------------

# Share of the peak rate that the inner loop of the largest tile reaches at the nominal clock.
TENSOR_RATE = 0.934
# Rate of a tile relative to 256 x 128: smaller tiles read their operands more often. Multiplies
# 1/tm + 1/tn - 3/256, in elements.
TILE_REREAD = 39.7
# Steps of k, in elements, that filling and draining a tile's pipeline takes.
TENSOR_PROLOGUE = 149.5
# Math and memory of a product overlap: time^p = math^p + memory^p.
OVERLAP_POWER = 3.2
# Launch of one kernel inside a CUDA graph, in clocks of the GPU; the kernel that adds up a product split
# along k takes so many times that.
GRAPH_CLOCKS = 4297
SPLIT_LAUNCHES = 1.15
# A split keeps at least so many elements of k, and there are at most so many. Not fitted.
SPLIT_LEAST_K, SPLIT_MOST = 128, 32
# GeForce cards run above the clock of their specification (RTX 3090, RTX 4090). On the fit's bound.
GEFORCE_BOOST = 1.15
# Energy of one FLOP at 16 bits, in joules. Fitted on A100 (8.0), RTX 3090 and A6000 (8.6), L40S and 4090
# (8.9), H100 (9.0). Guesses: Volta and Turing; Blackwell (10.0), from its best published share of peak;
# 12.0 is taken to be like 8.9. Other formats take as much power at their own peak.
TENSOR_ENERGY = {
    "7.0": 1.6e-12, "7.5": 1.6e-12, "8.0": 1.303e-12, "8.6": 1.965e-12, "8.9": 1.259e-12,
    "9.0": 0.685e-12, "10.0": 0.43e-12, "12.0": 1.259e-12,
}  # fmt: skip
TENSOR_ENERGY_ELSEWHERE = 1.259e-12
# Seconds after which the power limit lowers the clock.
TENSOR_POWER_DELAY = 0.285e-3

# --- CUDA-core products ---------------------------------------------------------------------------------

# Share of the peak rate on SMs with 128 FP32 lanes, where loads compete for issue slots.
LANES_RATE = 0.766
# As TILE_REREAD, multiplies 1/tm + 1/tn - 1/64; the energy of a tile grows with it too.
CUDA_REREAD = 19.68
CUDA_PROLOGUE = 12.67  # elements of k
# Share of a stream's bandwidth that a product's operands reach.
CUDA_BANDWIDTH = 0.725
# Energy of one FP32 FLOP, in joules, at 16 and 12 nm; relative to it at 7 and 8 nm; at 4N, not fitted.
CUDA_ENERGY = 14.88e-12
CUDA_ENERGY_7NM = 0.71
CUDA_ENERGY_4N = 0.71 * 0.7
CUDA_POWER_DELAY = 0.617e-3  # seconds
# A batched product's library tile is the one of least padded area, small ones weighed down by so much
# for each 1/tm + 1/tn - 1/64. Not fitted.
BATCHED_AREA = 8.0

# --- Passes over memory ---------------------------------------------------------------------------------

# Clocks of an SM for a row of a layer norm, and for each of its columns; for a column of a softmax.
NORM_ROW_CLOCKS, NORM_COLUMN_CLOCKS = 764.0, 0.292
SOFTMAX_COLUMN_CLOCKS = 1.299
# Columns up to which a softmax keeps its row in registers; a longer one is read twice more.
SOFTMAX_REGISTERS = 1024
# Part of the L1 cache that still holds the rows in flight when they are read again.
L1_PART = {"Volta": 0.35, "Turing": 0.35}
L1_PART_ELSEWHERE = 1.0
# L1 cache and shared memory of an SM together, in bytes, by compute capability: NVIDIA's CUDA guide. Older
# GPUs do not keep what they read from memory there.
L1_SIZE = {
    "7.0": 128 * KIB, "7.5": 96 * KIB, "8.0": 192 * KIB, "8.6": 128 * KIB, "8.9": 128 * KIB,
    "9.0": 256 * KIB, "10.0": 256 * KIB, "12.0": 128 * KIB,
}  # fmt: skip

# --- Convolutions on CUDA cores ---------------------------------------------------------------------------
# FP32, 3 x 3, stride 1: NeuSight, V100, T4, P100, P4.

# Shares of the CUDA-core products' rate: implicit GEMM (hardly identified), Winograd F(2 x 2) in one kernel,
# and F(4 x 4) with stored operands.
IMPLICIT_RATE, FUSED_RATE, STORED_RATE = 0.857, 0.411, 0.712
CONVOLUTION_BANDWIDTH = 0.47  # share of the datasheet bandwidth
CONVOLUTION_PROLOGUE = 4.2  # elements of k

# --- Fused attention ------------------------------------------------------------------------------------
# Share of the peak rate, and launch in a CUDA graph in seconds, by compute capability.
ATTENTION = {"8.0": (0.741, 11.83e-6), "8.9": (0.682, 7.80e-6), "9.0": (1.0, 13.4e-6)}
# Which of these the others are taken to be like.
ATTENTION_LIKE = {
    "7.0": "8.0", "7.5": "8.0", "8.0": "8.0", "8.6": "8.9", "8.9": "8.9", "9.0": "9.0", "10.0": "9.0",
    "12.0": "8.9",
}  # fmt: skip
# An exponential takes as long as the products of so many head dimensions, times the flops of a clock and
# SM over 64.
ATTENTION_EXPONENTIAL = 1.071
ATTENTION_STEP = 3.97e-9  # least seconds for one key of a block
# Share of the datasheet bandwidth, of the L2 cache, and how often K and V are read once more.
ATTENTION_BANDWIDTH, ATTENTION_L2_PART, ATTENTION_REREAD = 0.65, 0.25, 0.98

# --- Launch ---------------------------------------------------------------------------------------------

# Launch and drain of a pass over memory in a CUDA graph, in seconds: Vidur, A100.
STREAM_LAUNCH = 2.34e-6
# Host time of one eager PyTorch operation, in seconds: a product (NeuSight's hosts), relative to it a
# linear layer with its bias, and the share of it that a long kernel does not hide.
EAGER_PRODUCT = 33.5e-6
EAGER_LINEAR = 1.67
EAGER_PRODUCT_EXPOSED = 0.766
# A pass over memory: the host time, relative to it each kind, and how much of it overlaps the kernel.
EAGER_STREAM = 25.5e-6
EAGER_STREAM_OVERLAP = 0.457
EAGER_ONE_OPERAND, EAGER_TWO_OPERANDS, EAGER_SOFTMAX, EAGER_NORM = 1.2, 1.02, 1.28, 1.82

# --- Alignment ------------------------------------------------------------------------------------------

# Share of the Tensor Core rate left when the contiguous dimensions are multiples of 16, 8, 4 and 2
# bytes only, and when they are not multiples of the 128 bytes that some GPUs prefer. Estimates.
ALIGNED_SHARE = {16: 1.0, 8: 0.75, 4: 0.5, 2: 0.35, 1: 0.35}
BELOW_128_SHARE = 0.95
