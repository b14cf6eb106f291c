"""The same question at many sizes of one field."""

from collections.abc import Iterable, Iterator

from .scenario import Scenario


def sweep(scenario: Scenario, field: str, values: Iterable[int]) -> tuple[Scenario, ...]:
    """Return the question at each value of a field of its layer; ValueError at one that it cannot have."""
    return tuple(scenario.resized(field, value) for value in values)


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
