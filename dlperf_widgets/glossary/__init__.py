"""The words of NVIDIA's performance guides, in English and Chinese. To add one: an entry in a file here."""

from . import formats, hardware, limits, products, training
from ._term import Guide as Guide
from ._term import Term as Term

TERMS: tuple[Term, ...] = (
    *limits.TERMS,
    *products.TERMS,
    *training.TERMS,
    *hardware.TERMS,
    *formats.TERMS,
)
