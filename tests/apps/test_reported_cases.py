"""What users of other tools reported, tried on our explorers without a browser."""

import re
from dataclasses import replace
from itertools import pairwise
from math import inf, isfinite, nan

import pytest

from dlperf_widgets import gpus
from dlperf_widgets.apps import APPS, GemmExplorer, LayerExplorer, open_explorer
from dlperf_widgets.charts import (
    CHARTS,
    Area,
    Axis,
    Chart,
    Line,
    Options,
    Points,
    Role,
    Spans,
    plain,
    roofline,
    svg,
)
from dlperf_widgets.charts._chart import holding
from dlperf_widgets.charts.candidates import GemmOptions
from dlperf_widgets.charts.placed import placed
from dlperf_widgets.charts.roles import variables
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import BF16, FP16, FP32, TF32
from dlperf_widgets.layers import LAYERS, Conv1d, Linear, Rnn
from dlperf_widgets.ops import TRAINING
from dlperf_widgets.views.legend import legend
from dlperf_widgets.views.pane import ChartPane

A100 = gpus.A100_SXM4_80GB
LAYER = Linear(512, 1024, 4096)
EVERY = pytest.mark.parametrize("app", APPS, ids=lambda app: app.slug)
# No GPU that is sold, but one that a card can be edited to.
OWN = [
    replace(A100, name="starved", bandwidth=1e8),
    replace(A100, name="fed", bandwidth=1e16),
    replace(A100, name="tiny", sms=1, bandwidth=1e9),
]


def number(explorer, key):
    return next(text for name, _, text in explorer.readouts.numbers if name == key)


def roofs(explorer):
    chart = explorer.charts[0].chart
    return chart, {mark.name: mark for mark in chart.marks if isinstance(mark, Line)}


# --- Peaks and roofs ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gpu", "dtype", "sparse", "peak"),
    [
        ("H100 PCIe 80GB", FP16, False, "756 TFLOPS"),  # elsewhere the sparse 1,513
        ("H100 PCIe 80GB", FP16, True, "1.51 PFLOPS"),
        ("H100 SXM5 80GB", BF16, False, "989 TFLOPS"),  # 132 SMs * 4096 FLOP * 1.83 GHz; not 1,979
        ("H100 SXM5 80GB", TF32, False, "495 TFLOPS"),  # half of it: the peak follows the format
        ("A100 SXM4 80GB", BF16, False, "312 TFLOPS"),  # 108 * 2048 * 1.41 GHz; dense, and not halved again
        ("RTX 3090", FP16, False, "71 TFLOPS"),  # with FP32 sums half of the rate with FP16 sums
    ],
)
def test_the_peak_is_that_of_the_gpu_the_format_and_the_weights(gpu, dtype, sparse, peak):
    explorer = LayerExplorer(Scenario(LAYER, next(each for each in gpus.GPUS if each.name == gpu), dtype))
    if sparse:
        explorer.controls.pickers["sparse"].value = True
    assert number(explorer, "peak") == peak
    name = dtype.name + (" sparse" if sparse else "")
    assert roofs(explorer)[1]["math roof"].label == f"{name} {peak}"


def test_cuda_cores_and_tensor_cores_have_a_roof_each():
    explorer = LayerExplorer(Scenario(LAYER, A100, FP32), Options(roofs=True))
    _, lines = roofs(explorer)
    assert lines["math roof"].label == "FP32 19.5 TFLOPS"
    other = next(line for name, line in lines.items() if "TF32" in name and "TF32 sparse" not in name)
    assert other.y == (156e12, 156e12)


@pytest.mark.parametrize(
    ("gpu", "ridge"),
    # 989e12/3352e9; 312e12/2039e9; 989e12/4.8e12. Elsewhere 9.73, of a roof without Tensor Cores
    [(gpus.H100_SXM5_80GB, 295), (A100, 153), (gpus.H200_SXM_141GB, 206)],
    ids=lambda value: getattr(value, "name", value),
)
def test_the_ridge_is_that_of_the_tensor_cores(gpu, ridge):
    _, lines = roofs(LayerExplorer(Scenario(LAYER, gpu, FP16)))
    assert lines["math roof"].x[0] == pytest.approx(ridge, abs=1)


