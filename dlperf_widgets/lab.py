"""Start JupyterLab on the start notebook."""

import os
import socket
import sys
from pathlib import Path

_START = Path("notebooks") / "00_start.ipynb"


def start(port: int, browser: bool) -> int:
    """Replace this process by JupyterLab on 127.0.0.1. ValueError if the port is taken."""
    if not free(port):
        raise ValueError(
            f"port {port} is taken: end the program that listens there, or choose another with "
            f"'dlperf lab --port {port + 1}' ('make lab PORT={port + 1}')"
        )
    arguments = [
        sys.executable, "-m", "jupyterlab", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0", f"--ServerApp.open_browser={browser}",
    ]  # fmt: skip
    if os.getuid() == 0:
        arguments.append("--ServerApp.allow_root=True")
    if _START.exists():
        arguments.append(f"--LabApp.default_url=/lab/tree/{_START.as_posix()}")
    os.execv(sys.executable, arguments)


def free(port: int) -> bool:
    """Return whether nothing listens on a port of 127.0.0.1."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
