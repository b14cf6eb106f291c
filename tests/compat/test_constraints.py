"""What ``make compat`` tries as the lowest versions are the lowest that pyproject.toml allows."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

HERE = Path(__file__).parent
PROJECT = tomllib.loads((HERE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def lowest(requirement):
    """Return the version that a requirement starts at; None where it has none."""
    starts = [each.version for each in requirement.specifier if each.operator == ">="]
    return Version(starts[0]) if starts else None


def pinned(name):
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    requirements = [Requirement(line) for line in lines if not line.startswith("#")]
    return {each.name: Version(next(iter(each.specifier)).version) for each in requirements}


def test_each_dependency_is_tried_at_its_lower_bound():
    wanted = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["lab"]]
    bounds = {each.name: lowest(each) for each in map(Requirement, wanted)}
    tried = pinned("lowest.txt")
    assert bounds == {name: version for name, version in tried.items() if name != "notebook"}
