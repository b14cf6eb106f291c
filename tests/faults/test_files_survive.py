"""A full disk, a folder that may not be written and a process that dies: what was saved before stays."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dlperf_widgets import _files, course, gpus, lessons
from dlperf_widgets.cost import Scenario
from dlperf_widgets.dtypes import FP16
from dlperf_widgets.layers import Linear
from dlperf_widgets.measure import Device, Measurement, Outcome, append, load

RECORD = Measurement(
    Device("A GPU", "cuda", "2.13.0"),
    Scenario(Linear(), gpus.T4, FP16),
    Outcome.SKIPPED,
    "2026-01-02T03:04:05+00:00",
    reason="tried",
)
# A limit on the size of files is what a full disk looks like to a process: the write comes back short.
SMALL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
"""


def run(code: str, folder: Path) -> str:
    """Run code in a process of its own whose files may have 100 bytes, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", SMALL + code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(number: int):
    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    return refuse


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO])
@pytest.mark.parametrize("call", ["fsync", "replace", "chmod"])
def test_grades_survive_a_failing_save(tmp_path, monkeypatch, call, number):
    path = course.save(tmp_path / "grades.json", "me")
    before = path.read_bytes()
    monkeypatch.setattr(_files.os, call, refused(number))
    with pytest.raises(ValueError, match="grades.json could not be written: .*; the file there is as it"):
        course.save(path, "somebody else")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]  # nothing is left beside it


def test_grades_survive_a_full_disk(tmp_path):
    course.save(tmp_path / "grades.json")
    before = (tmp_path / "grades.json").read_bytes()
    said = run(
        """
from dlperf_widgets import course
try:
    course.save("grades.json")
except ValueError as error:
    print(error)
""",
        tmp_path,
    )
    assert said.strip() == "grades.json could not be written: File too large; the file there is as it was"
    assert (tmp_path / "grades.json").read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["grades.json"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match="nowhere/grades.json could not be written: No such file"):
        course.save(tmp_path / "nowhere" / "grades.json")


def test_a_learners_notebook_survives_a_failing_copy(tmp_path, monkeypatch):
    lessons.copy(tmp_path)
    mine = tmp_path / lessons.files()[0].name
    mine.write_text("my answers")
    monkeypatch.setattr(_files.os, "replace", refused(errno.ENOSPC))
    with pytest.raises(ValueError, match="the file there is as it was"):
        lessons.copy(tmp_path, overwrite=lambda _: True)
    assert mine.read_text() == "my answers"


def test_rights_are_kept(tmp_path):
    path = course.save(tmp_path / "grades.json")
    path.chmod(0o640)
    course.save(path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_measurements_survive_a_full_disk_and_go_on_after_it(tmp_path):
    """The line that was cut short is named; those before and after it count."""
    path = tmp_path / "measured.jsonl"
    path.write_text("\n" * 40)
    said = run(
        f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_files_survive import RECORD
from dlperf_widgets.measure import append
try:
    append("measured.jsonl", [RECORD])
except (OSError, ValueError) as error:
    print(type(error).__name__, error)
""",
        tmp_path,
    )
    assert "measured.jsonl: only 60 of" in said
    append(path, [RECORD])
    found = load(path)
    assert found.measurements == (RECORD,)
    assert len(found.problems) == 1
    assert "line 41" in found.problems[0]


@pytest.mark.parametrize(
    ("torn", "problem"),
    [
        (b'{"version": 1, "dev', "line 2: not a measurement"),
        (b"\xff\xfe\x00", "line 2: "),
        (b"[" * 200_000, "too many lists within lists"),
        (b'{"version": 1, "x": NaN}', "JSON has no NaN"),
        (b"x" * 5_000_000, "5,000,000 characters are more than"),
        (b"\x00" * 4096, "line 2: not a measurement"),
    ],
    ids=["cut", "no text", "nested", "NaN", "huge", "zeros"],
)
def test_a_line_that_is_none_is_named_and_the_others_count(tmp_path, torn, problem):
    path = tmp_path / "measured.jsonl"
    append(path, [RECORD])
    with path.open("ab") as file:
        file.write(torn)
    append(path, [RECORD])
    found = load(path)
    assert found.measurements == (RECORD, RECORD)
    assert len(found.problems) == 1
    assert problem in found.problems[0]
    assert len(found.problems[0]) < 500


KILLED = """
import os, signal, sys
from dlperf_widgets import course, _files
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
_files.os.replace = die
course.save("grades.json", "x" * 20)
"""


def test_a_process_killed_while_it_saves_leaves_the_old_file(tmp_path):
    path = course.save(tmp_path / "grades.json")
    before = path.read_bytes()
    done = subprocess.run([sys.executable, "-c", KILLED], cwd=tmp_path, check=False)
    assert done.returncode == -9
    assert path.read_bytes() == before
