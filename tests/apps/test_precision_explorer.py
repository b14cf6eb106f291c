"""Move the precision explorer's controls, and read what it says and draws."""

import json

import ipywidgets as w
import pytest

from dlperf_widgets import gpus, layers
from dlperf_widgets.apps import PrecisionExplorer, open_explorer
from dlperf_widgets.charts import PrecisionOptions
from dlperf_widgets.charts.precision_options import LARGEST

VALUE, GAPS, ROUNDING, SCALE, DYNAMIC, INT8, KEPT = range(7)


@pytest.fixture
def explorer():
    return PrecisionExplorer()


def drag(explorer, chart, name, x):
    """Do what a hand on a point does."""
    explorer.moved(name, explorer.charts[chart].lowered[name], 0, x)


def numbers(explorer):
    return {key: text for key, _, text in explorer.readouts.numbers}


def test_a_value_is_rounded_in_every_format(explorer):
    explorer.choices.controls["value"].value = 2049.0
    found = numbers(explorer)
    assert found["FP32"] == found["TF32"].replace("2048", "2049") == "2049"
    assert found["FP16"] == "2048"  # gaps of 2 above 2^11: halfway, to the even one
    assert found["BF16"] == "2048"  # gaps of 16
    assert found["E5M2"] == "2048"
    assert found["E4M3"] == found["INT8"] == "∞"
    assert explorer.sentences.value.startswith("<p class='dlp-verdict'>FP16: 2048, off by 0.049%")
    explorer.choices.controls["value"].value = 1e-8
    assert numbers(explorer)["FP16"] == "0"
    assert "becomes zero: the smallest number is 5.96046e-08" in explorer.sentences.value


def test_a_dragged_value_keeps_three_figures_and_stays_on_the_line(explorer):
    drag(explorer, 0, "this value", 0.123456)
    assert explorer.options.value == 0.123
    drag(explorer, 0, "this value", 1e44)
    assert explorer.options.value == LARGEST


def test_a_slider_moves_the_magnitude_and_keeps_the_digits(explorer):
    assert explorer.power.widget.value == -4  # 0.1 = 1.6 x 2^-4
    explorer.power.widget.value = -25
    assert explorer.options.value == 1.6 * 2.0**-25
    assert numbers(explorer)["FP16"] == "5.96046e-08"  # 0.8 of the smallest: rounded up to it
    explorer.power.widget.type("3")
    assert explorer.options.value == 12.8
    explorer.power.widget.type("1000")
    assert "Power of two must be between -152 and 129" in explorer.message
    assert explorer.options.value == 12.8
    explorer.power.widget.value = 129  # 1.6 x 2^129 is beyond the line
    assert explorer.options.value == LARGEST
    explorer.tabs.selected_index = SCALE
    assert explorer.power.widget.layout.display == "none"


@pytest.mark.parametrize("value", [0.0, -1.0, 1e60, float("nan")])
def test_a_value_off_the_line_is_said_and_the_picture_stays(explorer, value):
    before, chart = explorer.options, explorer.charts[0].chart
    explorer.choices.controls["value"].value = value
    assert "value must be between 1e-46 and 1e+39" in explorer.message
    assert explorer.options == before
    assert explorer.charts[0].chart == chart


def test_a_larger_scale_saves_gradients(explorer):
    explorer.tabs.selected_index = SCALE
    assert numbers(explorer)["lost"] == "21.2%"
    explorer.choices.sizes["scale"].value = 32_768
    assert float(numbers(explorer)["lost"].rstrip("%")) < 0.1
    assert "66.8% of the gradients are zero" in explorer.sentences.value
    drag(explorer, 2, "the median, scaled", 2.0**-14)
    assert explorer.options.scale == 1024  # 2^-14 / 2^-24
    explorer.choices.sizes["scale"].type("0")
    assert "scale must be between 1 and" in explorer.message
    assert explorer.options.scale == 1024


