"""The passes of a layer as a picture: a row for each, a bar for each tensor that it reads or writes."""

from ..cost import Scenario
from ..language import tr
from ..units import si
from .passes import MemoryPass, Tensor, passes
from .tables import bar, row, table

_HEADS = ("Pass", "Reads from memory", "Writes to memory")


def passes_html(scenario: Scenario) -> str:
    """Return a row for each pass: full bars are read, hollow ones written."""
    found = passes(scenario)
    longest = max(tensor.bytes for each in found for tensor in (*each.reads, *each.writes))
    return table(_HEADS, [_row(each, longest) for each in found], passes_alt(scenario))


def _row(each: MemoryPass, longest: float) -> str:
    again = tr("{count} kernels, each moves all", count=each.kernels) if each.kernels > 1 else ""
    return row(
        f"{each.phase}{tr(': ')}{tr(each.name)}",
        _bars(each.reads, longest, full=True),
        _bars(each.writes, longest, full=False),
        more=(si(each.bytes, "B"), again),
    )


def _bars(tensors: tuple[Tensor, ...], longest: float, full: bool) -> str:
    return "".join(bar(tr(t.name), si(t.bytes, "B"), t.bytes / longest, full) for t in tensors)


def passes_alt(scenario: Scenario) -> str:
    """Return in a sentence how much is read and written, and how long that takes at the full bandwidth."""
    rows = passes(scenario)
    read = sum(tensor.bytes for row in rows for tensor in row.reads)
    written = sum(tensor.bytes for row in rows for tensor in row.writes)
    moved = {
        "read": si(read, "B"), "written": si(written, "B"), "bandwidth": si(scenario.gpu.bandwidth, "B/s"),
        "time": si((read + written) / scenario.gpu.bandwidth, "s"),
    }  # fmt: skip
    if len(rows) == 1:
        return tr("One pass reads {read} and writes {written}: {time} at {bandwidth}.", **moved)
    return tr(
        "{count} passes read {read} and write {written}: {time} at {bandwidth}.", count=len(rows), **moved
    )
