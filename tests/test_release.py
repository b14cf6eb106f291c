"""What is released says one version, and what is published to npm holds what a page needs."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = json.loads((ROOT / "js" / "package.json").read_text())


def test_the_citation_and_the_changelog_name_the_version_of_the_package():
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert cited.group(1) == newest.group(1) == PACKAGE["version"]


def test_the_public_workflow_runs_what_a_contributor_runs():
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    assert "- run: make test\n" in workflow
    assert "exec make test" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.skipif(shutil.which("npm") is None, reason="npm is not on the PATH")
def test_npm_gets_the_front_end_and_can_be_published():
    assert not PACKAGE.get("private")
    listed = subprocess.run(
        ["npm", "pack", "--dry-run", "--json", "--ignore-scripts"],
        cwd=ROOT / "js", capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = {each["path"] for each in json.loads(listed.stdout)[0]["files"]}
    wanted = {"package.json", "lib/index.js", "lib/index.d.ts", "style/index.css", "schema/settings.json"}
    assert wanted <= names
    assert not any(name.startswith(("tests/", "src/", "node_modules/")) for name in names)
    # What the widgets run in a page without the package travels too, copied by prepack.
    assert "widgets-dist/*.js" in PACKAGE["files"] and "widgets-dist" in PACKAGE["scripts"]["prepack"]
