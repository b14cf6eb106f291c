"""The record of the GPU that torch sees: the published one, or what the device tells of itself."""

import re
from collections.abc import Mapping
from typing import Any

from ..gpus import GPUS, Gpu, Source
from ..units import GIB
from .device import Device, choose, describe, needed

_BRANDS = {"nvidia", "tesla", "geforce", "quadro"}
_ARCHITECTURES = (  # by the first compute capability, from NVIDIA's CUDA programming guide
    ((12, 0), "Blackwell"), ((10, 0), "Blackwell"), ((9, 0), "Hopper"), ((8, 9), "Ada"), ((8, 0), "Ampere"),
    ((7, 5), "Turing"), ((7, 0), "Volta"), ((6, 0), "Pascal"), ((5, 0), "Maxwell"), ((3, 0), "Kepler"),
)  # fmt: skip
_ROOM = 0.12  # of its nominal memory a device may keep for itself


def match(device: Device) -> Gpu | None:
    """Return the published record of a device, or None.

    The record's model must be in the device's name, and SMs and memory must agree: a part of a GPU, or a
    card of the same name with fewer SMs, is another GPU.
    """
    if device.kind != "cuda" or not device.memory:
        return None
    words = set(_words(device.name)) - _BRANDS
    found = [gpu for gpu in GPUS if _same(gpu, device) and _model(gpu) <= words]
    # of those left the one that shares most words: SXM4 and PCIe cards may agree in all else
    shared = [len(words & set(_words(gpu.name))) for gpu in found]
    best = [gpu for gpu, many in zip(found, shared, strict=True) if many == max(shared)]
    return best[0] if len(best) == 1 else None


def gpu_of(device: Any = None, **known: Any) -> Gpu:
    """Return the record of a GPU that torch sees; ValueError names what the device does not tell.

    Peak rates are never guessed: without ``known`` ones the record of a GPU that is not published has
    none, and a scenario on it says so.
    """
    chosen = choose(device)
    about = describe(chosen)
    if chosen.type != "cuda":
        raise ValueError(f"{about.name} is a CPU: there is no record of it, and nothing predicts its times")
    if (published := match(about)) and not known:
        return published
    return record(about, vars_of(needed().cuda.get_device_properties(chosen)), known)


def vars_of(properties: Any) -> dict[str, Any]:
    """Return the public attributes of torch's device properties."""
    return {name: getattr(properties, name) for name in dir(properties) if not name.startswith("_")}


def record(about: Device, told: Mapping[str, Any], known: Mapping[str, Any]) -> Gpu:
    """Return a record of what a device tells, completed by what is known of it."""
    values: dict[str, Any] = {
        "name": about.name,
        "architecture": _architecture(about.compute_capability),
        "compute_capability": about.compute_capability,
        "sms": about.sms,
        "clock": 1e3 * told["clock_rate"] if told.get("clock_rate") else None,  # kHz
        "bandwidth": _bandwidth(told),
        "memory": about.memory,
        "l2": about.l2,
        "shared_memory_per_sm": told.get("shared_memory_per_multiprocessor"),
        "registers_per_sm": told.get("regs_per_multiprocessor"),
        "threads_per_sm": told.get("max_threads_per_multi_processor"),
        "cuda_peak": (),
        **known,
    }
    needed_fields = ("architecture", "compute_capability", "sms", "clock", "bandwidth", "memory")
    if missing := [name for name in needed_fields if values[name] is None]:
        raise ValueError(f"{about.name} does not tell its {', '.join(missing)}: give what you know of it")
    return Gpu(**values, sources=_sources(values, known))


def _sources(values: Mapping[str, Any], known: Mapping[str, Any]) -> tuple[Source, ...]:
    told = tuple(name for name, value in values.items() if value not in (None, ()) and name not in known)
    given = (Source(fields=tuple(known), title="given by the user"),) if known else ()
    return (Source(fields=told, title="as the device itself told torch"), *given)


def _bandwidth(told: Mapping[str, Any]) -> float | None:
    """Return 2 x clock x width: memory transfers twice a clock, as CUDA's own samples compute it."""
    clock, width = told.get("memory_clock_rate"), told.get("memory_bus_width")
    return 2 * clock * 1e3 * width / 8 if clock and width else None


def _architecture(capability: str | None) -> str | None:
    if capability is None:
        return None
    major, minor = (int(part) for part in capability.split("."))
    return next((name for first, name in _ARCHITECTURES if first <= (major, minor)), None)


def _same(gpu: Gpu, device: Device) -> bool:
    agree = (gpu.compute_capability, gpu.sms) == (device.compute_capability, device.sms)
    return agree and (1 - _ROOM) * gpu.memory <= (device.memory or 0) <= gpu.memory + GIB // 4


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", name.lower())


def _model(gpu: Gpu) -> set[str]:
    """Return the words that tell a model apart: the first with a digit, such as a100 or 4090, or else all."""
    words = _words(gpu.name)
    return next(({word} for word in words if any(map(str.isdigit, word))), set(words))
