"""Every explorer runs in Pyodide: with the sources that a page carries, and nothing else."""

import json
import subprocess

from dlperf_widgets.apps import APPS, open_explorer
from dlperf_widgets.measure import Device, Measurement, Outcome, Summary
from dlperf_widgets.measure.record import to_json
from dlperf_widgets.page import sources

# Plays the page: the first explorer is opened as a page opens it, a slider is moved, then come all others.
RUN = """
import { readFileSync } from "node:fs";
import { loadPyodide } from "./pyodide.mjs";
const python = await loadPyodide({ indexURL: "./", env: { JUPYTER_WIDGETS_ECHO: "0" } });
python.unpackArchive(new Uint8Array(readFileSync("sources.zip")), "zip");
const live = python.pyimport("dlperf_widgets.live");
const said = [];
const post = (message, buffers) =>
  said.push({ ...JSON.parse(message), bytes: [...buffers].map(each => each.byteLength) });
const requests = JSON.parse(readFileSync("requests.json"));
const first = live.start(post, JSON.stringify(requests[0]));
const opened = said.splice(0);
const slider = opened.find(each => each.data.state?.label === "Batch size");
const moved = { type: "comm_msg", comm_id: slider.comm_id, metadata: {},
  data: { method: "update", state: { value: 640 }, buffer_paths: [] } };
live.hear(JSON.stringify(moved), []);
const answered = said.splice(0);
const custom = key => ({ ...moved, comm_id: opened.find(each => each.data.state?.numbers).comm_id,
  data: { method: "custom", content: { asked: key } } });
live.hear(JSON.stringify(custom("bytes")), []);
const why = said.splice(0);
const slugs = requests.slice(1).map(each => live.start(post, JSON.stringify(each))).length;
console.log(JSON.stringify({ first, opened, answered, why, slugs, modules: python.runPython(`
import sys
" ".join(sorted({name.partition(".")[0] for name in sys.modules}))`).split(" ") }));
"""


def test_all_explorers_run_with_what_a_page_carries(real_pyodide, node, tmp_path):
    for name, content in real_pyodide.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "sources.zip").write_bytes(sources.archive())
    (tmp_path / "run.mjs").write_text(RUN)
    explorers = [app() for app in APPS]
    requests = [
        {"state": each.state, "language": "en", "tab": len(each.panes) - 1, "predict": [], "measurements": []}
        for each in explorers
    ]
    requests[0]["tab"] = 0
    requests[1] |= {"language": "zh_CN", "predict": [explorers[1].questions()[0].key]}
    device, summary = Device("A CPU", "cpu", "2.13.0", threads=4), Summary(1e-4, 0.9e-4, 1.2e-4, 20)
    measured = Measurement(
        device, explorers[0].scenario, Outcome.MEASURED, "2026-01-02T03:04:05+00:00", summary=summary
    )
    requests[0]["measurements"] = [to_json(measured)]
    (tmp_path / "requests.json").write_text(json.dumps(requests))
    done = subprocess.run([node, "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])

    assert {each["type"] for each in found["opened"]} == {"comm_open", "comm_msg"}
    assert found["first"] in {each["comm_id"] for each in found["opened"]}
    assert any(each["bytes"] for each in found["opened"]), "a chart's numbers are binary"
    assert "measured on A CPU" in json.dumps(found["opened"])
    assert found["slugs"] == len(APPS) - 1
    assert not {"bqplot", "numpy", "torch", "platformdirs"} & set(found["modules"])

    here = open_explorer(explorers[0].state)
    here.controls.resize("batch", 640)
    texts = json.dumps(found["answered"], ensure_ascii=False)
    assert here.words()[0] in texts, "the answer of the notebook, in the page"
    assert all(text in texts for _, _, text in here.numbers()[:3])
    here.readouts.ask("bytes")
    assert here.reason.value in "".join(
        str(each["data"].get("state", {}).get("value", "")) for each in found["why"]
    )
