"""What the time model takes for granted: numbers that were chosen or read, not fitted."""

from ..units import KIB

# Share of a board's power limit that multiply-adds can draw; the rest is memory and standby.
POWER_SHARE = 0.75
# A product split along k keeps at least so many elements of k in a part, and has at most so many parts.
SPLIT_LEAST_K, SPLIT_MOST = 128, 32
# A batched FP32 product's library tile is the one of least padded area, small ones weighed down by so much
# for each 1/tm + 1/tn - 1/64.
BATCHED_AREA = 8.0
# Columns up to which a softmax keeps its row in registers; a longer one is read twice more.
SOFTMAX_REGISTERS = 1024
# L1 cache and shared memory of an SM together, in bytes, by compute capability: NVIDIA's CUDA guide. Older
# GPUs do not keep what they read from memory there.
L1_SIZE = {
    "7.0": 128 * KIB, "7.5": 96 * KIB, "8.0": 192 * KIB, "8.6": 128 * KIB, "8.9": 128 * KIB,
    "9.0": 256 * KIB, "10.0": 256 * KIB, "12.0": 128 * KIB,
}  # fmt: skip
# Share of the Tensor Core rate left when the contiguous dimensions are multiples of 16, 8, 4 and 2
# bytes only, and when they are not multiples of the 128 bytes that some GPUs prefer. Estimates.
ALIGNED_SHARE = {16: 1.0, 8: 0.75, 4: 0.5, 2: 0.35, 1: 0.35}
BELOW_128_SHARE = 0.95
# A persistent recurrent kernel synchronizes all SMs once a step, in seconds: an estimate.
BARRIER = 2e-6
# Generations whose recurrent layers were measured with cuDNN 5 and 6, and the batches (more than, up to)
# for which those libraries take a kernel that stalls.
STALLS, STALLED_BATCHES = ("Pascal",), (16, 32)
