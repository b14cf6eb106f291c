"""The documentation's pages as data: their examples, their links, and the changes that how-tos ask for."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(
    path for path in DOCS.rglob("*.md") if not {"_build", "recipes"} & set(path.relative_to(DOCS).parts[:-1])
)

_EXAMPLE = re.compile(r"^```(?:python|\{code-cell\} python)\n(?::.*?\n)*(.*?)^```$", re.MULTILINE | re.DOTALL)
_CHANGE = re.compile(
    r"^```\{code-block\} (\w+)\n:caption: (\S+)( \(new\))?\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
_FENCE = re.compile(r"^(`{3,}|:{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.*)$", re.MULTILINE)


class Change(NamedTuple):
    """One file that a how-to writes, or lines that it puts into one."""

    path: str
    new: bool
    lines: str

    def apply(self, root: Path) -> None:
        """Write the file, or put in what stands behind plus signs beside what is there."""
        path = root / self.path
        if self.new:
            path.write_text(self.lines.lstrip("\n"), encoding="utf-8")
            return
        lines = self.lines.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] != "+")
        after = "".join(line[1:] for line in lines if line[0] != "-")
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{self.path} has {text.count(before)} places like\n{before}"
        path.write_text(text.replace(before, after), encoding="utf-8")


def examples(page: Path) -> list[str]:
    """Return the Python of a page, in order."""
    return list(_EXAMPLE.findall(page.read_text(encoding="utf-8")))


def changes(page: Path) -> list[Change]:
    """Return what a how-to changes, in order."""
    found = _CHANGE.findall(page.read_text(encoding="utf-8"))
    return [Change(path, bool(new), lines) for _, path, new, lines in found]


def commands(page: Path) -> list[str]:
    """Return the lines that a page tells to type."""
    found = re.findall(r"^ *```sh\n(.*?)^ *```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return [line.strip() for block in found for line in block.splitlines()]


def links(page: Path) -> Iterator[str]:
    """Yield the targets within the project that a page links to."""
    text = page.read_text(encoding="utf-8")
    for target in _LINK.findall(re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.MULTILINE | re.DOTALL)):
        if not re.match(r"[a-z]+:", target):
            yield target
    for target in re.findall(r"^:link: (\S+)$", text, re.MULTILINE):
        yield f"{target}.md"


def anchors(page: Path) -> set[str]:
    """Return the names of a page's headings in links."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    words = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(text))
    return {word.strip().replace(" ", "-") for word in words}