def test_a_longer_interval_climbs_less(explorer):
    explorer.tabs.selected_index = DYNAMIC
    last = int(numbers(explorer)["last"].replace(",", ""))
    explorer.choices.sizes["interval"].value = 600
    # 1,200 steps: it doubles once before the last
    assert numbers(explorer) == {"skipped": "0", "last": "131,072"}
    assert last > 131_072
    assert "double after 2,000 good steps" in explorer.sentences.value


def test_int8_follows_the_layer_the_gpu_and_the_channels(explorer):
    explorer.tabs.selected_index = INT8
    found = numbers(explorer)
    assert found["size"] == "16.8 MB"  # 4096 x 4096 + 4096 weights + 16 scales x 4 B
    assert 1.8 < float(found["speed"]) < 2.2  # 624 TOPS over 312 TFLOPS
    explorer.choices.sizes["wider"].value = 1
    alike = numbers(explorer)
    assert alike["tensor"] == alike["channel"]
    explorer.controls.sizes["outputs"].value = 1024
    assert numbers(explorer)["size"] == "4.2 MB"
    explorer.controls.pickers["kind"].value = layers.Conv2d
    assert "Conv2d" in explorer.sentences.value
    explorer.controls.move_to(next(gpu for gpu in gpus.GPUS if "INT8" not in map(str, gpu.dtypes)))
    assert numbers(explorer)["speed"] == "unknown"


def test_each_tab_shows_its_own_controls(explorer):
    def shown():
        found = explorer.choices.controls | {
            name: explorer.controls.pickers[name] for name in ("kind", "gpu")
        }
        return {name for name, each in found.items() if each.layout.display != "none"}

    assert shown() == {"value"}
    assert explorer.controls.layer.box.layout.display == "none"
    explorer.tabs.selected_index = INT8
    assert shown() == {"kind", "gpu", "channels", "wider"}
    assert explorer.controls.layer.box.layout.display == ""
    explorer.tabs.selected_index = SCALE
    assert shown() == {"scale", "median", "spread"}


def test_every_number_of_every_tab_answers(explorer):
    for index in range(7):
        explorer.tabs.selected_index = index
        for key, label, text in explorer.readouts.numbers:
            answer = explorer.why(key)
            assert answer.title == f"{label}: {text}"
            assert answer.lines
    explorer.tabs.selected_index = SCALE
    assert explorer.why("lost").sources[0][1].startswith("https://docs.nvidia.com/")
    with pytest.raises(ValueError, match="there is no number 'FP16'"):
        explorer.why("FP16")  # not in view


def test_what_stays_in_fp32_comes_with_sources(explorer):
    explorer.tabs.selected_index = KEPT
    html = explorer.panes[KEPT].html()
    assert html.count('href="https://') == 5
    assert "Master weights" in html and "Softmax" in html


def test_the_state_goes_round_and_nonsense_in_it_changes_nothing(explorer):
    explorer.choices.controls["value"].value = 6.1e-5
    again = open_explorer(explorer.state)
    assert again.options == PrecisionOptions(value=6.1e-5)
    state = json.loads(explorer.state)
    state["options"]["value"] = -1
    again.state = json.dumps(state)
    assert "value must be between" in again.message
    assert again.options.value == 6.1e-5


def test_questions_have_the_answers_of_the_pictures(explorer):
    answers = {q.key: q.answer(explorer.scenario, explorer.options) for q in explorer.questions()}
    assert answers["half"] == "it is rounded"
    assert answers["lost"] == pytest.approx(21.2, abs=0.1)
    assert answers["size"] == 4096 * 4096 + 4096 + 16 * 4


def test_no_widget_outlives_the_explorer():
    before = set(w.widget._instances)
    explorer = PrecisionExplorer()
    for index in range(7):
        explorer.tabs.selected_index = index
    explorer.close()
    assert set(w.widget._instances) == before
