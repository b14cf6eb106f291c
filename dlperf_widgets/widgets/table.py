"""A table to sort and filter, with bars in its cells."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from json import dumps
from typing import Any, NamedTuple

import anywidget
from traitlets import Dict, Unicode

from ..charts.roles import Role
from ..charts.svg import paint
from ..language import tr
from .script import script

Bar = tuple[tuple[Role, float], ...]  # parts from left to right, as shares of the cell


class Column(NamedTuple):
    """A column: numbers stand right and sort the largest first; an edited one is a box to type in."""

    key: str
    label: str
    numeric: bool = True
    edited: bool = False


class Cell(NamedTuple):
    """What stands in a cell, and what it sorts by."""

    text: str
    value: float | str
    bar: Bar = ()


class Row(NamedTuple):
    """A row: its key, cells in the order of the columns, and what to say of it."""

    key: str
    cells: tuple[Cell, ...]
    note: str = ""


class DataTable(anywidget.AnyWidget):
    """Rows of plain data. The page sorts and filters; Python hears what was chosen.

    ``on_open(key)`` hears of a row that was clicked, ``on_edit(key, column, text)`` of a text typed into one,
    ``on_arrange(sort, filter)`` of another order or filter. ``sort`` is a column's key, with a minus for the
    largest first.
    """

    _esm = script("table.js")

    data = Unicode("{}").tag(sync=True)  # columns, rows and caption as JSON: one text is quick to send
    sort = Unicode().tag(sync=True)
    filter = Unicode().tag(sync=True)
    chosen = Unicode().tag(sync=True)  # the key of a row that is marked
    words = Dict(Unicode()).tag(sync=True)

    def __init__(
        self,
        on_open: Callable[[str], None],
        on_arrange: Callable[[str, str], None],
        on_edit: Callable[[str, str, str], bool] = lambda *_: False,
    ) -> None:
        words = {
            "filter": tr("Show rows with"),
            "count": tr("{shown} of {all} rows"),
            "sort": tr("Sort by {column}"),
        }
        super().__init__(words=words)
        self._on_open, self._on_edit, self._on_arrange = on_open, on_edit, on_arrange
        self.rows: tuple[Row, ...] = ()
        self._following = False
        self.observe(self._arranged, ["sort", "filter"])
        self.on_msg(self._hear)

    def show(self, caption: str, columns: Sequence[Column], rows: Sequence[Row], **state: str) -> None:
        """Show other rows; ``state`` may hold sort, filter and chosen."""
        self._following = True
        try:
            with self.hold_sync():
                self.rows = tuple(rows)
                self.data = _json(caption, tuple(columns), self.rows)
                for name, value in state.items():
                    setattr(self, name, value)
        finally:
            self._following = False

    def choose(self, key: str) -> None:
        """Open a row, as a click does."""
        if any(row.key == key for row in self.rows):
            self._on_open(key)

    def edit(self, key: str, column: str, text: str) -> None:
        """Take a text typed into a cell; one that is refused is marked."""
        refused = not self._on_edit(key, column, text)
        self.send({"refused": refused, "key": key, "column": column})

    def _arranged(self, _change: Any) -> None:
        if not self._following:
            self._on_arrange(self.sort, self.filter)

    def _hear(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if not isinstance(content, dict):
            return
        if "opened" in content:
            self.choose(str(content["opened"]))
        elif "typed" in content:
            self.edit(str(content.get("key")), str(content.get("column")), str(content["typed"]))


@lru_cache(8)
def _json(caption: str, columns: tuple[Column, ...], rows: tuple[Row, ...]) -> str:
    described = [column._asdict() for column in columns]
    data = {"caption": caption, "columns": described, "rows": [_data(row) for row in rows]}
    return dumps(data, separators=(",", ":"), ensure_ascii=False)


def _data(row: Row) -> dict[str, object]:
    return {
        "key": row.key,
        "note": row.note,
        "texts": [cell.text for cell in row.cells],
        "values": [cell.value for cell in row.cells],
        "bars": [[(role, round(share, 4)) for role, share in cell.bar] for cell in row.cells],
    }


def table_html(caption: str, columns: Sequence[Column], rows: Sequence[Row], most: int = 60) -> str:
    """Return a table for a page that runs no script; of long ones the beginning."""
    head = "".join(f"<th scope='col'>{escape(column.label)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, columns, row.cells))}</tr>" for row in rows[:most])
    more = tr("and {count} more rows", count=len(rows) - most) if len(rows) > most else ""
    return (
        f"<table class='dlp-table'><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table><p>{escape(more)}</p>"
    )


def _cell(column: Column, cell: Cell) -> str:
    align = "right" if column.numeric else "left"
    parts = "".join(
        f"<span style='display:inline-block;height:6px;width:{100 * share:.1f}%;"
        f"background:{paint(role if role is not Role.WASTE else Role.MATH)}'></span>"
        for role, share in cell.bar
    )
    bar = f"<div style='line-height:6px'>{parts}</div>" if parts else ""
    return f"<td style='text-align:{align}'>{escape(cell.text)}{bar}</td>"
