"""What measures: the name of a device, and all that a reader of the number must know of it."""

import os
import platform
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..language import tr

_CPU, _CUDA = "cpu", "cuda"
_MISSING = "PyTorch is missing: pip install 'dlperf_widgets[measure]'"


@dataclass(frozen=True)
class Device:
    """A GPU, or the CPU of this machine; what a device does not tell is None."""

    name: str
    kind: str  # "cuda" or "cpu"
    torch: str  # version
    cuda: str | None = None
    cudnn: str | None = None
    driver: str | None = None
    compute_capability: str | None = None
    sms: int | None = None
    memory: int | None = None  # bytes
    l2: int | None = None  # bytes
    threads: int | None = None  # of a CPU, that torch uses
    cores: int | None = None  # of a CPU, that there are

    def __str__(self) -> str:
        if self.kind == _CPU:
            return f"{self.name}, {self.threads} of {self.cores} threads"
        return self.name


def choose(device: Any = None) -> Any:
    """Return a torch device: the one named, else the GPU if torch sees one, else the CPU."""
    torch = needed()
    if device is None:
        return torch.device(_CUDA if torch.cuda.is_available() else _CPU)
    try:
        chosen = torch.device(device)
    except RuntimeError as error:
        raise ValueError(f"unknown device {device!r}: {_first_line(error)}") from None
    if chosen.type not in (_CPU, _CUDA):
        raise ValueError(f"cannot measure on {chosen.type!r}: choose cuda or cpu")
    if chosen.type == _CUDA and not torch.cuda.is_available():
        raise ValueError("torch finds no CUDA device on this machine")
    return chosen


def unavailable() -> str:
    """Return why nothing can be measured here, or nothing if it can. It loads no torch to find out."""
    if sys.platform == "emscripten":
        return tr("Python in a browser cannot measure: open this in JupyterLab on a machine with a GPU.")
    return "" if find_spec("torch") else _MISSING


def needed() -> Any:
    """Return torch, or raise ValueError saying how to get it."""
    try:
        import torch
    except ImportError:
        raise ValueError(_MISSING) from None
    return torch


def describe(device: Any = None) -> Device:
    """Return what torch tells of a device."""
    chosen = choose(device)
    return host() if chosen.type == _CPU else _cuda(chosen)


def host() -> Device:
    """Return the CPU of this machine. A description alone: nothing predicts the time of a CPU."""
    torch = needed()
    return Device(
        _cpu_name(), _CPU, torch.__version__,
        memory=_physical(), threads=torch.get_num_threads(), cores=os.cpu_count(),
    )  # fmt: skip


def _cuda(chosen: Any) -> Device:
    from .nvml import driver

    torch = needed()
    about = torch.cuda.get_device_properties(chosen)
    cudnn = torch.backends.cudnn.version()
    return Device(
        about.name, _CUDA, torch.__version__, torch.version.cuda, str(cudnn) if cudnn else None, driver(),
        f"{about.major}.{about.minor}", about.multi_processor_count, about.total_memory,
        getattr(about, "L2_cache_size", None),
    )  # fmt: skip


def available(chosen: Any) -> int | None:
    """Return the bytes that a device has free, None where the system does not tell."""
    if chosen.type == _CUDA:
        needed().cuda.empty_cache()  # what torch keeps for later is free, too
        return int(needed().cuda.mem_get_info(chosen)[0])
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return _physical()
    found = [line for line in lines if line.startswith("MemAvailable:")]
    return 1024 * int(found[0].split()[1]) if found else _physical()


def _physical() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return None


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next((name for name in names if name), platform.processor() or platform.machine()) or "CPU"


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
