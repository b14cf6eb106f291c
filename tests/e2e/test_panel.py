"""A person opens the layer explorer from the launcher, drags in it and closes it."""

import json
import subprocess
import sys
import sysconfig
import time
import urllib.request

import pytest
from conftest import JUPYTERLAB

pytestmark = pytest.mark.e2e


def open_panel(page, address):
    page.goto(f"{address}/lab?reset")
    section = page.locator(".jp-Launcher-section", has_text="GPU performance")
    section.locator(".jp-LauncherCard", has_text="Layer explorer").click()


def kernels(address):
    with urllib.request.urlopen(f"{address}/api/kernels") as reply:
        return {kernel["id"] for kernel in json.load(reply)}


def wait_until_ended(address, kernel):
    deadline = time.monotonic() + 20
    while kernel in kernels(address):
        assert time.monotonic() < deadline, "the kernel of a closed panel still runs"
        time.sleep(0.2)


def test_open_drag_and_close(page, lab, shot):
    before = kernels(lab)
    open_panel(page, lab)
    page.wait_for_selector(".dlp-ExplorerPanel .bqplot path.line")
    (own,) = kernels(lab) - before

    verdict = page.locator(".dlp-ExplorerPanel .dlp-verdict")
    assert "Math limited" in verdict.text_content()
    shot(page, "panel")
    slider = page.get_by_label("Batch size", exact=True)
    width, middle = slider.bounding_box()["width"], slider.bounding_box()["height"] / 2
    slider.drag_to(
        slider,
        source_position={"x": 0.5 * width, "y": middle},
        target_position={"x": 0.2 * width, "y": middle},
    )
    page.wait_for_function("document.querySelector('.dlp-verdict').textContent.includes('Memory limited')")

    page.locator(".lm-TabBar-tab", has_text="Layer explorer").locator(".lm-TabBar-tabCloseIcon").click()
    wait_until_ended(lab, own)
    assert page.errors == []


@pytest.fixture
def bare_lab(tmp_path_factory, serve):
    """Return the address of a JupyterLab whose kernels have ipykernel, but not this package."""
    folder = tmp_path_factory.mktemp("bare")
    # Without its site module Python reads no .pth files, and by such a file an editable package is found.
    python, path = [sys.executable, "-S"], {"PYTHONPATH": sysconfig.get_path("purelib")}
    imports = [*python, "-c", "import ipykernel, dlperf_widgets"]
    done = subprocess.run(imports, env=path, cwd=folder, capture_output=True, text=True)
    assert "No module named 'dlperf_widgets'" in done.stderr, "for an editable installation only"
    spec = folder / "data" / "kernels" / "bare" / "kernel.json"
    spec.parent.mkdir(parents=True)
    argv = [*python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec.write_text(json.dumps({"argv": argv, "env": path, "display_name": "Bare", "language": "python"}))
    return serve(folder, *JUPYTERLAB, "--MultiKernelManager.default_kernel_name=bare")


def test_a_kernel_without_the_package_says_what_to_do(page, bare_lab, shot):
    open_panel(page, bare_lab)
    error = page.locator(".dlp-ExplorerPanel-status.dlp-mod-error")
    error.wait_for()
    assert "ModuleNotFoundError: No module named 'dlperf_widgets'" in error.text_content()
    assert "pip install --upgrade dlperf_widgets" in error.text_content()
    shot(page, "panel_without_package")
