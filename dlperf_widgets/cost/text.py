"""A scenario as JSON text and back."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from importlib import import_module
from typing import Any

from .. import gpus
from .._given import cut, shown
from .._json import read
from ..dtypes import DType, Format
from ..dtypes import find as find_dtype
from ..layers import Layer
from .scenario import Scenario

VERSION = 1
_DEEPEST = 64  # layers within layers of a text
_LONGEST = 10_000  # layers one after another


def to_json(scenario: Scenario) -> str:
    """Return a scenario as JSON text, with every field and a version."""
    data = {
        "version": VERSION,
        "layer": layer_to_data(scenario.layer),
        "gpu": gpu_to_data(scenario.gpu),
        "dtype": _dtype_to_data(scenario.dtype),
        "phases": [str(phase) for phase in scenario.phases],
        "launch": str(scenario.launch),
        "layout": str(scenario.layout),
        "library": str(scenario.library),
        "sparse": scenario.sparse,
    }
    return json.dumps(data)


def from_json(text: str) -> Scenario:
    """Return the scenario of a JSON text."""
    return from_data(read("a scenario", text))


def from_data(data: Any) -> Scenario:
    """Return the scenario of a JSON object."""
    if not isinstance(data, Mapping):
        raise ValueError(f"a scenario is a JSON object, not {type(data).__name__}")
    if data.get("version") != VERSION:
        raise ValueError(
            f"a scenario of version {shown(data.get('version'))} cannot be read: this is version {VERSION}"
        )
    known = {"version", *(f.name for f in fields(Scenario))}
    if unknown := sorted(set(data) - known):
        raise ValueError(f"a scenario has no {cut(', '.join(unknown))}")
    if missing := sorted({"layer", "gpu", "dtype"} - set(data)):
        raise ValueError(f"a scenario needs {', '.join(missing)}")
    rest = {name: data[name] for name in ("launch", "layout", "library", "sparse") if name in data}
    if "phases" in data:
        if not isinstance(data["phases"], list):
            raise ValueError(f"a scenario's phases are a list, not {shown(data['phases'])}")
        rest["phases"] = tuple(map(str, data["phases"]))
    layer, gpu, dtype = (
        layer_from_data(data["layer"]),
        gpu_from_data(data["gpu"]),
        _dtype_from_data(data["dtype"]),
    )
    return Scenario(layer, gpu, dtype, **rest)


def layer_to_data(layer: Layer) -> dict[str, Any]:
    """Return a layer's type and fields; the layers inside a composite are objects of the same form."""
    values = {f.name: _parts_to_data(getattr(layer, f.name)) for f in fields(layer)}
    return {"type": _type(layer), **values}


def _parts_to_data(value: Any) -> Any:
    if isinstance(value, Layer):
        return layer_to_data(value)
    return [_parts_to_data(item) for item in value] if isinstance(value, tuple) else value


def layer_from_data(data: Any, depth: int = 0) -> Layer:
    """Return the layer of a JSON object with its ``type`` and its fields."""
    if depth > _DEEPEST:
        raise ValueError(f"a layer has more than {_DEEPEST} layers within layers")
    if not isinstance(data, Mapping):
        raise ValueError(f"a layer is a JSON object, not {shown(data)}")
    package, _, name = str(data.get("type")).rpartition(".")
    kinds = _kinds(package or "layers")
    if name not in kinds:
        raise ValueError(
            f"unknown layer {shown(data.get('type'))}: choose one of {', '.join(kinds or _kinds('layers'))}"
        )
    kind = kinds[name]
    given = {key: _parts_from_data(value, depth + 1) for key, value in data.items() if key != "type"}
    known = {f.name for f in fields(kind)}
    if unknown := sorted(set(given) - known):
        raise ValueError(f"{name} has no {cut(', '.join(unknown))}")
    needed = {f.name for f in fields(kind) if f.default is MISSING}
    if missing := sorted(needed - set(given)):
        raise ValueError(f"{name} needs {', '.join(missing)}")
    return kind(**given)


def _parts_from_data(value: Any, depth: int = 0) -> Any:
    if isinstance(value, Mapping):
        return layer_from_data(value, depth)
    if not isinstance(value, list):
        return value
    if depth > _DEEPEST or len(value) > _LONGEST:
        raise ValueError(
            f"a layer has lists of more than {_LONGEST:,} parts, or {_DEEPEST} within each other"
        )
    return tuple(_parts_from_data(item, depth + 1) for item in value)


def _type(layer: Layer) -> str:
    """Return a layer's name; a network's with the package it is found in."""
    name = type(layer).__name__
    package = type(layer).__module__.split(".")[1]
    return name if package == "layers" else f"{package}.{name}"


def _kinds(package: str) -> dict[str, type[Layer]]:
    """Return the layers or networks of a package by name. Networks are loaded only when asked for."""
    if package not in ("layers", "models", "bridge"):
        return {}
    module = import_module(f"...{package}", __name__)
    known = (*module.LAYERS, *module.COMPOSITES) if package == "layers" else module.MODELS
    return {kind.__name__: kind for kind in known}


def gpu_to_data(gpu: gpus.Gpu) -> Any:
    """Return a published GPU's name, and every field of a GPU of the user's own."""
    if gpu in gpus.GPUS:
        return gpu.name
    data: dict[str, Any] = {f.name: getattr(gpu, f.name) for f in fields(gpu)}
    for name in ("tensor_peak", "cuda_peak"):
        data[name] = {dtype.name: rate for dtype, rate in data[name]}
    data["sources"] = [{**vars(source), "fields": list(source.fields)} for source in gpu.sources]
    return data


def gpu_from_data(data: Any) -> gpus.Gpu:
    """Return the GPU of a name, or of a JSON object with its fields."""
    if isinstance(data, str):
        return gpus.find(data)
    if not isinstance(data, Mapping):
        raise ValueError(f"a GPU is a name or a JSON object, not {shown(data)}")
    values = dict(data)
    try:
        for name in ("tensor_peak", "cuda_peak"):
            values[name] = tuple((find_dtype(key), rate) for key, rate in values.get(name, {}).items())
        sources = values.get("sources", ())
        values["sources"] = tuple(gpus.Source(**{**s, "fields": tuple(s["fields"])}) for s in sources)
        return gpus.Gpu(**values)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"GPU {shown(values.get('name', ''))} cannot be read: {error}") from None


def _dtype_to_data(dtype: DType | Format) -> Any:
    if isinstance(dtype, DType):
        return dtype.name
    return {f.name: getattr(dtype, f.name).name for f in fields(dtype)}


def _dtype_from_data(data: Any) -> DType | Format:
    if isinstance(data, str):
        return find_dtype(data)
    if not isinstance(data, Mapping):
        raise ValueError(f"a number format is a name or a JSON object, not {shown(data)}")
    try:
        return Format(**{name: find_dtype(value) for name, value in data.items()})
    except (AttributeError, TypeError) as error:
        raise ValueError(f"a number format cannot be read: {error}") from None
