"""Every rule passes where the guides say so, and fails where they say what is lost."""

from dataclasses import replace

import pytest

from dlperf_widgets import gpus, models
from dlperf_widgets.advice import RULES, advise
from dlperf_widgets.cost import Launch, Layout, Library, Scenario
from dlperf_widgets.dtypes import FP16, FP32, INT8, TF32
from dlperf_widgets.layers import (
    Activation,
    Add,
    Attention,
    BatchNorm2d,
    Conv2d,
    Linear,
    Lstm,
    Matmul,
    MultiheadAttention,
    Pool2d,
    Residual,
    Sequence,
)
from dlperf_widgets.ops import TRAINING, Phase

V100, A100, P100 = gpus.V100_SXM2_16GB, gpus.A100_SXM4_80GB, gpus.P100_SXM2_16GB
PICTURES = Conv2d(32, 3, 64, 224, 224, 7, 7, stride=2, padding=3)


def asked(layer, gpu=A100, dtype=FP16, **how) -> Scenario:
    return Scenario(layer, gpu, dtype, **how)


# The title of each rule, a question that breaks it, and one that keeps it.
EXAMPLES = {
    # 137 GFLOP / 19.5 TFLOPS = 7.05 ms in FP32, / 156 TFLOPS = 0.88 ms in TF32
    "Tensor Cores for products": (
        asked(Linear(4096, 4096, 4096), dtype=FP32),
        asked(Linear(4096, 4096, 4096), dtype=TF32),
    ),
    # 1025 x 2 bytes is no multiple of 16: CUDA cores before cuBLAS 11; 1024 x 2 = 128 x 16
    "Libraries that need no alignment": (
        asked(Linear(512, 1025, 4096), V100, library=Library.LEGACY),
        asked(Linear(512, 1024, 4096), V100, library=Library.LEGACY),
    ),
    # FP16: 16 bytes / 2 = 8 elements; 1025 = 128 x 8 + 1
    "Inputs and outputs in multiples of 16 bytes": (
        asked(Linear(512, 1025, 4096)),
        asked(Linear(512, 1032, 4096)),
    ),
    # 50257 = 785 x 64 + 17; 50304 = 786 x 64
    "A padded vocabulary": (asked(Linear(4096, 768, 50257)), asked(Linear(4096, 768, 50304))),
    # in tiles of 128, 520 outputs take 5, of which 520 / 640 = 81% is wanted; 512 take 4 whole ones
    "Batch, inputs and outputs in multiples of 64": (
        asked(Linear(4096, 4096, 520)),
        asked(Linear(4096, 4096, 512)),
    ),
    # 4096 x 1024 on V100, which needs 138.9 FLOPS/byte: batch 1 has 0.9988, batch 512 has 315.08
    "A batch large enough for the GPU's math": (
        asked(Linear(1, 1024, 4096), V100),
        asked(Linear(512, 1024, 4096), V100),
    ),
    "Channels last (NHWC)": (
        asked(Conv2d(), layout=Layout.NCHW),
        asked(Conv2d(), layout=Layout.NHWC),
    ),
    # 60 channels are 120 bytes, 64 are 128: multiples of 16 are 112 and 128
    "Channels in multiples of 16 bytes": (asked(Conv2d(32, 64, 60)), asked(Conv2d(32, 64, 64))),
    # ResNet's first layer: K = 3 x 49 = 147 elements; padded 4 x 49 = 196, a third more for the same work
    "Pictures padded to four channels": (asked(PICTURES), asked(replace(PICTURES, in_channels=4))),
    # 136 channels: 136 / 192 = 71% of three columns of 64
    "Channels in multiples of 64": (asked(Conv2d(32, 64, 136)), asked(Conv2d(32, 64, 128))),
    # 1 x 14 x 14 = 196 pixels by 256 channels are 2 tiles of 128 x 256 for 108 SMs
    "Work enough for every convolution": (
        asked(Conv2d(1, 256, 256, 14, 14, padding=1)),
        asked(Conv2d(64, 256, 256, 14, 14, padding=1)),
    ),
    # FP16, 1024 = 32 x 32 units, 64 = 8 x 8 samples; 4 x 1024 x 1024 x 2 bytes = 8.4 MB, where 80 SMs with
    # 262,144 bytes of registers and 98,304 shared have 28.8 MB
    "A persistent kernel": (
        asked(Lstm(64, 50, 1024, 1024), V100),
        asked(Lstm(64, 50, 1024, 1024, persistent=True), V100),
    ),
    # 1025 = 128 x 8 + 1 hidden units
    "Inputs and hidden units in multiples of 16 bytes": (
        asked(Lstm(64, 50, 1024, 1025)),
        asked(Lstm(64, 50, 1024, 1024)),
    ),
    # 4 x 520 = 2080 rows of gates are 16.25 tiles of 128
    "Batch and hidden units in multiples of 64": (
        asked(Lstm(64, 50, 1024, 520)),
        asked(Lstm(64, 50, 1024, 512)),
    ),
    # the recurrent product on V100, 138.9 FLOPS/byte: batch 64 has 59.4, 256 has 195
    "A batch large enough for every time step": (
        asked(Lstm(64, 50, 1024, 1024), V100),
        asked(Lstm(256, 50, 1024, 1024), V100),
    ),
    # rows of 1025 x 2 bytes
    "Rows of products in multiples of 16 bytes": (
        asked(Matmul(16, 1024, 1025, 1024)),
        asked(Matmul(16, 1024, 1032, 1024)),
    ),
    # A100, FP16: 128 bytes are 64 elements; 2040 = 31.875 x 64 is only a multiple of 8. 2048 x 2048 are
    # 11 x 16 = 176 tiles of 192 x 128, 81% of two waves on 108 SMs, so that the clock has power to spare
    "Multiples of 128 bytes where the GPU prefers them": (
        asked(Linear(2048, 2040, 2048)),
        asked(Linear(2048, 2048, 2048)),
    ),
    # V100, 80 SMs, 4096 outputs, tiles of 256 x 128: batch 1024 is 16 x 8 = 128 of them, 1.6 waves, and
    # batch 1280 is 16 x 10 = 160, two whole waves: a quarter more work in the same time
    "Full waves of tiles": (asked(Linear(1024, 4096, 4096), V100), asked(Linear(1280, 4096, 4096), V100)),
    # 8 x 16 heads of 2048 x 2048 scores: 1 GiB that is written, read, written and read
    "Fused attention": (
        asked(Attention(8, 2048, 2048, 16, 64, fused=False)),
        asked(Attention(8, 2048, 2048, 16, 64)),
    ),
    # a channel is 32 x 56 x 56 x 2 = 200,704 bytes; an SM has 262,144 of registers and 167,936 shared
    "Batch normalization that reads its input once": (
        asked(BatchNorm2d(32, 64, 56, 56, passes="two-pass")),
        asked(BatchNorm2d(32, 64, 56, 56)),
    ),
    # 4000 bytes / 2039 GB/s = 2 ns, for a launch of 2 us
    "Passes over memory that outlast their launch": (asked(Activation(1000)), asked(Activation(2**24))),
    "Elementwise passes fused": (
        asked(Sequence.of(up=Linear(512, 1024, 4096), act=Activation(512 * 4096))),
        asked(Sequence.of(up=Linear(512, 1024, 4096), down=Linear(512, 4096, 1024))),
    ),
    # 4 bytes read and 4 written an element against 2 and 2
    "Two bytes an element where memory is the limit": (
        asked(Activation(2**24), dtype=FP32),
        asked(Activation(2**24), dtype=FP16),
    ),
    # 25 us of work, of 50 us and more that the host takes
    "Launches from a CUDA graph": (
        asked(Linear(), launch=Launch.EAGER),
        asked(Linear(), launch=Launch.GRAPH),
    ),
    # queries and keys are both activations
    "Sparsity of weights alone": (asked(Attention(), sparse=True), asked(Linear(), sparse=True)),
}  # fmt: skip


