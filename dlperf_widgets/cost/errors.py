"""Errors and bands of predictions, by kind of operation and compute capability.

Written by ``python -m tests.bench.accuracy --write``: the mean absolute error, of how many measurements,
whose and on what; and x for predictions below 50 µs, to 300 µs and above: 8 of 10 measurements lay between
the time / x and the time x x.
"""

# ruff: noqa: E501
# fmt: off
ERRORS = {
    ("16-bit product", "8.0"): (0.079, 49_877, "Vidur and aiconfigurator, A100 SXM4 80GB", (1.25, 1.20, 1.11)),
    ("16-bit product", "8.6"): (0.084, 65_536, "LLMServingSim, RTX 3090, RTX A6000", (1.27, 1.22, 1.14)),
    ("16-bit product", "8.9"): (0.118, 18_118, "LLMServingSim and aiconfigurator, L40S, RTX 4090", (1.41, 1.27, 1.21)),
    ("16-bit product", "9.0"): (0.079, 17_564, "aiconfigurator, H100 SXM5 80GB", (1.18, 1.18, 1.16)),
    ("decode", "8.0"): (0.127, 2_793, "aiconfigurator, A100 SXM4 80GB", (1.70, 1.40, 1.27)),
    ("decode", "8.9"): (0.140, 8_283, "aiconfigurator, L40S", (1.55, 1.53, 1.10)),
    ("decode", "9.0"): (0.135, 8_782, "aiconfigurator, H100 SXM5 80GB", (1.61, 1.18, 1.14)),
    ("elementwise", "6.0"): (0.080, 14_869, "NeuSight, P100 PCIe 16GB", (1.05, 1.12, 1.02)),
    ("elementwise", "6.1"): (0.033, 14_760, "NeuSight, P4", (1.10, 1.05, 1.02)),
    ("elementwise", "7.0"): (0.029, 14_783, "NeuSight, V100 PCIe 32GB", (1.05, 1.06, 1.03)),
    ("elementwise", "7.5"): (0.045, 14_865, "NeuSight, T4", (1.16, 1.03, 1.02)),
    ("elementwise", "8.0"): (0.053, 14_834, "NeuSight, A100 PCIe 40GB", (1.09, 1.07, 1.07)),
    ("fp32 batched", "6.0"): (0.058, 17_199, "NeuSight, P100 PCIe 16GB", (1.08, 1.11, 1.06)),
    ("fp32 batched", "6.1"): (0.113, 15_482, "NeuSight, P4", (1.13, 1.22, 1.24)),
    ("fp32 batched", "7.0"): (0.120, 15_437, "NeuSight, V100 PCIe 32GB", (1.20, 1.23, 1.22)),
    ("fp32 batched", "7.5"): (0.183, 17_144, "NeuSight, T4", (1.32, 1.44, 1.33)),
    ("fp32 batched", "8.0"): (0.048, 16_436, "NeuSight, A100 PCIe 40GB", (1.12, 1.08, 1.06)),
    ("fp32 convolution", "6.0"): (0.208, 4_952, "NeuSight, P100 PCIe 16GB", (1.43, 1.43, 1.43)),
    ("fp32 convolution", "6.1"): (0.200, 4_996, "NeuSight, P4", (1.39, 2.66, 1.36)),
    ("fp32 convolution", "7.0"): (0.217, 4_958, "NeuSight, V100 PCIe 32GB", (1.49, 1.49, 1.49)),
    ("fp32 convolution", "7.5"): (0.178, 4_969, "NeuSight, T4", (1.33, 1.95, 1.31)),
    ("fp32 linear", "6.0"): (0.146, 6_490, "NeuSight, P100 PCIe 16GB", (1.48, 1.17, 1.54)),
    ("fp32 linear", "6.1"): (0.375, 6_453, "NeuSight, P4", (2.28, 1.63, 2.39)),
    ("fp32 linear", "7.0"): (0.091, 6_474, "NeuSight, V100 PCIe 32GB", (1.17, 1.21, 1.15)),
    ("fp32 linear", "7.5"): (0.127, 6_504, "NeuSight, T4", (1.23, 1.31, 1.22)),
    ("fp32 linear", "8.0"): (0.072, 6_524, "NeuSight, A100 PCIe 40GB", (1.11, 1.13, 1.10)),
    ("norm", "6.0"): (0.079, 1_113, "NeuSight, P100 PCIe 16GB", (1.07, 1.21, 1.15)),
    ("norm", "6.1"): (0.096, 1_099, "NeuSight, P4", (1.05, 1.17, 1.18)),
    ("norm", "7.0"): (0.071, 1_085, "NeuSight, V100 PCIe 32GB", (1.20, 1.21, 1.17)),
    ("norm", "7.5"): (0.135, 1_113, "NeuSight, T4", (1.30, 1.31, 1.27)),
    ("norm", "8.0"): (0.050, 1_099, "NeuSight, A100 PCIe 40GB", (1.02, 1.14, 1.34)),
    ("prefill", "8.0"): (0.109, 2_787, "aiconfigurator, A100 SXM4 80GB", (1.38, 1.63, 1.17)),
    ("prefill", "8.9"): (0.130, 6_703, "aiconfigurator, L40S", (1.72, 1.41, 1.24)),
    ("prefill", "9.0"): (0.134, 7_014, "aiconfigurator, H100 SXM5 80GB", (1.31, 1.38, 1.44)),
    ("softmax", "6.0"): (0.047, 1_375, "NeuSight, P100 PCIe 16GB", (1.09, 1.08, 1.13)),
    ("softmax", "6.1"): (0.103, 1_345, "NeuSight, P4", (1.06, 1.15, 1.41)),
    ("softmax", "7.0"): (0.037, 1_384, "NeuSight, V100 PCIe 32GB", (1.02, 1.16, 1.28)),
    ("softmax", "7.5"): (0.099, 1_381, "NeuSight, T4", (1.22, 1.26, 1.17)),
    ("softmax", "8.0"): (0.067, 1_358, "NeuSight, A100 PCIe 40GB", (1.07, 1.29, 1.36)),
}
# fmt: on
