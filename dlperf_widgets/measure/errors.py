"""What an error of torch's means for a measurement. Nothing here loads torch."""

from ..cost import Scenario
from ..cost.footprint import both
from .need import need
from .record import Outcome

_NO_ROOM = ("can't allocate memory", "out of memory", "ALLOC_FAILED")  # of torch's, CUDA's and its libraries'
_ABSENT = (  # words of torch's where it, or one of its libraries, lacks something
    "not implemented for", "not supported", "No available kernel",
    "divisible by", "multiple of", "needs to be",
)  # fmt: skip


def told(error: Exception, asked: Scenario) -> tuple[Outcome, str]:
    """Return what an error of torch's means: some of its kinds are told by their words alone."""
    text = first_line(error)
    if isinstance(error, MemoryError) or any(words in text for words in _NO_ROOM):
        return Outcome.NO_MEMORY, f"{needs(asked)}: {text}"
    if isinstance(error, NotImplementedError) or any(words in text for words in _ABSENT):
        return Outcome.SKIPPED, f"torch: {text}"
    return Outcome.FAILED, f"{type(error).__name__}: {text}"


def needs(asked: Scenario) -> str:
    """Return how much memory a scenario is predicted to need."""
    return f"{asked.layer.title} needs {both(need(asked))} by prediction"


def first_line(error: Exception) -> str:
    """Return the first line of an error, or its kind where it says nothing."""
    return str(error).splitlines()[0] if str(error) else type(error).__name__
