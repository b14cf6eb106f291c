"""Laws of many GPUs: the pipeline's bubble, the activations it holds, and how well ranks are used."""

from ._checks import choice, positive, real, whole

PIPELINE = "https://arxiv.org/abs/2104.04473"  # Narayanan et al., Megatron-LM on GPU clusters, section 2.2
SCHEDULES = ("gpipe", "1f1b")


def pipeline_bubble(stages: int, microbatches: int, interleave: int = 1) -> float:
    """Return the share of a step's whole time in which a stage waits: (p - 1) / (v m + p - 1).

    ``pipeline_overhead`` is the same wait as a share of the work. After Narayanan et al., 2021,
    https://arxiv.org/abs/2104.04473.

    Parameters
    ----------
    stages
        Parts p of the model, one after another.
    microbatches
        Parts m of a batch that go through them.
    interleave
        Chunks v of the model that each stage has.
    """
    waits = whole("stages", stages, 1) - 1
    return waits / (_chunks(microbatches, interleave) + waits)


def pipeline_overhead(stages: int, microbatches: int, interleave: int = 1) -> float:
    """Return a stage's wait as a share of its work, the ideal time of a step: (p - 1) / (v m)."""
    return (whole("stages", stages, 1) - 1) / _chunks(microbatches, interleave)


def _chunks(microbatches: int, interleave: int) -> int:
    return whole("microbatches", microbatches, 1) * whole("interleave", interleave, 1)


def pipeline_speedup(stages: int, microbatches: int, interleave: int = 1) -> float:
    """Return how much faster a pipeline is than one stage with all the work: p v m / (v m + p - 1)."""
    return stages * (1 - pipeline_bubble(stages, microbatches, interleave))


def in_flight(stages: int, microbatches: int, schedule: str = "1f1b") -> int:
    """Return how many micro-batches' activations the first stage holds at once.

    GPipe runs all forward before any backward: m. 1F1B starts a backward as soon as one can: min(p, m).
    """
    whole("stages", stages, 1)
    whole("microbatches", microbatches, 1)
    return microbatches if choice("schedule", schedule, SCHEDULES) == "gpipe" else min(stages, microbatches)


def amdahl(serial: float, ranks: int) -> float:
    """Return the speedup of n ranks where a share of the time stays serial: 1 / (s + (1 - s) / n)."""
    share = real("serial", serial, most=1)
    return 1 / (share + (1 - share) / whole("ranks", ranks, 1))


def scaling_efficiency(one: float, ranks: int, many: float) -> float:
    """Return T1 / (n Tn): the speedup of n ranks over one that does all the work, as a share of n."""
    return positive("one", one) / (whole("ranks", ranks, 1) * positive("many", many))
