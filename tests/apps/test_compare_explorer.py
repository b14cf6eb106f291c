"""Choose GPUs, type prices, read the rows: the comparison without a kernel or a browser."""

import json
from dataclasses import replace
from datetime import date

import ipywidgets as w
import pytest
from traitlets import link

from dlperf_widgets import gpus, models
from dlperf_widgets.apps import CompareExplorer, LayerExplorer
from dlperf_widgets.charts import CompareOptions
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear

A100, H100, T4 = gpus.A100_SXM4_80GB, gpus.H100_SXM5_80GB, gpus.T4
SCENARIO = Scenario(Linear(512, 1024, 4096), A100, FP16)
OPTIONS = CompareOptions(gpus=("T4", "A100 SXM4 80GB", "H100 SXM5 80GB"))


@pytest.fixture
def explorer():
    explorer = CompareExplorer(SCENARIO, OPTIONS)
    yield explorer
    explorer.close()


def table(explorer):
    return explorer.panes[0].widget


def cells(explorer, name) -> list:
    at = [each["key"] for each in json.loads(table(explorer).data)["columns"]].index(name)
    return [row.cells[at] for row in table(explorer).rows]


def test_a_row_for_each_gpu_with_its_time_limit_and_shares(explorer):
    assert [cell.text for cell in cells(explorer, "gpu")] == ["T4", "A100 SXM4 80GB", "H100 SXM5 80GB"]
    for gpu, time, limit in zip(
        (T4, A100, H100), cells(explorer, "time"), cells(explorer, "limit"), strict=True
    ):
        cost = SCENARIO.on(gpu).costs[0]
        assert time.value == pytest.approx(cost.time)
        assert limit.text == f"{cost.limiter} 100%"
        assert sum(share for _, share in time.bar) <= 1 + 1e-9
    assert table(explorer).chosen.startswith("A100 SXM4 80GB|FP16")
    assert "Fastest: H100 SXM5 80GB FP16" in explorer.words()[0]


def test_gpus_and_formats_are_chosen(explorer):
    explorer.choices.controls["gpus"].value = ("L4",)
    assert [cell.text for cell in cells(explorer, "gpu")] == ["A100 SXM4 80GB", "L4"]
    explorer.choices.controls["formats"].value = ("FP8",)
    assert [cell.text for cell in cells(explorer, "format")] == ["FP16", "INT8", "FP16", "FP8"]
    assert cells(explorer, "note")[1].text == "A100 SXM4 80GB has no FP8: this is INT8"
    assert "A100 SXM4 80GB has no FP8: this is INT8." in explorer.sentences.value


def test_a_price_is_dated_or_not_known(explorer):
    price = H100.price("hour")
    assert [cell.text for cell in cells(explorer, "price")] == ["", "", f"{price.amount:g}"]
    assert cells(explorer, "dated")[2].text == f"{price.date}, {price.seller}"
    assert [cell.text for cell in cells(explorer, "cost")][:2] == ["no price known"] * 2
    assert "No price known: T4, A100 SXM4 80GB." in explorer.sentences.value


def test_a_typed_price_counts_has_todays_date_and_can_be_taken_back(explorer):
    row = table(explorer).rows[0].key
    table(explorer).edit(row, "price", "0.35")
    assert explorer.options.prices == (f"T4=0.35/hour {date.today().isoformat()}",)
    assert cells(explorer, "dated")[0].text == f"{date.today().isoformat()}, typed"
    # 0.35 USD / 3600 s x a million runs of so many seconds
    assert cells(explorer, "cost")[0].value == pytest.approx(0.35 / 3600 * 1e6 * SCENARIO.on(T4).time)
    explorer.choices.controls["per"].value = "card"
    assert cells(explorer, "price")[0].text == ""
    table(explorer).edit(row, "price", "900")
    assert len(explorer.options.prices) == 2
    table(explorer).edit(row, "price", "")
    assert explorer.options.prices == (f"T4=0.35/hour {date.today().isoformat()}",)


def test_a_price_that_is_recorded_can_be_replaced(explorer):
    table(explorer).edit(table(explorer).rows[2].key, "price", "2")
    assert cells(explorer, "price")[2].text == "2"
    table(explorer).edit(table(explorer).rows[2].key, "price", " ")
    assert cells(explorer, "price")[2].value == H100.price("hour").amount


@pytest.mark.parametrize(
    ("text", "why"),
    [("0", "must be more than 0 USD, not 0"), ("-3", "more than 0 USD"), ("x", "a number of USD, not 'x'")],
)
def test_a_price_of_zero_is_said_and_the_last_picture_stays(explorer, text, why):
    before = table(explorer).data
    told = []
    table(explorer).send = told.append
    table(explorer).edit(table(explorer).rows[0].key, "price", text)
    assert f"the price of T4 must be {why}".replace("must be must", "must") in explorer.message or why in (
        explorer.message
    )
    assert explorer.message in explorer.status.value.replace("&#x27;", "'")
    assert table(explorer).data is before and explorer.options is OPTIONS
    assert told[0]["refused"] is True
    table(explorer).edit(table(explorer).rows[0].key, "price", "1")
    assert explorer.message == ""


