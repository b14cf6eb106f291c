"""What pages take from the package's own records, as Markdown: nothing is written twice."""

import inspect
import io
import json
import tokenize
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Callable, Iterable
from dataclasses import fields
from pathlib import Path

from fields import comments

from dlperf_widgets import dtypes, gpus
from dlperf_widgets.__main__ import _parser
from dlperf_widgets.advice import RULES
from dlperf_widgets.apps import APPS
from dlperf_widgets.cost import constants, errors, estimates
from dlperf_widgets.glossary import TERMS
from dlperf_widgets.gpus import Gpu
from dlperf_widgets.units import GB_S, GIB, MHZ, MIB, si

ROOT = Path(__file__).parents[2]


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    head = list(head)
    lines = ([str(cell).replace("|", r"\|") for cell in line] for line in (head, ["---"] * len(head), *rows))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _link(title: str, address: str) -> str:
    return f"[{title}]({address})" if address else title


def gpu_table() -> str:
    """Return every GPU with its sizes and dense peaks."""
    shown = (dtypes.FP32, dtypes.TF32, dtypes.FP16, dtypes.BF16, dtypes.FP8, dtypes.INT8)
    head = ["GPU", "cc", "SMs", "MHz", "GiB", "GB/s", "L2, MiB"]
    return _table([*head, *(d.name for d in shown), "ratio"], (_gpu(gpu, shown) for gpu in gpus.GPUS))


def _gpu(gpu: Gpu, shown: Iterable[dtypes.DType]) -> list[str]:
    ratio = f"{gpu.ops_byte_ratio(dtypes.FP16):.0f}" if dtypes.FP16 in gpu.dtypes else "-"
    return [
        f"[{gpu.name}](#{_slug(gpu.name)})",
        gpu.compute_capability,
        str(gpu.sms),
        f"{gpu.clock / MHZ:.0f}",
        f"{gpu.memory / GIB:g}",
        f"{gpu.bandwidth / GB_S:g}",
        f"{gpu.l2 / MIB:g}" if gpu.l2 else "-",
        *(f"{gpu.peak(d) / 1e12:.4g}" if d in gpu.dtypes else "-" for d in shown),
        ratio,
    ]


def _slug(text: str) -> str:
    kept = "".join(letter for letter in text.lower() if letter.isalnum() or letter in "- ")
    return kept.replace(" ", "-")


def gpu_sources() -> str:
    """Return for every GPU the pages that its numbers rest on."""
    parts = []
    for gpu in gpus.GPUS:
        name = next(name for name, value in vars(gpus).items() if value is gpu and name.isupper())
        pages = [f"- {_link(s.title, s.address)}: {', '.join(s.fields)}" for s in gpu.sources]
        prices = [
            f"- {_link(p.seller, p.source)}: {p.amount:g} {p.currency} per {p.per}, {p.date}"
            for p in gpu.prices
        ]
        head = f"### {gpu.name}\n\n`gpus.{name}`, {gpu.architecture}, {gpu.line}"
        parts.append("\n".join([f"{head}\n", *pages, *prices, ""]))
    return "\n".join(parts)


def constants_table() -> str:
    """Return every fitted constant: its value, its unit, its meaning, and the values of some GPUs."""
    parts = []
    for name, family in constants.FAMILIES.items():
        rows = [
            (f"`{c.name}`", f"{c.value:g}", c.unit, c.meaning, _own(c))
            for c in constants.CONSTANTS
            if c.family == family or c.family == name
        ]
        parts.append(
            f"**{name}**: {family.data}; {family.rows:,} rows; fitted {family.date}.\n\n"
            + _table(("constant", "value", "unit", "what it stands for", "of some GPUs"), rows)
        )
    return "\n\n".join(parts)


def _own(constant: constants.Constant) -> str:
    own = ", ".join(f"{kind}: {value:g}" for kind, value in constant.own.items())
    guessed = [kind for kind in constant.guessed if kind]
    return f"{own} (not fitted: {', '.join(guessed)})" if guessed else own


def estimates_table() -> str:
    """Return what was chosen or read and not fitted, with the remark above each in the source."""
    rows, remark = [], []
    source = inspect.getsource(estimates)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and token.line.startswith("#"):
            remark.append(token.string.removeprefix("#").strip())
        elif token.type == tokenize.NAME and token.string.isupper() and token.line.startswith(token.string):
            names = token.line.split("=")[0].strip().split(", ")
            values = ", ".join(f"{name} = {_value(name)}" for name in names)
            rows.append((values, " ".join(remark)))
            remark = []
    return _table(("name and value", "what it stands for"), rows)


def _value(name: str) -> str:
    value = getattr(estimates, name)
    if isinstance(value, dict):
        return "; ".join(f"{key}: {each:g}" for key, each in value.items())
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def errors_table() -> str:
    """Return the error and the bands of predictions, as the package carries them."""
    rows = (
        (kind, capability, f"{error:.1%}", f"{rows:,}", data, " / ".join(f"{x:.2f}" for x in bands))
        for (kind, capability), (error, rows, data, bands) in errors.ERRORS.items()
    )
    bands = "x: short / middling / long"
    return _table(("operation", "cc", "mean abs. error", "measured", "whose, on what", bands), rows)