@pytest.mark.parametrize("gpu", [*gpus.GPUS, *OWN], ids=lambda gpu: gpu.name)
def test_roofs_span_the_whole_axis_of_every_gpu(gpu):
    for dtype in gpu.dtypes:
        chart = roofline(Scenario(LAYER, gpu, dtype), Options(roofs=True))
        lines = {mark.name: mark for mark in chart.marks if isinstance(mark, Line)}
        (low, high), (bottom, top) = chart.x.domain, chart.y.domain
        memory, math = lines["memory roof"], lines["math roof"]
        assert (memory.x[0], math.x[-1]) == (low, high)
        assert memory.x[-1] == math.x[0] and memory.y[-1] == math.y[0]
        assert low < math.x[0] < high
        assert all(bottom <= y <= top for line in lines.values() for y in line.y)


@pytest.mark.parametrize("layer", [Conv1d(), Rnn()], ids=lambda layer: layer.title)
def test_a_point_over_a_roof_says_why(layer):
    # L2 holds these operands, so that they need not come from memory
    scenario = Scenario(layer, gpus.L40S, FP16, launch="kernel")
    chart = LayerExplorer(scenario).charts[0].chart
    notes = next(mark for mark in chart.marks if mark.name == "fprop").notes
    over = [c.rate > c.arithmetic_intensity * scenario.gpu.bandwidth for c in scenario.costs]
    assert any(over)
    assert all("Caches save" in note for note, is_over in zip(notes, over, strict=True) if is_over)


def test_an_unknown_gpu_is_refused_by_name():
    explorer = LayerExplorer()
    before = explorer.scenario
    explorer.state = explorer.state.replace(before.gpu.name, "MI350X")
    assert "MI350X" in explorer.message
    assert explorer.scenario == before  # and no other GPU's peak stands in


# --- Tiles ----------------------------------------------------------------------------------------


def test_small_batches_step_with_the_tile():
    explorer = GemmExplorer(Scenario(Linear(32, 4096, 4096), A100, FP16))
    tile = next(name for _, name in explorer.tile.options if name.endswith(" x 64"))
    explorer.options = replace(explorer.options, tile=tile)
    tiles = {}
    for batch in (10, 63, 64, 65, 128, 129):
        explorer.controls.sizes["batch"].type(str(batch))
        assert explorer.options.tile == tile
        tiles[batch] = int(number(explorer, "tiles").replace(",", ""))
    one = tiles[10]
    assert tiles == {10: one, 63: one, 64: one, 65: 2 * one, 128: 2 * one, 129: 3 * one}


def test_an_odd_vocabulary_is_told_what_to_pad_to():
    # 50304 = 393 * 128, the next multiple of 64 and of 128 after 50257
    explorer = LayerExplorer(Scenario(Linear(4096, 768, 50257), A100, FP16))
    changes = [found.change.layer.outputs for found in explorer.checklist.findings if found.change]
    assert 50304 in changes


def test_all_tiles_of_one_size_cost_what_the_picker_says():
    explorer = GemmExplorer(Scenario(Linear(1793, 4096, 1792), A100, FP16), GemmOptions(tile="256 x 128"))
    label = next(label for label, name in explorer.tile.options if name == "256 x 128")
    assert label.endswith(number(explorer, "time"))
    # 7 * 15 of 108 SMs have a tile
    assert number(explorer, "wave") == "97.2%"


# --- Values that have no place --------------------------------------------------------------------


@pytest.mark.parametrize("gpu", [A100, OWN[0]], ids=lambda gpu: gpu.name)
@pytest.mark.parametrize("kind", LAYERS, ids=lambda kind: kind.__name__)
def test_no_chart_has_a_value_without_a_place(kind, gpu):
    scenario = Scenario(kind(), gpu, FP16, TRAINING)
    for size in (1, 256):
        try:
            asked = scenario.resized(kind().scale, size)
        except ValueError:
            continue  # a layer that cannot be that small
        for chart in CHARTS:
            drawn = chart(asked, Options(kind().scale, roofs=True))
            assert placed(drawn) is drawn


