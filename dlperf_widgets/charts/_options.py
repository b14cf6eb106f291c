"""What an explorer shows of a scenario: values that JSON can hold, described as a layer's fields are."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from .._given import shown
from ..layers._fields import checked, flag, hidden

FARTHEST = 10**14  # beyond any size that a layer can have


@dataclass(frozen=True)
class Described:
    """Options whose fields say which control they need and which values they take."""

    def __post_init__(self) -> None:
        for f in fields(self):
            value = checked("Option", f.name, f.metadata, getattr(self, f.name))
            object.__setattr__(self, f.name, value)

    @classmethod
    def from_data(cls, data: object) -> Self:
        """Return the options of a JSON object; ValueError says what is wrong with another."""
        known = {f.name for f in fields(cls)}
        if not isinstance(data, Mapping) or set(data) - known:
            raise ValueError(f"an explorer has no options {shown(data)}")
        values: Mapping[str, Any] = data
        return cls(**values)


@dataclass(frozen=True)
class Options(Described):
    """What the charts of one layer show."""

    field: str = hidden("batch")  # the size of the layer that charts vary
    reach: int = hidden(1024, FARTHEST)  # the largest size of it that the duration chart shows
    roofs: bool = flag(False, "Other roofs")
