"""Start JupyterLab on a notebook that runs by itself."""

import os
import socket
import sys
from pathlib import Path

_START = Path(__file__).parents[1] / "notebooks" / "00_start.ipynb"  # there in a checkout alone


def start(port: int, browser: bool, notebook: Path | None = None) -> int:
    """Replace this process by JupyterLab on 127.0.0.1, opened on a notebook: by default the start notebook.

    The notebook runs when it is opened, as whoever gives this command asks for it; no other does.
    ValueError if the port is taken or there is no such notebook.
    """
    if not free(port):
        raise ValueError(
            f"port {port} is taken: end the program that listens there, or choose another with "
            f"'dlperf lab --port {port + 1}' ('make lab PORT={port + 1}')"
        )
    arguments = [
        sys.executable, "-m", "jupyterlab", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0", f"--ServerApp.open_browser={browser}",
        "--ServerApp.kernel_websocket_connection_class=dlperf_widgets.nodelay.NoDelayConnection",
    ]  # fmt: skip
    if os.getuid() == 0:
        arguments.append("--ServerApp.allow_root=True")
    os.execv(sys.executable, arguments + _opening(notebook))


def _opening(notebook: Path | None) -> list[str]:
    """Return the arguments that open a notebook, and tell the page that this one is to run."""
    if notebook is None:
        if not _START.exists():
            return []
        notebook, root = _START, _START.parents[1]
    else:
        notebook = notebook.resolve()
        root = Path.cwd() if notebook.is_relative_to(Path.cwd()) else notebook.parent
    if not notebook.is_file():
        raise ValueError(f"there is no notebook {notebook}")
    path = notebook.relative_to(root).as_posix()
    settings = {"page_config_data": {"dlperfRunOnOpen": path}}
    return [
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{path}",
        f"--ServerApp.tornado_settings={settings!r}",
    ]


def free(port: int) -> bool:
    """Return whether nothing listens on a port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
