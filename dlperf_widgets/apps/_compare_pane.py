"""GPUs and formats as rows, with prices to type in."""

from collections.abc import Callable

from ..advice.compared import cheapest, fastest, row_note, throughput_price
from ..charts import CompareOptions, Role
from ..charts.compare import compared
from ..cost import Scenario
from ..cost.compare import Compared
from ..language import tr
from ..units import figures, si
from ..widgets.table import Cell, Column, DataTable, Row, table_html

_STACK = (Role.LAUNCH, Role.MEMORY, Role.MATH, Role.WASTE)


def key(row: Compared) -> str:
    """Return the name by which a row is asked about."""
    return f"{row.gpu.name}|{row.scenario.format.name}|{row.note}"


class ComparePane:
    """The table of a comparison."""

    title = "Side by side"

    def __init__(
        self,
        on_ask: Callable[[str], None],
        on_arrange: Callable[[str, str], None],
        on_price: Callable[[str, str, str], bool],
    ) -> None:
        self.widget = DataTable(on_ask, on_arrange, on_price)
        self._caption, self._alt = "", ""
        self._columns: tuple[Column, ...] = ()
        self._rows: tuple[Row, ...] = ()

    def draw(self, scenario: Scenario, options: CompareOptions) -> None:
        """Bring the table up to date."""
        rows = compared(scenario, options)
        longest = max((row.time for row in rows), default=0.0) or 1.0
        self._caption = tr("{layer} on {count} GPUs and formats", layer=scenario.layer.title, count=len(rows))
        self._alt = f"{fastest(rows)} {cheapest(rows)}"
        self._columns, self._rows = columns(options.per), tuple(_row(row, longest) for row in rows)
        chosen = next((key(row) for row in rows if row.scenario == scenario), "")
        state = {"sort": options.sort, "filter": options.filter, "chosen": chosen}
        self.widget.show(self._caption, self._columns, self._rows, **state)

    def alt(self) -> str:
        """Return the fastest and the cheapest."""
        return f"{self._caption}. {self._alt}"

    def html(self) -> str:
        """Return the table without a script."""
        return table_html(self._caption, self._columns, self._rows)


def columns(per: str) -> tuple[Column, ...]:
    """Return the columns, in the language chosen now."""
    hourly = per == "hour"
    return (
        Column("gpu", tr("GPU"), numeric=False),
        Column("format", tr("Format"), numeric=False),
        Column("time", tr("Time")),
        Column("limit", tr("Limited by"), numeric=False),
        Column("peak", tr("Of peak rate")),
        Column("bandwidth", tr("Of bandwidth")),
        Column("price", tr("USD an hour") if hourly else tr("USD a card"), edited=True),
        Column("cost", tr("USD a million runs") if hourly else tr("USD for a run a second")),
        Column("dated", tr("Date and seller"), numeric=False),
        Column("note", tr("Note"), numeric=False),
    )


def _row(row: Compared, longest: float) -> Row:
    answer, price, cost = row.answer, row.price, row.price_of_throughput
    bar = tuple((role, part / longest) for role, part in zip(_STACK, answer.spent, strict=True) if part)
    limited = f"{tr(answer.limiter)} {answer.limited:.0%}" if answer.limiter else ""
    note = tr("; ").join(each for each in (row.note, "" if row.fits else tr("does not fit")) if each)
    cells = (
        Cell(row.gpu.name, row.gpu.name),
        Cell(row.scenario.format.name, row.scenario.format.name),
        Cell(si(row.time, "s"), row.time, bar),
        Cell(limited, limited),
        Cell(f"{answer.share_of_peak:.1%}", answer.share_of_peak, _share(Role.MATH, answer.share_of_peak)),
        Cell(
            f"{answer.share_of_bandwidth:.1%}",
            answer.share_of_bandwidth,
            _share(Role.MEMORY, answer.share_of_bandwidth),
        ),
        Cell(f"{price.amount:g}" if price else "", price.amount if price else ""),
        Cell(figures(cost) if cost else throughput_price(row), cost or ""),
        Cell(f"{price.date}, {price.seller}" if price else "", price.date if price else ""),
        Cell(note, note),
    )
    return Row(key(row), cells, row_note(row))


def _share(role: Role, share: float) -> tuple[tuple[Role, float], ...]:
    return ((role, min(share, 1.0)),)
