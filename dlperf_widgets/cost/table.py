"""Tables of a layer or a scenario, as text and as HTML."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from math import fsum

from ..layers import Layer
from ..ops import Phase
from ..units import figures, si
from ._checks import choice, thing
from .scenario import Scenario
from .time import Cost

Cell = str | int | float
Row = tuple[Cell, ...]
_CONVENTION = "A multiply-add is two FLOPs; other FLOPs (bias, activation, normalization) are counted apart."


@dataclass(frozen=True)
class Table:
    """Rows under named columns, with a row of totals; it prints as text and shows as HTML."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    total: Row
    note: str = ""

    def column(self, name: str) -> tuple[Cell, ...]:
        """Return the values of a column, without the total."""
        return tuple(row[self.columns.index(name)] for row in self.rows)

    def __str__(self) -> str:
        lines = [self.columns, *(_words(row) for row in (*self.rows, self.total))]
        widths = [max(map(len, each)) for each in zip(*lines, strict=True)]
        left = [isinstance(cell, str) for cell in self.total]
        texts = ["  ".join(_padded(*cell) for cell in zip(line, widths, left, strict=True)) for line in lines]
        rule = "-" * max(map(len, texts))
        body = [
            self.title,
            rule,
            texts[0].rstrip(),
            rule,
            *map(str.rstrip, texts[1:-1]),
            rule,
            texts[-1].rstrip(),
        ]
        return "\n".join([*body, *([self.note] if self.note else [])])

    def _repr_html_(self) -> str:
        def line(cells: Iterable[str], tag: str) -> str:
            return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

        body = "".join(line(_words(row), "td") for row in self.rows)
        return (
            f'<table class="dlp-table"><caption>{escape(self.title)}</caption>'
            f"<thead>{line(self.columns, 'th')}</thead><tbody>{body}</tbody>"
            f"<tfoot>{line(_words(self.total), 'td')}</tfoot></table><p>{escape(self.note)}</p>"
        )


def _padded(text: str, width: int, left: bool) -> str:
    return text.ljust(width) if left else text.rjust(width)


def _words(row: Row) -> tuple[str, ...]:
    return tuple(_word(cell) for cell in row)


def _word(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:.1%}"


def summary(layer: Layer, by: str = "layer") -> Table:
    """Return what a layer or a network consists of: by "layer", by "kind" of layer, or by "phase".

    Exact counts of one forward pass; a repeated block is one row with its count in it. Print it, or show it
    in a cell. ValueError for another ``by``.
    """
    tables = {"layer": _by_layer, "kind": _by_kind, "phase": _by_phase}
    return tables[choice("by", by, tables)](thing("layer", Layer, layer))


_COUNTS = ("Parameters", "MACs", "FLOPs", "Other FLOPs")


def _counts(leaf: Layer, count: int = 1) -> tuple[int, int, int, int]:
    return (count * leaf.params, count * leaf.macs, count * leaf.flops, count * leaf.other_flops)


def _by_layer(layer: Layer) -> Table:
    rows = tuple(
        (path or leaf.title, leaf.title, _shape(leaf), count, *_counts(leaf, count))
        for path, leaf, count in layer.leaves()
    )
    return Table(
        title=layer.title,
        columns=("Layer", "Kind", "Output shape", "Times", *_COUNTS),
        rows=rows,
        total=("Total", "", "", sum(int(row[3]) for row in rows), *_counts(layer)),
        note=_CONVENTION,
    )


def _by_kind(layer: Layer) -> Table:
    groups: dict[str, list[tuple[int, ...]]] = {}
    for _, leaf, count in layer.leaves():
        groups.setdefault(leaf.title, []).append((count, *_counts(leaf, count)))
    sums = {title: [sum(values) for values in zip(*group, strict=True)] for title, group in groups.items()}
    rows = tuple((title, *each, each[2] / (layer.macs or 1)) for title, each in sums.items())
    total = ("Total", sum(each[0] for each in sums.values()), *_counts(layer), 1.0 if layer.macs else 0.0)
    return Table(layer.title, ("Kind", "Layers", *_COUNTS, "Share of MACs"), rows, total, _CONVENTION)


def _by_phase(layer: Layer) -> Table:
    rows: list[Row] = []
    unasked = () if layer.needs_input_gradient else layer.head
    for phase in Phase:
        ops = [
            (op, count)
            for path, leaf, count in layer.leaves()
            if phase is not Phase.DGRAD or path not in unasked
            for op in leaf.ops(phase)
        ]
        macs = sum(count * op.macs for op, count in ops)
        flops = sum(count * op.flops for op, count in ops)
        rows.append((str(phase), sum(count for _, count in ops), macs, 2 * macs, flops - 2 * macs))
    sums = (sum(int(row[i]) for row in rows) for i in range(1, 5))
    note = f"{_CONVENTION} Epilogues, such as a bias, move nothing and are left out here."
    columns = ("Phase", "Operations", "MACs", "FLOPs", "Other FLOPs")
    return Table(layer.title, columns, tuple(rows), ("Total", *sums), note)


def _shape(leaf: Layer) -> str:
    return " x ".join(map(str, leaf.output_shape))


_KEYS: dict[str, Callable[[Cost], str]] = {
    "operation": lambda cost: f"{cost.path} {cost.phase}".strip(),
    "layer": lambda cost: cost.path or "layer",
    "phase": lambda cost: str(cost.phase),
    "limiter": lambda cost: str(cost.limiter),
}


def tabulate(scenario: Scenario, by: str = "operation") -> Table:
    """Return the costs of a scenario by "operation", "layer", "phase" or "limiter", in order of execution.

    A row has FLOPs, bytes, FLOPS/byte, time and its share; a repeated operation counts as often as it runs.
    Print it, or show it in a cell. ValueError for another ``by``.
    """
    scenario, by = thing("scenario", Scenario, scenario), choice("by", by, _KEYS)
    groups: dict[str, list[Cost]] = {}
    for cost in scenario.costs:
        groups.setdefault(_KEYS[by](cost), []).append(cost)
    rows = tuple((key, *_sums(costs, scenario.time)) for key, costs in groups.items())
    return Table(
        title=f"{scenario.layer.title} on {scenario.gpu.name} in {scenario.format.name}",
        columns=(by.capitalize(), "Times", "FLOPs", "Bytes", "FLOPS/byte", "Time", "Share of time"),
        rows=rows,
        total=("Total", *_sums(list(scenario.costs), scenario.time)),
    )


def _sums(costs: list[Cost], whole: float) -> tuple[Cell, ...]:
    flops = sum(cost.count * cost.flops for cost in costs)
    moved = fsum(cost.count * cost.bytes for cost in costs)
    time = fsum(cost.count * cost.time for cost in costs)
    intensity = figures(flops / moved) if moved else "0"
    many = sum(cost.count for cost in costs)
    return many, flops, round(moved), intensity, si(time, "s"), time / whole if whole else 0.0
