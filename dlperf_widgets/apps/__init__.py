"""Explorers. To add one: a class in this package, and a line here."""

from ._explorer import Explorer as Explorer
from .compare import CompareExplorer as CompareExplorer
from .gemm import GemmExplorer as GemmExplorer
from .layer import LayerExplorer as LayerExplorer
from .memory import MemoryExplorer as MemoryExplorer
from .memory_limited import MemoryLimitedExplorer as MemoryLimitedExplorer
from .model import ModelExplorer as ModelExplorer
from .occupancy import OccupancyExplorer as OccupancyExplorer
from .precision import PrecisionExplorer as PrecisionExplorer
from .serving import ServingExplorer as ServingExplorer
from .state import parsed
from .training import TrainingExplorer as TrainingExplorer

APPS = (
    LayerExplorer,
    GemmExplorer,
    MemoryLimitedExplorer,
    ModelExplorer,
    MemoryExplorer,
    CompareExplorer,
    TrainingExplorer,
    ServingExplorer,
    OccupancyExplorer,
    PrecisionExplorer,
)


def open_explorer(which: str) -> "Explorer":
    """Return an explorer by its slug, or the one whose state a JSON text is, in that state."""
    kinds = {app.slug: app for app in APPS}
    slug = which if which in kinds else str(parsed(which)["explorer"])
    if slug not in kinds:
        raise ValueError(f"there is no explorer {slug!r}: choose from {', '.join(kinds)}")
    explorer = kinds[slug]()
    if slug != which:
        explorer.state = which
    return explorer