@EVERY
def test_no_explorer_has_a_value_without_a_place_or_an_exponent_on_an_axis(app):
    explorer = app()
    for figure in explorer.charts:
        assert figure.chart.remark == ""
        for shape in figure.lowered.values():
            assert all(map(isfinite, (*shape.x, *shape.y)))
        for axis in (figure.chart.x, figure.chart.y):
            assert axis.domain[0] < axis.domain[1]
            if not axis.names:
                assert not any(re.search(r"\de[+-]?\d", label) for label in axis.ticks.values())
    explorer.close()


def _chart(*marks, log=True, domain=(1.0, 100.0)):
    return Chart(
        "Any", Axis("size", "", domain, log), Axis("rate", "FLOPS", (1.0, 1e4), log), marks, "Words."
    )


def test_what_has_no_place_on_a_log_axis_stands_at_its_edge_and_is_named():
    line = Line("curve", Role.MATH, (0.0, -1.0, 10.0, inf, nan), (1.0, 10.0, 0.0, -inf, 5.0))
    dots = Points("dots", Role.PREDICTED, (nan, 10.0), (1.0, inf), notes=("lost", "kept"))
    good = Line("good", Role.MATH, (1.0, 2.0), (3.0, 4.0))
    stretch = Spans("stretch", Role.MATH, 0.0, 10.0)
    area = Area("area", Role.MATH, (1.0, 2.0), (0.0, 0.0), (10.0, nan))
    chart = placed(_chart(line, dots, good, stretch, area))
    by_name = {mark.name: mark for mark in chart.marks}
    assert (by_name["curve"].x, by_name["curve"].y) == ((1, 1, 10, 100), (1, 10, 1, 1))
    assert (by_name["dots"].y, by_name["dots"].notes) == ((1e4,), ("kept",))
    assert (by_name["area"].x, by_name["area"].base, by_name["area"].top) == ((1,), (1,), (10,))
    assert by_name["stretch"].low == 1 and by_name["good"] is good
    assert "left out: curve, dots, stretch, area." in chart.alt
    assert chart.remark in legend(chart)
    assert "nan" not in svg(chart) and "inf" not in svg(chart)


def test_zero_is_at_home_on_a_linear_axis_and_infinity_is_not():
    zero = _chart(Line("curve", Role.MATH, (0.0, -1.0), (0.0, 2.0)), log=False)
    assert placed(zero) is zero
    chart = placed(_chart(Line("curve", Role.MATH, (inf, 2.0), (0.0, 2.0)), log=False))
    assert chart.marks[0].x == (100, 2)


@pytest.mark.parametrize("log", [False, True])
def test_a_flat_line_is_drawn_and_stays_alive(log):
    def flat(scenario, _options):
        height = float(scenario.layer.batch)
        line = Line("flat", Role.MATH, (1.0, 2.0), (height, height))
        return replace(_chart(line, log=log), y=Axis("rate", "", (height, height), log))

    pane = ChartPane(flat, "Flat", lambda chart, _: chart, lambda *_: None, lambda _: None)
    for batch in (7, 8):
        pane.draw(Scenario(Linear(batch), A100, FP16), None)
        low, high = pane.chart.y.domain
        assert low < batch < high
        assert list(pane.figure.drawn["flat"].y) == [batch, batch]
        assert 'd="M64 ' in pane.html()


def test_a_log_axis_that_starts_at_nothing_is_refused():
    with pytest.raises(ValueError, match="size: a logarithmic axis cannot start at 0"):
        Axis("size", "", (0, 10), log=True)


def test_equal_times_at_every_size_are_drawn():
    # a launch hides everything: the time is that of the launch at every size
    explorer = LayerExplorer(Scenario(Linear(8, 8, 8), A100, FP16, launch="eager"), Options(reach=64))
    explorer.tabs.selected_index = 1
    tops = explorer.charts[1].chart.marks[3].top
    assert max(tops) <= 1.01 * min(tops)
    assert explorer.charts[1].chart.y.domain[1] > max(tops)


