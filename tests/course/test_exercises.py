"""Every exercise of the course: right answers, near misses, and each mistake that it says it knows."""

from itertools import combinations

import pytest

from dlperf_widgets import course, gpus
from dlperf_widgets.course import Exercise, Mistake, Verdict
from dlperf_widgets.course._judge import judge

EXERCISES = [each for lesson in course.LESSONS for each in lesson.exercises]
NUMBERS = [each for each in EXERCISES if not each.choices]
MISTAKES = [(each, mistake) for each in EXERCISES for mistake in each.mistakes]


def named(each):
    return each.key if isinstance(each, Exercise) else None


# What the answers are, worked out by hand or found in the guides; not a word of it comes from the package.
KNOWN = {
    "start.crossover": 168,  # 2 B 4096 1024 / (2 (1024 B + 4096 B + 4096 1024)) reaches 125e12 / 900e9
    "start.limiter": "memory",
    "start.a100": 189,
    "limits.ratio": 153.0,  # 312e12 / 2039e9
    "limits.one": "memory",
    "limits.time": 34.36,  # 2 x 512 x 1024 x 4096 / 125e12
    "limits.latency": "latency",
    "limits.blocks": 432,  # 4 x 108
    "intensity.flops": 4.295,  # 2 x 512 x 1024 x 4096
    "intensity.bytes": 13.63,  # 2 x (512 x 1024 + 1024 x 4096 + 512 x 4096)
    "intensity.linear": 315.08,
    "intensity.relu": 0.25,
    "intensity.pool": 2.25,  # 9 / 4
    "linear.dgrad": 4096,
    "linear.wgrad": 512,
    "linear.training": 12.885,  # 3 x 4.295
    "linear.params": 4_198_400,  # 4096 x 1024 + 4096
    "tiles.count": 6,  # 2 x 3
    "tiles.efficiency": 66.93,  # 256 x 257 / (6 x 16384)
    "tiles.small": 81.25,  # 520 / 640
    "tiles.vocabulary": 0,  # 393 both
    "waves.count": 2,
    "waves.efficiency": 54.17,  # 117 / 216
    "waves.batch": 4,  # 16 x 20 / 80
    "waves.free": 25,
    "waves.blocks": 4,  # 65536 / (256 x 64)
    "waves.lanes": 51.56,  # 33 / 64
    "alignment.fp16": 8,
    "alignment.int8": 16,
    "alignment.a100": 64,  # 128 / 2
    "alignment.pad8": 33_712,
    "alignment.pad64": 50_304,
    "alignment.cause": "aligned rows",
    "conv.alexnet": 55,  # (227 - 11) / 4 + 1
    "conv.stem": 112,  # floor((224 + 6 - 7) / 2) + 1
    "conv.m": 100_352,  # 32 x 56 x 56
    "conv.k": 576,  # 64 x 9
    "conv.flops": 7.3988,  # 2 x 100352 x 64 x 576
    "conv.pointwise": "memory",
    "conv.colours": 33.33,  # 4 / 3
    "recurrent.products": 8,
    "recurrent.params": 8_396_800,  # 4 x (1024^2 + 1024^2 + 2 x 1024)
    "recurrent.intensity": 59.36,
    "recurrent.limiter": "memory",
    "recurrent.macs": 36_000,  # 5 x 3 x (4 x 20 x 10 + 4 x 20 x 20)
    "limited.bytes": 25.69,  # 2 x 32 x 64 x 56 x 56 x 2
    "limited.time": 12.60,
    "limited.function": 1,
    "limited.pool": 0.90,
    "precision.smallest": -24,
    "precision.largest": 65_504,
    "precision.scale": 8,
    "precision.update": 2048,
    "precision.tf32": 156,
    "precision.int8": 25.56,
    "precision.price": 1.763,  # (11.3 / 699) / (11.0 / 1200)
    "memory.mib": 3.81,
    "memory.adam": 2.214,  # 16 x 138,357,544
    "memory.mixed": 16,
    "memory.scores": 1,  # 8 x 16 x 2048 x 2048 x 2 / 2^30
    "memory.cache": 2,  # 2 x 32 x 4096 x 4096 x 2 / 2^30
    "networks.linear": 95.96,
    "networks.conv": 91.79,
    "networks.resnet": 8.178,
    "networks.separable": 11.306,  # 1/9 + 1/512
    "networks.depthwise": 4.497,
    "transfers.pcie": 68.2,
    "transfers.hbm": 0.527,
    "transfers.overlap": 18,  # 36 / 4 + 3/4 x 12
    "transfers.sectors": 8,
    "transfers.banks": 4,  # gcd(12, 32)
    "transfers.flight": 1.02,
    "gpus.all_reduce": 178.9,
    "gpus.bubble": 27.27,  # 3 / 11
    "gpus.speedup": 2.909,  # 4 x 8 / 11
    "gpus.iterations": 5005,
    "gpus.zero": 1.875,  # 16 x 7.5 / 64
    "measure.rate": 274.9,  # 2 x 4096^3 / 0.5e-3
    "measure.share": 88.1,
    "measure.bandwidth": 1789.6,  # 2^26 x 4 / 0.15e-3
    "measure.median": 21.4,
}
# These follow from constants of the model, which may be refitted, or from a count of every layer.
MODEL = {
    "limited.knee",
    "memory.double",
    "memory.largest",
    "networks.training",
    "capstone.start",
    "capstone.reached",
}


