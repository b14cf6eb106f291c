"""What NVIDIA's guides say stays in FP32 when the rest is in 16 bits, and why."""

from html import escape
from typing import NamedTuple

from ..cost import Scenario
from ..cost.formats import FLOATINGS
from ..cost.precision import MULTIBOX_SSD, lost_ratio, quantize, update_is_lost
from ..dtypes import BF16, FP16, FP32
from ..language import tr
from .precision_options import PrecisionOptions
from .rounding import exactly
from .tables import row, table

_MIXED = ("NVIDIA, Training With Mixed Precision", MULTIBOX_SSD.address)
_BACKGROUND = (
    "NVIDIA, GPU Performance Background User's Guide",
    "https://docs.nvidia.com/deeplearning/performance/dl-performance-gpu-background/",
)
_PAPER = ("Micikevicius et al., Mixed Precision Training", "https://arxiv.org/abs/1710.03740")
UPDATE = 4096  # a weight over its update, for the example


class Kept(NamedTuple):
    """Something that stays in FP32."""

    what: str
    why: str
    source: tuple[str, str]  # title, address


KEPT = (
    Kept("Master weights", "A small update is rounded away in 16 bits: FP16 can lose one where the weight is "
         "2,048 times as large.", _PAPER),
    Kept("The update of the weights", "Gradients are divided by the loss scale first, then clipped, decayed "
         "and added to the FP32 weights.", _MIXED),
    Kept("Statistics of batch normalization", "Means and variances are sums over many values; inputs and "
         "outputs of the layer may be FP16.", _MIXED),
    Kept("Softmax", "Its sums are reductions too; inputs and outputs may be FP16.", _MIXED),
    Kept("Sums of products", "Tensor Cores multiply FP16 exactly and add up in FP32: a long sum in FP16 "
         "would drop small terms.", _BACKGROUND),
)  # fmt: skip
_HEADS = ("Stays in FP32", "Why, and who says so")


def kept_html(_scenario: Scenario, options: PrecisionOptions) -> str:
    """Return a row for each thing that stays in FP32, under what becomes of an update of the value."""
    rows = [row(tr(each.what), f"{escape(tr(each.why))}<div>{_link(*each.source)}</div>") for each in KEPT]
    return table(_HEADS, rows, update_words(options.value))


def _link(title: str, address: str) -> str:
    return f'<a href="{escape(address)}" target="_blank" rel="noopener">{escape(title)}</a>'


def kept_alt(_scenario: Scenario, options: PrecisionOptions) -> str:
    """Return what stays in FP32 and why."""
    said = " ".join(f"{tr(each.what)}: {tr(each.why)}" for each in KEPT)
    return f"{update_words(options.value)} {said}"


def update_words(value: float) -> str:
    """Return in which formats a weight of this value keeps an update that is 4,096 times smaller."""
    update = value / UPDATE
    held = [dtype.name for dtype in (FP32, FP16, BF16) if _moves(value, update, dtype)]
    values = {
        "weight": exactly(value), "update": exactly(update), "held": ", ".join(held) or tr("none of them"),
        "half": f"{lost_ratio(FP16):,.0f}", "brain": f"{lost_ratio(BF16):,.0f}",
    }  # fmt: skip
    return tr(
        "Of FP32, FP16 and BF16, a weight of {weight} is moved by an update of {update} in: {held}. FP16 can "
        "lose an update where the weight is {half} times as large, BF16 where it is {brain} times.",
        **values,
    )  # fmt: skip


def _moves(value: float, update: float, dtype: object) -> bool:
    number = FLOATINGS[dtype]  # type: ignore[index]
    return 0 < quantize(value, number) <= number.max and not update_is_lost(value, update, number)
