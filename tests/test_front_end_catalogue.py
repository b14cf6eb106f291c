"""Every sentence of the front end has a Chinese translation, in the form JupyterLab's language packs use."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CATALOGUE = json.loads(
    (ROOT / "dlperf_widgets/locale/zh_CN/LC_MESSAGES/dlperf_widgets.json").read_text(encoding="utf-8")
)
CALL = re.compile(r"""trans\.__\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")""")


def sentences():
    """Yield what the front end says, and what the settings and the explorers are called."""
    for path in (ROOT / "js" / "src").rglob("*.ts"):
        for single, double in CALL.findall(path.read_text(encoding="utf-8")):
            yield single or double
    for explorer in json.loads((ROOT / "js/src/generated.json").read_text(encoding="utf-8"))["explorers"]:
        yield from (explorer["title"], explorer["caption"])
    schema = json.loads((ROOT / "js/schema/settings.json").read_text(encoding="utf-8"))
    yield from (f"schema\u0004{schema[key]}" for key in ("title", "description"))
    for setting in schema["properties"].values():
        yield from (f"settings\u0004{setting[key]}" for key in ("title", "description"))


@pytest.mark.parametrize("sentence", sorted(set(sentences())))
def test_it_is_translated_with_the_same_places_for_values(sentence):
    assert sentence in CATALOGUE, "add it to dlperf_widgets.json"
    (translation,) = CATALOGUE[sentence]
    assert re.findall(r"%\d", sentence) == re.findall(r"%\d", translation)
    assert re.search(r"[\u4e00-\u9fff]", translation) or sentence.split("\u0004")[-1] in (
        "GPU", "Tensor Cores", "%1 of %2",
    )  # fmt: skip


def test_the_server_finds_the_catalogue():
    """By the entry point's name it looks for ``locale/<language>/LC_MESSAGES/<name>.json`` in the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["jupyterlab.locale"] == {"dlperf_widgets": "dlperf_widgets"}
    schema = json.loads((ROOT / "js/schema/settings.json").read_text(encoding="utf-8"))
    assert schema["jupyter.lab.internationalization"]["domain"] == "dlperf_widgets"
    assert CATALOGUE[""]["language"] == "zh-CN" and CATALOGUE[""]["domain"] == "dlperf_widgets"
