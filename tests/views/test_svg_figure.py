"""The chart that needs neither bqplot nor numpy: what goes over the wire, and what comes back."""

import re
import subprocess
import sys
from array import array
from dataclasses import replace

import pytest

pytest.importorskip("anywidget")

import anywidget
import comm
import ipywidgets as w

import dlperf_widgets as dp
from dlperf_widgets.apps import APPS, LayerExplorer
from dlperf_widgets.charts import Area, Axis, Chart, Line, Points, Role
from dlperf_widgets.views.renderer import set_renderer
from dlperf_widgets.views.svg_figure import SvgFigure

X, Y = Axis("Batch size", "", (1, 10_000), log=True), Axis("Time", "s", (0, 4e-5))
NOW = Points("now", Role.CURRENT, (100.0,), (2e-5,), notes=("20 µs",), drag="batch")
LINE = Line("predicted", Role.PREDICTED, (1, 10, 10_000), (0, 1e-5, 4e-5), label="here")
WASTE = Area("waste", Role.WASTE, (1, 10), (0, 0), (1e-5, 1e-5))
CHART = Chart("a", X, Y, (WASTE, LINE, NOW), "A line that rises.")


def figure(chart=CHART, moved=None, asked=None):
    """Return a figure, and the names of the traits that each message from now on brings."""
    made = SvgFigure(chart, moved or (lambda *_: None), asked or (lambda _: None))
    sent = []

    def send(message, buffers=None):
        sent.append({*message["state"], *(path[0] for path in message["buffer_paths"])})

    made._send = send
    return made, sent


def numbers(made):
    """Return what the page unpacks: for each shape its x, y and radii."""
    packed = array("f", made.numbers)
    at, found = len(made.shapes), {}
    for shape, count in zip(made.shapes, packed, strict=False):
        columns = 3 if shape["kind"] == "bubbles" else 2
        ends = [at + int(count) * i for i in range(columns + 1)]
        found[shape["name"]] = [list(packed[a:b]) for a, b in zip(ends, ends[1:], strict=False)]
        at = ends[-1]
    assert at == len(packed)
    return found


@pytest.fixture
def svg_renderer():
    set_renderer("svg")
    yield
    set_renderer("auto")


def test_classes_come_with_the_message_that_opens_a_widget(monkeypatch, svg_renderer):
    """Of those that come later anywidget's view may never hear."""
    opened = {}

    class Recorded(comm.DummyComm):
        def __init__(self, *args, data=None, **kwargs):
            super().__init__(*args, data=data, **kwargs)
            opened[self.comm_id] = data["state"]

    monkeypatch.setattr(comm, "create_comm", Recorded)
    explorers = [make() for make in APPS]
    found = [widget for key, widget in w.widget._instances.items() if key in opened]
    assert explorers and any(isinstance(each, SvgFigure) for each in found)
    for each in found:
        if isinstance(each, anywidget.AnyWidget):
            assert opened[each.model_id]["_dom_classes"] == each._dom_classes, type(each).__name__


def test_every_script_listens_even_when_it_comes_late():
    ours = [kind for kind in anywidget.AnyWidget.__subclasses__() if kind.__module__.startswith("dlperf_")]
    assert len(ours) >= 11
    for kind in ours:
        esm = str(kind._esm)
        assert "_listening" in esm and re.search(r"initialize: ?\w+|listening\({ model }\);", esm), kind


def test_places_are_shares_of_the_picture_on_either_kind_of_axis():
    made, _ = figure()
    found = numbers(made)
    assert found["predicted"] == [[0, 0.25, 1], [0, 0.25, 1]]
    assert found["now"] == [[0.5], [0.5]]
    assert made.axes["x"]["ticks"] == [[0, "1"], [0.25, "10"], [0.5, "100"], [0.75, "1k"], [1, "10k"]]
    assert [shape["kind"] for shape in made.shapes] == ["area", "line", "text", "dots"]
    assert made.words == [[], [], ["here"], ["20 µs"]]
    assert made.alt == "A line that rises."


def test_bubbles_bring_their_radii():
    bubbles = Points("nets", Role.MEMORY, (10, 100), (1e-5, 2e-5), notes=("a", "b"), sizes=(0.25, 1))
    made, _ = figure(replace(CHART, marks=(bubbles,)))
    assert numbers(made)["nets"][2] == pytest.approx([18.92, 37.85], abs=0.01)  # 4,500 px² at most


def test_a_step_sends_one_message_with_what_changed_and_nothing_else():
    made, sent = figure()
    made.chart = replace(CHART, marks=(WASTE, LINE, replace(NOW, x=(1000.0,))))
    assert sent == [{"numbers"}]
    made.chart = replace(made.chart, alt="Other words.")
    assert sent[1:] == [{"alt"}]
    made.chart = replace(made.chart)  # an equal one
    assert len(sent) == 2


