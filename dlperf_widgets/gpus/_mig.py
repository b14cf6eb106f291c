"""Slices of a GPU: the profiles of NVIDIA's Multi-Instance GPU (MIG) and what each is given.

A memory slice is an eighth of the memory, its bandwidth and its cache (a quarter where the GPU has four).
SMs do not divide as evenly, so their numbers are those that nvidia-smi lists. ``+me`` and ``+gfx`` profiles
differ in media and graphics engines alone, and are left out.
"""

from dataclasses import replace
from typing import NamedTuple

from .._given import text, thing
from ._gpu import Gpu, Source
from ._sources import Page, derived

_GUIDE = Page(
    "NVIDIA, Multi-Instance GPU User Guide, supported profiles",
    "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html",
)
_LISTED_A30 = Page("NVIDIA go-nvml, profiles of an A30", "https://github.com/NVIDIA/go-nvml")
_LISTED_A100 = Page(
    "nvidia-smi mig -lgip on an A100",
    "https://forums.developer.nvidia.com/t/"
    "why-mig-instances-can-only-sum-up-to-98-sms-instead-of-the-108-sms-available/170488",
)
_LISTED_H100 = Page("nvidia-smi mig -lgip on an H100", "https://jbarrow.ai/field_notes/nvidia-mig/")
_LISTED_NVL = Page("nvidia-smi mig -lgip on an H100 NVL", "https://github.com/NVIDIA/gpu-operator/pull/900")
_LISTED_GH200 = Page(
    "nvidia-smi mig -lgip on a GH200",
    "https://github.com/kf-cuanschutz/NVIDIA_Grace_Hopper_benchmarking_logs_",
)
_LISTED_H200 = Page("nvidia-smi mig -lgip on an H200", "https://github.com/NVIDIA/mig-parted/issues/120")
_LISTED_PRO = Page(
    "nvidia-smi mig -lgip on an RTX PRO 6000",
    "https://github.com/GoogleCloudPlatform/container-engine-accelerators/pull/564",
)


class Profile(NamedTuple):
    """What one kind of slice holds."""

    name: str  # sevenths of the SMs and size of the memory: 3g.40gb
    sms: int
    memory: int  # memory slices, each with its bandwidth
    l2: int  # slices of the L2 cache


class _Board(NamedTuple):
    """How one GPU is cut."""

    slices: int  # memory slices
    listed: Page  # where the numbers of SMs are from
    profiles: tuple[Profile, ...]


def _sevenths(listed: Page, sms: tuple[int, ...], names: str) -> _Board:
    """Return a GPU of eight memory slices: 1g, 1g with twice the memory, 2g, 3g, 4g, 7g."""
    shares = ((1, 1), (2, 1), (2, 2), (4, 4), (4, 4), (8, 8))  # the guide gives the second 1g no more L2
    rows = zip(names.split(), sms, shares, strict=True)
    return _Board(8, listed, tuple(Profile(name, count, *share) for name, count, share in rows))


def _quarters(listed: Page, sms: tuple[int, ...], names: str) -> _Board:
    """Return a GPU of four memory slices: 1g, 2g, 4g."""
    rows = zip(names.split(), sms, (1, 2, 4), strict=True)
    return _Board(4, listed, tuple(Profile(name, count, part, part) for name, count, part in rows))


_A100_SMS = (14, 14, 28, 42, 56, 98)  # 98 of 108: seven equal slices
_H100_SMS = (16, 26, 32, 60, 64, 132)
_A100_40 = _sevenths(_LISTED_A100, _A100_SMS, "1g.5gb 1g.10gb 2g.10gb 3g.20gb 4g.20gb 7g.40gb")
_A100_80 = _sevenths(_LISTED_A100, _A100_SMS, "1g.10gb 1g.20gb 2g.20gb 3g.40gb 4g.40gb 7g.80gb")
_PRO_6000 = _quarters(_LISTED_PRO, (46, 94, 188), "1g.24gb 2g.48gb 4g.96gb")

