"""What was asked before, to go back to."""

from .state import State


class History:
    """A line of states with a place in it. A new state ends what came after the place."""

    def __init__(self, first: State, most: int = 200) -> None:
        self._states, self._at, self._most = [first], 0, most

    def add(self, state: State) -> None:
        """Add a state, unless it is the present one."""
        if state != self._states[self._at]:
            self._states = [*self._states[: self._at + 1], state][-self._most :]
            self._at = len(self._states) - 1

    @property
    def first(self) -> State:
        """The state at the start."""
        return self._states[0]

    @property
    def can_undo(self) -> bool:
        """Whether there is a state before this one."""
        return self._at > 0

    @property
    def can_redo(self) -> bool:
        """Whether a state was undone."""
        return self._at < len(self._states) - 1

    def undo(self) -> State:
        """Go back by one, and return what is there."""
        self._at = max(self._at - 1, 0)
        return self._states[self._at]

    def redo(self) -> State:
        """Go forward by one, and return what is there."""
        self._at = min(self._at + 1, len(self._states) - 1)
        return self._states[self._at]
