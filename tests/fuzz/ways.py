"""Strategies for layers, networks, GPUs and questions: sensible, extreme and hostile ones."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from hostile import EXTREME_FLOATS, EXTREME_INTS, MARKUP
from hypothesis import strategies as st

from dlperf_widgets import Phase, Scenario, dtypes, layers, models
from dlperf_widgets.cost import Launch, Layout, Library
from dlperf_widgets.gpus import GPUS, Gpu
from dlperf_widgets.layers import LAYERS, Layer

NETWORKS = models.MODELS
FIELDS = (
    "batch",
    "inputs",
    "rows",
    "columns",
    "elements",
    "channels",
    "height",
    "fprop",
    "dgrad",
    "all",
    "bias",
    "stride",
)
RATES = ("clock", "bandwidth", "tensor_clock", "power", "nvlink", "l2_bandwidth")
COUNTS = (
    "sms",
    "memory",
    "alignment",
    "l2",
    "shared_memory_per_sm",
    "registers_per_sm",
    "threads_per_sm",
    "pcie",
)


def value_for(about: Any) -> st.SearchStrategy[Any]:
    """Return values that a described field can have: its limits, sizes in between and words."""
    match about["kind"]:
        case "dim":
            least, most = about["min"], about["limit"]
            return (
                st.sampled_from((least, most, about["max"]))
                | st.integers(least, most)
                | st.integers(least, 4096)
            )
        case "axes":
            one = st.integers(about["min"], about["max"])
            return st.one_of(one, st.sampled_from(about["words"] or (1,)), st.tuples(one, one))
        case "flag":
            return st.booleans()
        case "choice":
            return st.sampled_from(about["choices"])
        case "real":
            return st.floats(about["min"], about["max"])
        case "several":
            return st.lists(st.sampled_from(about["choices"]), unique=True).map(tuple)
        case "hidden" if about["type"] is int:
            return st.sampled_from((1, 2, 64, 1000, 2**20, 2**31 - 1, 2**40, 10**18)) | st.integers(1, 10**6)
        case "hidden":
            return st.sampled_from((*FIELDS, *MARKUP, "")) | st.text(max_size=10)
    return st.nothing()


@st.composite
def sizes(draw: Any, kind: type, most: int = 4) -> dict[str, Any]:
    """Draw values for some fields of a dataclass, each possible by itself."""
    drawn = [f for f in fields(kind) if f.metadata.get("kind") != "parts"]
    chosen = (
        draw(st.lists(st.sampled_from(drawn), max_size=most, unique_by=lambda f: f.name)) if drawn else []
    )
    return {f.name: draw(value_for(f.metadata), label=f.name) for f in chosen}


@st.composite
def simple(draw: Any, kinds: Sequence[type[Layer]] = LAYERS) -> Layer | None:
    """Draw a layer with some fields changed; None where they do not fit together."""
    kind = draw(st.sampled_from(kinds))
    try:
        return kind(**draw(sizes(kind)))
    except ValueError:
        return None


@st.composite
def composite(draw: Any) -> Layer | None:
    """Draw layers within layers; None where they do not fit."""
    inner = draw(simple()) or layers.Linear()
    times = draw(st.sampled_from((1, 2, 96, 2**20)))
    try:
        return draw(st.sampled_from((
            lambda: layers.Repeat(inner, times),
            lambda: layers.Residual(inner),
            lambda: layers.Sequence((("a", inner), ("b", layers.Tied(inner)))),
            lambda: layers.Branches((("left", inner), ("right", inner))),
        )))()  # fmt: skip
    except ValueError:
        return None


@st.composite
def gpu(draw: Any) -> Gpu:
    """Draw a published GPU, half of them with a number changed to something extreme that it may be."""
    card = draw(st.sampled_from(GPUS))
    if draw(st.booleans()):
        name = draw(st.sampled_from(RATES + COUNTS))
        value = draw(
            st.sampled_from(EXTREME_INTS + EXTREME_FLOATS) | st.floats(1e-6, 1e20) | st.integers(1, 2**40)
        )
        try:
            return replace(card, name="<b>mine</b>", **{name: value})
        except ValueError:
            return card
    return card


@st.composite
def scenario(draw: Any, kinds: Sequence[type[Layer]] = LAYERS) -> Scenario | None:
    """Draw a question, mostly of some kinds of layer; None where its parts do not fit together."""
    layer = draw(st.one_of(simple(kinds), simple(kinds), simple(kinds), composite()))
    if layer is None:
        return None
    card = draw(gpu())
    try:
        return Scenario(
            layer, card, draw(st.sampled_from(dtypes.DTYPES)),
            draw(st.lists(st.sampled_from(list(Phase)), min_size=1).map(tuple)),
            draw(st.sampled_from(list(Launch))), draw(st.sampled_from(list(Layout))),
            draw(st.sampled_from(list(Library))), draw(st.booleans()),
        )  # fmt: skip
    except ValueError:
        return None


@st.composite
def spoiled(draw: Any, data: Any) -> Any:
    """Draw a JSON value with one of its members, at any depth, replaced, dropped or added to."""
    if isinstance(data, dict) and data and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(data)))
        return {**data, key: draw(spoiled(data[key]))}
    if isinstance(data, list) and data and draw(st.integers(0, 3)):
        at = draw(st.integers(0, len(data) - 1))
        return [*data[:at], draw(spoiled(data[at])), *data[at + 1 :]]
    if isinstance(data, dict) and data and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(data)))
        return {name: value for name, value in data.items() if name != key} | draw(
            st.dictionaries(st.text(max_size=8), st.integers(), max_size=1)
        )
    return draw(json_value)


json_value = st.one_of(
    st.none(), st.booleans(), st.sampled_from(EXTREME_INTS + EXTREME_FLOATS), st.text(max_size=12),
    st.sampled_from((*MARKUP, "layers.Linear", "models.Gpt3", "../../etc/passwd", "FP16")),
    st.lists(st.integers(), max_size=3), st.dictionaries(st.text(max_size=5), st.integers(), max_size=2),
)  # fmt: skip
