"""Training: its passes, its memory, and many GPUs at once."""

from ._term import (
    CHECKPOINTING,
    FLASH_ATTENTION,
    GPIPE,
    LINEAR,
    MEMORY_LIMITED,
    MIXED_PRECISION,
    NCCL_TESTS,
    PAGED_ATTENTION,
    ZERO,
    Term,
)

TERMS = (
    Term(
        "fprop",
        "前向传播",
        "The forward pass: a layer's output from its input and weights.",
        "前向计算：由输入和权重得到输出。",
        "layer",
        LINEAR,
    ),
    Term(
        "dgrad",
        "激活梯度",
        "The part of the backward pass that computes the gradient with respect to a layer's input.",
        "反向传播中求输入梯度的部分。",
        "layer",
        LINEAR,
    ),
    Term(
        "wgrad",
        "权重梯度",
        "The part of the backward pass that computes the gradient with respect to a layer's weights.",
        "反向传播中求权重梯度的部分。",
        "layer",
        LINEAR,
    ),
    Term(
        "batch size",
        "批大小",
        "The samples that are computed together. A larger batch raises the arithmetic intensity of "
        "layers with weights, and the memory that activations take.",
        "一起计算的样本数。批越大，带权重的层算术强度越高，激活占用的显存也越多。",
        "training",
        LINEAR,
    ),
    Term(
        "batch normalization",
        "批归一化",
        "Subtracting each channel's mean and dividing by its deviation, both taken over the batch: "
        "memory limited.",
        "按批统计每个通道的均值和标准差并归一化：受带宽限制。",
        "memory-limited",
        MEMORY_LIMITED,
    ),
    Term(
        "persistent batch normalization",
        "持久化批归一化",
        "An implementation that keeps its input on the chip between statistics and normalization: "
        "one read and one write, where the input is small enough.",
        "统计和归一化之间把输入留在片上的实现：输入足够小时只需一读一写。",
        "memory-limited",
        MEMORY_LIMITED,
    ),
    Term(
        "optimizer state",
        "优化器状态",
        "What an optimizer keeps for each weight between steps: nothing for plain SGD, two numbers for Adam.",
        "优化器在各步之间为每个权重保存的数：普通 SGD 没有，Adam 有两个。",
        "memory",
        ZERO,
    ),
    Term(
        "master weights",
        "主权重",
        "An FP32 copy of FP16 weights, so that small updates are not lost when they are added.",
        "FP16 权重的 FP32 副本，使微小的更新在相加时不丢失。",
        "memory",
        MIXED_PRECISION,
    ),
    Term(
        "activation checkpointing",
        "激活检查点",
        "Keeping only some activations for the backward pass and computing the others again: "
        "less memory for more time.",
        "只为反向传播保留部分激活，其余重新计算：用时间换显存。",
        "memory",
        CHECKPOINTING,
    ),
    Term(
        "data parallelism",
        "数据并行",
        "The same model on every GPU, each with its share of the batch; gradients are summed after each "
        "step.",
        "每个 GPU 上都有同样的模型，各算一份批；每步之后对梯度求和。",
        "training",
        ZERO,
    ),
    Term(
        "pipeline parallelism",
        "流水线并行",
        "Consecutive layers on different GPUs, through which parts of the batch flow one after another.",
        "连续的层放在不同的 GPU 上，批的各部分依次流过。",
        "training",
        GPIPE,
    ),
    Term(
        "pipeline bubble",
        "流水线气泡",
        "The share of a step in which pipeline stages wait: (p - 1) / (m + p - 1) for p stages and m "
        "micro-batches.",
        "流水线各级等待的时间占比：p 级、m 个微批时为 (p - 1) / (m + p - 1)。",
        "training",
        GPIPE,
    ),
    Term(
        "all-reduce",
        "全归约",
        "A sum over all GPUs that every GPU receives. "
        "In a ring each of n GPUs sends 2 (n - 1) / n times the data's size.",
        "对所有 GPU 的数据求和并让每个 GPU 都得到结果。环形算法中，"
        "n 个 GPU 各发送 2 (n - 1) / n 倍的数据量。",
        "training",
        NCCL_TESTS,
    ),
    Term(
        "ZeRO",
        "零冗余优化器",
        "Data parallelism in which optimizer state, gradients and weights are divided among the GPUs, "
        "not copied to each.",
        "一种数据并行：优化器状态、梯度和权重分摊到各 GPU，而不是每个都存一份。",
        "memory",
        ZERO,
    ),
    Term(
        "fused attention",
        "融合注意力",
        "Attention in one kernel that never writes the matrix of scores to memory.",
        "用一个内核完成注意力，分数矩阵从不写入显存。",
        "layer",
        FLASH_ATTENTION,
    ),
    Term(
        "KV cache",
        "键值缓存",
        "The keys and values of all tokens so far, kept so that each new token is computed by itself.",
        "保存已有全部词元的键和值，使每个新词元可以单独计算。",
        "serving",
        PAGED_ATTENTION,
    ),
)
