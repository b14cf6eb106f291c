"""The table of grades: what was tried and what was right, kept while the kernel runs or in a file."""

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, overload

from .._given import flag, shown, whole
from .._json import read as parsed
from ..language import tr

VERSION = 1
_MOST = 10**6  # tries of one exercise
COLUMNS = ("lesson", "exercise", "tries", "right")
Row = dict[str, Any]


class Grades(Sequence[Row]):
    """Rows of lesson, exercise, tries and right: plain dicts, with a few ways to hand them in."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = tuple(dict(row) for row in rows)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> "Grades": ...
    def __getitem__(self, at: int | slice) -> "Row | Grades":
        return Grades(self._rows[at]) if isinstance(at, slice) else dict(self._rows[at])

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def right(self) -> int:
        """How many exercises were answered right."""
        return sum(row["right"] for row in self._rows)

    def to_json(self, name: str = "") -> str:
        """Return the rows as JSON text, with whose they are."""
        return json.dumps({"version": VERSION, "name": name, "grades": list(self)}, ensure_ascii=False)

    def to_dataframe(self) -> Any:
        """Return a ``pandas.DataFrame`` of the rows."""
        try:
            pandas = import_module("pandas")
        except ImportError:
            raise ValueError("to_dataframe needs pandas: pip install pandas") from None
        return pandas.DataFrame(list(self), columns=COLUMNS)

    def __repr__(self) -> str:
        tried = sum(row["tries"] > 0 for row in self._rows)
        return f"Grades({self.right} right of {len(self)}, {tried} tried)"

    def _repr_html_(self) -> str:
        every = [(row["lesson"], row["exercise"], row["tries"], "✓" if row["right"] else "") for row in self]
        total = tr("{right} of {all} right", right=self.right, all=len(self))
        return (
            f"<p><b>{escape(total)}</b></p>{_table(('lesson', 'tries', 'right'), self._by_lesson())}"
            f"<details><summary>{escape(tr('every exercise'))}</summary>{_table(COLUMNS, every)}</details>"
        )

    def _by_lesson(self) -> list[tuple[object, ...]]:
        """Return what is shown of each lesson: its name, tries, and right ones of all."""
        lessons: dict[str, list[Row]] = {}
        for row in self._rows:
            lessons.setdefault(row["lesson"], []).append(row)
        return [
            (name, sum(row["tries"] for row in rows), f"{sum(row['right'] for row in rows)} / {len(rows)}")
            for name, rows in lessons.items()
        ]


def _table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    head = "".join(f"<th scope='col'>{escape(tr(column))}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table class='dlp-table'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def read(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield exercise, tries and right of the rows that ``to_json`` wrote; ValueError for other text."""
    try:
        data = parsed("grades", text)
        if data["version"] != VERSION:
            raise ValueError(f"version {shown(data['version'])}")
        rows = [
            (str(row["exercise"]), whole("tries", row["tries"], 0, _MOST), flag("right", row["right"]))
            for row in data["grades"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"no grades can be read from this text: {error}") from None
    yield from rows


def collect(files: Sequence[str | Path]) -> list[Row]:
    """Return the rows of many learners' files, each with ``name``: the file's name where none is given."""
    rows: list[Row] = []
    for file in map(Path, files):
        text = file.read_text(encoding="utf-8")
        list(read(text))  # says what is wrong with a file
        data = json.loads(text)
        rows += [{"name": data.get("name") or file.stem, **row} for row in data["grades"]]
    return rows
