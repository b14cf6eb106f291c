"""What a person does in JupyterLab, and what can be seen of it from outside."""

import json
import os
import subprocess
import time
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

DRAWN = ".dlp-ExplorerPanel .dlp-explorer .bqplot path.line"
AXE = Path(__file__).parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"
RECORDS = json.loads(
    (Path(__file__).parents[2] / "js" / "src" / "generated.json").read_text(encoding="utf-8")
)

# Names that run when a page takes them for markup.
CORPUS = (
    "<img src=x onerror=window.__pwned=1>", "<script>window.__pwned=1</script>",
    "\"><svg onload=window.__pwned=1>",
    "</style><img src=x onerror=window.__pwned=1>", "' onmouseover='window.__pwned=1' x='",
    "<iframe srcdoc='<script>parent.__pwned=1</script>'>", "javascript:window.__pwned=1",
    "<svg><animate onbegin=window.__pwned=1 attributeName=x dur=1s>",
    "{{constructor.constructor('__pwned=1')()}}",
)  # fmt: skip
# Moves a range as a hand would that is faster than any screen: an input event every few milliseconds.
FLOOD = """
async ([selector, seconds, rate]) => {
  const range = document.querySelector(selector);
  const began = performance.now();
  let sent = 0;
  while (performance.now() - began < 1000 * seconds) {
    for (; sent < (performance.now() - began) / 1000 * rate; sent++) {
      range.value = 200 + (sent * 37) % 600;
      range.dispatchEvent(new Event('input', { bubbles: true }));
    }
    await new Promise(resolve => setTimeout(resolve, 4));
  }
  range.value = 400;
  range.dispatchEvent(new Event('input', { bubbles: true }));
  range.dispatchEvent(new Event('change', { bubbles: true }));
  return sent;
}
"""


def open_panel(page, address, title="Layer explorer"):
    """Open an explorer by its card in the launcher of an empty workspace, and wait until it is drawn."""
    page.goto(f"{address}/lab?reset")
    card(page, title).click()
    page.wait_for_selector(DRAWN)


def card(page, title):
    """Return an explorer's card in the launcher."""
    section = page.locator(".jp-Launcher-section", has_text="GPU performance")
    return section.locator(".jp-LauncherCard", has=page.get_by_text(title, exact=True))


def tab(page, title):
    """Return a tab of the main area."""
    return page.locator("#jp-main-dock-panel .lm-TabBar-tab", has_text=title)


def close(page, title):
    """Close a tab of the main area."""
    tab(page, title).locator(".lm-TabBar-tabCloseIcon").click()


def batch(page):
    """Return the box that the batch size can be typed into."""
    return page.get_by_label("Batch size, exactly").locator("visible=true")


def ask(page, size):
    """Type another batch size, and wait until the explorer has answered."""
    batch(page).fill(str(size))
    batch(page).press("Enter")
    page.wait_for_function(
        "size => [...document.querySelectorAll('input[type=range]')].some(s => s.ariaValueText === size)",
        arg=str(size),
    )
    page.wait_for_timeout(400)  # an explorer tells its state when the hand has rested


def wait_for_batch(page, size):
    """Wait until a batch size is shown in the tab in front."""
    page.wait_for_function(
        """size => [...document.querySelectorAll('.dlp-size input')].some(
            input => input.offsetParent && input.value === size)""",
        arg=str(size),
    )


def write_notebook(path, *sources, prose=0):
    """Write a notebook with a cell of code for each source, and as many headings after them."""
    code = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
    text = {"cell_type": "markdown", "metadata": {}}
    cells = [{**code, "id": f"c{n}", "source": source} for n, source in enumerate(sources)]
    cells += [{**text, "id": f"n{n}", "source": f"# {n}"} for n in range(prose)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(whole))


def open_notebook(page, address, path):
    """Open a notebook in an empty workspace, and wait until its kernel waits for work."""
    page.goto(f"{address}/lab/tree/{path}?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.get_by_text("| Idle").wait_for()  # the status bar


def run_all(page):
    """Run the notebook in front."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()


def kernels(address):
    """Return the ids of the kernels that run. Jupyter's own list fails while one has only just begun."""
    try:
        return _kernels(address)
    except HTTPError:
        time.sleep(1)
        return _kernels(address)


def _kernels(address):
    with urllib.request.urlopen(f"{address}/api/kernels") as reply:
        return {kernel["id"] for kernel in json.load(reply)}


def state_of(server, kernel):
    """Return what a server says that a kernel does."""
    with urllib.request.urlopen(f"{server}/api/kernels/{kernel}") as reply:
        return json.load(reply)["execution_state"]


def until(condition, what):
    """Wait until something outside the page has come true."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def kill(kernel):
    """Kill a kernel's process, as running out of memory would."""
    found = subprocess.run(
        ["pgrep", "-f", f"kernel-{kernel}.json"], capture_output=True, text=True, check=True
    )
    for pid in found.stdout.split():
        os.kill(int(pid), 9)


def end(page, kernel):
    """End a kernel as JupyterLab's list of running kernels does."""
    page.evaluate(
        """kernel => fetch(`/api/kernels/${kernel}`, {
            method: 'DELETE',
            headers: {'X-XSRFToken': document.cookie.match(/_xsrf=([^;]*)/)[1]}
        })""",
        kernel,
    )


def workspace(address):
    """Return what the server keeps of the page's layout, as text."""
    with urllib.request.urlopen(f"{address}/lab/api/workspaces/default") as reply:
        return reply.read().decode()


def choose_theme(page, name):
    """Choose a theme in the menu, and wait until it is there."""
    page.get_by_role("menuitem", name="Settings", exact=True).click()
    page.get_by_text("Theme", exact=True).hover()
    page.get_by_text(name, exact=True).click()
    light = "false" if "Dark" in name else "true"
    page.wait_for_selector(f'body[data-jp-theme-light="{light}"]', state="attached")
    page.wait_for_selector("#jupyterlab-splash", state="detached")


def violations(page, selector):
    """Return what axe-core calls serious or critical inside an element, a line each."""
    page.add_script_tag(path=AXE)
    found = page.evaluate("selector => axe.run(document.querySelector(selector))", selector)
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary'][:300]}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def watched(page):
    """Note whatever a hostile name would do: a dialog, a request to elsewhere, a mark on the window."""
    page.alarms = []
    page.on("dialog", lambda dialog: (page.alarms.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: request.url.endswith("/x") and page.alarms.append(request.url))
    return page
