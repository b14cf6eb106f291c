"""Exercises about matrix products: linear layers, tiles, waves, alignment, convolution, recurrence."""

from ..cost import Scenario
from ..cost.occupancy import lane_efficiency, occupancy
from ..cost.tiles import Tiling
from ..dtypes import FP16, INT8, TF32
from ..gpus import A100_SXM4_80GB as A100
from ..gpus import V100_SXM2_16GB as V100
from ..layers import Linear
from ..ops import TRAINING, Gemm, Phase
from ._exercise import HALF_FLOPS, SHARE, Exercise, Lesson, instead, times, word

_LINEAR = Linear(512, 1024, 4096)


def gemm(phase: Phase) -> Gemm:
    """Return the product of a phase of the example."""
    return _LINEAR.ops(phase)[0]


def _step(*phases: Phase) -> float:
    return Scenario(_LINEAR, V100, FP16, phases).flops / 1e9


LINEAR = Lesson(
    "03_linear_layers", "Which three products does a linear layer consist of?", 35,
    ("LayerExplorer", "GemmExplorer"),
    (
        Exercise(
            "linear.dgrad", "What is K of the product that computes the input's gradient?",
            lambda: gemm(Phase.DGRAD).k, "K is what is summed over: the gradient of every output.",
            tolerance=0,
            mistakes=(
                instead(lambda: gemm(Phase.FPROP).k, "Forward sums over the inputs; here the inputs are what "
                        "is asked for."),
                instead(lambda: gemm(Phase.WGRAD).k, "Over the batch it is the gradient of the weights "
                        "that sums."),
            ),
        ),
        Exercise(
            "linear.wgrad", "And K of the product that computes the weights' gradient?",
            lambda: gemm(Phase.WGRAD).k, "Every sample has its say about a weight.", tolerance=0,
            mistakes=(
                instead(lambda: gemm(Phase.FPROP).k, "That is K of the forward pass."),
                instead(lambda: gemm(Phase.DGRAD).k, "That is K of the input's gradient."),
            ),
        ),
        Exercise(
            "linear.training", "How many FLOPs is a training step, forward and both gradients?",
            lambda: _step(*TRAINING), "Three products, each with the same M x N x K.", "GFLOP",
            mistakes=(
                HALF_FLOPS,
                instead(lambda: _step(Phase.FPROP), "That is the forward pass alone."),
                instead(lambda: _step(Phase.DGRAD, Phase.WGRAD), "That is the backward pass alone."),
            ),
        ),
        Exercise(
            "linear.params", "How many parameters does the layer have, with its bias?",
            lambda: _LINEAR.params, "A weight for each pair of input and output, a bias for each output.",
            tolerance=0,
            mistakes=(
                instead(lambda: Linear(512, 1024, 4096, bias=False).params, "The bias is missing: one number "
                        "for each output."),
                instead(lambda: Linear(512, 4096, 1024).params, "The bias has one number for each output, "
                        "not for each input."),
            ),
        ),
    ),
)  # fmt: skip


def _tiling(m: int, n: int, tile_m: int = 128, tile_n: int = 128, sms: int = A100.sms) -> Tiling:
    return Tiling(Gemm(m, n, 4096), tile_m, tile_n, sms)


def _efficiency(m: int, n: int) -> float:
    """Return the share of the computed tiles that is wanted, in percent."""
    return 100 * _tiling(m, n).tile_efficiency