def test_every_answer_has_one_worked_out_elsewhere():
    assert KNOWN.keys() | MODEL == {each.key for each in EXERCISES}


@pytest.mark.parametrize("exercise", EXERCISES, ids=named)
def test_the_right_answer_is_right(exercise):
    answer = exercise.answer()
    assert judge(exercise, answer).verdict is Verdict.RIGHT
    if exercise.key in KNOWN:
        assert judge(exercise, KNOWN[exercise.key]).verdict is Verdict.RIGHT
    elif exercise.key != "memory.largest":
        assert isinstance(answer, float)


def test_answers_that_the_model_gives_are_of_the_right_size():
    answers = {each.key: each.answer() for each in EXERCISES if each.key in MODEL}
    assert 1 < answers["limited.knee"] < 20  # 2.34 µs x 2039 GB/s when this was written
    assert 1.3 < answers["memory.double"] < 1.9
    # (16 GiB - 0.6 GiB - 2.2 GB) / 99 MB a picture, saved activations and live gradients
    assert 135 < answers["memory.largest"] < 150
    assert answers["networks.training"] == pytest.approx(3 - 0.118 / 4.089, abs=0.001)  # no dgrad of conv1
    assert 20 < answers["capstone.start"] < 120 and 1 < answers["capstone.reached"] < 20


@pytest.mark.parametrize("exercise", NUMBERS, ids=named)
def test_a_near_miss_is_told_apart_and_not_the_answer(exercise):
    answer = exercise.answer()
    wrong = [mistake.wrong(answer) for mistake in exercise.mistakes]
    for factor in (1.15, 0.88, 1.08, 0.93):
        value = factor * answer
        if all(abs(value - each) > 2 * exercise.tolerance * abs(each) for each in wrong) and value:
            found = judge(exercise, value)
            assert found.verdict is Verdict.NEAR and "Within 20%" in found.message
            return
    assert exercise.key == "tiles.vocabulary"  # nothing is near to none


@pytest.mark.parametrize("exercise", NUMBERS, ids=named)
def test_far_off_there_is_a_hint_that_is_no_answer(exercise):
    answer = exercise.answer()
    high, low = judge(exercise, 1e9 + 77.7 * abs(answer)), judge(exercise, -1e9 - abs(answer))
    assert high.verdict is low.verdict is Verdict.WRONG
    assert "too much" in high.message and "too little" in low.message
    assert exercise.hint in high.message
    for text in (f"{answer:,.4g}", f"{answer:,.0f}", str(answer)):
        assert len(text) < 4 or text not in exercise.hint.replace("1024 x 1024", "")


@pytest.mark.parametrize(("exercise", "mistake"), MISTAKES, ids=named)
def test_each_mistake_is_recognised(exercise, mistake):
    answer = exercise.answer()
    wrong = mistake.wrong(0.0 if exercise.choices else answer)
    found = judge(exercise, wrong)
    assert found.verdict is Verdict.MISTAKE and found.message == mistake.message
    assert mistake.message.endswith((".", "?"))
    if isinstance(answer, float | int) and len(f"{answer:,.4g}") > 3:
        assert f"{answer:,.4g}" not in mistake.message


