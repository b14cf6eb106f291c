"""What GPUs cost: launch prices of cards, and the lowest price of an hour in the cloud on one day.

Estimates and price ranges that blogs give for data-center cards are left out: NVIDIA lists no price for
them.
"""

from typing import NamedTuple

PER = ("hour", "card")


class Price(NamedTuple):
    """One price, at one seller, at one time."""

    amount: float
    currency: str
    per: str  # one of PER
    seller: str
    date: str  # as exact as the source: 2026-08-22, 2020-09, 2023-Q1
    source: str  # address of a public page


def _launch(amount: float, date: str, source: str, seller: str = "NVIDIA, at launch") -> Price:
    return Price(amount, "USD", "card", seller, date, source)


def _hour(amount: float, seller: str) -> Price:
    """Return the lowest on-demand price that a collection of cloud offers had on its day."""
    source = "https://github.com/atineoSE/coding-model-seeks-gpu"  # web/public/data/gpus.json at cbdfc2fb
    return Price(amount, "USD", "hour", seller, "2026-08-22", source)


_TITANS = "https://www.anandtech.com/show/10510"
_TOMS_GUIDE = "https://www.tomsguide.com/news/nvidia-geforce-rtx-4090"
_FOUNDERS = (
    "https://www.newyorkmetropolitan.com/tech/"
    "nvidia-rtx-2080-and-2080-ti-review-a-tale-of-two-very-expensive-graphics-cards"
)
_ADA = "https://pcpartdb.com/gpus/compare/nvidia-rtx-6000-ada-generation--vs--amd-radeon-rx-6900-xt"
_PRO = "https://www.newgearhub.com/review/nvidia-gtc-2026-blackwell-gpus-pro-workstations"

K80_ONE_GK210_DIE = (
    _launch(
        2500,
        "2014-11",
        "https://www.anandtech.com/show/8729/nvidia-launches-tesla-k80-gk210-gpu",
        "NVIDIA, at launch: half of a board of two dies",
    ),
)
GTX_TITAN_X_MAXWELL = (_launch(999, "2015-03", _TITANS),)
P40 = (
    _launch(
        5699,
        "2016-09",
        "https://redbarnhpc.com/product/nvidia-tesla-p40-24gb-passive/",
        "launch, as shops say",
    ),
)
GTX_1080_TI = (_launch(699, "2017-03", "https://www.latinpost.com/articles/138872/20170323/"),)
TITAN_X_PASCAL = (_launch(1200, "2016-08", _TITANS),)
V100_16GB = (_hour(0.17, "Verda, a V100 16 GB of unstated form"),)  # PCIe or SXM2
RTX_2080_TI = (_launch(1199, "2018-09", _FOUNDERS, "NVIDIA, Founders Edition at launch"),)
A100_SXM4_40GB = (_hour(1.00, "RunPod"),)
A100_PCIE_80GB = (_hour(1.39, "RunPod"),)
A10 = (_hour(1.29, "Lambda"),)
A40 = (_hour(0.44, "RunPod"),)
RTX_A6000 = (_hour(0.53, "RunPod"),)
RTX_3080_10GB = (_launch(699, "2020-09", _TOMS_GUIDE),)
RTX_3090 = (_launch(1499, "2020-09", _TOMS_GUIDE), _hour(0.22, "RunPod"))
L4 = (_hour(0.49, "RunPod"),)
L40 = (_hour(0.69, "RunPod"),)
L40S = (_hour(0.99, "RunPod"),)
RTX_4090 = (
    _launch(1599, "2022-10", "https://www.tomshardware.com/reviews/nvidia-geforce-rtx-4090-review"),
    _hour(0.34, "RunPod"),
)
RTX_6000_ADA = (_launch(6799, "2023-Q1", _ADA), _hour(0.74, "RunPod"))
H100_SXM5_80GB = (_hour(3.25, "Verda"),)
H100_NVL_94GB = (_hour(2.59, "RunPod"),)
H200_SXM_141GB = (_hour(4.00, "Verda"),)
GH200_96GB = (_hour(2.29, "Lambda"),)
B200_SXM_180GB = (_hour(6.11, "Verda"),)
GB200_PER_GPU = (_hour(16.00, "Oracle, a quarter of an instance of four"),)
RTX_5090 = (
    _launch(1999, "2025-01", "https://en.wikipedia.org/wiki/GeForce_RTX_50_series"),
    _hour(0.69, "RunPod"),
)
# The lowest offer, 0.97, may be for a part of a GPU.
RTX_PRO_6000_BLACKWELL_SERVER = (_hour(2.09, "median of 8 offers"),)
RTX_PRO_6000_BLACKWELL_WORKSTATION = (_launch(8565, "2025-03", _PRO), _hour(1.89, "RunPod"))
