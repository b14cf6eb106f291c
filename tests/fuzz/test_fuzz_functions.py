"""Every public function answers hostile arguments, or says in a sentence what is wrong with which."""

import pytest
from hostile import EXTREME_FLOATS, EXTREME_INTS, WRONG, answer, anything, cases, finite
from hypothesis import given
from hypothesis import strategies as st
from public import CALLS

import dlperf_widgets as dp

# What a sentence may call an argument instead of its name in the signature.
ALSO = {
    "gpu": ("GPU", "compute capability"), "gpus": ("GPU",), "dtype": ("format",), "dtypes": ("format",),
    "phases": ("phase",), "prices": ("price",), "cuda_peak": ("peak",), "tensor_peak": ("peak",), "per":
    ("price",), "colours": ("in_channels", "elements"),
    "channels": ("_channels", "elements"), "classes": ("outputs", "elements"),
    "texts": ("price",), "amount": ("price",), "largest": ("gradient",), "gradients": ("gradient",
    "weight"), "values": ("value", "batch"), "addresses": ("address", "stride"), "rows": ("channel",
    "value"), "paths": ("path",), "name": ("format", "language", "GPU", "link", "could mean"), "text":
    ("not a", "version", "JSON"), "mixed_precision": ("mixed precision",), "context": ("cache",), "key":
    ("exercise", "number", "course.check"), "reserve": ("reserved",), "registers": ("register",),
    "field": ("batch",), "value": ("batch",), "zero": ("weights",), "both_directions": ("bandwidth",),
    "sources": ("source",), "generation": ("PCIe",), "reads": ("size",), "generated": ("tokens",),
    "stage": ("ZeRO",), "kv_heads": ("heads",), "batch": ("elements",), "layer": ("footprint",
    "weights"), "sms": ("SM",),
}  # fmt: skip
NOT_FINITE = {"quantize"}  # formats have infinities and NaN


@pytest.fixture(autouse=True)
def english():
    yield
    dp.set_language("en")


def judged(call, changed: dict) -> None:
    words = [word for name in changed for word in (name, *ALSO.get(name, ()))]
    found = answer(lambda: call.with_(**changed), *words)
    assert finite(found) or call.function.__name__ in NOT_FINITE, found


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_each_argument_alone(call):
    assert call.with_() is not ...
    for name in call.arguments:
        for value in (*EXTREME_INTS, *EXTREME_FLOATS, *WRONG):
            judged(call, {name: value})


@pytest.mark.parametrize("call", CALLS, ids=str)
@cases(short=8, long=600)
@given(data=st.data())
def test_several_arguments_at_once(call, data):
    names = data.draw(st.lists(st.sampled_from(sorted(call.arguments)), min_size=1, max_size=3, unique=True))
    judged(call, {name: data.draw(anything, label=name) for name in names})
