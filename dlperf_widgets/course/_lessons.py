"""All lessons, in their order."""

from . import _basics, _formats, _layers, _networks, _products, _systems
from ._exercise import Lesson

LESSONS: tuple[Lesson, ...] = (
    *_basics.LESSONS,
    *_products.LESSONS,
    *_layers.LESSONS,
    *_formats.LESSONS,
    *_networks.LESSONS,
    *_systems.LESSONS,
)