# --- Axes and pictures ----------------------------------------------------------------------------


def test_a_wide_log_axis_has_few_ticks_with_prefixes():
    axis = holding(Axis("rate", "FLOPS", (1e10, 1e16), log=True), 3e2, 5e19)
    assert axis.domain == (1e2, 1e20)
    labels = list(axis.ticks.values())
    assert len(labels) <= 9
    steps = {round(high / low) for low, high in pairwise(axis.ticks)}
    assert steps == {1000}  # 19 decades: every third
    assert labels == ["100", "100k", "100M", "100G", "100T", "100P", "100E"]
    assert list(Axis("time", "s", (1e-9, 1e3), log=True).ticks.values())[:2] == ["1n", "100n"]


@EVERY
def test_a_picture_stands_alone(app):
    explorer = app()
    for figure in explorer.charts:
        picture = svg(figure.chart)
        assert re.match(r'<svg xmlns="http://www.w3.org/2000/svg"[^>]* viewBox="0 0 \d+ \d+"', picture)
        assert "class=" not in picture.replace('class="dlp-svg"', "")  # no style comes from elsewhere
        assert not re.search(r"var\((--[\w-]+)\)", picture)  # every variable has a colour to fall back on
        assert not re.search(r"url\((?!#dlp-svg-hatch)", picture)
        assert "var(" not in plain(picture)
    explorer.close()


def test_a_plain_picture_has_the_light_colours():
    picture = plain(svg(LayerExplorer().charts[1].chart))
    assert "fill:#0072b2" in picture and "fill:white" in picture


def contrast(colour, ground):
    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    dark, light = sorted((luminance(colour), luminance(ground)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize(("theme", "ground"), [(0, "#ffffff"), (1, "#111111")])
@pytest.mark.parametrize("role", Role)
def test_words_in_a_role_s_colour_are_readable(role, theme, ground):
    (colour,) = re.findall(rf"--dlp-{role}-words:(#\w{{6}});", variables(theme))
    assert contrast(colour, ground) >= 4.5


# --- Words for everyone ---------------------------------------------------------------------------


@EVERY
def test_every_picture_has_words_and_every_control_a_name(app):
    explorer = app()
    for index, pane in enumerate(explorer.panes):
        explorer.tabs.selected_index = index
        assert len(pane.alt()) > 40
        (mark,) = (
            name for name in explorer.tabs.children[index]._dom_classes if name.startswith("dlp-aria-")
        )
        assert explorer.aria.described[mark]["attributes"]["aria-label"] == pane.alt()
    for control in explorer.controls.layer.sizes.values():
        assert control.label
    for picker in explorer.shown_pickers():
        each = explorer.controls.pickers[picker]
        (mark,) = (name for name in each._dom_classes if name.startswith("dlp-aria-"))
        assert explorer.aria.described[mark]["attributes"] == {"aria-label": each.description}
    explorer.close()


# --- One's own ------------------------------------------------------------------------------------


@EVERY
def test_ones_own_gpu_in_every_explorer(app):
    own = replace(A100, name="Mine", bandwidth=3e12, sms=100)
    explorer = app()
    explorer.edit(own)
    for index in range(len(explorer.panes)):
        explorer.tabs.selected_index = index
    assert explorer.scenario.gpu == own
    assert open_explorer(explorer.state).scenario.gpu == own
    explorer.close()


def test_ones_own_torch_module_in_an_explorer():
    torch = pytest.importorskip("torch")
    from dlperf_widgets.apps import ModelExplorer
    from dlperf_widgets.bridge import from_torch

    module = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 10))
    model = from_torch(module, torch.empty(32, 64, device="meta"))
    explorer = ModelExplorer(Scenario(model, A100, FP16))
    # 32 * (64*256 + 256*10)
    assert explorer.scenario.layer.macs == 32 * (64 * 256 + 256 * 10)
    for index in range(len(explorer.panes)):
        explorer.tabs.selected_index = index
    assert explorer.message == ""
    explorer.close()