def test_a_dragged_point_is_heard_in_values_of_its_axis_and_answered_with_the_picture():
    heard = []

    def moved(name, shape, index, x):
        heard.append((name, shape.drag, index, x))
        made.chart = replace(CHART, marks=(WASTE, LINE, replace(NOW, x=(1000.0,))))

    made, sent = figure(moved=moved)
    made.set_state({"moved": {"name": "now", "index": 0, "at": 0.75, "turn": 1}})
    assert heard == [("now", "batch", 0, pytest.approx(1000))]
    assert sent == [{"numbers", "answered"}]
    assert made.answered == 1


def test_a_point_that_may_not_move_is_answered_too_so_that_it_goes_back():
    made, sent = figure()
    made.set_state({"moved": {"name": "now", "index": 0, "at": 0.9, "turn": 7}})
    assert sent == [{"answered"}]
    assert made.answered == 7


@pytest.mark.parametrize("at, x", [(-3, 1), (0, 1), (1, 10_000), (5, 10_000)])
def test_a_point_never_leaves_the_axis(at, x):
    heard = []
    made, _ = figure(moved=lambda *each: heard.append(each[-1]))
    made.set_state({"moved": {"name": "now", "index": 0, "at": at, "turn": 1}})
    assert heard == [pytest.approx(x)]


def test_on_a_linear_axis_too():
    heard = []
    linear = replace(CHART, x=Axis("Batch size", "", (0, 200)))
    made, _ = figure(linear, moved=lambda *each: heard.append(each[-1]))
    made.set_state({"moved": {"name": "now", "index": 0, "at": 0.3, "turn": 1}})
    assert heard == [pytest.approx(60)]


@pytest.mark.parametrize("name, index", [("nothing", 0), ("now", 1), ("now", -1), ("predicted", 0)])
def test_a_stale_page_that_moves_or_asks_what_is_no_more_does_no_harm(name, index):
    heard = []
    made, _ = figure(moved=lambda *each: heard.append(each), asked=heard.append)
    made.set_state({"moved": {"name": name, "index": index, "at": 0.5, "turn": 3}})
    made.set_state({"asked": {"name": name, "index": index, "turn": 1}})
    assert heard == []
    assert made.answered == 3


def test_asking_twice_is_heard_twice():
    heard = []
    made, _ = figure(asked=heard.append)
    for turn in (1, 2):
        made.set_state({"asked": {"name": "now", "index": 0, "turn": turn}})
    assert heard == ["20 µs", "20 µs"]


def test_alone_in_a_cell_it_leaves_a_picture_for_pages_without_a_kernel():
    made, _ = figure(replace(CHART, alt="a < b"))
    data, _ = made._repr_mimebundle_()
    assert data["text/html"].startswith("<svg")
    assert data["text/html"].endswith("<p>a &lt; b</p>")


def test_dragging_moves_the_layer_of_an_explorer(svg_renderer):
    explorer = LayerExplorer()
    explorer.tabs.selected_index = 1
    drawn = explorer.charts[1]
    assert isinstance(drawn, SvgFigure)
    drawn.set_state({"moved": {"name": "now", "index": 0, "at": 640 / 1024, "turn": 1}})
    assert explorer.scenario.layer.batch == 640
    assert numbers(drawn)["now"][0] == pytest.approx([640 / 1024])
    drawn.set_state({"asked": {"name": "now", "index": 0, "turn": 1}})
    assert drawn.words[-1][0].split(":")[0] in explorer.reason.value
    explorer.close()


def test_who_chooses_a_renderer_that_is_not_there_is_told_what_there_is():
    with pytest.raises(ValueError, match="no renderer 'canvas': choose from auto, bqplot, svg"):
        dp.set_renderer("canvas")


BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"bqplot", "numpy", "pandas"}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Blocked())
import dlperf_widgets as dp
from dlperf_widgets.apps import APPS

for app in APPS:
    explorer = app()
    for index in range(len(explorer.panes)):
        explorer.tabs.selected_index = index
    names = {type(figure).__name__ for figure in explorer.charts}
    assert names == {"SvgFigure"}, (app, names)
    assert "<table" in explorer._repr_mimebundle_()["text/html"]
    explorer.close()
try:
    dp.set_renderer("bqplot")
except ValueError as error:
    print(error)
"""


def test_every_explorer_draws_every_tab_without_numpy_and_bqplot():
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "bqplot is not installed here: choose 'svg', or install bqplot"
    assert len(APPS) == 10
