"""What limits an operation: math, memory or latency."""

from ._term import BACKGROUND, BEST_PRACTICES, CUDA, ROOFLINE, Term

TERMS = (
    Term(
        "arithmetic intensity",
        "算术强度",
        "The operations an algorithm does for each byte it moves to or from memory, in FLOPS/byte.",
        "算法每搬运一个字节所做的运算次数，单位 FLOPS/byte。",
        "layer",
        BACKGROUND,
    ),
    Term(
        "ops:byte ratio",
        "运算字节比",
        "A GPU's peak math rate divided by its memory bandwidth. "
        "An operation of higher arithmetic intensity is math limited, of lower memory limited.",
        "GPU 的峰值算力除以显存带宽。算术强度高于它的运算受算力限制，低于它的受带宽限制。",
        "layer",
        BACKGROUND,
    ),
    Term(
        "math limited",
        "受算力限制",
        "Said of an operation whose time is set by how fast the GPU computes, not by how fast it moves data.",
        "运算时间取决于 GPU 的计算速度，而不是数据搬运速度。",
        "layer",
        BACKGROUND,
    ),
    Term(
        "memory limited",
        "受带宽限制",
        "Said of an operation whose time is set by how fast data moves, while the math units wait.",
        "运算时间取决于数据搬运速度，计算单元在等待。",
        "memory-limited",
        BACKGROUND,
    ),
    Term(
        "latency limited",
        "受延迟限制",
        "Said of an operation too small to fill the GPU: neither math nor memory is busy, "
        "and starting the work takes most of the time.",
        "运算太小，填不满 GPU：算力和带宽都没有用满，时间主要花在启动上。",
        "layer",
        BACKGROUND,
    ),
    Term(
        "roofline",
        "屋顶线模型",
        "A picture of the rate an operation can reach at most: "
        "a slope where memory sets it, a flat roof where math does.",
        "表示运算最高可达速率的图：带宽决定的斜线，和算力决定的平顶。",
        "layer",
        ROOFLINE,
    ),
    Term(
        "ridge point",
        "脊点",
        "The corner of a roofline: the arithmetic intensity at which math and memory take equally long.",
        "屋顶线的拐点：计算时间与访存时间相等时的算术强度。",
        "layer",
        ROOFLINE,
    ),
    Term(
        "memory bandwidth",
        "显存带宽",
        "The bytes that a GPU's memory can deliver or take in a second.",
        "显存每秒能读写的字节数。",
        "compare",
        BACKGROUND,
    ),
    Term(
        "kernel launch",
        "内核启动",
        "The start of one program on the GPU. It costs a few microseconds however little there is to do; "
        "a CUDA graph makes a sequence of launches cheaper.",
        "在 GPU 上启动一个程序。无论任务多小都要几微秒；CUDA 图能降低一串启动的开销。",
        "layer",
        CUDA,
    ),
    Term(
        "elementwise operation",
        "逐元素运算",
        "An operation that treats each element by itself, such as ReLU or an addition: nearly always "
        "memory limited.",
        "对每个元素单独处理的运算，例如 ReLU 或加法：几乎总是受带宽限制。",
        "memory-limited",
        BACKGROUND,
    ),
    Term(
        "reduction",
        "归约",
        "An operation that makes few values of many, such as a sum, a mean or softmax: usually memory "
        "limited.",
        "把许多值合成少数值的运算，例如求和、求均值或 softmax：通常受带宽限制。",
        "memory-limited",
        BACKGROUND,
    ),
    Term(
        "GPU",
        "图形处理器",
        "A processor of many streaming multiprocessors that share an L2 cache and a fast memory.",
        "由许多流式多处理器组成的处理器，它们共享 L2 缓存和高速显存。",
        "compare",
        BACKGROUND,
    ),
    Term(
        "effective bandwidth",
        "有效带宽",
        "The bytes a kernel had to move divided by the time it took: what of the bandwidth was put to use.",
        "内核需要搬运的字节数除以所用时间：实际用上的带宽。",
        "memory-limited",
        BEST_PRACTICES,
    ),
)