_BOARDS = {
    "A100 PCIe 40GB": _A100_40,
    "A100 SXM4 40GB": _A100_40,
    "A100 PCIe 80GB": _A100_80,
    "A100 SXM4 80GB": _A100_80,
    "A30": _quarters(_LISTED_A30, (14, 28, 56), "1g.6gb 2g.12gb 4g.24gb"),
    "H100 SXM5 80GB": _sevenths(_LISTED_H100, _H100_SMS, "1g.10gb 1g.20gb 2g.20gb 3g.40gb 4g.40gb 7g.80gb"),
    "H100 NVL 94GB": _sevenths(_LISTED_NVL, _H100_SMS, "1g.12gb 1g.24gb 2g.24gb 3g.47gb 4g.47gb 7g.94gb"),
    "GH200 96GB": _sevenths(_LISTED_GH200, _H100_SMS, "1g.12gb 1g.24gb 2g.24gb 3g.48gb 4g.48gb 7g.96gb"),
    "H200 SXM 141GB": _sevenths(_LISTED_H200, _H100_SMS, "1g.18gb 1g.35gb 2g.35gb 3g.71gb 4g.71gb 7g.141gb"),
    "RTX PRO 6000 Blackwell Server": _PRO_6000,
    "RTX PRO 6000 Blackwell Workstation": _PRO_6000,
}
# The guide lists them, but no page was found that states the SMs of each of their profiles.
_UNRECORDED = ("H100 PCIe 80GB", "B200 SXM 180GB", "GB200 (per GPU)")

_OWN = ("sms", "bandwidth", "memory", "tensor_peak", "cuda_peak", "l2")  # fields of the slice itself
_SHARED = ("power", "nvlink", "l2_bandwidth")  # of the board, or without meaning for a slice


def profiles(gpu: Gpu) -> tuple[Profile, ...]:
    """Return the profiles that a GPU can be cut into; none where it has no MIG or none is recorded."""
    gpu = thing("gpu", Gpu, gpu)
    return _BOARDS[gpu.name].profiles if gpu.name in _BOARDS else ()


def slice_of(gpu: Gpu, profile: str) -> Gpu:
    """Return the slice of a GPU that a profile names."""
    gpu = thing("gpu", Gpu, gpu)
    wanted = text("profile", profile).strip().lower().removeprefix("mig").strip()
    for found in profiles(gpu):
        if found.name == wanted:
            return _slice(gpu, _BOARDS[gpu.name], found)
    raise ValueError(_refusal(gpu, profile))


def _refusal(gpu: Gpu, profile: str) -> str:
    if known := ", ".join(found.name for found in profiles(gpu)):
        return f"{gpu.name} has no MIG profile {profile!r}: it has {known}"
    if gpu.name in _UNRECORDED:
        return f"{gpu.name} has MIG, but how many SMs its profiles hold is not recorded"
    return f"{gpu.name} has no MIG; recorded are the profiles of {', '.join(_BOARDS)}"


def _slice(gpu: Gpu, board: _Board, profile: Profile) -> Gpu:
    part = profile.sms / gpu.sms
    return replace(
        gpu,
        name=f"{gpu.name} {profile.name}",
        sms=profile.sms,
        bandwidth=gpu.bandwidth * profile.memory / board.slices,
        memory=gpu.memory * profile.memory // board.slices,
        tensor_peak=tuple((dtype, rate * part) for dtype, rate in gpu.tensor_peak),
        cuda_peak=tuple((dtype, rate * part) for dtype, rate in gpu.cuda_peak),
        l2=None if gpu.l2 is None else gpu.l2 * profile.l2 // board.slices,
        power=None,
        nvlink=None,
        l2_bandwidth=None,
        prices=(),
        sources=_sources(gpu, board, profile),
    )


def _sources(gpu: Gpu, board: _Board, profile: Profile) -> tuple[Source, ...]:
    """Return the board's sources for what the slice keeps, and how the rest follows."""
    kept = []
    for source in gpu.sources:
        if fields := tuple(field for field in source.fields if field not in _OWN + _SHARED):
            kept.append(replace(source, fields=fields))
    memory, l2 = f"{profile.memory}/{board.slices}", f"{profile.l2}/{board.slices}"
    cache = () if gpu.l2 is None else (derived(f"{l2} of the L2 of the {gpu.name}", "l2"),)
    peaks = ("tensor_peak", "cuda_peak") if gpu.tensor_peak else ("cuda_peak",)
    return (
        _GUIDE.covers("memory", "bandwidth", *(source.fields[0] for source in cache)),
        board.listed.covers("sms"),
        derived(f"{memory} of the {gpu.name}, as its profile {profile.name} has", "memory", "bandwidth"),
        *cache,
        derived(f"{profile.sms}/{gpu.sms} of the {gpu.name}, as the SMs are", *peaks),
        *kept,
    )