def found(scenario: Scenario, title: str):
    """Return what the rule of a title finds, or None."""
    return next((each for each in advise(scenario) if each.rule.title == title), None)


def test_every_rule_has_its_examples():
    assert [rule.title for rule in RULES] == list(dict.fromkeys(rule.title for rule in RULES))
    assert {rule.title for rule in RULES} == set(EXAMPLES)


@pytest.mark.parametrize("title", EXAMPLES)
def test_a_rule_fails_where_it_is_broken_and_passes_where_it_is_kept(title):
    broken, kept = (found(scenario, title) for scenario in EXAMPLES[title])
    assert not broken.passed
    assert kept.passed and kept.cost == 0 and kept.change is None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.title)
def test_a_rule_has_a_public_source(rule):
    assert rule.source.title and rule.source.address.startswith("https://")
    assert rule.heading == rule.title


class TestAlignment:
    def test_the_loss_is_the_time_now_less_that_of_the_padded_layer(self):
        scenario = asked(Linear(512, 1025, 4097))
        finding = found(scenario, "Inputs and outputs in multiples of 16 bytes")
        assert finding.change.layer == Linear(512, 1032, 4104)  # 129 x 8, 513 x 8
        assert finding.cost == pytest.approx(scenario.time - finding.change.time)
        assert finding.share == pytest.approx(finding.cost / scenario.time)
        assert "estimate" in finding.sentence
        assert finding.change_words == "inputs 1,032 instead of 1,025 and outputs 4,104 instead of 4,097"

    @pytest.mark.parametrize(("dtype", "step"), [(TF32, 4), (FP16, 8), (INT8, 16)])
    def test_sixteen_bytes_in_every_format(self, dtype, step):
        finding = found(
            asked(Linear(512, 1025, 4096), dtype=dtype), "Inputs and outputs in multiples of 16 bytes"
        )
        assert finding.change.layer.inputs == -(-1025 // step) * step

    def test_cuda_cores_do_not_mind(self):
        assert not [f for f in advise(asked(Linear(512, 1025, 4097), P100)) if "16 bytes" in f.rule.title]

    def test_misalignment_is_one_finding_not_three(self):
        titles = {f.rule.title for f in advise(asked(Linear(512, 1025, 4096))) if not f.passed}
        assert titles == {"Inputs and outputs in multiples of 16 bytes"}

    def test_a_gpu_that_prefers_no_more_than_16_bytes_has_no_rule_of_128(self):
        title = "Multiples of 128 bytes where the GPU prefers them"
        assert found(asked(Linear(4096, 4088, 4096), V100), title) is None

    def test_channels_are_counted_in_groups(self):
        # 64 channels in 16 groups are 4 a group, 8 bytes: 16 x 8 = 128 are asked for
        finding = found(asked(Conv2d(32, 64, 64, groups=16)), "Channels in multiples of 16 bytes")
        assert "64" in finding.sentence and "Not a multiple of 8" in finding.sentence
        assert found(asked(Conv2d(32, 128, 128, groups=16)), "Channels in multiples of 16 bytes").passed


class TestVocabulary:
    @pytest.mark.parametrize(("size", "padded"), [(50257, 50304), (33708, 33728)])
    def test_padding(self, size, padded):
        finding = found(asked(Linear(4096, 1024, size)), "A padded vocabulary")
        assert finding.change.layer.outputs == padded

    @pytest.mark.parametrize("model", [models.Gpt2(batch=4), models.Gpt2("xl")], ids=str)
    def test_a_model_says_where(self, model):
        finding = found(asked(model), "A padded vocabulary")
        assert not finding.passed and finding.path == "head"
        assert finding.change is None  # a model has no field for it
        assert finding.change_words == "outputs 50,304 instead of 50,257"

    def test_what_it_costs_a_model_is_what_it_costs_the_layer(self):
        layer = asked(Linear(4096, 768, 50257, bias=False))
        alone = found(layer, "A padded vocabulary").cost
        assert found(asked(models.Gpt2(batch=4)), "A padded vocabulary").cost == pytest.approx(alone)

    def test_a_hidden_layer_is_none(self):
        assert found(asked(Linear(4096, 4096, 16384)), "A padded vocabulary") is None


class TestBatch:
    def test_a_sample_takes_less(self):
        scenario = asked(Linear(1, 1024, 4096), V100)
        finding = found(scenario, "A batch large enough for the GPU's math")
        batch = finding.change.layer.batch
        # 168 is where 4096 x 1024 becomes math limited on V100: 256 is the next power of two
        assert batch == 256
        assert finding.cost == pytest.approx(scenario.time - finding.change.time / batch)

    def test_a_model_takes_a_larger_batch(self):
        finding = found(asked(models.ResNet50(batch=1)), "Passes over memory that outlast their launch")
        assert finding.path and finding.change.layer.batch > 1
        assert "instead of 1" in finding.change_words and "batch" in finding.change_words

    def test_a_sample_of_a_model_is_a_row_of_tokens(self):
        # 512 rows of a norm are one sample: four times the rows are batch 4, not 2048. 512 x 768 x 2 bytes,
        # read and written at 2039 GB/s, take 0.8 us: only four times that outlasts a launch of 2.3 us
        scenario = asked(models.Gpt2(batch=1, sequence=512))
        finding = found(scenario, "Passes over memory that outlast their launch")
        assert finding.path.endswith("norm") and finding.change.layer.batch == 4

    def test_a_pass_that_has_left_its_launch_is_long_enough(self):
        # 8.4 MB at 2039 GB/s take 4.1 us, more than the launch: it would still gain by doubling
        finding = found(asked(Activation(2**21)), "Passes over memory that outlast their launch")
        assert finding.passed

    def test_sizes_below_a_tile_are_no_ones_fault(self):
        # 40 outputs are 5 x 16 bytes, and less than a tile of 64
        finding = found(asked(Linear(4096, 4096, 40)), "Batch, inputs and outputs in multiples of 64")
        assert finding.passed and "fill whole tiles" in finding.sentence

    def test_a_batch_that_has_no_room_is_not_offered(self):
        # 10,000 x 200,000 weights of 2 bytes are 4.0 GB, 256 samples of 210,000 numbers 0.11 GB, and 0.6 GiB
        # (0.64 GB) are taken: 4.64 GB for one sample, 4.75 for 256
        tight = replace(A100, memory=4_700_000_000)
        layer = Linear(1, 10_000, 200_000)
        title = "A batch large enough for the GPU's math"
        assert found(asked(layer), title).change.layer.batch == 256
        finding = found(asked(layer, tight), title)
        assert not finding.passed and finding.change is None
        assert finding.change_words == "batch size 256 instead of 1, for which A100 SXM4 80GB has no room"

    def test_a_batch_that_leaves_another_layer_short_is_not_offered(self):
        finding = found(asked(models.MobileNetV2(batch=60)), "Work enough for every convolution")
        assert not finding.passed and finding.change is None
        assert finding.change_words == "batch size 480 instead of 60"

    def test_a_small_layer_does_not_decide_the_batch(self):
        # the pooler sees one row a sample, and would want thousands; it takes little
        finding = found(
            asked(models.Bert(batch=1), phases=TRAINING), "A batch large enough for the GPU's math"
        )
        assert finding.passed or finding.change.layer.batch <= 16

    @pytest.mark.parametrize(
        "layer",
        [models.ResNet50(batch=20), models.MobileNetV2(batch=30), models.Gpt2(batch=8), models.Bert(batch=8)],
        ids=lambda layer: layer.title,
    )
    def test_a_change_that_is_offered_mends_the_rule(self, layer):
        batch = [rule for rule in RULES if any(word in rule.title for word in ("batch", "Work", "waves"))]
        scenario = asked(layer, phases=TRAINING if isinstance(layer, models.Gpt2) else Phase.FPROP)
        for rule in batch:
            finding = found(scenario, rule.title)
            if finding and finding.change:
                assert found(finding.change, rule.title).passed


class TestWaves:
    def test_the_batch_that_fills_them(self):
        scenario = asked(Linear(1024, 4096, 4096), V100)
        finding = found(scenario, "Full waves of tiles")
        before, after = scenario.costs[0], finding.change.costs[0]
        assert before.wave_efficiency < 0.9 <= after.wave_efficiency
        per_sample = scenario.time / 1024 - finding.change.time / finding.change.layer.batch
        assert finding.cost == pytest.approx(1024 * per_sample)

    def test_a_batch_of_a_model_is_whole(self):
        # mlp.down, 768 outputs by 5 x 1024 rows: 10 x 1024 fill their waves
        finding = found(asked(models.Gpt2(batch=5)), "Full waves of tiles")
        assert finding.path == "blocks[0..11].mlp.down"
        assert finding.change.layer == models.Gpt2(batch=10)
        assert finding.change_words == "batch size 10 instead of 5"

    def test_the_nearest_batch_may_be_smaller(self):
        # 12 x 9 = 108 tiles of 192 x 128 are one wave, 12 x 13 = 156 are two. 250 W lower the clock of long
        # kernels most, so that one whole wave takes less a sample than two
        finding = found(asked(Linear(1664, 4096, 2304), gpus.A100_PCIE_40GB), "Full waves of tiles")
        assert finding.change.layer.batch == 1152  # 9 x 128

    def test_a_change_that_leaves_another_layer_short_is_not_offered(self):
        # mlp.up, 3072 outputs: 16 x 10 = 160 tiles of 192 x 128 for 6 x 197 rows, 1.5 waves of 108 SMs. For
        # 12 x 197 mlp.down, 768 outputs, has 4 x 19 = 76, 0.7 of one
        finding = found(asked(models.VitB16(batch=6)), "Full waves of tiles")
        assert finding.path == "blocks[0..11].mlp.up"
        assert not finding.passed and finding.change is None
        assert finding.change_words == "batch size 12 instead of 6"

    def test_memory_leaves_sms_time_to_idle(self):
        # 64 x 4096 x 4096 has 62 FLOPS/byte where 153 are needed: 64 tiles of 64 x 64 for 108 SMs will do
        finding = found(asked(Linear(64, 4096, 4096)), "Full waves of tiles")
        assert finding.passed and "59% of 108 SMs, but that costs little" in finding.sentence

    def test_a_layer_that_memory_limits_keeps_no_other_from_its_waves(self):
        # conv4_2 of VGG16, 512 channels: batch 9 wants 9 x 784 = 7056 rows. fc6 has few tiles at any batch
        # near, and reads 103 million weights all the while
        finding = found(asked(models.Vgg16(batch=9)), "Full waves of tiles")
        assert finding.path == "conv4_2" and not finding.passed
        assert finding.change.layer.batch in (8, 16)

    def test_the_host_leaves_sms_time_to_idle(self):
        # batch 6 is short of waves where a graph starts it; from Python it waits for the host
        graph, eager = (asked(models.VitB16(batch=6), launch=how) for how in (Launch.GRAPH, Launch.EAGER))
        assert not found(graph, "Full waves of tiles").passed
        assert found(eager, "Full waves of tiles").passed

    def test_an_sm_can_hold_several_tiles(self):
        # FP32 convolutions on CUDA cores run two blocks an SM: 2 x 80 places
        scenario = asked(Conv2d(32, 64, 64, 56, 56, padding=1), V100, FP32)
        wave = next(term for term in scenario.costs[0].terms if term.name == "wave")
        for said in (found(scenario, "Full waves of tiles").sentence, wave.formula):
            assert "160 places on 80 SMs" in said

    def test_exactly_one_wave(self):
        # 27648 / 256 x 128 / 128 = 108 tiles on 108 SMs
        finding = found(asked(Linear(128, 4096, 27648)), "Full waves of tiles")
        assert finding.passed and "108" in finding.sentence


class TestLaunches:
    """The host of a network runs ahead: what hides behind long kernels is no loss."""

    title = "Launches from a CUDA graph"

    def test_hidden_launches_cost_nothing(self):
        # Bert large, 16 x 512 tokens: 32 ms of kernels, where the host has started all after a third of it
        scenario = asked(models.Bert(batch=16), launch=Launch.EAGER)
        finding = found(scenario, self.title)
        assert finding.passed and "hide" in finding.sentence
        assert not [each for each in advise(scenario) if "launch takes" in each.sentence and each.cost]

    @pytest.mark.parametrize("model", [models.ResNet50(batch=1), models.Gpt2(batch=1)], ids=str)
    def test_a_graph_saves_what_it_takes_less(self, model):
        scenario = asked(model, launch=Launch.EAGER)
        finding = found(scenario, self.title)
        assert finding.cost == pytest.approx(scenario.time - asked(model).time)
        assert finding.share > 0.4 and finding.change == asked(model)

    def test_the_batch_grows_until_the_host_is_hidden(self):
        # batch 192 is still as long as batch 6, the host's time: 384 is enough for any layer
        scenario = asked(models.ResNet50(batch=6), gpus.H100_SXM5_80GB, launch=Launch.EAGER)
        change = found(scenario, "Work enough for every convolution").change
        half = change.resized("batch", change.layer.batch // 2)
        assert half.time == pytest.approx(scenario.time) and change.time > 1.1 * scenario.time


class TestRecurrent:
    @pytest.mark.parametrize(
        ("layer", "dtype", "why"),
        [
            (Lstm(64, 50, 1024, 1000), FP16, "multiples of 32"),  # 1000 = 31.25 x 32
            (Lstm(65, 50, 1024, 1024), FP16, "multiples of 32 and 8"),
            (Lstm(64, 50, 1024, 1024), TF32, "FP16"),
            (Lstm(64, 50, 1024, 8192), FP16, "do not fit"),  # 4 x 8192 x 8192 x 2 = 537 MB
        ],
    )
    def test_where_there_is_no_persistent_kernel(self, layer, dtype, why):
        finding = found(asked(layer, dtype=dtype), "A persistent kernel")
        assert finding.passed and why in finding.sentence
        hoped = found(asked(replace(layer, persistent=True), dtype=dtype), "A persistent kernel")
        assert not hoped.passed and why in hoped.sentence
        assert hoped.cost == 0 and hoped.change is None


class TestMemory:
    def test_a_channel_too_large_for_an_sm_stays_as_it_is(self):
        # 256 x 112 x 112 x 2 bytes = 6.4 MB
        layer = BatchNorm2d(256, 64, 112, 112, passes="three-pass")
        finding = found(asked(layer), "Batch normalization that reads its input once")
        assert finding.passed and "does not fit" in finding.sentence

    def test_three_passes_lose_half(self):
        # 4 transfers of the input against 2, as long as launches and caches do not matter
        scenario = asked(BatchNorm2d(32, 512, 56, 56, passes="three-pass"), launch=Launch.KERNEL)
        finding = found(scenario, "Batch normalization that reads its input once")
        assert finding.share == pytest.approx(0.5, abs=0.01)
        assert finding.change_words == "passes persistent instead of three-pass"

    def test_fusing_an_addition_leaves_its_other_operand(self):
        elements = 512 * 4096
        for layer, share in ((Activation(elements), 1), (Add(elements), 2 / 3)):  # 2 of 2, 2 of 3 transfers
            whole = asked(Sequence.of(up=Linear(512, 1024, 4096), after=layer), launch=Launch.KERNEL)
            alone = asked(layer, launch=Launch.KERNEL)
            cost = found(whole, "Elementwise passes fused").cost
            assert cost == pytest.approx(share * alone.time)

    def test_what_comes_first_has_nothing_to_be_fused_into(self):
        first = Sequence.of(act=Activation(512 * 1024), up=Linear(512, 1024, 4096))
        assert found(asked(first), "Elementwise passes fused").passed

    def test_half_the_bytes_are_those_of_rows_that_memory_limits(self):
        product, act = Linear(4096, 4096, 4096), Activation(4096 * 4096)  # math limited, memory limited
        title = "Two bytes an element where memory is the limit"
        whole = found(asked(Sequence.of(up=product, act=act), V100, FP32), title)
        assert whole.path == "act"
        assert whole.cost == pytest.approx(found(asked(act, V100, FP32), title).cost)

    def test_pictures_get_one_channel_more(self):
        finding = found(asked(PICTURES), "Pictures padded to four channels")
        assert finding.change.layer == replace(PICTURES, in_channels=4)

    def test_transposes_of_nchw(self):
        # 32 x 64 x (56 x 56 + 54 x 54) elements, read and written, 2 bytes each, at 2039 GB/s
        finding = found(asked(Conv2d(), layout=Layout.NCHW), "Channels last (NHWC)")
        assert finding.cost == pytest.approx(32 * 64 * (56 * 56 + 54 * 54) * 2 * 2 / 2039e9)
        assert finding.change.layout is Layout.NHWC and "estimate" in finding.sentence


class TestComposites:
    def test_a_field_of_the_whole_is_changed(self):
        scenario = asked(MultiheadAttention(fused=False))
        finding = found(scenario, "Fused attention")
        assert finding.path == "attention" and finding.change.layer.fused
        assert finding.cost == pytest.approx(scenario.time - finding.change.time)

    def test_a_body_without_a_name_is_not_the_whole(self):
        title = "Inputs and outputs in multiples of 16 bytes"
        finding = found(asked(Residual(Linear(4096, 1025, 1025))), title)
        assert finding.path == "" and not finding.passed
        assert finding.change is None

    def test_layers_that_are_alike_are_counted_together(self):
        title = "Inputs and outputs in multiples of 16 bytes"
        named = [(f"l{i}", Linear(4096, 1025, 1025)) for i in range(4)]
        one, four = (found(asked(Sequence(tuple(named[:many]))), title) for many in (1, 4))
        assert four.cost == pytest.approx(4 * one.cost)
        assert four.path == "l0"

    def test_rules_of_other_layers_say_nothing(self):
        titles = {finding.rule.title for finding in advise(asked(Pool2d()))}
        assert titles == {
            "Passes over memory that outlast their launch",
            "Two bytes an element where memory is the limit",
            "Launches from a CUDA graph",
        }