def test_a_network_that_fits_no_gpu_shown_is_said_and_the_last_picture_stays(explorer):
    before = table(explorer).data
    explorer.controls.pickers["kind"].value = models.Gpt3
    # 174.6e9 parameters of 2 bytes are 349 GB, and something is alive besides
    assert explorer.message == (
        "Gpt3 fits no GPU shown: it takes 350 GB and the largest, A100 SXM4 80GB, has 85.9 GB."
    )
    assert explorer.scenario is SCENARIO and table(explorer).data is before
    with pytest.raises(ValueError, match="Gpt3 fits no GPU shown"):
        explorer.scenario = replace(SCENARIO, layer=models.Gpt3())
    with pytest.raises(ValueError, match="Gpt3 fits no GPU shown"):
        CompareExplorer(replace(SCENARIO, layer=models.Gpt3()))


def test_gpus_without_room_for_what_is_asked_are_refused_as_a_choice():
    # Llama 2 7B in FP16 takes 13.5 GB and more: a B200 has room, a GTX 1080 Ti of 11 GB has none
    asked = Scenario(models.Llama(), gpus.GTX_1080_TI, FP16) if FP16 in gpus.GTX_1080_TI.dtypes else None
    scenario = asked or Scenario(models.Llama(), T4, FP16)
    options = CompareOptions(gpus=("H100 SXM5 80GB",))
    explorer = CompareExplorer(scenario, options)
    assert [cell.text for cell in cells(explorer, "note")][0].endswith("does not fit")
    assert "Does not fit, timed as if it did: " in explorer.sentences.value
    explorer.choices.controls["gpus"].value = ()
    assert "fits no GPU shown" in explorer.message
    assert explorer.options is options
    assert explorer.choices.controls["gpus"].value == ("H100 SXM5 80GB",)
    explorer.close()


def test_a_row_says_why_with_terms_price_and_sources(explorer):
    table(explorer).choose(table(explorer).rows[2].key)
    price = H100.price("hour")
    assert f"{price.seller}, {price.date}" in explorer.reason.value
    assert price.source in explorer.reason.value
    assert f"{price.amount:,.2f} / 3600 s" in explorer.reason.value
    explorer.readouts.ask(table(explorer).rows[0].key)
    assert "no dated public price of T4 is recorded" in explorer.reason.value
    with pytest.raises(ValueError, match="there is no row"):
        explorer.why("a row")


def test_a_size_moves_every_row_and_charts_wait(explorer):
    stale = [figure.chart for figure in explorer.charts]
    before = [cell.value for cell in cells(explorer, "time")]
    explorer.controls.sizes["batch"].value = 4096
    after = [cell.value for cell in cells(explorer, "time")]
    assert all(now > then for now, then in zip(after, before, strict=True))
    assert [pane.figure.chart for pane in explorer.panes[1:]] == stale
    explorer.tabs.selected_index = 1
    assert explorer.panes[1].figure.chart is not stale[0]


def test_state_carries_gpus_formats_prices_and_order(explorer):
    table(explorer).edit(table(explorer).rows[0].key, "price", "0.35")
    explorer.choices.controls["formats"].value = ("BF16",)
    table(explorer).sort = "-time"
    other = CompareExplorer()
    other.state = explorer.state
    assert (other.scenario, other.options) == (explorer.scenario, explorer.options)
    assert other.options.sort == table(other).sort == "-time"
    names: dict = {}
    exec(explorer.python, names)
    assert "prices=('T4=0.35/hour" in explorer.python
    explorer.toolbar.press("reset")
    assert explorer.options == OPTIONS
    other.close()


def test_a_broken_price_in_a_state_changes_nothing(explorer):
    before = explorer.state
    data = json.loads(before)
    data["options"]["prices"] = ["T4=0/hour 2026-01-31"]
    explorer.state = json.dumps(data)
    assert explorer.message == "the price of T4 must be more than 0 USD, not 0"
    assert explorer.state == before


def test_an_own_gpu_is_a_row():
    own = replace(A100, name="Mine", bandwidth=4e12, prices=())
    explorer = CompareExplorer(replace(SCENARIO, gpu=own), OPTIONS)
    assert [cell.text for cell in cells(explorer, "gpu")][0] == "Mine"
    table(explorer).edit(table(explorer).rows[0].key, "price", "1.5")
    assert cells(explorer, "price")[0].value == 1.5
    explorer.close()


def test_linked_with_a_layer_explorer(explorer):
    other = LayerExplorer(SCENARIO)
    link((explorer, "scenario"), (other, "scenario"))
    other.controls.sizes["batch"].value = 72
    assert explorer.scenario.layer.batch == 72
    explorer.controls.pickers["gpu"].value = H100
    assert other.scenario.gpu is H100
    other.close()


def test_closing_leaves_nothing_alive():
    before = set(w.widget._instances)
    explorer = CompareExplorer()
    for index in range(len(explorer.panes)):
        explorer.tabs.selected_index = index
    explorer.close()
    assert set(w.widget._instances) == before