def rules() -> str:
    """Return every rule of the checklist with the guide that gives it."""
    rows = ((rule.title, _link(rule.source.title, rule.source.address)) for rule in RULES)
    return _table(("rule", "guide"), rows)


def glossary() -> str:
    """Return the terms, each with its Chinese, its meaning, the explorer that shows it and its source."""
    titles = {app.slug: app.title for app in APPS}
    entries = (
        f"{term.name}\n"
        f": {term.meaning} In Chinese: {term.zh}. Explorer: {titles[term.explorer]}. Source: "
        f"{_link(term.source.title, term.source.address)}.\n"
        for term in sorted(TERMS, key=lambda term: term.name.lower())
    )
    return "\n".join(entries)


def explorers() -> str:
    """Return for every explorer what it shows, its options, its pictures and its numbers."""
    parts = []
    for app in APPS:
        explorer = app()
        pictures = ", ".join(pane.title for pane in explorer.panes)
        numbers = ", ".join(f"{readout.label} (`{readout.key}`)" for readout in explorer.numbers())
        options = _options(app.options_kind)
        explorer.close()
        name = app.__name__
        parts.append(
            f"## {app.title}\n\n{app.caption}.\n\n`dp.{name}(scenario, options)`; name in files, links and "
            f"`open_explorer`: `{app.slug}`. Pictures: {pictures}. Numbers to ask about: {numbers}.\n\n"
            f"Options, `charts.{app.options_kind.__name__}`:\n\n{options}\n"
        )
    return "\n".join(parts)


def _options(kind: type) -> str:
    said = {"dim": "whole number", "real": "number", "flag": "yes or no"}
    remarks, rows = comments(kind), []
    for f in fields(kind):
        about = f.metadata
        choices = ", ".join(map(str, about.get("choices", ())))
        values = choices or said.get(about["kind"], "set by the pictures")
        if "min" in about:
            values += f", {about['min']:g} to {about['limit' if 'limit' in about else 'max']:,}"
        first = (f"`{f.name}`", about.get("label", ""), f"`{f.default!r}`")
        rows.append((*first, values, remarks.get(f.name, "")))
    return _table(("option", "label", "default", "values", "meaning"), rows)


def command_line() -> str:
    """Return the help of ``dlperf`` and of each of its commands."""
    parser = _parser()
    parts = [_help("dlperf", parser)]
    subparsers = next(a for a in parser._actions if isinstance(a, _SubParsersAction))
    parts += [_help(f"dlperf {name}", each) for name, each in subparsers.choices.items()]
    return "\n".join(parts)


def _help(name: str, parser: ArgumentParser) -> str:
    return f"## {name}\n\n```text\n{parser.format_help()}```\n"


def settings() -> str:
    """Return JupyterLab's settings of the extension."""
    schema = json.loads((ROOT / "js/schema/settings.json").read_text(encoding="utf-8"))
    rows = (
        (f"`{name}`", each["title"], each["description"], f"`{json.dumps(each['default'])}`")
        for name, each in schema["properties"].items()
    )
    return _table(("setting", "title", "what it does", "default"), rows)


def scenario_file() -> str:
    """Return the fields of a scenario file as its JSON schema has them."""
    schema = json.loads((ROOT / "dlperf_widgets/scenario.schema.json").read_text(encoding="utf-8"))
    inner = schema["properties"]["scenario"]
    return "\n\n".join(
        f"{head}\n\n{_table(('key', 'values', 'meaning'), _keys(each))}"
        for head, each in (("The file:", schema), ("Its scenario:", inner))
    )


def _keys(schema: dict) -> Iterable[tuple[str, str, str]]:
    for name, about in schema["properties"].items():
        needed = " (needed)" if name in schema["required"] else ""
        yield f"`{name}`{needed}", _values(about), about.get("description", "")


def _values(about: dict) -> str:
    if "const" in about:
        return f"`{about['const']}`"
    if "enum" in about:
        return ", ".join(f"`{each}`" for each in about["enum"])
    if "items" in about:
        return f"a list of {_values(about['items'])}"
    kind = about.get("type", "")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def links() -> str:
    """Return every interconnect with its rate, its latency and its source."""
    from dlperf_widgets.links import LINKS

    rows = ((link.name, f"{si(link.bandwidth, 'B/s')}", f"{si(link.latency, 's')}") for link in LINKS)
    return _table(("link", "bandwidth, one direction", "latency"), rows)


PAGES: dict[str, Callable[[], str]] = {
    "command_line": command_line,
    "constants": constants_table,
    "errors": errors_table,
    "estimates": estimates_table,
    "explorers": explorers,
    "glossary": glossary,
    "gpu_sources": gpu_sources,
    "gpus": gpu_table,
    "links": links,
    "rules": rules,
    "scenario_file": scenario_file,
    "settings": settings,
}
