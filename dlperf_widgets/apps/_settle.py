"""Work that can wait until a hand rests: a drag must not pay for it at every step."""

import asyncio
from collections.abc import Callable

_REST = 0.15  # seconds without a change, unless another rest is asked for


class Settled:
    """Call a function once things have been quiet for a moment, or at once where no event loop runs."""

    def __init__(self, function: Callable[[], None], rest: float = _REST) -> None:
        self._function, self._rest = function, rest
        self._handle: asyncio.TimerHandle | None = None

    def later(self) -> None:
        """Something changed: call the function after it has rested."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.now()
            return
        self.cancel()
        self._handle = loop.call_later(self._rest, self.now)

    def now(self) -> None:
        """Call the function."""
        self.cancel()
        self._function()

    def cancel(self) -> None:
        """Forget what was going to be called."""
        if self._handle:
            self._handle.cancel()
        self._handle = None