@pytest.mark.parametrize("exercise", NUMBERS, ids=named)
def test_no_two_mistakes_are_alike(exercise):
    answer = exercise.answer()
    values = [answer, *(mistake.wrong(answer) for mistake in exercise.mistakes)]
    for one, other in combinations(values, 2):
        assert abs(one - other) > exercise.tolerance * (abs(one) + abs(other))


@pytest.mark.parametrize("exercise", EXERCISES, ids=named)
def test_dots_and_nonsense_are_no_answer_but_say_what_is_one(exercise):
    for given in (..., None, "", "nonsense", float("nan"), object(), [1, 2]):
        found = judge(exercise, given)
        assert found.verdict is Verdict.NO_ANSWER
        assert "one of" in found.message or "number" in found.message
    assert "dots" in judge(exercise, ...).message


@pytest.mark.parametrize(
    ("key", "given", "words"),
    [
        ("intensity.flops", 2.147, "multiply-add"),  # 512 x 1024 x 4096
        ("networks.resnet", 4.089, "multiply-add"),
        ("limits.ratio", 306, "2:4 sparsity"),  # 624e12 / 2039e9
        ("precision.tf32", 312, "2:4 sparsity"),
        ("intensity.bytes", 109.05, "bits"),  # 8 x 13.63
        ("memory.adam", 2.062, "GiB"),  # 2.2137e9 / 2^30
        ("memory.mib", 4.0, "MB"),
        ("intensity.bytes", 13.0, "MiB"),
        ("limits.time", 0.0344, "prefix"),  # ms for µs
        ("intensity.flops", 12.885, "training step"),
        ("linear.training", 4.295, "forward pass alone"),
        ("waves.efficiency", 0.5417, "percent"),
    ],
)  # fmt: skip
def test_the_well_known_mistakes_are_among_those_that_are_recognised(key, given, words):
    found = judge(course.exercise(key), given)
    assert found.verdict is Verdict.MISTAKE and words in found.message and str(found).startswith("✗")


def test_text_with_a_unit_is_read():
    time = course.exercise("limits.time")
    assert judge(time, "34.4 µs") == ("limits.time", Verdict.RIGHT, "The answer is 34.3597 µs.")
    assert judge(time, "34.4").right
    assert judge(time, True).verdict is Verdict.NO_ANSWER  # a bool is no number
    assert judge(course.exercise("linear.params"), "4,198,400").right


def test_a_word_may_be_written_in_any_case():
    assert judge(course.exercise("start.limiter"), " Memory ").right


def test_a_result_shows_itself_and_escapes():
    found = judge(course.exercise("start.limiter"), "<b>x</b>")
    assert "<b>x" not in found._repr_html_() and "&lt;b&gt;" in found._repr_html_()
    assert repr(found) == str(found)


def test_a_choice_without_a_known_mistake_gets_the_hint():
    asked = Exercise("x", "Which?", lambda: "a", "Think.", choices=("a", "b", "c"),
                     mistakes=(Mistake(lambda _: "b", "Not b."),))  # fmt: skip
    assert judge(asked, "b").message == "Not b."
    assert judge(asked, "c") == ("x", Verdict.WRONG, "Think.")


def test_answers_follow_the_records():
    ratio = gpus.A100_SXM4_80GB
    assert course.exercise("limits.blocks").answer() == 4 * ratio.sms


def test_an_unknown_exercise_is_named_with_its_neighbours():
    with pytest.raises(ValueError, match=r"did you mean .*intensity\.relu"):
        course.exercise("intensity.rellu")


def test_a_translation_can_cover_all_that_is_said():
    said = set(course.texts())
    assert all(mistake.message in said for _, mistake in MISTAKES)
    assert all(each.hint in said and each.question in said for each in EXERCISES)
    assert {"right", "close", "not yet", "tries", "classes", "math", "aligned rows"} <= said


def test_answers_are_judged_in_the_chosen_language(monkeypatch):
    import dlperf_widgets.course._judge as judging

    known = {"memory": "内存", "The answer is {answer}.": "答案是 {answer}。"}
    monkeypatch.setattr(judging, "tr", lambda text, **values: known.get(text, text).format(**values))
    asked = course.exercise("start.limiter")
    assert judge(asked, "内存").message == judge(asked, "memory").message == "答案是 内存。"
