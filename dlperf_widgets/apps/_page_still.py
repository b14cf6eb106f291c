"""An explorer as HTML that needs no script, laid out as its widgets will be when they replace it."""

from collections.abc import Iterable
from functools import singledispatch
from html import escape
from math import log
from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets as w

from ..language import tr
from ..views.pane import ChartPane, Pane
from ..widgets.checklist import Checklist
from ..widgets.measure_bar import MeasureBar
from ..widgets.readouts import Readouts
from ..widgets.size import POWERS, SizeControl
from ..widgets.toolbar import Toolbar

if TYPE_CHECKING:
    from ._explorer import Explorer

_INLINE = "widget-inline-hbox jupyter-widget-inline-hbox"
_STYLES = ("display", "width", "height", "min_width")
_PICTURE = "<!-- the picture in view -->"


def still(explorer: "Explorer") -> str:
    """Return the explorer as it stands, with controls that do not answer."""
    pane = explorer.panes[explorer.tabs.selected_index or 0]
    return _html(explorer).replace(_PICTURE, _picture(pane, covered=bool(explorer.prediction.keys)), 1)


def no_measuring() -> str:
    """Return why a page measures nothing."""
    return tr("A page cannot measure: open this explorer in a notebook for that.")


def _picture(pane: Pane, covered: bool) -> str:
    """Return the picture, its key and its text; room for them while a guess is awaited."""
    if covered:
        return '<div class="dlperf-chart"></div>'
    key = pane.legend.value if isinstance(pane, ChartPane) else ""
    kind = "dlperf-chart" if key else "dlp-picture"
    return f'<div class="{kind}" role="img" aria-label="{escape(pane.alt())}">{pane.html()}</div>{key}'


@singledispatch
def _html(_widget: Any) -> str:
    """Return a widget's HTML; nothing for one that says nothing before it is used."""
    return ""


@_html.register
def _box(box: w.Box) -> str:
    kinds = {w.VBox: "widget-vbox jupyter-widget-vbox", w.HBox: "widget-hbox jupyter-widget-hbox"}
    own = next((classes for kind, classes in kinds.items() if isinstance(box, kind)), "")
    inner = "".join(_html(child) for child in box.children)
    return _element(box, f"widget-container widget-box jupyter-widget-box {own}", inner)


@_html.register
def _tab(tab: w.Tab) -> str:
    shown = tab.selected_index or 0
    names = "".join(
        f'<li class="lm-TabBar-tab{" lm-mod-current" if index == shown else ""}">'
        f'<div class="lm-TabBar-tabLabel">{escape(title)}</div></li>'
        for index, title in enumerate(tab.titles)
    )
    bar = f'<div class="lm-TabBar" data-orientation="horizontal"><ul class="lm-TabBar-content">{names}</ul>'
    page = f'<div class="widget-tab-contents jupyter-widget-tab-contents">{_PICTURE}</div>'
    return _element(tab, "widget-container widget-tab jupyter-widget-tab lm-TabPanel", f"{bar}</div>{page}")


@_html.register
def _words(words: w.HTML) -> str:
    inner = f'<div class="widget-html-content">{words.value}</div>'
    return _element(words, f"{_INLINE} widget-html jupyter-widget-html", inner)


@_html.register
def _dropdown(picker: w.Dropdown) -> str:
    inner = _label(picker) + _select(picker.label or "", picker._options_labels)
    return _element(picker, f"{_INLINE} widget-dropdown jupyter-widget-dropdown", inner)


@_html.register
def _several(picker: w.SelectMultiple) -> str:
    options = "".join(f"<option>{escape(each)}</option>" for each in picker._options_labels)
    inner = f"{_label(picker)}<select multiple disabled size={picker.rows:d}>{options}</select>"
    return _element(picker, f"{_INLINE} widget-select-multiple jupyter-widget-select-multiple", inner)


@_html.register
def _checkbox(box: w.Checkbox) -> str:
    tick = f'<input type="checkbox" disabled{" checked" if box.value else ""}>'
    inner = f'<label class="widget-label-basic">{tick}<span>{escape(box.description)}</span></label>'
    return _element(box, f"{_INLINE} widget-checkbox jupyter-widget-checkbox", inner)


