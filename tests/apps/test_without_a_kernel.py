"""What is left of an explorer where nothing can draw it: in a saved notebook, on GitHub, in a paper."""

import asyncio
import base64
import re
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import escape

import pytest

pytest.importorskip("ipywidgets")

import IPython.display as display_module

from dlperf_widgets.apps import APPS, LayerExplorer, ModelExplorer, _kept
from dlperf_widgets.apps._fallback import fallback, pixels, spoken
from dlperf_widgets.charts.poster import as_images, pictures, poster
from dlperf_widgets.views.pane import ChartPane
from dlperf_widgets.views.png import png

EVERY = pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
VIEW = "application/vnd.jupyter.widget-view+json"
# What GitHub's published pipeline lets through, as far as it matters here: no style, script or data address.
ALLOWED = {
    *("a", "b", "blockquote", "br", "code", "div", "em", "hr", "i", "img", "li", "ol", "p", "pre", "small"),
    *("span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
IMAGE = re.compile(r'src="data:image/svg\+xml;base64,([^"]*)" alt="([^"]*)"')


@pytest.fixture
def shown(monkeypatch):
    """Return what is displayed, as (its bundle, its display id, whether it renews another)."""
    found = []
    monkeypatch.setattr(
        display_module, "display", lambda data, raw, display_id="": found.append((data, display_id, False))
    )
    monkeypatch.setattr(
        display_module, "update_display", lambda data, raw, display_id: found.append((data, display_id, True))
    )
    return found


def tabs(explorer):
    """Bring one tab after another into view."""
    for index in range(len(explorer.panes)):
        explorer.tabs.selected_index = index
        yield explorer.panes[index]


def sanitised(html):
    bleach = pytest.importorskip("bleach")
    html = re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)  # their sanitiser drops its words, too
    names = {"*": ["class", "align"], "img": ["src", "alt"], "th": ["scope"], "a": ["href"]}
    return bleach.clean(html, tags=ALLOWED, attributes=names, strip=True)


# --- What is displayed ------------------------------------------------------------------------------


@EVERY
def test_a_cell_gets_the_live_view_and_a_picture_of_its_own(shown, app):
    explorer = app()
    explorer._ipython_display_()
    (live, _, _), (still, name, renews) = shown
    assert live[VIEW]["model_id"] == explorer.model_id
    assert "text/html" not in live
    assert VIEW not in still
    assert name and not renews
    # no dump of the widget, and nothing that a hand would change: this output is not renewed
    assert live["text/plain"] == f"{app.__name__}: {explorer.title}"
    assert "children=" not in live["text/plain"] + still["text/plain"]
    ET.fromstring(still["text/html"].replace("&nbsp;", " "))


def test_the_picture_hides_where_the_view_of_the_same_explorer_is(shown):
    one, two = LayerExplorer(), LayerExplorer()
    for each in (one, two):
        each._ipython_display_()
    names = [next(name for name in each._dom_classes if name.startswith("dlp-shows-")) for each in (one, two)]
    assert names[0] != names[1]
    assert f"body:has(.{names[0]})" in shown[1][0]["text/html"]
    assert names[1] not in shown[1][0]["text/html"]


def test_the_picture_is_renewed_once_the_hand_rests(shown, monkeypatch):
    monkeypatch.setattr(_kept, "_REST", 0.05)

    async def drag():
        explorer = LayerExplorer()
        explorer._ipython_display_()
        for batch in (520, 528, 640):
            explorer.controls.sizes["batch"].value = batch
        await asyncio.sleep(0.5)
        return explorer

    explorer = asyncio.run(drag())
    renewed = shown[2:]
    assert [(name, renews) for _, name, renews in renewed] == [(shown[1][1], True)]
    assert explorer.words()[0] in renewed[0][0]["text/plain"]
    assert renewed[0][0] != shown[1][0]


def test_another_tab_renews_it_too_and_nothing_is_sent_where_nothing_changed(shown):
    explorer = LayerExplorer()
    explorer._ipython_display_()
    explorer.tabs.selected_index = 1
    assert "launch" in shown[-1][0]["text/html"] and shown[-1][2]
    many = len(shown)
    explorer.toolbar.press("pin")  # shows in the picture
    explorer.toolbar.press("pin")
    explorer._kept.later()
    assert len(shown) == many + 2


def test_one_that_is_shown_nowhere_or_closed_sends_nothing(shown):
    explorer = LayerExplorer()
    explorer.controls.sizes["batch"].value = 520
    assert shown == []
    explorer._ipython_display_()
    explorer.close()
    explorer._kept.later()
    assert len(shown) == 2


def test_it_keeps_an_answer_to_itself_until_it_was_guessed(shown):
    explorer = LayerExplorer()
    explorer.predict_first("limiter")
    explorer._ipython_display_()
    for text in shown[-1][0].values():
        assert "limited" not in text and "<img" not in text
    explorer.stop_predicting()
    assert "limited" in shown[-1][0]["text/plain"] and "<img" in shown[-1][0]["text/html"]


# --- What it says -----------------------------------------------------------------------------------


@EVERY
def test_every_tab_is_left_small_with_its_numbers_and_its_text(app):
    explorer = app()
    for pane in tabs(explorer):
        html, text = fallback(explorer), spoken(explorer)
        assert len(html) < 60_000, pane.title
        assert "<svg" not in html and "<script" not in html
        for said in (explorer.words()[0], pane.alt(), *(number for *_, number in explorer.numbers())):
            assert said in text
        for address, _ in IMAGE.findall(html):
            picture = ET.fromstring(base64.b64decode(address))
            paints = ET.tostring(picture).decode()
            assert "var(" not in paints.replace("var(--jp-layout-color1, white)", "")
            for name in re.findall(r"url\(#([\w-]+)\)", paints):
                assert f'id="{name}"' in paints, pane.title
        # a page that takes pictures and style away keeps the words, and no debris of what it took
        left = sanitised(html)
        assert "base64" not in left and "display:none" not in left and "style" not in left
        for _, label, number in explorer.numbers():
            assert label in left and escape(number) in left, pane.title


def test_a_picture_says_what_its_marks_mean():
    explorer = LayerExplorer()
    explorer.tabs.selected_index = 1
    ((address, name),) = IMAGE.findall(fallback(explorer))
    words = [
        text.text
        for text in ET.fromstring(base64.b64decode(address)).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert words[-5:] == ["launch", "memory", "math", "waste", "now"]
    assert name.startswith("Time against batch size")


HOSTILE = '<img src=x onerror=alert(1)></svg><script>alert(1)</script>" onload="x'


@EVERY
def test_names_stay_text_in_every_picture(app):
    explorer = app()
    explorer.controls.move_to(replace(explorer.scenario.gpu, name=HOSTILE))
    for pane in tabs(explorer):
        raw, html = pane.html(), fallback(explorer)
        hidden = "".join(base64.b64decode(address).decode() for address, _ in IMAGE.findall(html))
        legend = pane.legend.value if isinstance(pane, ChartPane) else ""
        for text in (raw, html, hidden, legend):
            assert HOSTILE[:10] not in text and HOSTILE[-9:] not in text, pane.title
        inside = list(ET.fromstring(poster(explorer.words()[:1], pictures(raw), ())).iter())
        assert not {each.tag.rpartition("}")[2] for each in inside} & {"script", "img"}
        assert not [each for each in inside if "onload" in each.attrib]
    if "gpu" in explorer.shown_pickers():
        assert explorer.scenario.gpu.name == HOSTILE


def test_a_state_of_another_version_says_so_and_changes_nothing():
    explorer = LayerExplorer()
    before = explorer.state
    explorer.state = before.replace('"version": 1', '"version": 0')
    assert "of version 1" in explorer.message
    assert explorer.state == before
    assert "of version 1" in explorer.status.value


# --- Pixels -----------------------------------------------------------------------------------------


def test_a_png_comes_with_the_optional_converter():
    pytest.importorskip("cairosvg")
    drawn = base64.b64decode(pixels(ModelExplorer()))
    assert drawn[:4] == b"\x89PNG"
    assert int.from_bytes(drawn[16:20], "big") == 1140  # 760 at one and a half


@pytest.mark.parametrize("missing", [None, OSError])
def test_without_the_converter_or_its_library_there_is_none(monkeypatch, shown, missing):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    if missing:

        class Broken:
            def find_spec(self, name, path=None, target=None):
                if name == "cairosvg":
                    raise missing("no library called cairo was found")

        monkeypatch.delitem(sys.modules, "cairosvg")
        monkeypatch.setattr(sys, "meta_path", [Broken(), *sys.meta_path])
    assert png("<svg/>") is None
    LayerExplorer()._ipython_display_()
    assert "image/png" not in shown[1][0]


def test_an_image_of_a_picture_that_uses_the_hatching_of_its_page_brings_its_own():
    page = (
        '<svg width="0" height="0"><defs/></svg>'
        '<svg viewBox="0 0 10 10" aria-label="a &lt; b"><path style="fill:url(#dlp-svg-hatch)"/></svg>'
    )
    ((address, name),) = IMAGE.findall(as_images(page))
    assert name == "a &lt; b"
    assert b'<pattern id="dlp-svg-hatch"' in base64.b64decode(address)
