"""Every constant of the time model that was fitted or estimated, with its meaning and unit."""

# Rate of a tile relative to 256 x 128: smaller tiles reread their operands more often. Fitted to
# FP16 and BF16 products on A100, H100, L40S and GeForce cards. Multiplies 1/tm + 1/tn - 3/256.
TILE_REREAD = 39.7

# Launch of one kernel inside a CUDA graph, in clocks of the GPU. Same fit.
GRAPH_CLOCKS = 4297

# Host time of one eager PyTorch operation, in seconds, and how much of it a product takes.
EAGER_FLOOR = 33e-6
EAGER_PRODUCT = 1.67
# Share of the eager host time that a long kernel does not hide.
EAGER_EXPOSED = 0.766

# Share of the Tensor Core rate left when the contiguous dimensions are multiples of 16, 8, 4 and 2
# bytes only, and when they are not multiples of the 128 bytes that some GPUs prefer. Estimates.
ALIGNED_SHARE = {16: 1.0, 8: 0.75, 4: 0.5, 2: 0.35, 1: 0.35}
BELOW_128_SHARE = 0.95
