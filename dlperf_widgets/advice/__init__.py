"""What the numbers mean, in sentences, and what to change.

To add a rule: a ``Rule`` in a file of its guide, and a line here. Rules are loaded when they are first
asked for.
"""

from typing import TYPE_CHECKING, Any

from .._lazy import attach
from .difference import difference as difference
from .questions import QUESTIONS as QUESTIONS
from .questions import Judgement as Judgement
from .questions import Question as Question
from .questions import judge as judge
from .readouts import Readout as Readout
from .readouts import Why as Why
from .readouts import readouts as readouts
from .readouts import why as why
from .verdict import crossing as crossing
from .verdict import crossover as crossover
from .verdict import times as times
from .verdict import trusted as trusted
from .verdict import verdict as verdict

if TYPE_CHECKING:
    from ._advise import advise as advise
    from ._rule import Finding as Finding
    from ._rule import Rule as Rule
    from ._rule import Source as Source

    RULES: tuple[Rule, ...]

# In the order that checklists show them: the module of each, and its name there.
_RULES = (
    ("precision", "TENSOR_CORES"),
    ("matrix_multiplication", "LIBRARY"),
    ("fully_connected", "ALIGNED"),
    ("fully_connected", "PADDED"),
    ("fully_connected", "TILED"),
    ("fully_connected", "BATCH"),
    ("convolutional", "LAYOUT"),
    ("convolutional", "ALIGNED"),
    ("convolutional", "PICTURES"),
    ("convolutional", "TILED"),
    ("convolutional", "BATCH"),
    ("recurrent", "PERSISTENT"),
    ("recurrent", "ALIGNED"),
    ("recurrent", "TILED"),
    ("recurrent", "BATCH"),
    ("matrix_multiplication", "ALIGNED"),
    ("matrix_multiplication", "PREFERRED"),
    ("matrix_multiplication", "WAVES"),
    ("attention", "FUSED"),
    ("memory_limited", "PERSISTENT"),
    ("memory_limited", "BATCH"),
    ("fusion", "FUSED"),
    ("precision", "HALF"),
    ("launches", "GRAPH"),
    ("sparsity", "WEIGHTS"),
)
_HOMES = {"advise": "_advise", "Finding": "_rule", "Rule": "_rule", "Source": "_rule"}
_load = attach(__name__, _HOMES)


def __getattr__(name: str) -> Any:
    if name != "RULES":
        return _load(name)
    from importlib import import_module

    return tuple(getattr(import_module(f".{module}", __name__), rule) for module, rule in _RULES)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, "RULES"})
