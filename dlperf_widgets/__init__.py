"""GPU performance of deep learning, in pictures that answer when touched.

Names are loaded when they are first used, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import Any

_MODULES = (
    "advice", "apps", "bridge", "charts", "cost", "dtypes", "gpus", "layers", "models", "ops", "units",
    "views", "widgets",
)  # fmt: skip
_NAMES = {
    "Cost": "cost",
    "DType": "dtypes",
    "Format": "dtypes",
    "Gpu": "gpus",
    "Launch": "cost",
    "LayerExplorer": "apps",
    "Layout": "cost",
    "Library": "cost",
    "Limiter": "cost",
    "Phase": "ops",
    "Scenario": "cost",
    "TRAINING": "ops",
    "Table": "cost",
    "Term": "cost",
    "Tiling": "cost",
    "from_torch": "bridge",
    "summary": "cost",
    "sweep": "cost",
    "tabulate": "cost",
    "to_dataframe": "bridge",
}

__all__ = [*_NAMES, *_MODULES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name in _NAMES:
        value = getattr(import_module(f".{_NAMES[name]}", __name__), name)
        globals()[name] = value
        return value
    if name == "__version__":
        from importlib.metadata import version

        return version(__name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
