"""Clock and power of a GPU while it works, where ``nvidia-ml-py`` is installed."""

from collections.abc import Callable
from statistics import median
from typing import Any, NamedTuple

from ..units import MHZ


class Reading(NamedTuple):
    """What a GPU did at one moment."""

    clock: float  # Hz, of the SMs
    power: float | None  # W; some GPUs do not tell


def reader(uuid: str) -> Callable[[], Reading | None] | None:
    """Return a function that reads a GPU; None without the library, the driver or that GPU."""
    nvml = started()
    if nvml is None:
        return None
    try:
        handle = nvml.nvmlDeviceGetHandleByUUID(uuid if uuid.startswith(("GPU-", "MIG-")) else f"GPU-{uuid}")
    except nvml.NVMLError:
        return None
    look = lambda: _read(nvml, handle)  # noqa: E731
    return look if look() else None  # a part of a GPU, for one, has no clock of its own


def driver() -> str | None:
    """Return the driver's version, None where it cannot be asked."""
    nvml = started()
    if nvml is None:
        return None
    try:
        return text(nvml.nvmlSystemGetDriverVersion())
    except nvml.NVMLError:
        return None


def text(told: str | bytes) -> str:
    """Return a text that NVML tells: as bytes, in older versions of its library."""
    return told.decode() if isinstance(told, bytes) else told


def middle(readings: list[Reading]) -> tuple[float | None, float | None]:
    """Return the median clock and power of some readings."""
    powers = [reading.power for reading in readings if reading.power is not None]
    clocks = [reading.clock for reading in readings]
    return (median(clocks) if clocks else None), (median(powers) if powers else None)


def started() -> Any:
    """Return the library, ready to be asked; None without it or without a driver."""
    try:
        import pynvml
    except ImportError:
        return None
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:  # no driver
        return None
    return pynvml


def _read(nvml: Any, handle: Any) -> Reading | None:
    try:
        clock = nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_SM) * MHZ
    except nvml.NVMLError:
        return None
    try:
        power = nvml.nvmlDeviceGetPowerUsage(handle) / 1e3  # it counts milliwatts
    except nvml.NVMLError:
        power = None
    return Reading(clock, power)
