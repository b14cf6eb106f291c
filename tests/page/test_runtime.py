"""Pyodide is fetched once, checked, and kept; where that fails, the error says what to do."""

import io
import tarfile
from base64 import b64encode
from hashlib import sha512
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from dlperf_widgets.page import runtime

FILES = {name: f"the contents of {name}".encode() for name in runtime.NAMES}


def archive() -> bytes:
    """Return an archive as npm packs it."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as packed:
        for name, text in {**FILES, "package.json": b"{}"}.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(text)
            packed.addfile(entry, io.BytesIO(text))
    return content.getvalue()


ARCHIVE = archive()


@pytest.fixture
def registry(monkeypatch, tmp_path):
    """Return the paths that a registry was asked for; what it sends is its ``content``."""

    class Registry(BaseHTTPRequestHandler):
        asked: list[str] = []
        content = ARCHIVE

        def do_GET(self):  # noqa: N802
            Registry.asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(Registry.content)

        def log_message(self, *_args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("npm_config_registry", f"http://127.0.0.1:{server.server_port}/npm/")
    monkeypatch.setenv("DLPERF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(runtime, "INTEGRITY", b64encode(sha512(ARCHIVE).digest()).decode())
    yield Registry
    server.shutdown()
    server.server_close()


def test_it_is_fetched_once_from_the_registry_that_npm_would_ask(registry):
    assert runtime.files() == FILES
    assert runtime.files() == FILES
    assert registry.asked == [f"/npm/pyodide/-/pyodide-{runtime.VERSION}.tgz"]
    assert [path.name for path in runtime.cache().iterdir()] == [f"pyodide-{runtime.VERSION}.tgz"]


def test_what_was_not_published_is_refused_and_not_kept(registry):
    registry.content = ARCHIVE + b"and more"
    with pytest.raises(ValueError, match=r"127\.0\.0\.1.* is not Pyodide .* as it was published"):
        runtime.files()
    assert not runtime.cache().exists()


def test_a_kept_archive_that_was_cut_short_is_fetched_again(registry):
    runtime.files()
    kept = next(runtime.cache().iterdir())
    kept.write_bytes(kept.read_bytes()[:-100])
    assert runtime.files() == FILES
    assert kept.read_bytes() == ARCHIVE


def test_without_a_network_the_error_says_what_to_do(registry, monkeypatch):
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    with pytest.raises(OSError, match=f"npm pack pyodide@{runtime.VERSION}.*pyodide='pyodide-") as caught:
        runtime.files()
    assert "http://127.0.0.1:9/pyodide/-/" in str(caught.value)


def test_a_folder_or_an_archive_at_hand_needs_no_network(registry, tmp_path):
    packed = tmp_path / "pyodide.tgz"
    packed.write_bytes(ARCHIVE)
    assert runtime.files(packed) == FILES
    for name, text in FILES.items():
        (tmp_path / name).write_bytes(text)
    assert runtime.files(tmp_path) == FILES
    assert registry.asked == []
    (tmp_path / "pyodide.mjs").unlink()
    with pytest.raises(ValueError, match=r"is no folder of Pyodide's: it has no pyodide\.mjs"):
        runtime.files(tmp_path)
    packed.write_bytes(ARCHIVE[:-1])
    with pytest.raises(ValueError, match=r"pyodide\.tgz is not Pyodide"):
        runtime.files(packed)


def test_without_the_variable_it_is_npms_own_registry(monkeypatch):
    for name in ("npm_config_registry", "NPM_CONFIG_REGISTRY"):
        monkeypatch.delenv(name, raising=False)
    assert runtime.address() == f"https://registry.npmjs.org/pyodide/-/pyodide-{runtime.VERSION}.tgz"
