"""The same question at many sizes of one field."""

from collections.abc import Callable, Iterable, Iterator

from ._checks import many, thing
from .scenario import Scenario


def sweep(scenario: Scenario, field: str, values: Iterable[int]) -> tuple[Scenario, ...]:
    """Return the question at each value of a field of its layer.

    Parameters
    ----------
    scenario
        The question.
    field
        A field of the scenario's layer, such as ``"batch"``.
    values
        What it takes one after another.

    Raises
    ------
    ValueError
        The layer has no such field, or the field cannot have one of the values.
    """
    scenario = thing("scenario", Scenario, scenario)
    return tuple(scenario.resized(field, value) for value in many("values", values))


def possible(scenario: Scenario, field: str, values: Iterable[int]) -> Iterator[tuple[int, Scenario]]:
    """Yield each value that the layer can have, with the question at it: groups must divide channels."""
    for value in values:
        try:
            yield value, scenario.resized(field, value)
        except ValueError:
            continue


def anchored(scenario: Scenario, field: str) -> Scenario:
    """Return the question at a size that does not depend on the present one: the least that doubling finds.

    Questions that differ in this field alone share their anchor, and so what is remembered for it.
    """
    value = scenario.layer.__dataclass_fields__[field].metadata["min"]
    while value <= getattr(scenario.layer, field):
        for _, found in possible(scenario, field, (value,)):
            return found
        value = 2 * value or 1
    return scenario


def size_for(scenario: Scenario, field: str, value: Callable[[Scenario], float], wanted: float) -> int | None:
    """Return the size of ``field`` at which a quantity that only grows with it comes nearest to ``wanted``.

    None where no size reaches it.
    """
    about = scenario.layer.__dataclass_fields__[field].metadata

    def reached(size: int) -> float:
        return next((value(each) for _, each in possible(scenario, field, (size,))), 0.0)

    low = high = int(max(about["min"], 1))
    while reached(high) < wanted:
        low, high = high, 2 * high
        if high > about["limit"]:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if reached(middle) < wanted else (low, middle)
    return min((low, high), key=lambda size: abs(reached(size) - wanted))
