"""The catalogue of what users read: ``python -m tests.catalogue`` brings it up to date.

Sentences are found in two ways: those written inside ``tr("...")``, or in the same function given the name
that ``tr`` is called with, by reading the code; those that reach ``tr`` as a value (labels of fields, names
of marks, titles of rules, questions) by using every explorer once.
New ones are added without a translation, those no longer used are dropped, and what the machine reads is
written beside it.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from dlperf_widgets import course, language
from dlperf_widgets.advice import RULES
from dlperf_widgets.apps import APPS, Explorer
from dlperf_widgets.cost import Launch, Layout, Library, Scenario
from dlperf_widgets.dtypes import FP16, FP32
from dlperf_widgets.gpus import A100_SXM4_80GB, GPUS
from dlperf_widgets.layers import LAYERS, Conv2d, Layer
from dlperf_widgets.ops import TRAINING, Phase
from dlperf_widgets.widgets.quiz import Answers

WRITTEN = datetime(2026, 12, 1)  # in the header: a date of today would make each run a change
PACKAGE = Path(language.__file__).parent


def main() -> None:
    """Write every catalogue anew."""
    wanted = sentences()
    for name in language.LANGUAGES[1:]:
        old = catalogue(name)
        new = Catalog(locale=name, project="dlperf_widgets", fuzzy=False, creation_date=WRITTEN)
        for text in sorted(wanted):
            known = old.get(text)
            new.add(text, known.string if known else "")
        path(name).parent.mkdir(parents=True, exist_ok=True)
        with path(name).open("wb") as file:
            write_po(file, new, width=0, omit_header=False, include_lineno=False)
        path(name).with_suffix(".mo").write_bytes(compiled(name))
        missing = [message.id for message in new if message.id and not message.string]
        print(f"{name}: {len(wanted)} sentences, {len(missing)} without a translation")


def path(name: str) -> Path:
    """Return where the catalogue of a language lies."""
    return language.FOLDER / name / "LC_MESSAGES" / f"{language.DOMAIN}.po"


def catalogue(name: str) -> Catalog:
    """Return the catalogue of a language as it is."""
    if not path(name).exists():
        return Catalog(locale=name)
    with path(name).open("rb") as file:
        return read_po(file, locale=name)


def compiled(name: str) -> bytes:
    """Return the catalogue as gettext reads it."""
    buffer = BytesIO()
    write_mo(buffer, catalogue(name))
    return buffer.getvalue()


def sentences() -> set[str]:
    """Return every text that can reach a user through ``tr``."""
    written = {text for file in PACKAGE.rglob("*.py") for text in _literals(ast.parse(file.read_text()))}
    return written | set(course.texts()) | {text for text in used() if not _filled(text, written)}


def _filled(text: str, written: set[str]) -> bool:
    """Whether a text is one of the written ones with numbers put in, or begins with a GPU's name."""
    if any(text.startswith(gpu.name) for gpu in GPUS):
        return True
    templates = (re.split(r"{[^}]*}", each) for each in written if "{" in each)
    patterns = (r"[\d,.]+".join(map(re.escape, parts)) for parts in templates)
    return "{" not in text and any(re.fullmatch(pattern, text) for pattern in patterns)


def _literals(tree: ast.AST) -> Iterator[str]:
    for scope in (node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.FunctionDef)):
        calls = [n for n in ast.walk(scope) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "tr"]
        asked = [call.args[0] for call in calls if call.args]
        names = {n.id for n in asked if isinstance(n, ast.Name)}
        given = (
            n for n in ast.walk(scope) if isinstance(n, ast.Assign) and isinstance(scope, ast.FunctionDef)
        )
        values = [n.value for n in given if names & {getattr(each, "id", "") for each in n.targets}]
        for part in (part for node in asked + values for part in ast.walk(node)):
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and "<" not in part.value:
                yield part.value


def used() -> set[str]:
    """Return every text that ``tr`` is given while each explorer shows each thing that it can."""
    heard: set[str] = set()
    before = language._Current.translate

    def hear(text: str) -> str:
        heard.add(text)
        return text

    language.set_language("en")  # forgets what was remembered
    language._Current.translate = staticmethod(hear)
    try:
        for app in APPS:
            _use(app)
        for layer in (*LAYERS, *(Conv2d(batch, 64, 64, padding=1) for batch in (1, 64))):
            _explain(layer() if isinstance(layer, type) else layer)
        for text in (*(rule.title for rule in RULES), *Launch, *Library, *Layout, *Answers.COLUMNS):
            language.tr(text)
    finally:
        language._Current.translate = before
    return {text for text in heard if any(letter.isalpha() for letter in text)}


def _explain(layer: Layer) -> None:
    """Ask for the terms of every kind of operation: on Tensor Cores and CUDA cores, in a graph and eager."""
    for dtype, launch in ((FP16, Launch.GRAPH), (FP32, Launch.EAGER)):
        for cost in Scenario(layer, A100_SXM4_80GB, dtype, TRAINING, launch).costs:
            cost.explain()


def _use(app: type) -> None:
    explorer = app()
    language.tr(app.title)
    language.tr(app.caption)
    for kind in explorer.kinds():
        for phases, dtype in ((TRAINING, FP16), ((Phase.FPROP,), FP32)):
            scenario = replace(
                explorer.scenario, layer=kind(), phases=phases, dtype=dtype, gpu=A100_SXM4_80GB, sparse=False
            )
            explorer.controls.ask(lambda scenario=scenario: scenario)
            _look(explorer)
    for key, *_ in explorer.readouts.numbers:
        explorer.readouts.ask(key)
    for key in ("gpu", "pin"):
        explorer.toolbar.press(key)
    for question in explorer.questions():
        for text in (question.text, *question.choices, question.unit):
            language.tr(text)
    for f in fields(explorer.options):
        language.tr(f.metadata.get("label", ""))
        for choice in f.metadata.get("choices", ()):
            language.tr(str(choice))
            explorer._choose(f.name, choice)
            _look(explorer)
    explorer.close()


def _look(explorer: Explorer) -> None:
    for index in range(len(explorer.panes)):
        explorer.tabs.selected_index = index


if __name__ == "__main__":
    main()
