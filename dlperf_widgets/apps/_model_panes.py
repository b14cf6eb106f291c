"""The two pictures of a network that are no charts: linked bars, and a table."""

from collections.abc import Callable
from math import fsum

from ..advice.network import network_verdict
from ..charts import ModelOptions, Role, svg
from ..charts.layers_bars import bar_notes, layers_bars, rows_shown
from ..cost import Scenario
from ..cost.layerwise import LayerRow
from ..language import remembered, tr
from ..units import figures, si
from ..widgets.layer_bars import LayerBars
from ..widgets.table import Cell, Column, DataTable, Row, table_html

_STACK = (Role.LAUNCH, Role.MEMORY, Role.MATH, Role.WASTE)


def key(row: LayerRow) -> str:
    """Return the name by which a layer of the network is opened."""
    return row.path or row.layer.title


class BarsPane:
    """Time, work, traffic and parameters of every layer as bars, one chart under another."""

    title = "Layers"

    def __init__(self, on_open: Callable[[str], None]) -> None:
        self._on_open = on_open
        self._rows: tuple[LayerRow, ...] = ()
        self.charts = ()
        self.widget = LayerBars(lambda index: on_open(key(self._rows[index])))

    def draw(self, scenario: Scenario, options: ModelOptions) -> None:
        """Bring the bars up to date."""
        self._rows, self.charts = rows_shown(scenario, options), layers_bars(scenario, options)
        names = [key(row) for row in self._rows]
        chosen = names.index(options.opened) if options.opened in names else -1
        self.widget.show(self.charts, bar_notes(self._rows), chosen)

    def alt(self) -> str:
        """Return the text of the first chart, which is about the time."""
        return self.charts[0].alt

    def html(self) -> str:
        """Return the charts as SVG, one under another."""
        return "".join(svg(chart, height=210, keyed=len(chart.marks) > 1) for chart in self.charts)


class TablePane:
    """The layers as rows."""

    title = "Table"

    def __init__(self, on_open: Callable[[str], None], on_arrange: Callable[[str, str], None]) -> None:
        self.widget = DataTable(on_open, on_arrange)
        self._caption, self._rows = "", ()
        self._verdict = ""

    def draw(self, scenario: Scenario, options: ModelOptions) -> None:
        """Bring the table up to date."""
        rows = rows_shown(scenario, options)
        self._caption = tr(
            "{network} on {gpu} in {format}",
            network=scenario.layer.title, gpu=scenario.gpu.name, format=scenario.format.name,
        )  # fmt: skip
        self._verdict = network_verdict(scenario)
        self._rows = table_rows(rows)
        state = {"sort": options.sort, "filter": options.filter, "chosen": options.opened}
        self.widget.show(self._caption, columns(), self._rows, **state)

    def alt(self) -> str:
        """Return what the table is about, and its sum."""
        return f"{self._caption}. {self._verdict}"

    def html(self) -> str:
        """Return the table without a script."""
        return table_html(self._caption, columns(), self._rows)


def columns() -> tuple[Column, ...]:
    """Return the columns, in the language chosen now."""
    return (
        Column("layer", tr("Layer"), numeric=False),
        Column("kind", tr("Kind"), numeric=False),
        Column("times", tr("Times")),
        Column("time", tr("Time")),
        Column("share", tr("Share")),
        Column("limit", tr("Limited by"), numeric=False),
        Column("flops", tr("Work")),
        Column("bytes", tr("Traffic")),
        Column("params", tr("Parameters")),
        Column("forward", tr("Forward")),
        Column("backward", tr("Backward")),
        Column("intensity", tr("FLOPS/byte")),
    )


@remembered(16)
def table_rows(rows: tuple[LayerRow, ...]) -> tuple[Row, ...]:
    """Return the rows of the table."""
    whole, longest = fsum(row.time for row in rows), max((row.time for row in rows), default=0.0)
    shown: dict[LayerRow, tuple[Cell, ...]] = {}  # equal layers differ in their names alone
    found = []
    for row in rows:
        unnamed = row._replace(path="")
        if unnamed not in shown:
            shown[unnamed] = _cells(row, whole, longest)
        found.append(Row(key(row), (Cell(key(row), key(row)), *shown[unnamed])))
    return tuple(found)


def _cells(row: LayerRow, whole: float, longest: float) -> tuple[Cell, ...]:
    """Return what stands after a layer's name."""
    share = row.time / whole if whole else 0.0
    scale = longest or 1.0
    intensity = row.flops / row.bytes if row.bytes else 0.0
    bar = tuple((role, part / scale) for role, part in zip(_STACK, row.parts, strict=True) if part)
    return (
        Cell(row.layer.title, row.layer.title),
        Cell(f"{row.times:,}", row.times),
        Cell(si(row.time, "s"), row.time, bar),
        Cell(f"{share:.1%}", share),
        Cell(tr(row.limiter) if row.limiter else "", str(row.limiter or "")),
        Cell(si(row.flops, "FLOP"), row.flops),
        Cell(si(row.bytes, "B"), row.bytes),
        Cell(f"{row.params:,}" if row.params else "", row.params),
        Cell(_seconds(row.forward), row.forward),
        Cell(_seconds(row.backward), row.backward),
        Cell(figures(intensity), intensity),
    )


def _seconds(time: float) -> str:
    return si(time, "s") if time else ""
