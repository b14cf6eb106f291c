"""The pages that records rest on, and functions that keep a record short."""

from .. import dtypes
from ..units import TFLOPS
from ._gpu import Source

BOARD = ("sms", "clock", "bandwidth", "memory", "memory_type", "line", "cuda_peak", "l2", "pcie", "power")
LIMITS = ("compute_capability", "shared_memory_per_sm", "registers_per_sm", "threads_per_sm")


class Page:
    """A public page that states fields of several records."""

    def __init__(self, title: str, address: str) -> None:
        self.title, self.address = title, address

    def covers(self, *fields: str) -> Source:
        """Return this page as the source of some fields."""
        return Source(fields=fields, title=self.title, address=self.address)


def techpowerup(page: str, *, without: tuple[str, ...] = ()) -> Source:
    """Return a TechPowerUp page as the source of a board's figures, but for those it is not followed in."""
    fields = tuple(field for field in BOARD if field not in without)
    return Page("TechPowerUp GPU database", f"https://www.techpowerup.com/gpu-specs/{page}").covers(*fields)


def derived(how: str, *fields: str) -> Source:
    """Return the source of fields that no page states as they stand here."""
    return Source(fields=fields, title=f"derived: {how}")


def tflops(**rates: float) -> tuple[tuple[dtypes.DType, float], ...]:
    """Return peaks by number format, given in TFLOPS: ``tflops(FP16=125)``."""
    return tuple((dtypes.find(name), rate * TFLOPS) for name, rate in rates.items())


_MATMUL_GUIDE = Page(
    "NVIDIA, Matrix Multiplication Background User's Guide",
    "https://docs.nvidia.com/deeplearning/performance/dl-performance-matrix-multiplication/index.html",
)
_ALIGNMENT = _MATMUL_GUIDE.covers("alignment")
_CUDA_GUIDE_11 = Page(
    "CUDA C Programming Guide 11, compute capabilities, table 15",
    "https://docs.nvidia.com/cuda/cuda-c-programming-guide/",
).covers(*LIMITS)
_CUDA_GUIDE_13 = Page(
    "CUDA Programming Guide, compute capabilities, tables 30-32",
    "https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/compute-capabilities.html",
).covers(*LIMITS)

# What every record of an age cites: the limits of an SM and the alignment of dimensions.
COMMON_11 = (_CUDA_GUIDE_11, _ALIGNMENT)
COMMON = (_CUDA_GUIDE_13, _ALIGNMENT)
# NVIDIA's guide asks for 128 bytes on the A100; these GPUs are taken to want the same.
COMMON_LIKE_A100 = (*COMMON, derived("128 bytes as on the A100, the only GPU the guide names", "alignment"))

PERFORMANCE_GUIDE = Page(
    "NVIDIA, GPU Performance Background User's Guide",
    "https://docs.nvidia.com/deeplearning/performance/dl-performance-gpu-background/",
)
TURING_BLOG = Page(
    "NVIDIA, Turing Architecture In-Depth, table 1",
    "https://developer.nvidia.com/blog/nvidia-turing-architecture-in-depth/",
)
AMPERE_BLOG = Page(
    "NVIDIA, Ampere Architecture In-Depth, tables 3-4",
    "https://developer.nvidia.com/blog/nvidia-ampere-architecture-in-depth/",
)
GA102_WHITEPAPER = Page(
    "NVIDIA, Ampere GA102 GPU Architecture, version 2",
    "https://www.nvidia.com/content/PDF/nvidia-ampere-ga-102-gpu-architecture-whitepaper-v2.pdf",
)
ADA_WHITEPAPER = Page(
    "NVIDIA, Ada GPU Architecture, version 2.1, appendix A",
    "https://images.nvidia.com/aem-dam/Solutions/geforce/ada/nvidia-ada-gpu-architecture.pdf",
)
H100_WHITEPAPER = Page(
    "NVIDIA, H100 Tensor Core GPU Architecture, version 1.04, tables 1 and 3",
    "https://nvdam.widen.net/s/95bdhpsgrs/",
)
BLACKWELL_DATASHEET = Page(
    "NVIDIA, Blackwell datasheet, figures per GPU",
    "https://nvdam.widen.net/s/wwnsxrhm2w/blackwell-datasheet-3384703",
)
RTX_BLACKWELL_WHITEPAPER = Page(
    "NVIDIA, RTX Blackwell GPU Architecture, pages 46-47",
    "https://images.nvidia.com/aem-dam/Solutions/geforce/blackwell/nvidia-rtx-blackwell-gpu-architecture.pdf",
)
GPU_SPECS = Page("gpu-specs, a table of NVIDIA datasheets", "https://github.com/winston-zhang-orz/gpu-specs")
MT4G = Page("mt4g, attributes and caches as measured", "https://github.com/caps-tum/mt4g")
DEVICE_QUERY = Page("deviceQuery captures", "https://github.com/thamada/nvidia-smi")
TITAN_X_REVIEW = Page("AnandTech, NVIDIA Announces NVIDIA Titan X", "https://www.anandtech.com/show/10510")
P4_P40_NEWS = Page(
    "TechWarrant, NVIDIA announces Tesla P40 and P4",
    "https://techwarrant.com/nvidia-announces-tesla-p40-and-p4-accelerators/amp",
)
L40_DATASHEET = Page(
    "L40 and L40S datasheet table, as copied by a shop",
    "https://www.mullet.se/product.html?product_id=355414",
)
