"""A kernel connection that sends every message at once: a slider is answered about 40 ms sooner.

Tornado leaves Nagle's algorithm on for websockets, which holds small messages back until the browser has
acknowledged the last one. ``dlperf lab`` switches it off. For any other Jupyter server, which this changes as
a whole, say so in its ``jupyter_server_config.py``:

    c.ServerApp.kernel_websocket_connection_class = "dlperf_widgets.nodelay.NoDelayConnection"
"""

from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class NoDelayConnection(ZMQChannelsWebsocketConnection):
    """The server's own connection of a browser with a kernel, without the wait."""

    def connect(self) -> Any:
        """Connect as usual, once the socket has been told not to wait."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()
