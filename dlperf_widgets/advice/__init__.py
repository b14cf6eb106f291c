"""What the numbers mean, in sentences."""

from .verdict import crossing as crossing
from .verdict import crossover as crossover
from .verdict import times as times
from .verdict import verdict as verdict
