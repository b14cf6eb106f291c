"""A GPU from inside: multiprocessors, threads and the memories between."""

from ._term import BACKGROUND, BEST_PRACTICES, CUDA, Term

TERMS = (
    Term(
        "SM",
        "流式多处理器",
        "Streaming multiprocessor: the part of a GPU that runs thread blocks, "
        "with math units, registers and shared memory of its own.",
        "GPU 中运行线程块的单元，有自己的计算单元、寄存器和共享内存。",
        "occupancy",
        BACKGROUND,
    ),
    Term(
        "CUDA core",
        "CUDA 核心",
        "The scalar math units of an SM, for all that is not a matrix product.",
        "SM 中的标量计算单元，用于矩阵乘法以外的运算。",
        "precision",
        BACKGROUND,
    ),
    Term(
        "Tensor Core",
        "张量核心",
        "A unit that multiplies and adds small matrix blocks, much faster than CUDA cores, in the "
        "formats it knows.",
        "对小矩阵块做乘加的单元，在其支持的格式下远快于 CUDA 核心。",
        "gemm",
        BACKGROUND,
    ),
    Term(
        "warp",
        "线程束",
        "32 threads that run the same instruction together.",
        "一起执行同一条指令的 32 个线程。",
        "occupancy",
        CUDA,
    ),
    Term(
        "thread block",
        "线程块",
        "Threads that run on one SM and share its shared memory.",
        "在同一个 SM 上运行并共用其共享内存的一组线程。",
        "occupancy",
        CUDA,
    ),
    Term(
        "occupancy",
        "占用率",
        "The warps resident on an SM as a share of the most it can hold; "
        "threads, registers and shared memory of a block decide it.",
        "SM 上驻留的线程束占上限的比例，由线程块的线程数、寄存器和共享内存决定。",
        "occupancy",
        CUDA,
    ),
    Term(
        "warp divergence",
        "线程束分化",
        "Threads of one warp that take different branches: the branches run one after another.",
        "同一线程束中的线程走不同分支：各分支只能依次执行。",
        "occupancy",
        CUDA,
    ),
    Term(
        "coalescing",
        "合并访问",
        "Serving the loads of a warp with as few memory transactions as possible: "
        "neighbouring threads should read neighbouring addresses.",
        "用尽量少的内存事务满足一个线程束的访问：相邻线程应读取相邻地址。",
        "occupancy",
        BEST_PRACTICES,
    ),
    Term(
        "shared memory",
        "共享内存",
        "Fast memory on the chip that the threads of a block share.",
        "片上的高速内存，由线程块内的线程共享。",
        "occupancy",
        CUDA,
    ),
    Term(
        "bank conflict",
        "存储体冲突",
        "Threads of a warp that need different words of one bank of shared memory: they are served in turn.",
        "同一线程束的线程访问共享内存同一存储体的不同字：只能依次完成。",
        "occupancy",
        BEST_PRACTICES,
    ),
    Term(
        "register",
        "寄存器",
        "A thread's own, fastest storage. Kernels that need many let fewer threads be resident.",
        "线程私有的最快存储。用得越多，能驻留的线程越少。",
        "occupancy",
        CUDA,
    ),
    Term(
        "L2 cache",
        "二级缓存",
        "A cache that all SMs share. Data it holds need not come from memory again.",
        "所有 SM 共享的缓存。其中的数据不必再从显存读取。",
        "memory-limited",
        BACKGROUND,
    ),
    Term(
        "pinned memory",
        "锁页内存",
        "Host memory that stays in place, so that the GPU can copy it directly and while kernels run.",
        "固定在物理内存中的主机内存，GPU 可以直接复制，并与内核重叠。",
        "training",
        BEST_PRACTICES,
    ),
    Term(
        "CUDA stream",
        "CUDA 流",
        "A queue of work for the GPU; copies and kernels of different streams may overlap.",
        "GPU 的任务队列；不同流中的复制和内核可以重叠。",
        "training",
        CUDA,
    ),
)
