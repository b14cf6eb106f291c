"""Number formats, and training with few bits."""

from ._term import AMPERE, BFLOAT16, GETTING_STARTED, INTEGERS, MIXED_PRECISION, Term

TERMS = (
    Term(
        "mixed precision",
        "混合精度",
        "Training with most math and storage in 16 bits, and FP32 where range or sums need it.",
        "训练时大部分计算和存储用 16 位，范围或求和需要时用 FP32。",
        "precision",
        MIXED_PRECISION,
    ),
    Term(
        "loss scaling",
        "损失缩放",
        "Multiplying the loss by a factor before the backward pass so that small gradients do not "
        "become zero in FP16, and dividing the gradients by it afterwards.",
        "反向传播前把损失乘以一个系数，使小梯度在 FP16 中不变成零，之后再除回来。",
        "precision",
        MIXED_PRECISION,
    ),
    Term(
        "FP16",
        "半精度浮点",
        "A 16-bit format with 5 bits of exponent and 10 of mantissa: up to 65504, down to 2^-24.",
        "16 位格式，5 位指数、10 位尾数：最大 65504，最小 2^-24。",
        "precision",
        MIXED_PRECISION,
    ),
    Term(
        "BF16",
        "BF16 浮点",
        "A 16-bit format with FP32's range and 7 bits of mantissa.",
        "16 位格式，范围与 FP32 相同，尾数 7 位。",
        "precision",
        BFLOAT16,
    ),
    Term(
        "TF32",
        "TF32 浮点",
        "A format of Tensor Cores since Ampere: FP32's range, 10 bits of mantissa, stored in 32 bits.",
        "Ampere 起 Tensor Core 的格式：范围同 FP32，尾数 10 位，按 32 位存储。",
        "precision",
        AMPERE,
    ),
    Term(
        "INT8 quantization",
        "INT8 量化",
        "Storing values as 8-bit integers times a scale: a quarter of FP32's bytes, "
        "with an error of at most half a scale for values in range.",
        "把数值存为 8 位整数乘以比例：字节数为 FP32 的四分之一，范围内误差不超过半个比例。",
        "precision",
        INTEGERS,
    ),
    Term(
        "structured sparsity",
        "结构化稀疏",
        "Two of every four weights are zero, and Tensor Cores since Ampere skip them: up to twice the "
        "math rate.",
        "每四个权重中有两个为零，Ampere 起的 Tensor Core 会跳过它们：算力最多翻倍。",
        "compare",
        GETTING_STARTED,
    ),
)
