"""Layers side by side: added, or joined."""

from dataclasses import dataclass
from math import prod

from .._given import thing
from ._composite import Composite, Parts, described, named
from ._fields import parts
from ._layer import Layer, Saved, Shape
from .elementwise import Add


@dataclass(frozen=True)
class Residual(Composite):
    """body(x) + shortcut(x); without a shortcut, body(x) + x."""

    body: Layer = parts("Body")
    shortcut: Layer | None = parts("Shortcut", default=None)

    def check(self) -> None:
        """Both sides must give the same shape, from the same input."""
        thing("Residual: body", Layer, self.body)
        if self.shortcut is not None:
            thing("Residual: shortcut", Layer, self.shortcut)
        shortcut_in = self.shortcut.input_shape if self.shortcut else self.body.input_shape
        shortcut_out = self.shortcut.output_shape if self.shortcut else self.body.input_shape
        for what, body, other in (
            ("takes", self.body.input_shape, shortcut_in),
            ("gives", self.body.output_shape, shortcut_out),
        ):
            if prod(body) != prod(other):
                raise ValueError(
                    f"Residual: the body {what} {described(body)}, but the shortcut {what} {described(other)}"
                )

    @property
    def parts(self) -> Parts:
        """The body, the shortcut if there is one, and the addition."""
        add = ("add", Add(prod(self.body.output_shape)))
        shortcut = (("shortcut", self.shortcut),) if self.shortcut else ()
        return (("", self.body), *shortcut, add)

    @property
    def input_shape(self) -> Shape:
        """Of the body."""
        return self.body.input_shape

    @property
    def output_shape(self) -> Shape:
        """Of the body."""
        return self.body.output_shape

    @property
    def saved(self) -> Saved:
        """Of both sides, whose input is one tensor; the addition keeps nothing."""
        return _side_by_side([part.saved for part in (self.body, self.shortcut) if part])


def _side_by_side(kept: list[Saved]) -> Saved:
    return Saved(
        input=max(each.input for each in kept),
        extra=sum(each.extra + each.output for each in kept),
        side_bytes=sum(each.side_bytes for each in kept),
    )


@dataclass(frozen=True)
class Branches(Composite):
    """Layers side by side on one input, their outputs joined along the second axis (channels)."""

    branches: Parts = parts("Branches", default=())

    @classmethod
    def of(cls, **branches: Layer) -> "Branches":
        """Return the branches of named layers."""
        return cls(tuple(branches.items()))

    def check(self) -> None:
        """All must take the same input, and give shapes that differ in the second axis alone."""
        object.__setattr__(self, "branches", named("Branches", self.branches))
        if not self.branches:
            raise ValueError("Branches needs at least one layer")
        for name, part in self.branches:
            if len(part.output_shape) < 2:
                raise ValueError(
                    f"Branches: {name} gives {described(part.output_shape)}, without channels to join"
                )
        (first, one), *others = self.branches
        for name, other in others:
            if prod(one.input_shape) != prod(other.input_shape):
                raise ValueError(
                    f"Branches: {name} takes {described(other.input_shape)}, "
                    f"but {first} {described(one.input_shape)}"
                )
            if _but_channels(one.output_shape) != _but_channels(other.output_shape):
                raise ValueError(
                    f"Branches: {name} gives {described(other.output_shape)}, which does not join "
                    f"{described(one.output_shape)} of {first}"
                )

    @property
    def parts(self) -> Parts:
        """The branches."""
        return self.branches

    @property
    def input_shape(self) -> Shape:
        """Of every branch."""
        return self.branches[0][1].input_shape

    @property
    def output_shape(self) -> Shape:
        """The branches' channels added up."""
        shapes = [part.output_shape for _, part in self.branches]
        return (*shapes[0][:1], sum(shape[1] for shape in shapes), *shapes[0][2:])

    @property
    def saved(self) -> Saved:
        """Of all branches, whose input is one tensor."""
        return _side_by_side([part.saved for _, part in self.branches])


def _but_channels(shape: Shape) -> Shape:
    return (*shape[:1], *shape[2:])