@_html.register
def _real(text: w.FloatText) -> str:
    inner = f'{_label(text)}<input type="text" disabled value="{text.value:g}">'
    return _element(text, f"{_INLINE} widget-text jupyter-widget-text", inner)


@_html.register
def _size(size: SizeControl) -> str:
    bend = log if size.logarithmic and size.least > 0 else float
    start, end = bend(size.least), bend(max(size.most, size.value))
    place = (bend(size.value) - start) / ((end - start) or 1)
    step = "2ⁿ" if size.step == POWERS else f"×{size.step}"
    head = (
        f'<div class="dlp-size-head"><span class="dlp-size-label">{escape(size.label)}</span>'
        f'<input type="text" disabled value="{escape(size.text or str(size.value))}">{_select(step)}</div>'
    )
    slider = f'<input type="range" disabled max="1000" value="{place * 1000:.0f}">'
    return _element(size, "dlp-size", head + slider)


@_html.register
def _toolbar(bar: Toolbar) -> str:
    return _element(bar, "dlp-toolbar", "".join(_button(each["label"]) for each in bar.buttons))


@_html.register
def _measure_bar(bar: MeasureBar) -> str:
    words = f"<span>{escape(bar.result or no_measuring())}</span>"
    return _element(bar, "dlp-measure", _button(bar.words["measure"]) + words)


@_html.register
def _readouts(readouts: Readouts) -> str:
    numbers = (
        f'<button type="button" class="dlp-readout" disabled><span>{escape(label)} </span>'
        f"<b>{escape(text)}</b></button>"
        for _, label, text in readouts.numbers
    )
    return _element(readouts, "dlp-readouts", "".join(numbers))


@_html.register
def _checklist(checklist: Checklist) -> str:
    rows = "".join(
        f'<li class="dlp-check{" dlp-check-passed" if item["passed"] else ""}">'
        f'<span class="dlp-check-mark">{"✓" if item["passed"] else "⚠"}</span>{_finding(item)}</li>'
        for item in checklist.items
    )
    summary = f"<summary>{escape(checklist.title + checklist.summary)}</summary>"
    return _element(checklist, "", f'<details class="dlp-checklist" open>{summary}<ul>{rows}</ul></details>')


def _finding(item: dict[str, Any]) -> str:
    title, sentence = escape(item["title"]), f"<div>{escape(item['sentence'])}</div>"
    if item["passed"]:
        return f'<details class="dlp-check-body"><summary>{title}</summary>{sentence}</details>'
    cost = f'<span class="dlp-check-cost">{escape(item["cost"])}</span>' if item["cost"] else ""
    apply = _button(item["apply"]) if item["apply"] else ""
    source = f'<span class="dlp-check-source">{escape(item["source"])}</span>' if item["source"] else ""
    return f'<div class="dlp-check-body"><b>{title}</b>{cost}{sentence}{apply}{source}</div>'


def _element(widget: w.DOMWidget, classes: str, inner: str) -> str:
    own = () if isinstance(widget, anywidget.AnyWidget) else ("jupyter-widgets",)
    names = " ".join((*own, *classes.split(), *widget._dom_classes))
    values = ((name, getattr(widget.layout, name)) for name in _STYLES)
    style = ";".join(f"{name.replace('_', '-')}:{value}" for name, value in values if value)
    return f'<div class="{escape(names)}" style="{escape(style)}">{inner}</div>'


def _label(widget: Any) -> str:
    return f'<label class="widget-label">{escape(widget.description)}</label>' if widget.description else ""


def _select(shown: str, several: Iterable[str] = ()) -> str:
    """Return a picker, as wide as the longest of what it offers."""
    options = "".join(f"<option>{escape(each)}</option>" for each in several if each != shown)
    return f"<select disabled><option selected>{escape(shown)}</option>{options}</select>"


def _button(label: str) -> str:
    return f'<button type="button" class="dlp-button" disabled>{escape(label)}</button>'
