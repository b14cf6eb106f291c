"""Charts, as plain data. To add one: a function in this package, and a line here."""

from collections.abc import Callable

from ..cost import Scenario
from ._chart import Area as Area
from ._chart import Axis as Axis
from ._chart import Chart as Chart
from ._chart import Line as Line
from ._chart import Mark as Mark
from ._chart import Points as Points
from ._chart import Spans as Spans
from ._options import Described as Described
from ._options import Options as Options
from .alignment import alignment as alignment
from .duration import duration as duration
from .ghost import with_ghost as with_ghost
from .intensity import intensity as intensity
from .roles import Role as Role
from .roofline import roofline as roofline
from .shapes import lower as lower
from .svg import svg as svg

CHARTS: tuple[Callable[[Scenario, Options], Chart], ...] = (roofline, duration, intensity, alignment)
