"""GPU performance of deep learning, in pictures that answer when touched.

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from typing import Any

from ._lazy import attach

# The function of the package of that name, bound now: an import of the package later finds it loaded, and
# binds nothing in its place.
from .measure import measure as measure

_MODULES = (
    "advice", "apps", "bridge", "charts", "cost", "dtypes", "gpus", "language", "layers", "links", "models",
    "ops", "units", "views", "widgets",
)  # fmt: skip
_NAMES = {
    "CompareExplorer": "apps",
    "Cost": "cost",
    "DType": "dtypes",
    "Finding": "advice",
    "Footprint": "cost.memory",
    "Format": "dtypes",
    "GemmExplorer": "apps",
    "Gpu": "gpus",
    "GpuMonitor": "apps.monitor",
    "Launch": "cost",
    "LayerExplorer": "apps",
    "Layout": "cost",
    "Library": "cost",
    "Limiter": "cost",
    "MemoryExplorer": "apps",
    "MemoryLimitedExplorer": "apps",
    "Measurement": "measure",
    "ModelExplorer": "apps",
    "OccupancyExplorer": "apps",
    "Phase": "ops",
    "Plan": "cost.parallel",
    "PrecisionExplorer": "apps",
    "RULES": "advice",
    "Rule": "advice",
    "Scenario": "cost",
    "ServingExplorer": "apps",
    "TRAINING": "ops",
    "Table": "cost.table",
    "Term": "cost.explain",
    "Tiling": "cost",
    "TrainingExplorer": "apps",
    "advise": "advice",
    "all_reduce_bytes": "cost.parallel",
    "compare": "cost.compare",
    "footprint": "cost.memory",
    "from_torch": "bridge",
    "largest_batch": "cost.memory",
    "occupancy": "cost.occupancy",
    "overlap": "cost.overlap",
    "pipeline_bubble": "cost.parallel",
    "summary": "cost.table",
    "set_language": "language",
    "set_renderer": "views.renderer",
    "sweep": "cost",
    "tabulate": "cost.table",
    "to_dataframe": "bridge",
    "training_step": "cost.parallel",
}

__all__ = ["measure", *_NAMES, *_MODULES]  # noqa: PLE0604


_load = attach(__name__, _NAMES | {name: name for name in _MODULES})


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    return _load(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
