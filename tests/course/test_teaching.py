"""What teachers read: a guide for every lesson with the answers the package gives, and no topic left over."""

import re
from pathlib import Path

import nbformat
import pytest

from dlperf_widgets import course
from dlperf_widgets.course import Verdict
from dlperf_widgets.course._judge import judge

ROOT = Path(__file__).parents[2]
TEACHING = ROOT / "docs" / "teaching"
LESSONS = {lesson.slug: lesson for lesson in course.LESSONS}
SECTIONS = ("Aim", "Minutes", "Misconceptions", "Discussion questions", "Answers")


def lesson_text(slug):
    cells = nbformat.read(ROOT / "notebooks" / f"{slug}.ipynb", as_version=4).cells
    return " ".join(" ".join(cell.source for cell in cells).split()).lower()


def rows(heading, columns):
    """Return the rows of the table in topics.md that begins with such a line."""
    text = (TEACHING / "topics.md").read_text(encoding="utf-8")
    table = text[text.index(heading) :].split("\n\n")[0].splitlines()[2:]
    found = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in table]
    assert all(len(row) == columns for row in found)
    return found


TOPICS = rows("| | topic |", 5)
BETTER = rows("| often said |", 3)


def slug_of(link):
    return re.fullmatch(r"\[(\w+)\]\(\.\./\.\./notebooks/\1\.ipynb\)", link)[1]


@pytest.mark.parametrize("slug", LESSONS)
def test_each_lesson_has_a_guide_with_every_section(slug):
    text = (TEACHING / f"{slug}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {LESSONS[slug].title}\n")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == list(SECTIONS)
    assert f"\n{LESSONS[slug].minutes}, " in text
    asked, answered = (len(re.findall(r"^\d\. ", part, re.MULTILINE)) for part in text.split("## Answers"))
    assert asked == answered >= 3
    assert text.split("## Misconceptions")[1].split("## ")[0].count("\n- **") >= 2


@pytest.mark.parametrize("slug", LESSONS)
def test_its_answers_are_the_packages(slug):
    text = (TEACHING / f"{slug}.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| `(\S+)` \| (.+?) \| (.*?) ?\| .+ \|$", text, re.MULTILINE)
    assert [key for key, *_ in found] == [each.key for each in LESSONS[slug].exercises]
    for key, answer, unit in found:
        exercise = course.exercise(key)
        about = answer.startswith("about ")  # it follows constants of the model, which may be refitted
        given = answer if exercise.choices else float(answer.removeprefix("about ").replace(",", ""))
        verdict = judge(exercise, given).verdict
        assert verdict is Verdict.RIGHT or (about and verdict is Verdict.NEAR), key
        assert unit == exercise.unit


def test_every_topic_is_there_once_in_order():
    assert [int(row[0]) for row in TOPICS] == list(range(1, 43))
    assert len({row[1] for row in TOPICS}) == 42
    assert {slug_of(row[2]) for row in TOPICS} >= set(LESSONS) - {"02_intensity_by_hand", "08_recurrent"}


@pytest.mark.parametrize("row", TOPICS, ids=lambda row: row[1])
def test_a_topic_is_in_its_lesson_with_its_explorer(row):
    _, _, link, explorer, words = row
    slug = slug_of(link)
    assert explorer in LESSONS[slug].explorers
    assert words.lower() in lesson_text(slug)


@pytest.mark.parametrize("row", BETTER, ids=lambda row: row[0])
def test_what_is_often_said_is_put_right_in_place(row):
    assert row[2].lower() in lesson_text(slug_of(row[1])) or any(
        row[2].lower() in text.lower()
        for exercise in LESSONS[slug_of(row[1])].exercises
        for text in exercise.texts()
    )


@pytest.mark.parametrize("path", sorted(TEACHING.glob("*.md")), ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    for target in re.findall(r"\]\(([^)]+)\)", path.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (path.parent / target).exists(), target


def test_each_syllabus_names_lessons_and_the_long_ones_all():
    text = (TEACHING / "README.md").read_text(encoding="utf-8")
    parts = re.split(r"^## ", text, flags=re.MULTILINE)
    by_title = {
        part.split(" (")[0].split("\n")[0]: set(re.findall(r"\]\((\w+)\.md\)", part)) for part in parts
    }
    assert len(by_title["One lecture"]) >= 4
    assert by_title["One week"] == by_title["Half a term"] == set(LESSONS)
