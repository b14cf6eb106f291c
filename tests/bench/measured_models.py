"""NeuSight's language models in FP32: the operations inside, forward and backward, and whole models.

Protocol: PyTorch 2.1 from Python, one operation after another, TF32 off; events around each operation of
the first block and of what is outside the blocks, and around the whole. The models are Hugging Face's,
attention unfused, GELU of the GPT models in eight kernels. Where only shapes changed, or dropout did
nothing, no kernel ran: those rows are left out, as are constants and masks.
"""

from collections.abc import Iterator
from dataclasses import replace
from json import loads
from math import prod

from dlperf_widgets.cost import Launch
from dlperf_widgets.dtypes import FP32
from dlperf_widgets.layers import (
    Activation,
    Add,
    Dropout,
    Embedding,
    Layer,
    LayerNorm,
    Linear,
    Matmul,
    Multiply,
    Repeat,
    Softmax,
)
from dlperf_widgets.ops import Pass, Phase, Stream
from tests.bench.rows import Bare, Listed, Measured, measured, rows

_BACKWARD = (Phase.DGRAD, Phase.WGRAD)
_TRAINING = (Phase.FPROP, *_BACKWARD)
_VOCABULARY = {"bert_large": 30522, "opt_13": 50272}
_LINEAR = (
    "query", "key", "value", "dense", "q_proj", "k_proj", "v_proj", "out_proj", "fc1", "fc2", "decoder",
    "lm_head", "addmm",
)  # fmt: skip
_NORMS = ("LayerNorm", "ln_1", "ln_2", "ln_f", "self_attn_layer_norm", "final_layer_norm")
_TABLES = ("word_embeddings", "token_type_embeddings", "position_embeddings", "wte", "wpe", "embed_tokens")
# Transfers read and written backward: a factor's 1 and 1; a power's in three kernels, 4 and 3; a sum's none.
_BACKWARD_OF_NUMBER = {
    "truediv": (1, 1),
    "mul": (1, 1),
    "pow": (4, 3),
    "add": (0, 0),
    "sub": (0, 0),
    "max": (2, 1),
}


def _operations() -> Iterator[Measured]:
    """One row forward, and one backward where the model was trained; adding up gradients is not in it."""
    for row in rows("neusight_model_ops"):
        found = _operation(row)
        if found:
            family, layer = found
            yield measured(row, f"in models: {family}", layer, FP32, Launch.EAGER, column="measured_fw_ms")
            if float(row["measured_bw_ms"]) and any(layer.ops(phase) for phase in _BACKWARD):
                yield measured(
                    row, f"in models: {family}, backward", layer, FP32, Launch.EAGER, _BACKWARD,
                    column="measured_bw_ms",
                )  # fmt: skip


