"""GPUs: one record each, with the source of every number."""

from ._find import find_in
from ._gpu import Gpu, Source
from ._prices import Price
from .ada import L4, L40, L40S, RTX_4090, RTX_6000_ADA
from .ampere import (
    A10,
    A30,
    A40,
    A100_PCIE_40GB,
    A100_PCIE_80GB,
    A100_SXM4_40GB,
    A100_SXM4_80GB,
    RTX_3080_10GB,
    RTX_3090,
    RTX_A6000,
)
from .blackwell import (
    B200_SXM_180GB,
    GB200_PER_GPU,
    RTX_5090,
    RTX_PRO_6000_BLACKWELL_SERVER,
    RTX_PRO_6000_BLACKWELL_WORKSTATION,
)
from .hopper import GH200_96GB, H100_NVL_94GB, H100_PCIE_80GB, H100_SXM5_80GB, H200_SXM_141GB
from .kepler import K80_ONE_GK210_DIE
from .maxwell import GTX_TITAN_X_MAXWELL, M40
from .pascal import GTX_1080_TI, P4, P40, P100_PCIE_16GB, P100_SXM2_16GB, TITAN_X_PASCAL, TITAN_XP
from .turing import RTX_2080_TI, T4
from .volta import V100_PCIE_16GB, V100_PCIE_32GB, V100_SXM2_16GB, V100_SXM2_32GB

# In order of generation.
GPUS = (
    K80_ONE_GK210_DIE,
    M40,
    GTX_TITAN_X_MAXWELL,
    P100_PCIE_16GB,
    P100_SXM2_16GB,
    P4,
    P40,
    GTX_1080_TI,
    TITAN_X_PASCAL,
    TITAN_XP,
    V100_PCIE_16GB,
    V100_PCIE_32GB,
    V100_SXM2_16GB,
    V100_SXM2_32GB,
    T4,
    RTX_2080_TI,
    A100_PCIE_40GB,
    A100_SXM4_40GB,
    A100_PCIE_80GB,
    A100_SXM4_80GB,
    A10,
    A30,
    A40,
    RTX_A6000,
    RTX_3080_10GB,
    RTX_3090,
    L4,
    L40,
    L40S,
    RTX_4090,
    RTX_6000_ADA,
    H100_PCIE_80GB,
    H100_SXM5_80GB,
    H100_NVL_94GB,
    H200_SXM_141GB,
    GH200_96GB,
    B200_SXM_180GB,
    GB200_PER_GPU,
    RTX_5090,
    RTX_PRO_6000_BLACKWELL_SERVER,
    RTX_PRO_6000_BLACKWELL_WORKSTATION,
)

_ALIASES = {
    "v100": V100_SXM2_16GB,
    "a100": A100_SXM4_80GB,
    "h100": H100_SXM5_80GB,
    "h200": H200_SXM_141GB,
    "b200": B200_SXM_180GB,
}


def find(name: str) -> Gpu:
    """Return the record a name means: ``find("a100")``, ``find("RTX 4090")``, ``find("v100-pcie-32gb")``."""
    return find_in(GPUS, _ALIASES, name)


def mig(gpu: Gpu, profile: str) -> Gpu:
    """Return a slice of a GPU under MIG: ``mig(find("a100"), "3g.40gb")``.

    It has the profile's SMs, its share of memory, bandwidth and L2, and peaks in proportion to its SMs.
    NVLink is None, as slices cannot reach each other over it, and so is the power limit: all slices share
    the board's, and what is left for one depends on the others, so none is applied to it.
    """
    from ._mig import slice_of  # few need it

    return slice_of(gpu, profile)


def mig_profiles(gpu: Gpu) -> tuple[str, ...]:
    """Return the names of the MIG profiles that ``mig`` knows of a GPU, smallest first."""
    from ._mig import profiles

    return tuple(profile.name for profile in profiles(gpu))


__all__ = [
    "GPUS",
    "Gpu",
    "Price",
    "Source",
    "find",
    "mig",
    "mig_profiles",
    "K80_ONE_GK210_DIE",
    "M40",
    "GTX_TITAN_X_MAXWELL",
    "P100_PCIE_16GB",
    "P100_SXM2_16GB",
    "P4",
    "P40",
    "GTX_1080_TI",
    "TITAN_X_PASCAL",
    "TITAN_XP",
    "V100_PCIE_16GB",
    "V100_PCIE_32GB",
    "V100_SXM2_16GB",
    "V100_SXM2_32GB",
    "T4",
    "RTX_2080_TI",
    "A100_PCIE_40GB",
    "A100_SXM4_40GB",
    "A100_PCIE_80GB",
    "A100_SXM4_80GB",
    "A10",
    "A30",
    "A40",
    "RTX_A6000",
    "RTX_3080_10GB",
    "RTX_3090",
    "L4",
    "L40",
    "L40S",
    "RTX_4090",
    "RTX_6000_ADA",
    "H100_PCIE_80GB",
    "H100_SXM5_80GB",
    "H100_NVL_94GB",
    "H200_SXM_141GB",
    "GH200_96GB",
    "B200_SXM_180GB",
    "GB200_PER_GPU",
    "RTX_5090",
    "RTX_PRO_6000_BLACKWELL_SERVER",
    "RTX_PRO_6000_BLACKWELL_WORKSTATION",
]
