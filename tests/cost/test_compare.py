"""The same question on many GPUs: each row is the scenario there, and its price is never made up."""

import pytest

import dlperf_widgets as dp
from dlperf_widgets import gpus, models
from dlperf_widgets.cost import Scenario
from dlperf_widgets.cost.prices import checked_prices, price_text, typed_prices
from dlperf_widgets.cost.room import has_room, needs
from dlperf_widgets.dtypes import BF16, FP8, FP16, FP32, INT8
from dlperf_widgets.gpus import Price
from dlperf_widgets.layers import Linear, OptimizerStep
from dlperf_widgets.ops import TRAINING

V100, T4, A100, H100 = gpus.V100_SXM2_16GB, gpus.T4, gpus.A100_SXM4_80GB, gpus.H100_SXM5_80GB
SCENARIO = Scenario(Linear(4096, 4096, 4096), A100, FP16)


def test_each_row_is_the_question_on_its_gpu():
    rows = dp.compare(SCENARIO, (V100, A100, H100))
    assert [row.gpu for row in rows] == [V100, A100, H100]
    for row in rows:
        assert row.scenario == SCENARIO.on(row.gpu)
        assert row.time == pytest.approx(SCENARIO.on(row.gpu).time)
        assert not row.note


def test_shares_of_the_peaks_are_of_the_format_there():
    (row,) = dp.compare(SCENARIO, (A100,))
    # 2 x 4096^3 FLOP at 312 TFLOPS; 3 x 4096^2 x 2 B at 2039 GB/s
    assert row.answer.share_of_peak == pytest.approx(2 * 4096**3 / 312e12 / row.time)
    assert row.answer.share_of_bandwidth == pytest.approx(6 * 4096**2 / 2039e9 / row.time)
    assert (row.answer.limiter, row.answer.limited) == ("math", 1.0)
    assert sum(row.answer.spent) == pytest.approx(row.time)


def test_a_gpu_without_the_format_takes_the_nearest_and_says_so():
    rows = dp.compare(SCENARIO, (V100, H100), (FP8,))
    assert [(row.gpu.name, row.scenario.format.name, row.note) for row in rows] == [
        ("V100 SXM2 16GB", "FP16", ""),
        ("V100 SXM2 16GB", "INT8", "V100 SXM2 16GB has no FP8: this is INT8")
        if INT8 in V100.dtypes
        else ("V100 SXM2 16GB", "FP16", "V100 SXM2 16GB has no FP8: this is FP16"),
        ("H100 SXM5 80GB", "FP16", ""),
        ("H100 SXM5 80GB", "FP8", ""),
    ]


def test_the_scenarios_own_format_is_no_second_row():
    assert len(dp.compare(SCENARIO, (A100,), (FP16, BF16))) == 2


def test_sparsity_that_a_gpu_lacks_is_said():
    sparse = Scenario(Linear(4096, 4096, 4096), A100, FP16, sparse=True)
    volta, ampere = dp.compare(sparse, (V100, A100))
    assert volta.note == "V100 SXM2 16GB has no sparse FP16: this is dense"
    assert ampere.note == "" and ampere.scenario.sparse


def test_a_million_runs_cost_their_hours():
    row = dp.compare(SCENARIO, (H100,))[0]
    assert row.price == H100.price("hour")
    # dollars an hour x seconds / 3600 x a million
    assert row.price_of_throughput == pytest.approx(row.price.amount * row.time / 3600 * 1e6)


def test_no_price_is_made_up():
    row = dp.compare(SCENARIO, (T4,))[0]
    assert row.price is None and row.price_of_throughput is None


def test_a_card_per_dollar_as_the_articles_compare_them():
    # 11.3 TFLOPS for 699 USD against 11.0 for 1200: the 1080 Ti gives 1.76 times as much for a dollar
    large = Scenario(Linear(16384, 8192, 8192), gpus.GTX_1080_TI, FP32)
    ours, titan = dp.compare(large, (gpus.GTX_1080_TI, gpus.TITAN_X_PASCAL), per="card")
    assert titan.price_of_throughput / ours.price_of_throughput == pytest.approx(1.76, rel=0.05)


def test_a_typed_price_takes_the_place_of_a_recorded_one():
    prices = typed_prices((price_text("T4", "0.35", "hour", "2026-01-31"),), "hour")
    assert prices == {"T4": Price(0.35, "USD", "hour", "typed", "2026-01-31", "")}
    row = dp.compare(SCENARIO, (T4,), prices=prices)[0]
    assert row.price_of_throughput == pytest.approx(0.35 * row.time / 3600 * 1e6)
    assert typed_prices(("T4=0.35/hour 2026-01-31",), "card") == {}


@pytest.mark.parametrize(
    ("amount", "why"),
    [
        ("0", "the price of T4 must be more than 0 USD, not 0"),
        ("-1", "the price of T4 must be more than 0 USD, not -1"),
        ("nan", "the price of T4 must be more than 0 USD, not nan"),
        ("1e999", "the price of T4 must be more than 0 USD, not inf"),
        ("cheap", "the price of T4 must be a number of USD, not 'cheap'"),
    ],
)
def test_an_amount_that_is_no_price(amount, why):
    with pytest.raises(ValueError, match=why):
        price_text("T4", amount, "hour", "2026-01-31")


def test_prices_keep_the_last_of_a_kind_in_order():
    texts = (
        "T4=2/hour 2026-01-01",
        "A10=1/hour 2026-01-01",
        "T4=3/hour 2026-02-01",
        "T4=900/card 2026-01-01",
    )
    assert checked_prices(list(texts)) == (
        "A10=1/hour 2026-01-01", "T4=900/card 2026-01-01", "T4=3/hour 2026-02-01",
    )  # fmt: skip
    for nonsense in ("T4", "T4=1", "T4=1/year 2026", "=1/hour 2026", "T4=1/hour", 7):
        with pytest.raises(ValueError, match="a price is a text such as"):
            checked_prices((nonsense,))
    with pytest.raises(ValueError, match="prices must be a list of texts"):
        checked_prices("T4=1/hour 2026")


def test_room_is_the_footprints():
    gpt3 = Scenario(models.Gpt3(), A100, FP16)
    # 174.6e9 parameters of 2 bytes alone are 349.2 GB
    assert needs(gpt3) > 349.2e9
    assert not has_room(gpt3)
    training = Scenario(Linear(512, 1024, 4096), A100, FP16, TRAINING)
    assert needs(training) == dp.footprint(training.layer, FP16).total(512)
    assert needs(Scenario(OptimizerStep(1000), A100, FP32)) is None
    assert [row.fits for row in dp.compare(gpt3, (T4, H100))] == [False, False]


def test_a_footprint_follows_the_batch():
    small, large = (needs(Scenario(models.ResNet50(batch=b), A100, FP16)) for b in (1, 65))
    per = dp.footprint(models.ResNet50(), FP16, training=False).per_sample
    assert large - small == pytest.approx(64 * per)
