"""All lessons, in their order."""

from collections.abc import Iterator

from . import _basics, _formats, _layers, _networks, _products, _systems
from ._exercise import Lesson
from ._grades import COLUMNS
from ._judge import Verdict
from .capstone import LEAST

LESSONS: tuple[Lesson, ...] = (
    *_basics.LESSONS,
    *_products.LESSONS,
    *_layers.LESSONS,
    *_formats.LESSONS,
    *_networks.LESSONS,
    *_systems.LESSONS,
)


def texts() -> Iterator[str]:
    """Yield every text that reaches a learner through ``tr`` as a value: what a translation must cover."""
    for lesson in LESSONS:
        for exercise in lesson.exercises:
            yield from exercise.texts()
    yield from (verdict.value for verdict in Verdict)
    yield from (*COLUMNS, *LEAST)
