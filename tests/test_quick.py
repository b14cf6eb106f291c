"""A quick dataclass is the dataclass that it was, but for the time that its constructor takes."""

import pickle
from dataclasses import FrozenInstanceError, dataclass, fields, replace
from inspect import signature

import pytest

from dlperf_widgets._quick import quick


@dataclass(frozen=True)
class Plain:
    first: int
    second: str = "two"
    third: tuple[int, ...] = ()

    @property
    def both(self) -> str:
        return f"{self.first} {self.second}"


@quick
@dataclass(frozen=True)
class Quick:
    """A class."""

    first: int
    second: str = "two"
    third: tuple[int, ...] = ()

    @property
    def both(self) -> str:
        return f"{self.first} {self.second}"


CALLS = [
    ((1,), {}),
    ((1, "b"), {}),
    ((1, "b", (3,)), {}),
    ((), {"third": (3,), "first": 1}),
    ((1,), {"second": "c"}),
]


@pytest.mark.parametrize(("given", "named"), CALLS)
def test_it_holds_what_the_plain_one_holds(given, named):
    made, plain = Quick(*given, **named), Plain(*given, **named)
    assert vars(made) == vars(plain)
    assert made.both == plain.both
    assert repr(made) == repr(plain).replace("Plain", "Quick")


@pytest.mark.parametrize(
    ("given", "named"), [((), {}), ((1, "b", (), 4), {}), ((1,), {"fourth": 4}), ((1,), {"first": 2})]
)
def test_it_refuses_what_the_plain_one_refuses(given, named):
    for kind in (Plain, Quick):
        with pytest.raises(TypeError):
            kind(*given, **named)


def test_it_is_equal_by_value_and_frozen():
    assert Quick(1) == Quick(1, "two") != Quick(2)
    assert hash(Quick(1)) == hash(Quick(1, "two"))
    with pytest.raises(FrozenInstanceError):
        Quick(1).first = 2


def test_what_works_on_dataclasses_works_on_it():
    assert replace(Quick(1), second="b") == Quick(1, "b")
    assert [f.name for f in fields(Quick)] == ["first", "second", "third"]
    assert signature(Quick) == signature(Plain)
    assert pickle.loads(pickle.dumps(Quick(1, "b"))) == Quick(1, "b")
