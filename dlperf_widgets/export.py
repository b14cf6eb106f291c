"""What the front end shows without a kernel: Python's records as JSON, written by ``dlperf export``."""

import json
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from . import lessons
from ._json import LARGEST
from .apps import APPS
from .cost import Launch, Layout, Library, Scenario
from .dtypes import DTYPES
from .glossary import TERMS
from .gpus import GPUS, Gpu
from .ops import Phase

PACKAGE = Path(__file__).parent
ROOT = PACKAGE.parent
RECORDS = Path("js/src/generated.json")
SETTINGS = Path("js/schema/settings.json")
FILE_SCHEMA = Path("dlperf_widgets/scenario.schema.json")


def files() -> dict[Path, str]:
    """Return every file that is written from Python's records, by its path in a checkout."""
    contents = {RECORDS: _records(), SETTINGS: _settings(), FILE_SCHEMA: _file_schema()}
    return {path: json.dumps(data, indent=1, ensure_ascii=False) + "\n" for path, data in contents.items()}


def write() -> list[Path]:
    """Bring the files up to date in the checkout, and return those that changed."""
    if not (ROOT / "js").is_dir():
        raise ValueError(f"{ROOT} is no checkout of the project: it has no js folder")
    changed = []
    for path, text in files().items():
        target = ROOT / path
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
            changed.append(path)
    return changed


def _records() -> dict[str, Any]:
    return {
        "version": json.loads((ROOT / "js" / "package.json").read_text(encoding="utf-8"))["version"],
        "languages": sorted(path.parents[1].name for path in PACKAGE.glob("locale/*/LC_MESSAGES/dlperf.mo")),
        "explorers": [{"slug": app.slug, "title": app.title, "caption": app.caption} for app in APPS],
        "lessons": list(_lessons()),
        "largest": LARGEST,
        "dtypes": [dtype.name for dtype in DTYPES],
        "gpus": [_gpu(gpu) for gpu in GPUS],
        "terms": [{**term._asdict(), "source": term.source._asdict()} for term in TERMS],
    }


def _gpu(gpu: Gpu) -> dict[str, Any]:
    known = [dtype for dtype in DTYPES if dtype in gpu.dtypes]
    sources = {source.title: source.address for source in gpu.sources}
    return {
        "name": gpu.name,
        "architecture": gpu.architecture,
        "memory": gpu.memory,
        "bandwidth": gpu.bandwidth,
        "peaks": {dtype.name: gpu.peak(dtype) for dtype in known},
        "ratios": {dtype.name: round(gpu.ops_byte_ratio(dtype), 1) for dtype in known},
        "tensor": [dtype.name for dtype in known if gpu.has_tensor_cores(dtype)],
        "sources": [{"title": title, "address": address} for title, address in sources.items()],
    }


def _lessons() -> Iterator[dict[str, str]]:
    """Yield the notebooks that travel in the package, each with its first heading."""
    for path in lessons.files():
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        lines = "\n".join("".join(cell["source"]) for cell in cells).splitlines()
        heading = next((line for line in lines if line.startswith("# ")), f"# {path.stem}")
        yield {"file": path.name, "title": heading.removeprefix("# ")}


def _settings() -> dict[str, Any]:
    """Return the settings' schema with the names that are known now; an empty one leaves the choice open."""
    schema: dict[str, Any] = json.loads((ROOT / SETTINGS).read_text(encoding="utf-8"))
    for setting, names in (
        ("gpu", [gpu.name for gpu in GPUS]),
        ("dtype", [dtype.name for dtype in DTYPES]),
        ("launch", [str(launch) for launch in Launch]),
    ):
        schema["properties"][setting]["enum"] = ["", *names]
    return schema


def _file_schema() -> dict[str, Any]:
    """Return the JSON schema of a scenario file."""
    version = {"const": 1, "description": "The version of this form."}
    own = {"type": ["string", "object"]}
    described: dict[str, Any] = {
        "version": version,
        "layer": {"type": "object", "required": ["type"], "description": "A layer's type and its fields."},
        "gpu": {**own, "description": "The name of a known GPU, or every field of another."},
        "dtype": {**own, "description": "A number format, or one for each role of a tensor."},
        "phases": {"type": "array", "items": {"enum": [str(phase) for phase in Phase]}},
        "sparse": {"type": "boolean"},
    }
    for name, choice in (("launch", Launch), ("layout", Layout), ("library", Library)):
        described[name] = {"enum": [str(value) for value in choice]}
    names = ("version", *(field.name for field in fields(Scenario)))
    scenario = {
        "type": "object",
        "required": ["version", "layer", "gpu", "dtype"],
        "additionalProperties": False,
        "properties": {name: described.get(name, {}) for name in names},
    }
    slug = {
        "enum": [app.slug for app in APPS],
        "default": "layer",
        "description": "The explorer it opens in.",
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scenario file of dlperf_widgets (.dlperf.json)",
        "description": "An explorer's question and what its charts show of it.",
        "type": "object",
        "required": ["version", "scenario"],
        "additionalProperties": False,
        "properties": {
            "version": version,
            "explorer": slug,
            "scenario": scenario,
            "options": {"type": "object", "description": "What the explorer's charts show."},
            "pinned": {**scenario, "description": "A scenario kept to compare with."},
        },
    }
