"""Records in a file: complete, readable after an interruption, and safe with two writers."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from records import HOST, SCENARIO, measured

from dlperf_widgets.measure import MemoryUse, Outcome, append, load, merge
from dlperf_widgets.measure.record import from_json, to_json
from dlperf_widgets.ops import TRAINING, Phase

LACKING = replace(measured(), outcome=Outcome.SKIPPED, summary=None, protocol=None, reason="no FP8 here")


@pytest.mark.parametrize(
    "record",
    [measured(), LACKING, measured(device=HOST, path="", phase=Phase.WGRAD, warm=True)],
    ids=["measured", "skipped", "row"],
)
def test_round_trip(record):
    text = to_json(record)
    assert "\n" not in text
    assert from_json(text) == record


USE = MemoryUse(
    HOST, replace(SCENARIO, phases=TRAINING), Outcome.MEASURED, "2026-01-02T03:04:05+00:00", saved=1_048_576
)


def test_memory_is_kept_beside_times(tmp_path):
    path = tmp_path / "measured.jsonl"
    lacking = replace(USE, outcome=Outcome.NO_MEMORY, saved=None, reason="needs 1 TB")
    append(path, [USE, measured(), lacking])
    found = load(path)
    assert found == ((measured(),), (), (USE, lacking))
    assert merge(found.memory, [USE]) == (USE, lacking)
    assert found.memory[0].predicted_saved == 512 * 1024 * 2  # the input, of two bytes


def test_a_line_is_plain_json():
    data = json.loads(to_json(measured(20e-6)))
    assert data["summary"] == {"median": 20e-6, "lower": 18e-6, "upper": 24e-6, "samples": 40}
    assert data["device"]["name"] == "NVIDIA A100-SXM4-80GB"
    assert data["scenario"]["layer"]["type"] == "Linear"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not a measurement: "),
        ("[]", "not a measurement of version 1"),
        ('{"version": 2}', "its version is 2"),
        ('{"version": 1}', "cannot be read: 'date'"),
        (to_json(measured()).replace('"measured"', '"guessed"'), "guessed"),
        (to_json(measured()).replace('"Linear"', '"Liner"'), "unknown layer 'Liner'"),
        (to_json(measured()).replace('"lower"', '"low"'), "a summary has no 'low'"),
    ],
)
def test_other_text_is_refused_in_a_sentence(text, words):
    with pytest.raises(ValueError, match=words):
        from_json(text)


def test_append_and_load(tmp_path):
    path = tmp_path / "measured.jsonl"
    append(path, [])
    assert not path.exists()
    append(path, [measured(1e-6), LACKING])
    append(path, [measured(2e-6)])
    assert load(path) == ((measured(1e-6), LACKING, measured(2e-6)), (), ())


@pytest.mark.parametrize("cut", [1, 2, 100, 700])
def test_a_last_line_cut_short_is_reported_and_spoils_no_other(tmp_path, cut):
    path = tmp_path / "measured.jsonl"
    append(path, [measured(1e-6), measured(2e-6)])
    path.write_bytes(path.read_bytes()[:-cut])
    whole = 1 if cut > 1 else 2  # without its line feed a line is still whole
    found = load(path)
    assert len(found.measurements) == whole
    assert len(found.problems) == 2 - whole and all("line 2: not a measurement" in p for p in found.problems)
    append(path, [measured(3e-6)])  # on a line of its own
    again = load(path)
    assert again.measurements == (*found.measurements, measured(3e-6))
    assert again.problems == found.problems


def test_a_character_cut_in_two(tmp_path):
    path = tmp_path / "measured.jsonl"
    path.write_bytes(b"\xc3")
    assert "line 1" in load(path).problems[0]


WRITER = """
import sys
if sys.argv[4] == "without locks":
    sys.modules["fcntl"] = None  # as on Windows
sys.path.insert(0, sys.argv[1])
from records import measured
from dlperf_widgets.measure import append
print("ready", flush=True)
sys.stdin.readline()
for i in range(100):
    append(sys.argv[2], [measured(float(sys.argv[3]) + i)])
"""


@pytest.mark.parametrize("locks", ["with locks", "without locks"])
def test_two_processes_append_at_once(tmp_path, locks):
    path, here = tmp_path / "measured.jsonl", __file__.rpartition("/")[0]
    command = [sys.executable, "-c", WRITER, here, str(path)]
    writers = [
        subprocess.Popen([*command, first, locks], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for first in ("1000", "2000")
    ]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    found = load(path)
    assert found.problems == ()
    seconds = sorted(m.seconds for m in found.measurements)
    assert seconds == [*range(1000, 1100), *range(2000, 2100)]


def test_merge():
    old, new = (
        measured(1e-6, date="2026-01-01T00:00:00+00:00"),
        measured(2e-6, date="2026-01-02T00:00:00+00:00"),
    )
    assert merge([new], [old, new]) == (old, new)
    assert merge() == ()


def test_keys_tell_questions_apart():
    base = measured()
    assert base.key == measured(3.0).key
    others = [measured(device=HOST), measured(warm=True), measured(phase=Phase.FPROP)]
    others.append(measured(scenario=SCENARIO.resized("batch", 64)))
    assert len({base.key, *(other.key for other in others)}) == 5
