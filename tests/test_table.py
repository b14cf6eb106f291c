"""Tables add up to the counts they are made of."""

import xml.etree.ElementTree as ET

import pytest

from dlperf_widgets import gpus, models
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.table import summary, tabulate
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import LAYERS, Linear
from dlperf_widgets.ops import TRAINING

MODELS = [models.AlexNet(), models.ResNet50(), models.Gpt3(), models.Llama("2-7B"), Linear()]
each_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.title)


@each_model
@pytest.mark.parametrize("by", ["layer", "kind"])
def test_a_summary_adds_up(model, by):
    table = summary(model, by)
    for name in ("Parameters", "MACs", "FLOPs", "Other FLOPs"):
        assert sum(table.column(name)) == table.total[table.columns.index(name)]
    assert table.total[table.columns.index("Parameters")] == model.params
    assert table.total[table.columns.index("MACs")] == model.macs


def test_a_summary_by_phase_has_the_backward_pass():
    table = summary(models.AlexNet(), "phase")
    forward, dgrad, wgrad, update = table.column("MACs")
    assert forward == wgrad == 714_188_480
    assert dgrad == forward - 70_276_800  # the first layer's input needs no gradient
    assert update == 0
    assert table.column("FLOPs")[0] == 2 * forward


def test_a_repeated_block_is_one_row_with_a_count():
    text = str(summary(models.Gpt3()))
    (line,) = [line for line in text.splitlines() if "mlp.up" in line]
    assert line.split()[:2] == ["blocks[0..95].mlp.up", "Linear"]
    assert f"{96 * (12288 * 49152 + 49152):,}" in line
    assert "174,604,259,328" in text
    assert "Linear (tied)" in text


def test_text_lines_up_and_states_the_convention():
    lines = str(summary(models.AlexNet())).splitlines()
    assert lines[0] == "AlexNet"
    assert "A multiply-add is two FLOPs" in lines[-1]
    total = next(line for line in lines if line.startswith("Total"))
    assert "61,100,840" in total and "714,188,480" in total and "1,428,376,960" in total
    assert len({line.rindex(line.split()[-1]) + len(line.split()[-1]) for line in lines[4:20]}) == 1


@pytest.mark.parametrize("by", ["operation", "layer", "phase", "limiter"])
@pytest.mark.parametrize("kind", LAYERS, ids=lambda kind: kind.__name__)
def test_a_table_of_costs_adds_up_to_the_scenario(kind, by):
    scenario = Scenario(kind(), gpus.A100_SXM4_80GB, FP16, TRAINING)
    table = tabulate(scenario, by)
    assert sum(table.column("FLOPs")) == scenario.flops
    assert sum(table.column("Bytes")) == pytest.approx(scenario.bytes, abs=len(table.rows))
    assert sum(table.column("Share of time")) == pytest.approx(1)


def test_html_is_well_formed_and_says_the_same():
    table = summary(models.AlexNet())
    root = ET.fromstring(f"<div>{table._repr_html_()}</div>")
    cells = ["".join(cell.itertext()) for cell in root.iter("td")]
    assert "61,100,840" in cells
    assert len(root.findall(".//tbody/tr")) == len(table.rows)


def test_unknown_groupings_are_refused():
    with pytest.raises(ValueError, match="by must be one of layer, kind, phase, not 'colour'"):
        summary(Linear(), "colour")
    with pytest.raises(ValueError, match="by must be one of operation, layer, phase, limiter, not 'colour'"):
        tabulate(Scenario(Linear(), gpus.T4, FP16), "colour")
