"""A GPU's data sheet to edit, to ask what twice the bandwidth would change."""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from typing import Any, NamedTuple

import ipywidgets as w

from ..dtypes import DType
from ..gpus import GPUS, Gpu, Source
from ..language import tr
from ..units import GB_S, GIB, MHZ, MIB, TFLOPS
from .aria import Aria
from .closing import close_all

EDITED = " (edited)"  # ends the name of a record that was changed


class Entry(NamedTuple):
    """A field of the card, in the unit that data sheets use."""

    field: str
    label: str
    unit: float
    suffix: str
    dtype: DType | None = None


_ENTRIES = (
    Entry("sms", "SMs", 1, ""),
    Entry("clock", "Clock", MHZ, "MHz"),
    Entry("bandwidth", "Bandwidth", GB_S, "GB/s"),
    Entry("memory", "Memory", GIB, "GiB"),
    Entry("l2", "L2 cache", MIB, "MiB"),
    Entry("power", "Power", 1, "W"),
)
_WHOLE = ("sms", "memory", "l2")


class GpuCard(w.VBox):
    """A text box for each number of a GPU: ``on_edit(gpu)`` gets the changed record, or the original.

    Each number stands for itself: peaks do not follow the clock or the SMs.
    """

    def __init__(self, on_edit: Callable[[Gpu], None], on_error: Callable[[str], None], aria: Aria) -> None:
        self._on_edit, self._on_error, self._aria = on_edit, on_error, aria
        self._gpu: Gpu | None = None
        self._following = False
        self.boxes: dict[str, w.Text] = {}
        self.back = w.Button(description=tr("Back to the original"))
        self.back.on_click(lambda _: self._on_edit(original(self.gpu)))
        self.words = w.HTML()
        self.grid = w.HBox()
        super().__init__([self.words, self.grid, self.back])
        self.grid.add_class("dlp-card-grid")
        self.add_class("dlp-card")

    @property
    def gpu(self) -> Gpu:
        """The GPU shown."""
        assert self._gpu is not None
        return self._gpu

    def show(self, gpu: Gpu) -> None:
        """Show a GPU: what differs from its original is marked."""
        if gpu == self._gpu:
            return
        entries = entries_of(gpu)
        if self._gpu is None or entries != entries_of(self._gpu):
            self._make(entries)
        self._gpu, self._following = gpu, True
        first = original(gpu)
        for entry in entries:
            box = self.boxes[_key(entry)]
            box.value = _text(gpu, entry)
            changed = _number(gpu, entry) != _number(first, entry)
            (box.add_class if changed else box.remove_class)("dlp-changed")
        self._following = False
        self.back.disabled = gpu == first
        note = tr("Each number stands for itself: peaks do not follow the clock.")
        self.words.value = f"<b>{escape(gpu.name)}</b> {escape(note)}"

    def _make(self, entries: tuple[Entry, ...]) -> None:
        close_all(*self.boxes.values())
        self.boxes = {_key(entry): self._box(entry) for entry in entries}
        self.grid.children = list(self.boxes.values())

    def _box(self, entry: Entry) -> w.Text:
        label = f"{tr(entry.label)} ({entry.suffix})" if entry.suffix else tr(entry.label)
        box = w.Text(description=label, continuous_update=False)
        box.add_class("dlp-card-entry")
        self._aria.set(box, "input", **{"aria-label": label})
        box.observe(lambda event: self._following or self._edit(entry, event.new), "value")
        return box

    def _edit(self, entry: Entry, text: str) -> None:
        try:
            self._on_edit(edited(self.gpu, entry, text))
        except ValueError as error:
            self._on_error(str(error))


def entries_of(gpu: Gpu) -> tuple[Entry, ...]:
    """Return what the card shows of a GPU: its numbers, and a peak for each format."""
    peaks = [
        Entry(field, f"{dtype.name} {'Tensor Cores' if field == 'tensor_peak' else 'CUDA cores'}", TFLOPS,
              "TFLOPS", dtype)
        for field in ("tensor_peak", "cuda_peak")
        for dtype, _ in getattr(gpu, field)
    ]  # fmt: skip
    return (*_ENTRIES, *peaks)


def original(gpu: Gpu) -> Gpu:
    """Return the record that a changed one was made from, or the GPU itself."""
    return next((each for each in GPUS if each.name + EDITED == gpu.name), gpu)


def edited(gpu: Gpu, entry: Entry, text: str) -> Gpu:
    """Return a GPU with one number changed, named as such; ValueError for a text that is no such number."""
    try:
        value: Any = float(text.replace(",", "")) * entry.unit
    except ValueError:
        raise ValueError(f"{gpu.name}: {entry.label} must be a number, not {text!r}") from None
    if not 0 < value < 1e24:
        raise ValueError(f"{gpu.name}: {entry.label} must be positive, not {text}")
    value = round(value) if entry.field in _WHOLE else value
    first = original(gpu)
    if entry.dtype:
        value = tuple((d, value if d == entry.dtype else rate) for d, rate in getattr(gpu, entry.field))
    by_hand = Source(fields=(entry.field,), title="changed by hand")
    kept = (replace(s, fields=tuple(f for f in s.fields if f != entry.field)) for s in gpu.sources)
    sources = (*(s for s in kept if s.fields), by_hand)
    change: dict[str, Any] = {entry.field: value, "name": first.name + EDITED, "sources": sources}
    changed = replace(gpu, **change)
    same = all(_number(changed, each) == _number(first, each) for each in entries_of(first))
    return first if same else changed


def _number(gpu: Gpu, entry: Entry) -> float | None:
    value = getattr(gpu, entry.field)
    return dict(value)[entry.dtype] if entry.dtype else value


def _text(gpu: Gpu, entry: Entry) -> str:
    value = _number(gpu, entry)
    return "" if value is None else f"{value / entry.unit:.6g}"


def _key(entry: Entry) -> str:
    return f"{entry.field} {entry.dtype.name}" if entry.dtype else entry.field
