"""Number formats as torch holds them, and what torch or a device lacks."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..dtypes import BF16, FP8, FP16, FP32, FP64, INT4, INT8, TF32, DType, Format

_PLAIN = {FP64: "float64", FP32: "float32", TF32: "float32", FP16: "float16", BF16: "bfloat16"}
_HALF = (FP16, BF16)
# the first compute capability whose Tensor Cores multiply a format that older GPUs cannot hold
_SINCE = {TF32: (8, 0), BF16: (8, 0), FP8: (8, 9)}


class UnsupportedError(ValueError):
    """What torch or the device cannot run, in a sentence: it is skipped, and said to be."""


class Held(NamedTuple):
    """How torch holds the tensors of a format."""

    weights: str  # names of torch dtypes
    activations: str
    autocast: bool = False  # weights stay in FP32, and are cast where they are used
    tf32: bool = False  # whether FP32 products may run in TF32
    quantized: DType | None = None  # a format that torch multiplies, but has no modules for


def held(form: Format, kind: str, capability: tuple[int, int] | None) -> Held:
    """Return how torch holds a format on a device; UnsupportedError says what is missing.

    Parameters
    ----------
    form
        The format of each role.
    kind
        "cuda" or "cpu".
    capability
        The compute capability of a GPU.
    """
    math = form.math
    _check_device(math, kind, capability)
    if form.accumulate not in (FP32, math):
        raise UnsupportedError(f"torch cannot be told to accumulate {math} products in {form.accumulate}")
    if math in (INT8, FP8) and form.weights == math:
        return Held("", "", quantized=math)
    if math in _PLAIN and form.weights == form.activations == form.gradients:
        return Held(_PLAIN[math], _PLAIN[math], tf32=math is TF32)
    if form.weights == FP32 and math in _HALF and form.gradients in (FP32, math):
        return Held(_PLAIN[FP32], _PLAIN[math], autocast=True)
    raise UnsupportedError(
        f"torch has no module with {form.weights} weights, {form.activations} activations "
        f"and {form.gradients} gradients"
    )


def _check_device(math: DType, kind: str, capability: tuple[int, int] | None) -> None:
    if math == INT4:
        raise UnsupportedError("torch has no INT4 products")
    first = _SINCE.get(math)
    if kind == "cpu":
        if math in (TF32, FP8):
            assert first is not None
            raise UnsupportedError(
                f"{math} needs a GPU of compute capability {_dotted(first)} or newer, not a CPU"
            )
        return
    if first and capability and capability < first:
        raise UnsupportedError(
            f"{math} needs compute capability {_dotted(first)} or newer: this GPU has {_dotted(capability)}"
        )


def _dotted(capability: tuple[int, int]) -> str:
    return ".".join(map(str, capability))


@contextmanager
def switches(torch: Any, tf32: bool) -> Iterator[None]:
    """Let FP32 run in TF32 or not, and cuDNN search for its algorithms; put both back at the end."""
    places = (torch.backends.cuda.matmul, torch.backends.cudnn.conv, torch.backends.cudnn.rnn)
    before = [place.fp32_precision for place in places]
    searched = torch.backends.cudnn.benchmark
    for place in places:
        place.fp32_precision = "tf32" if tf32 else "ieee"
    torch.backends.cudnn.benchmark = True
    try:
        yield
    finally:
        for place, value in zip(places, before, strict=True):
            place.fp32_precision = value
        torch.backends.cudnn.benchmark = searched
