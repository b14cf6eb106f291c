"""The glossary explains each term once, in two languages, and agrees with what the model computes."""

import re
from math import log2

import pytest

from dlperf_widgets import dtypes, gpus
from dlperf_widgets.cost import parallel
from dlperf_widgets.glossary import TERMS

SLUGS = {
    "layer", "gemm", "memory-limited", "model", "memory", "compare", "training", "serving", "occupancy",
    "precision",
}  # fmt: skip
BY_NAME = {term.name: term for term in TERMS}


def test_each_term_is_there_once_in_either_language():
    assert len(TERMS) >= 40
    assert len(BY_NAME) == len({term.zh for term in TERMS}) == len(TERMS)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_it_says_what_it_means_in_both_languages_and_whose_word_it_is(term):
    assert term.meaning.endswith(".") and term.meaning_zh.endswith("。")
    assert re.search(r"[\u4e00-\u9fff]", term.zh + term.meaning_zh)
    assert not re.search(r"[\u4e00-\u9fff]", term.name + term.meaning)
    assert term.explorer in SLUGS
    assert term.source.title and term.source.address.startswith("https://")
    numbers = [sorted(re.findall(r"\d+", text)) for text in (term.meaning, term.meaning_zh)]
    known = [number for number in numbers[1] if number not in numbers[0]]
    assert set(known) <= {"2", "16", "1", "0", "8", "32"}, "a number that only the Chinese text has"


def test_the_numbers_in_it_are_those_of_the_model():
    assert f"{gpus.find('a100').sms} SMs" in BY_NAME["wave quantization"].meaning
    assert 2 * gpus.find("a100").sms == 216 and "216" in BY_NAME["wave quantization"].meaning
    assert 16 / dtypes.FP16.bytes == 8 and "8 elements in FP16" in BY_NAME["alignment"].meaning
    assert 50304 % 64 == 0 and 50257 % 8 == 1 and "50257 to 50304" in BY_NAME["padding"].meaning
    assert parallel.pipeline_bubble(4, 8) == pytest.approx(3 / 11)  # (p - 1) / (m + p - 1), as it says
    largest = (2 - 2**-10) * 2.0**15  # 10 bits of mantissa, 5 of exponent
    assert largest == 65504 and "65504" in BY_NAME["FP16"].meaning
    assert log2(2.0**-14 * 2**-10) == -24 and "2^-24" in BY_NAME["FP16"].meaning
