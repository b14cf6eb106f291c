"""Scenarios and layers as tables."""

import pytest

import dlperf_widgets as dp
from dlperf_widgets import gpus, layers, models
from dlperf_widgets.bridge import pandas as bridge
from dlperf_widgets.bridge import to_dataframe
from dlperf_widgets.dtypes import FP16

LINEAR = layers.Linear(512, 1024, 4096)
SCENARIO = dp.Scenario(LINEAR, gpus.V100_SXM2_16GB, FP16, dp.TRAINING)


def test_a_row_for_each_operation():
    pytest.importorskip("pandas")
    table = to_dataframe(SCENARIO)
    assert list(table["phase"]) == ["fprop", "dgrad", "wgrad"]
    assert list(table["kind"]) == 3 * ["Gemm"]
    assert (table["time"] * table["count"]).sum() == pytest.approx(SCENARIO.time)
    assert (table["bytes"] * table["count"]).sum() == SCENARIO.bytes
    assert round(table["arithmetic_intensity"][0], 2) == 315.08
    assert table["limiter"][0] == "math"


def test_a_row_for_each_leaf():
    pytest.importorskip("pandas")
    model = models.Gpt3()
    table = to_dataframe(model)
    assert (table["macs"] * table["count"]).sum() == model.macs
    assert (table["other_flops"] * table["count"]).sum() == model.other_flops
    up = table[table["path"].str.endswith("mlp.up")].iloc[0]
    assert (up["kind"], up["count"], up["output_shape"]) == ("Linear", 96, (2048, 4 * 12288))


def test_a_layer_alone_is_one_row_and_a_question_without_operations_none():
    pytest.importorskip("pandas")
    assert len(to_dataframe(LINEAR)) == 1
    nothing = to_dataframe(dp.Scenario(LINEAR, gpus.T4, FP16, (dp.Phase.UPDATE,)))
    assert len(nothing) == 0 and "limiter" in nothing.columns


def test_without_pandas(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(bridge, "import_module", missing)
    with pytest.raises(ValueError, match="to_dataframe needs pandas: pip install pandas"):
        to_dataframe(LINEAR)


def test_what_is_neither():
    with pytest.raises(ValueError, match="takes a scenario or a layer, not str"):
        to_dataframe("linear")
