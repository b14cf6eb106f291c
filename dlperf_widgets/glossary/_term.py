"""What a term of the glossary holds, and the guides that terms come from."""

from typing import NamedTuple


class Guide(NamedTuple):
    """A public page that uses a term as it is explained here."""

    title: str
    address: str


class Term(NamedTuple):
    """One term in English and Chinese, with the explorer that shows it."""

    name: str
    zh: str
    meaning: str
    meaning_zh: str
    explorer: str  # the slug of an explorer
    source: Guide


def _nvidia(title: str, page: str) -> Guide:
    address = f"https://docs.nvidia.com/deeplearning/performance/{page}/index.html"
    return Guide(f"NVIDIA, {title}", address)


BACKGROUND = _nvidia("GPU Performance Background User's Guide", "dl-performance-gpu-background")
GETTING_STARTED = _nvidia("Get Started With Deep Learning Performance", "dl-performance-getting-started")
MATMUL = _nvidia("Matrix Multiplication Background User's Guide", "dl-performance-matrix-multiplication")
LINEAR = _nvidia("Linear/Fully-Connected Layers User's Guide", "dl-performance-fully-connected")
CONVOLUTION = _nvidia("Convolutional Layers User's Guide", "dl-performance-convolutional")
RECURRENT = _nvidia("Recurrent Layers User's Guide", "dl-performance-recurrent")
MEMORY_LIMITED = _nvidia("Memory-Limited Layers User's Guide", "dl-performance-memory-limited")
MIXED_PRECISION = _nvidia("Train With Mixed Precision", "mixed-precision-training")
CUDA = Guide("NVIDIA, CUDA C++ Programming Guide", "https://docs.nvidia.com/cuda/cuda-c-programming-guide/")
BEST_PRACTICES = Guide(
    "NVIDIA, CUDA C++ Best Practices Guide", "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/"
)
NCCL_TESTS = Guide(
    "NVIDIA, Performance reported by NCCL tests",
    "https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md",
)
GPIPE = Guide("Huang et al., GPipe", "https://arxiv.org/abs/1811.06965")
ZERO = Guide("Rajbhandari et al., ZeRO", "https://arxiv.org/abs/1910.02054")
CHECKPOINTING = Guide(
    "Chen et al., Training Deep Nets with Sublinear Memory Cost", "https://arxiv.org/abs/1604.06174"
)
FLASH_ATTENTION = Guide("Dao et al., FlashAttention", "https://arxiv.org/abs/2205.14135")
PAGED_ATTENTION = Guide("Kwon et al., PagedAttention", "https://arxiv.org/abs/2309.06180")
MOBILENETS = Guide("Howard et al., MobileNets", "https://arxiv.org/abs/1704.04861")
ROOFLINE = Guide("Williams, Waterman and Patterson, Roofline", "https://doi.org/10.1145/1498765.1498785")
CUTLASS = Guide(
    "NVIDIA, Efficient GEMM in CUDA (CUTLASS)",
    "https://github.com/NVIDIA/cutlass/blob/main/media/docs/cpp/efficient_gemm.md",
)
AMPERE = Guide(
    "NVIDIA, Ampere Architecture In-Depth",
    "https://developer.nvidia.com/blog/nvidia-ampere-architecture-in-depth/",
)
BFLOAT16 = Guide("Kalamkar et al., A Study of BFLOAT16", "https://arxiv.org/abs/1905.12322")
INTEGERS = Guide(
    "Jacob et al., Quantization and Training for Integer-Arithmetic-Only Inference",
    "https://arxiv.org/abs/1712.05877",
)
