"""Widgets' lines to the page that Python runs in. Runs in Pyodide, in the page's worker."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import comm
from comm.base_comm import BaseComm

Post = Callable[[str, Any], None]  # a message as JSON, and its buffers


class PageComm(BaseComm):
    """Sends what a widget says to the page."""

    post: Post

    def publish_msg(
        self,
        msg_type: str,
        data: Any = None,
        metadata: Any = None,
        buffers: Sequence[bytes] | None = None,
        **keys: Any,
    ) -> None:
        """Send a message, as the base class asks for."""
        message = {
            "type": msg_type,
            "comm_id": self.comm_id,
            "target_name": keys.get("target_name"),
            "data": data or {},
            "metadata": metadata or {},
        }
        type(self).post(json.dumps(message), _for_page(buffers or ()))


def connect(post: Post) -> None:
    """Let every widget made from now on speak through ``post``."""
    PageComm.post = staticmethod(post)
    comm.create_comm = PageComm


def hear(message: str, buffers: Any) -> None:
    """Pass a message of the page on to the widget that it is for."""
    said = json.loads(message)
    found = comm.get_comm_manager().comms.get(said["comm_id"])
    if found is None:
        return  # closed meanwhile
    content = {"comm_id": said["comm_id"], "data": said["data"]}
    heard = {"content": content, "metadata": said["metadata"], "buffers": _from_page(buffers)}
    if said["type"] == "comm_close":
        found.handle_close(heard)
    else:
        found.handle_msg(heard)


def _for_page(buffers: Sequence[bytes]) -> Any:
    """Return buffers as the page's own arrays of bytes, each a copy."""
    from pyodide.ffi import to_js  # type: ignore[import-not-found]

    return to_js([bytes(buffer) for buffer in buffers])


def _from_page(buffers: Any) -> list[memoryview]:
    return [memoryview(buffer.to_py()) for buffer in buffers]
