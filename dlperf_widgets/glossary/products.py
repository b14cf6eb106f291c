"""Matrix products: how they are cut into tiles and waves, and what layers make of them."""

from ._term import BACKGROUND, CONVOLUTION, CUTLASS, LINEAR, MATMUL, MOBILENETS, RECURRENT, Term

TERMS = (
    Term(
        "GEMM",
        "通用矩阵乘法",
        "General matrix multiplication: an M x K matrix times a K x N one. "
        "It takes 2 x M x N x K operations, a multiply and an add counting as two.",
        "M x K 矩阵乘以 K x N 矩阵，共 2 x M x N x K 次运算（一次乘加算两次）。",
        "gemm",
        MATMUL,
    ),
    Term(
        "GEMV",
        "矩阵向量乘法",
        "A product with M or N equal to one: less than one operation a byte in FP16, so always memory "
        "limited.",
        "M 或 N 等于 1 的乘法：FP16 时每字节不到一次运算，因此总是受带宽限制。",
        "serving",
        MATMUL,
    ),
    Term(
        "tile",
        "瓦片",
        "The block of a product's output that one thread block computes, such as 256 x 128.",
        "一个线程块负责计算的输出矩阵块，例如 256 x 128。",
        "gemm",
        MATMUL,
    ),
    Term(
        "tile quantization",
        "瓦片量化",
        "The waste where the output's sizes are no multiples of the tile's: "
        "the last tiles are computed whole and used in part.",
        "输出尺寸不是瓦片尺寸的整数倍时的浪费：边缘瓦片完整计算，却只有一部分有用。",
        "gemm",
        MATMUL,
    ),
    Term(
        "wave",
        "波",
        "As many thread blocks as the GPU can run at once; a kernel with more runs wave after wave.",
        "GPU 能同时运行的一批线程块；线程块更多时一波接一波地运行。",
        "gemm",
        MATMUL,
    ),
    Term(
        "wave quantization",
        "波量化",
        "The waste where the number of tiles is no multiple of what the GPU runs at once: "
        "117 tiles on 108 SMs take as long as 216.",
        "瓦片数不是 GPU 并行数的整数倍时的浪费：108 个 SM 上，117 个瓦片与 216 个耗时相同。",
        "gemm",
        MATMUL,
    ),
    Term(
        "tail effect",
        "尾效应",
        "The last, partly filled wave, during which many SMs have nothing to do.",
        "最后一个没有填满的波，此时许多 SM 空闲。",
        "occupancy",
        BACKGROUND,
    ),
    Term(
        "alignment",
        "对齐",
        "Whether a matrix's sizes are multiples of 16 bytes (128 on the A100): "
        "8 elements in FP16, 4 in TF32, 16 in INT8. Tensor Cores are most efficient then.",
        "矩阵尺寸是否为 16 字节的倍数（A100 上为 128 字节）：FP16 为 8 个元素，TF32 为 4 个，"
        "INT8 为 16 个。此时 Tensor Core 效率最高。",
        "gemm",
        MATMUL,
    ),
    Term(
        "padding",
        "填充",
        "Making a size larger than needed so that it is aligned, such as a vocabulary of 50257 to 50304.",
        "把尺寸加大到对齐的值，例如把词表从 50257 加到 50304。",
        "layer",
        LINEAR,
    ),
    Term(
        "epilogue",
        "收尾运算",
        "What is done to a tile of the output before it is written, such as adding a bias: no extra "
        "trip to memory.",
        "输出瓦片写回之前做的运算，例如加偏置：不需要额外访存。",
        "gemm",
        CUTLASS,
    ),
    Term(
        "linear layer",
        "全连接层",
        "A layer that multiplies its input by a weight matrix; forward it is a product of "
        "M = outputs, N = batch, K = inputs.",
        "输入乘以权重矩阵的层；前向是 M = 输出数、N = 批大小、K = 输入数的乘法。",
        "layer",
        LINEAR,
    ),
    Term(
        "implicit GEMM",
        "隐式矩阵乘法",
        "A convolution computed as a matrix product whose large input matrix is never stored: "
        "its parts are gathered as they are needed.",
        "把卷积当作矩阵乘法来算，但不存储展开后的大矩阵，用到时再取。",
        "layer",
        CONVOLUTION,
    ),
    Term(
        "depthwise separable convolution",
        "深度可分离卷积",
        "A convolution for each channel by itself and then a 1 x 1 convolution across channels: "
        "far fewer operations, at a lower arithmetic intensity.",
        "先对每个通道单独卷积，再用 1 x 1 卷积混合通道：运算少得多，但算术强度更低。",
        "model",
        MOBILENETS,
    ),
    Term(
        "NHWC and NCHW",
        "NHWC 与 NCHW 布局",
        "Two orders of an image batch in memory: channels last, or channels before height and width. "
        "Tensor Cores work on NHWC; NCHW may cost transposes.",
        "图像批在内存中的两种排列：通道在最后，或通道在高宽之前。Tensor Core 使用 NHWC；NCHW 可能需要转置。",
        "memory-limited",
        CONVOLUTION,
    ),
    Term(
        "persistent recurrent kernel",
        "持久化循环内核",
        "An implementation of a recurrent layer that keeps its weights on the chip from one time step "
        "to the next.",
        "循环层的一种实现：权重在各时间步之间一直留在芯片上。",
        "layer",
        RECURRENT,
    ),
)