TILES = Lesson(
    "04_tiles", "Why can one more column cost half as much again?", 30, ("GemmExplorer",),
    (
        Exercise(
            "tiles.count", "How many tiles of 128 x 128 cover an output of 256 x 257?",
            lambda: _tiling(256, 257).tiles, "Round each dimension up to whole tiles, then multiply.",
            tolerance=0,
            mistakes=(
                instead(lambda: _tiling(256, 256).tiles, "One column is left over, and it needs tiles too."),
                instead(lambda: -(-256 * 257 // 128**2), "Tiles cannot be cut to fit: round each dimension "
                        "up, not the area."),
                instead(lambda: _tiling(257, 257).tiles, "256 rows are two tiles exactly: only the columns "
                        "spill over."),
            ),
        ),
        Exercise(
            "tiles.efficiency", "Which share of what these tiles compute is wanted?",
            lambda: _efficiency(256, 257), "Wanted outputs over tiles x 128 x 128.", "%",
            mistakes=(
                SHARE,
                instead(lambda: 1e4 / _efficiency(256, 257), "That is what is computed over what is "
                        "wanted: turn it "
                        "round."),
                instead(lambda: 100 - _efficiency(256, 257), "That is what is wasted."),
            ),
        ),
        Exercise(
            "tiles.small", "How much of a tile row's work is wanted at 520 columns, in tiles of 128?",
            lambda: _efficiency(128, 520), "520 needs five tiles of 128.", "%",
            mistakes=(
                SHARE,
                instead(lambda: _efficiency(128, 5128), "That is for 5128 columns: the larger the size, the "
                        "less a last tile matters."),
            ),
        ),
        Exercise(
            "tiles.vocabulary", "How many tiles fewer does a vocabulary of 50257 need than one of 50304?",
            lambda: _tiling(128, 50304).tiles - _tiling(128, 50257).tiles,
            "Divide both by 128, and round up.", tolerance=0,
            mistakes=(
                instead(lambda: 1, "Round up: 50257 / 128 = 392.6 needs a 393rd tile."),
                instead(lambda: 50304 - 50257, "Those are columns: they lie in the last tile, which is "
                        "computed whole anyway."),
            ),
        ),
    ),
)  # fmt: skip


def _wave(tiles: int, gpu_sms: int = A100.sms) -> Tiling:
    return Tiling(Gemm(256 * tiles, 128, 4096), 256, 128, gpu_sms)


def _batch_waves(batch: int, sms: int) -> int:
    return Tiling(Gemm(4096, batch, 1024), 256, 128, sms).waves


WAVES = Lesson(
    "05_waves", "What does a GPU do with the 109th tile?", 40, ("GemmExplorer", "OccupancyExplorer"),
    (
        Exercise(
            "waves.count", "In how many waves do 117 tiles run on the 108 SMs of an A100, one at a time "
            "each?",
            lambda: _wave(117).waves, "Nine tiles are left when the first 108 are done.", tolerance=0,
            mistakes=(
                instead(lambda: 1, "108 tiles run at once; nine must wait for a second wave."),
                instead(lambda: 117 / 108, "Waves are whole: the last takes as long as a full one."),
            ),
        ),
        Exercise(
            "waves.efficiency", "Which share of the SMs is busy, on average over both waves?",
            lambda: 100 * _wave(117).wave_efficiency, "117 tiles in two times 108 places.", "%",
            mistakes=(
                SHARE,
                instead(lambda: 100 * _wave(117).tail, "That is how full the second wave is."),
                instead(lambda: 100 * 108 / 117, "Count the places of both waves, 216."),
            ),
        ),
        Exercise(
            "waves.batch", "In how many waves does batch 2560 run on a V100: 4096 outputs, tiles of 256 x "
            "128?",
            lambda: _batch_waves(2560, V100.sms), "16 x 20 tiles on 80 SMs.", tolerance=0,
            mistakes=(
                instead(lambda: _batch_waves(2560, A100.sms), "That is on the 108 SMs of an A100."),
                instead(lambda: 5, "A wave more would be needed for one tile more: 320 tiles fill four "
                        "waves exactly."),
            ),
        ),
        Exercise(
            "waves.free", "How much more work does batch 2560 do than 2048, in the same number of waves?",
            lambda: 100 * (2560 / 2048 - 1) if _batch_waves(2048, 80) == _batch_waves(2560, 80) else 0.0,
            "Compare the larger batch with the smaller.", "%",
            mistakes=(
                SHARE,
                instead(lambda: 100 * (1 - 2048 / 2560), "That is how much less the smaller does."),
                instead(lambda: 100 * 2560 / 2048, "How much more: leave out the 100% that both do."),
            ),
        ),
        Exercise(
            "waves.blocks", "How many blocks of 256 threads with 64 registers each fit an SM of an A100?",
            lambda: occupancy(A100, 256, 64).blocks,
            "An SM has 65,536 registers: how many does a block take?", tolerance=0,
            mistakes=(
                instead(lambda: occupancy(A100, 256, 32).blocks, "2048 threads would fit, but their "
                        "registers do not."),
                instead(lambda: occupancy(A100, 32, 32).blocks, "That is the most blocks of any size that "
                        "an SM takes."),
            ),
        ),
        Exercise(
            "waves.lanes", "Which share of its lanes does a block of 33 threads use?",
            lambda: 100 * lane_efficiency(33), "Threads come in warps of 32.", "%",
            mistakes=(
                SHARE,
                instead(lambda: 100 / 32, "That is how full the second warp is."),
                instead(lambda: 100 * lane_efficiency(32), "The 33rd thread takes a whole warp."),
            ),
        ),
    ),
)  # fmt: skip


def padded(size: int, multiple: int) -> int:
    """Return the next multiple of a size."""
    return -(-size // multiple) * multiple


def _cause() -> str:
    """Return why a padded vocabulary is faster: what differs between the two products."""
    plain, wide = (Scenario(Linear(512, 1024, size), A100, FP16).costs[0] for size in (50257, 50304))
    assert plain.tiling and wide.tiling
    if plain.tiling.tiles > wide.tiling.tiles:
        return "fewer tiles"
    if plain.alignment_efficiency < wide.alignment_efficiency:
        return "aligned rows"
    return "fewer operations"


ALIGNMENT = Lesson(
    "06_alignment", "Why pad a vocabulary from 50257 to 50304?", 30, ("LayerExplorer",),
    (
        Exercise(
            "alignment.fp16", "Of how many FP16 elements should a row be a multiple, for 16 bytes?",
            lambda: 16 / FP16.bytes, "How many bytes has an element?", tolerance=0,
            mistakes=(
                times(2, "Those are the bytes: an element of FP16 has two."),
                times(0.5, "Four elements of FP16 are 8 bytes."),
            ),
        ),
        Exercise(
            "alignment.int8", "And of how many INT8 elements?", lambda: 16 / INT8.bytes,
            "The rule is one of bytes, the same for every format.", tolerance=0,
            mistakes=(
                times(0.5, "That is the FP16 rule: eight elements of INT8 are 8 bytes."),
                times(2, "That would be 32 bytes: an element of INT8 has one."),
                times(8, "That is what an A100 prefers, 128 bytes."),
            ),
        ),
        Exercise(
            "alignment.a100", "Of how many FP16 elements does an A100 prefer multiples?",
            lambda: A100.alignment / FP16.bytes, "The A100 prefers 128 bytes.", tolerance=0,
            mistakes=(
                times(2, "Those are the bytes."),
                instead(lambda: A100.alignment / TF32.bytes, "That is TF32, of four bytes."),
                times(0.125, "That is the 16 bytes that any GPU wants."),
            ),
        ),
        Exercise(
            "alignment.pad8", "To what should a vocabulary of 33708 be padded, to a multiple of 8?",
            lambda: padded(33708, 8), "33708 / 8 = 4213.5.", tolerance=0,
            mistakes=(
                instead(lambda: padded(33708, 8) - 8, "That would drop words: pad up."),
                instead(lambda: padded(33708, 64), "That is the next multiple of 64, good too, but more."),
                instead(lambda: 33708, "It is a multiple of 4, not of 8."),
            ),
        ),
        Exercise(
            "alignment.pad64", "And one of 50257, to a multiple of 64?", lambda: padded(50257, 64),
            "50257 / 64 = 785.3.", tolerance=0,
            mistakes=(
                instead(lambda: padded(50257, 8), "That is the next multiple of 8."),
                instead(lambda: padded(50257, 64) - 64, "That would drop words: pad up."),
            ),
        ),
        Exercise(
            "alignment.cause", "Why is the padded vocabulary faster?", _cause,
            "Compare the tiles of both, and their operations.",
            choices=("fewer tiles", "aligned rows", "fewer operations"),
            mistakes=(
                word("fewer tiles", "Both need the same tiles: count them in lesson 4."),
                word("fewer operations", "Padding adds operations."),
            ),
        ),
    ),
)  # fmt: skip

LESSONS = (LINEAR, TILES, WAVES, ALIGNMENT)