def _operation(row: dict[str, str]) -> tuple[str, Layer] | None:
    """Return the family and the layer of one operation, or None where no kernel ran."""
    given, made = loads(row["input_shapes"]), tuple(map(int, row["output_shape"].strip("(),").split(",")))
    name, elements = row["op"].split(".")[-1], prod(made)
    if name in _LINEAR:
        return "linear", Linear(prod(made[:-1]), given[1 if name == "addmm" else 0][-1], made[-1])
    if name in ("matmul", "bmm"):
        return "batched", Matmul(prod(made[:-2]), made[-2], made[-1], given[0][-1])
    if name == "softmax":
        return "softmax", Softmax(elements // made[-1], made[-1])
    if name in _NORMS:
        return "layer norm", LayerNorm(elements // made[-1], made[-1])
    if name in _TABLES:
        return "embedding", Embedding(elements // made[-1], made[-1], _VOCABULARY.get(row["model"], 50257))
    if name == "contiguous" and len(made) == 4:
        return "copy", transposed(elements)
    if name.endswith("dropout") and row["mode"] == "train":
        return "dropout", _dropout(elements)
    if elements < 1024:
        return None  # the pooler's and the masks' few numbers
    return _elementwise(name, given, elements)


def _elementwise(name: str, given: list[list[int]], elements: int) -> tuple[str, Layer] | None:
    """Return an operation of one tensor, of two, or of one and a smaller one."""
    whole = [shape for shape in given if prod(shape) == elements]
    smaller = [prod(shape) for shape in given if 1 < prod(shape) < elements]
    if name in ("add", "mul", "truediv", "where", "masked_fill") and smaller:
        masked = broadcast(elements, max(smaller))
        return "elementwise", masked if name == "add" else replace(masked, backward=_copy(elements))
    if name in ("add", "mul") and len(whole) == 2:
        return "elementwise", Add(elements) if name == "add" else Multiply(elements)
    if name in ("gelu", "tanh"):
        return "elementwise", Activation(elements, kind=name)
    if name == "activation_fn" or name in _BACKWARD_OF_NUMBER:
        return "elementwise", _with_number(name, elements)
    return None


def _dropout(elements: int) -> Bare:
    """Return a dropout whose backward is differentiable itself: three kernels convert, scale and multiply."""
    (forward,) = Dropout(elements).ops(Phase.FPROP)
    backward = Stream(3 * elements, 3 * elements, flops=2 * elements, side_bytes=elements)
    return Bare(forward, (backward,))


def transposed(elements: int) -> Bare:
    """Return the copy that puts heads side by side again."""
    return Bare(Stream(elements, elements, flops=0, kind=Pass.INDEXED))


def _with_number(name: str, elements: int) -> Bare:
    """Return an operation of a tensor and a number."""
    reads, writes = _BACKWARD_OF_NUMBER.get(name, (2, 1))
    backward = Stream(reads * elements, writes * elements, flops=elements)
    return Bare(Stream(elements, elements, flops=elements), (backward,) if reads else ())


def broadcast(elements: int, smaller: int) -> Bare:
    """Return an operation of a tensor and a smaller one that is repeated, such as adding a mask.

    What is read again comes from a cache if it is small: of half a million elements and more it is taken to
    come from memory.
    """
    again = smaller if smaller < 2**19 else elements
    return Bare(Stream(elements + again, elements, flops=elements, kind=Pass.INDEXED))


def _copy(elements: int) -> tuple[Stream, ...]:
    return (Stream(elements, elements, flops=elements),)


def _whole() -> Iterator[Measured]:
    """Whole models on one GPU; those compiled with fusion, with experts or on four GPUs are left out."""
    for row in rows("neusight_model_e2e"):
        if row["option"] or row["model"] not in _MODELS:
            continue
        training = row["mode"] == "train"
        model = _MODELS[row["model"]](int(row["batch"]), int(row["seqlen"]), training)
        mode = "training" if training else "inference"
        phases = _TRAINING if training else (Phase.FPROP,)
        yield measured(
            row, f"whole model, fp32 {mode}", model, FP32, Launch.EAGER, phases, column="e2e_latency"
        )


def bert_large(batch: int, sequence: int, training: bool) -> Listed:
    """Return BERT large: with the heads it was trained with, or its pooler."""
    width, rows_ = 1024, batch * sequence
    tables = [Embedding(rows_, width, 30522), Embedding(rows_, width, 2), Add(rows_ * width)]
    tables += [Embedding(sequence, width, 512), Add(rows_ * width), LayerNorm(rows_, width)]
    tables += _dropped(rows_ * width, training)
    block = _projections(rows_, width)
    block += _scores(batch, sequence, 16, 64, training, broadcast(16 * batch * sequence**2, sequence * batch))
    block += [Linear(rows_, width, width), *_dropped(rows_ * width, training)]
    block += [Add(rows_ * width), LayerNorm(rows_, width)]
    block += [Linear(rows_, width, 4 * width), Activation(4 * rows_ * width, kind="gelu")]
    block += [Linear(rows_, 4 * width, width), *_dropped(rows_ * width, training)]
    block += [Add(rows_ * width), LayerNorm(rows_, width)]
    heads: list[Layer] = [Linear(batch, width, width), Activation(batch * width, kind="tanh")]
    if training:
        heads += [Linear(rows_, width, width), Activation(rows_ * width, kind="gelu")]
        heads += [LayerNorm(rows_, width), Linear(rows_, width, 30522)]
    return _model(tables, block, 24, heads)


def gpt(width: int, heads: int, blocks: int, batch: int, sequence: int, training: bool) -> Listed:
    """Return a GPT of the second generation's code."""
    rows_, scores = batch * sequence, batch * heads * sequence**2
    e, inner = rows_ * width, 4 * rows_ * width
    tables = [
        Embedding(rows_, width, 50257),
        Embedding(sequence, width, 2048),
        broadcast(e, sequence * width),
    ]
    block = [LayerNorm(rows_, width), Linear(rows_, width, 3 * width)]
    block += _scores(batch, sequence, heads, width // heads, training, broadcast(scores, sequence**2 // 4))
    block += [Linear(rows_, width, width), *_dropped(e, training), Add(e), LayerNorm(rows_, width)]
    block += [Linear(rows_, width, 4 * width), Activation(inner), Activation(inner), Activation(inner)]
    block += [Add(inner), Activation(inner), Activation(inner, kind="tanh"), Activation(inner)]
    block += [Multiply(inner), Linear(rows_, 4 * width, width), *_dropped(e, training), Add(e)]
    return _model(
        tables + _dropped(e, training), block, blocks, [LayerNorm(rows_, width), Linear(rows_, width, 50257)]
    )


def opt(batch: int, sequence: int, training: bool) -> Listed:
    """Return OPT 1.3B, which clips its masked scores."""
    width, heads, rows_ = 2048, 32, batch * sequence
    e, scores = rows_ * width, batch * heads * sequence**2
    tables = [Embedding(rows_, width, 50272), Embedding(rows_, width, 2050), Add(e)]
    block = [LayerNorm(rows_, width), *_projections(rows_, width), Activation(e), *[Activation(e)] * 3]
    block += [Matmul(batch * heads, sequence, sequence, 64), broadcast(scores, batch * sequence**2)]
    block += [Activation(scores), Softmax(scores // sequence, sequence)]
    block += [
        Matmul(batch * heads, sequence, 64, sequence),
        Activation(e),
        Linear(rows_, width, width),
        Add(e),
    ]
    block += [LayerNorm(rows_, width), Linear(rows_, width, 4 * width), Activation(4 * e)]
    block += [Linear(rows_, 4 * width, width), Add(e)]
    return _model(tables, block, 24, [LayerNorm(rows_, width), Linear(rows_, width, 50272)])


def _projections(tokens: int, width: int) -> list[Layer]:
    """Return the products for queries, keys and values, each by itself."""
    return [Linear(tokens, width, width)] * 3


def _scores(batch: int, sequence: int, heads: int, head_dim: int, training: bool, mask: Layer) -> list[Layer]:
    """Return attention between its projections: scaled, masked, and its heads joined by a copy."""
    many, scores = batch * heads, batch * heads * sequence**2
    return [
        Matmul(many, sequence, sequence, head_dim), Activation(scores), mask,
        Softmax(scores // sequence, sequence), *_dropped(scores, training),
        Matmul(many, sequence, head_dim, sequence), transposed(many * sequence * head_dim),
    ]  # fmt: skip


def _dropped(elements: int, training: bool) -> list[Layer]:
    return [Dropout(elements)] if training else []


def _model(before: list[Layer], block: list[Layer], blocks: int, after: list[Layer]) -> Listed:
    inside = Repeat(Listed(_named(block)), blocks)
    return Listed((*_named(before), ("blocks", inside), *_named(after, len(before))))


def _named(layers: list[Layer], start: int = 0) -> tuple[tuple[str, Layer], ...]:
    return tuple((f"{i}.{layer.title}", layer) for i, layer in enumerate(layers, start))


_MODELS = {
    "bert_large": bert_large,
    "gpt2_large": lambda *sizes: gpt(1280, 20, 36, *sizes),
    "gpt3_xl": lambda *sizes: gpt(3072, 24, 24, *sizes),
    "gpt3_27": lambda *sizes: gpt(2560, 32, 32, *sizes),
    "opt_13": opt,
}

READERS = (_operations, _whole)
