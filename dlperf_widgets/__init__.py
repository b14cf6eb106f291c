"""GPU performance of deep learning, in pictures that answer when touched.

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from typing import Any

from ._lazy import attach

_MODULES = (
    "advice", "apps", "bridge", "charts", "cost", "dtypes", "gpus", "language", "layers", "links", "models",
    "ops", "units", "views", "widgets",
)  # fmt: skip
_NAMES = {
    "Cost": "cost",
    "DType": "dtypes",
    "Footprint": "cost.memory",
    "Format": "dtypes",
    "Gpu": "gpus",
    "Launch": "cost",
    "LayerExplorer": "apps",
    "Layout": "cost",
    "Library": "cost",
    "Limiter": "cost",
    "Phase": "ops",
    "Plan": "cost.parallel",
    "Scenario": "cost",
    "TRAINING": "ops",
    "Table": "cost.table",
    "Term": "cost.explain",
    "Tiling": "cost",
    "all_reduce_bytes": "cost.parallel",
    "footprint": "cost.memory",
    "from_torch": "bridge",
    "largest_batch": "cost.memory",
    "occupancy": "cost.occupancy",
    "overlap": "cost.overlap",
    "pipeline_bubble": "cost.parallel",
    "summary": "cost.table",
    "set_language": "language",
    "sweep": "cost",
    "tabulate": "cost.table",
    "to_dataframe": "bridge",
    "training_step": "cost.parallel",
}

__all__ = [*_NAMES, *_MODULES]  # noqa: PLE0604


_load = attach(__name__, _NAMES | {name: name for name in _MODULES})


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    return _load(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
