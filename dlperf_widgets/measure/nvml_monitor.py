"""What a driver tells of its GPUs all the time: memory used, and the share of time in which a kernel ran."""

from collections.abc import Callable
from threading import Event, Thread
from typing import Any, NamedTuple, Protocol

from .nvml import text

EVERY = 0.5  # seconds between two looks: NVML counts over 1/6 s to 1 s
_MISSING = "nvidia-ml-py is missing: pip install 'dlperf_widgets[measure]'"


class Look(NamedTuple):
    """What one GPU tells at one moment; None is what it does not tell."""

    used: int | None  # bytes, allocated by all processes
    total: int | None  # bytes
    busy: float | None  # share of the last sample period in which at least one kernel ran

    @property
    def share(self) -> float | None:
        """The share of the memory that is used."""
        return self.used / self.total if self.used is not None and self.total else None


class Reader(Protocol):
    """What tells of some GPUs, or of parts of them."""

    names: tuple[str, ...]

    def read(self, index: int) -> Look:
        """Return what one of them tells now; OSError says that it no longer answers."""


def open_reader() -> "NvmlReader":
    """Return what NVML tells of this machine's GPUs; ValueError says why there is nothing to read."""
    try:
        import pynvml
    except ImportError:
        raise ValueError(_MISSING) from None
    try:
        pynvml.nvmlInit()
        found = NvmlReader(pynvml)
    except pynvml.NVMLError as error:
        raise ValueError(f"no NVIDIA driver answers here: {error}") from None
    if not found.names:
        raise ValueError("the NVIDIA driver sees no GPU here")
    return found


class NvmlReader:
    """Every GPU that the driver sees; of one that is split into parts (MIG), each part."""

    def __init__(self, nvml: Any) -> None:
        self._nvml = nvml
        self._handles: list[Any] = []
        names: list[str] = []
        for index in range(nvml.nvmlDeviceGetCount()):
            whole = nvml.nvmlDeviceGetHandleByIndex(index)
            name = f"{index}: {text(nvml.nvmlDeviceGetName(whole))}"
            parts = self._parts(whole)
            self._handles += parts or [whole]
            names += [f"{name}, MIG {part}" for part in range(len(parts))] or [name]
        self.names = tuple(names)

    def read(self, index: int) -> Look:
        """Return what one of them tells now; OSError says that it no longer answers."""
        nvml, handle = self._nvml, self._handles[index]
        memory = self._told(nvml.nvmlDeviceGetMemoryInfo, handle)
        rates = self._told(nvml.nvmlDeviceGetUtilizationRates, handle)
        return Look(
            None if memory is None else int(memory.used),
            None if memory is None else int(memory.total),
            None if rates is None else rates.gpu / 100,  # it counts percents
        )

    def _parts(self, whole: Any) -> list[Any]:
        """Return the parts of a GPU; none where it is whole or cannot be split."""
        nvml = self._nvml
        mode = self._told(nvml.nvmlDeviceGetMigMode, whole)  # what is, and what will be
        if mode is None or mode[0] != nvml.NVML_DEVICE_MIG_ENABLE:
            return []
        places = range(nvml.nvmlDeviceGetMaxMigDeviceCount(whole))
        found = [self._told(nvml.nvmlDeviceGetMigDeviceHandleByIndex, whole, place) for place in places]
        return [part for part in found if part is not None]

    def _told(self, ask: Callable[..., Any], *about: Any) -> Any:
        """Return an answer, None where this GPU has none to such a question."""
        nvml = self._nvml
        try:
            return ask(*about)
        except nvml.NVMLError as error:
            if error.value in (nvml.NVML_ERROR_NOT_SUPPORTED, nvml.NVML_ERROR_NOT_FOUND):
                return None
            raise OSError(f"NVML: {error}") from None


class Watch:
    """Looks at every GPU of a reader again and again, in a thread, until it is stopped.

    ``hear(looks)`` gets one ``Look`` for each GPU, ``fail(reason)`` a sentence when a GPU answers no more:
    that is the end. Both are called in the thread.
    """

    def __init__(
        self,
        reader: Reader,
        hear: Callable[[tuple[Look, ...]], object],
        fail: Callable[[str], object],
        every: float = EVERY,
    ) -> None:
        if not every > 0:
            raise ValueError(f"every must be a positive number of seconds, not {every!r}")
        self._reader, self._hear, self._fail, self._every = reader, hear, fail, every
        self._stop = Event()
        self.thread = Thread(target=self._run, name="dlperf-gpu-monitor", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self.thread.start()

    def stop(self) -> None:
        """Look no more. A look that is under way ends by itself."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                looks = tuple(self._reader.read(index) for index in range(len(self._reader.names)))
            except Exception as error:  # a thread that ends must say why
                self._fail(str(error) or type(error).__name__)
                return
            self._hear(looks)
            self._stop.wait(self._every)
