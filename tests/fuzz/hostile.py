"""Values that no sensible caller gives, and a judge of what is said to them.

A public function answers, or raises ValueError with a sentence. TypeError is left to Python itself: a wrong
number of arguments, or an argument that a protocol of the language refuses (``for``, ``with``, ``hash``).
"""

import gc
import os
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite, nan
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

LONG = os.environ.get("DLPERF_FUZZ") == "long"
# Of the processor, that any answer may take: how fast one is that runs the short profile is not known.
SECONDS = 1.0 if LONG else 10.0
tried: Counter[str] = Counter()

MARKUP = (
    "<script>window.__pwned=1</script>",
    "<img src=x onerror='window.__pwned=1'>",
    '"><svg onload=window.__pwned=1>',
    "'-alert(1)-'",
    "javascript:alert(1)",
    "</style><script>alert(1)</script>",
    "{{7*7}}${7*7}",
    "__import__('os').system('true')",
)
EXTREME_INTS = (
    0,
    1,
    2,
    3,
    7,
    31,
    1023,
    4097,
    2**31 - 1,
    2**31,
    2**53 + 1,
    2**63,
    2**64,
    10**30,
    -1,
    -(2**31),
)
EXTREME_FLOATS = (0.0, -0.0, 5e-324, 1e-300, 1e-9, 0.5, 1.5, 1e9, 1e300, 1.7e308, inf, -inf, nan, -1.0)
WRONG = (
    None, True, False, "", " ", "1", "nan", "é" * 3, "\0", "a" * 5000, b"x", 1j, [], {}, (), [1, 2], (1,),
    {"a": 1}, {1}, object(), int, len, Decimal("NaN"), Decimal("1e400"), Fraction(1, 3), Ellipsis,
    np.float32("nan"), np.int64(3), np.float64(1e300), np.array([1.0, nan]), np.zeros((2, 2)),
    [[1.0], [nan]], iter(()), *MARKUP,
)  # fmt: skip

wrong = st.sampled_from(WRONG)
extreme = st.sampled_from(EXTREME_INTS) | st.sampled_from(EXTREME_FLOATS)
anything = st.one_of(
    extreme, wrong, st.integers(), st.floats(), st.text(max_size=20), st.lists(st.floats(), max_size=3)
)


def cases(short: int, long: int) -> settings:
    """Return settings: the same few inputs in every short run, many fresh ones in a long one."""
    return settings(
        max_examples=long if LONG else short,
        derandomize=not LONG,
        deadline=None,  # `quickly` measures the processor's time, which a busy machine does not stretch
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.explicit, Phase.generate),  # explorers remember: a smaller input may fail no more
    )


class TooSlowError(BaseException):
    """An answer took too long; no ``except Exception`` may hide it."""


@contextmanager
def quickly():
    """Stop what takes more of the processor than an answer may."""

    def late(*_):
        raise TooSlowError(f"more than {SECONDS:g} s")

    gc.disable()  # what earlier inputs have left is not this one's to collect
    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    except TooSlowError as error:
        raise AssertionError(str(error)) from error  # which tells for what input
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        gc.enable()


def answer(call: Callable[[], Any], *words: str) -> Any:
    """Return what a call answers, or None where it refuses in a sentence that holds one of the words."""
    tried["inputs"] += 1
    try:
        with quickly():
            return call()
    except ValueError as error:
        sentence = str(error)
        assert len(sentence) > 3, f"an empty refusal: {error!r}"
        named = sentence.lower().replace("_", " ")
        assert not words or any(word.lower().replace("_", " ") in named for word in words), (words, sentence)
        return None


def finite(value: Any) -> bool:
    """Return whether every number in a result is finite."""
    if isinstance(value, bool | str | bytes | type(None)):
        return True
    if isinstance(value, int | float):
        return isfinite(value)
    if isinstance(value, dict):
        return all(map(finite, value.values()))
    if isinstance(value, tuple | list):
        return all(map(finite, value))
    return True
