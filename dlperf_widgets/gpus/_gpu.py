"""What a GPU record holds, and the rates that follow from it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .._given import choice, flag, many, positive, shown, text, thing, whole
from ..dtypes import BF16, FP8, FP16, FP32, INT8, TF32, DType
from ._prices import PER, Price

SPARSE_ARCHITECTURES = ("Ampere", "Ada", "Hopper", "Blackwell")  # Tensor Cores that skip 2 of every 4 weights
LINES = ("data center", "GeForce", "workstation")
SPARSE_DTYPES = (FP16, BF16, TF32, FP8, INT8)


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where some fields of a record come from: a public page, or a derivation."""

    fields: tuple[str, ...]
    title: str
    address: str = ""  # empty where the title says how the number was derived


@dataclass(frozen=True, kw_only=True)
class Gpu:
    """One GPU as its maker specifies it; a field that no source states is None.

    One of your own needs this much; ``dataclasses.replace(gpu, clock=1.2e9)`` changes one that is known.

    >>> from dlperf_widgets import Gpu, Scenario, dtypes, layers
    >>> mine = Gpu(
    ...     name="Mine",
    ...     architecture="Ampere",
    ...     compute_capability="8.6",
    ...     sms=40,
    ...     clock=1.5e9,  # Hz
    ...     bandwidth=500e9,  # bytes/s
    ...     memory=16 * 2**30,  # bytes
    ...     cuda_peak=((dtypes.FP32, 15.4e12),),  # FLOPS
    ...     tensor_peak=((dtypes.FP16, 61.4e12),),
    ... )
    >>> mine.ops_byte_ratio(dtypes.FP16)
    122.8
    >>> Scenario(layers.Linear(512, 1024, 4096), mine, dtypes.FP16).costs[0].limiter
    <Limiter.MATH: 'math'>
    """

    name: str
    architecture: str
    compute_capability: str
    sms: int
    clock: float  # Hz, boost
    bandwidth: float  # bytes/s, DRAM
    memory: int  # bytes, the nominal size
    memory_type: str | None = None  # as its maker names it: GDDR6, HBM2e
    line: str = "data center"  # one of LINES: whom it is sold to
    tensor_peak: tuple[tuple[DType, float], ...] = ()  # FLOPS on Tensor Cores, dense, FP32 accumulate
    cuda_peak: tuple[tuple[DType, float], ...]  # FLOPS on CUDA cores
    tensor_clock: float | None = None  # Hz, of the tensor peaks but FP64's where not the boost clock
    l2: int | None = None  # bytes
    shared_memory_per_sm: int | None = None  # bytes
    registers_per_sm: int | None = None
    threads_per_sm: int | None = None
    power: float | None = None  # W
    nvlink: float | None = None  # bytes/s, both directions together
    pcie: int | None = None  # generation
    # What a dimension should be a multiple of, in bytes. NVIDIA's guide names the A100 for 128; compute
    # capabilities 8.0, 9.0 and 10.0 are taken to be like it.
    alignment: int = 16
    l2_bandwidth: float | None = None  # bytes/s
    # Constants of the time model that were refitted to measurements of this GPU: names and values.
    calibration: tuple[tuple[str, float], ...] | None = None
    prices: tuple[Price, ...] = ()  # each with its own source
    sources: tuple[Source, ...] = ()

    def __post_init__(self) -> None:
        owner = text("a GPU's name", self.name)
        for name in ("architecture", "compute_capability"):
            text(f"{owner}: {name}", getattr(self, name))
        choice(f"{owner}: line", self.line, LINES)
        if self.memory_type is not None:
            text(f"{owner}: memory_type", self.memory_type)
        for name, check in _NUMBERS.items():
            value = getattr(self, name)
            if value is not None or name in _NEEDED:
                object.__setattr__(self, name, check(f"{owner}: {name}", value))
        for name in ("tensor_peak", "cuda_peak"):
            object.__setattr__(self, name, _peaks(owner, name, getattr(self, name)))
        if self.calibration is not None:
            object.__setattr__(self, "calibration", _calibrated(owner, self.calibration))
        object.__setattr__(self, "prices", _prices(owner, self.prices))
        sources = many(f"{owner}: sources", self.sources)
        object.__setattr__(self, "sources", tuple(thing(f"{owner}: source", Source, s) for s in sources))

    def __hash__(self) -> int:
        """Few fields tell records apart; a lookup by record must be quick."""
        return hash((self.name, self.sms, self.clock, self.bandwidth))

    def __str__(self) -> str:
        return self.name

    @property
    def corrects_in_dram(self) -> bool:
        """Whether error correction takes a share of the bandwidth: GDDR of data-center cards has it on."""
        return self.line == "data center" and (self.memory_type or "").startswith("GDDR")

    @property
    def dtypes(self) -> tuple[DType, ...]:
        """The number formats it has a rate for, those of the Tensor Cores first."""
        return tuple(dict.fromkeys(dtype for dtype, _ in self.tensor_peak + self.cuda_peak))

    def has_tensor_cores(self, dtype: DType) -> bool:
        """Whether its Tensor Cores multiply this number format."""
        return _rate(self.tensor_peak, dtype) is not None

    def peak(self, dtype: DType, sparse: bool = False) -> float:
        """Return the FLOPS for a number format, on Tensor Cores where they have it.

        ``sparse`` doubles it: the rate for weights of which 2 in every 4 are zero.
        """
        tensor = _rate(self.tensor_peak, thing("dtype", DType, dtype))
        rate = tensor if tensor is not None else _rate(self.cuda_peak, dtype)
        if rate is None:
            raise ValueError(f"{self.name} has no {dtype.name} peak: it has {self._listed()}")
        if not flag("sparse", sparse):
            return rate
        if self.architecture not in SPARSE_ARCHITECTURES:
            raise ValueError(f"{self.name} has no sparse {dtype.name} peak: 2:4 sparsity came with Ampere")
        if tensor is None or dtype not in SPARSE_DTYPES:
            known = ", ".join(d.name for d, _ in self.tensor_peak if d in SPARSE_DTYPES)
            raise ValueError(f"{self.name} has no sparse {dtype.name} peak: 2:4 sparsity is for {known}")
        return 2 * tensor

    def cuda_core_peak(self, dtype: DType) -> float:
        """Return the FLOPS on CUDA cores, where 16-bit numbers can always be computed as FP32."""
        rate = _rate(self.cuda_peak, thing("dtype", DType, dtype))
        if rate is None and dtype in (FP16, BF16, TF32):
            rate = _rate(self.cuda_peak, FP32)
        if rate is None:
            raise ValueError(f"{self.name} has no {dtype.name} peak on CUDA cores: it has {self._listed()}")
        return rate

    def ops_byte_ratio(self, dtype: DType, sparse: bool = False) -> float:
        """Return the arithmetic intensity (FLOPS/byte) at which math and memory take equally long."""
        return self.peak(dtype, sparse) / self.bandwidth

    def price(self, per: str) -> Price:
        """Return the latest price known of an ``"hour"`` in the cloud or of a ``"card"``."""
        choice("what a price is per", per, PER)
        known = [price for price in self.prices if price.per == per]
        if not known:
            raise ValueError(f"{self.name} has no price per {per}: no dated public price of it is recorded")
        return max(known, key=lambda price: price.date)

    def source(self, field: str) -> tuple[Source, ...]:
        """Return the sources of one field."""
        text("field", field)
        return tuple(source for source in self.sources if field in source.fields)

    def _listed(self) -> str:
        if not self.dtypes:
            return "no known peaks"
        cuda = ", ".join(dtype.name for dtype, _ in self.cuda_peak) + " on CUDA cores"
        tensor = ", ".join(dtype.name for dtype, _ in self.tensor_peak)
        return f"{tensor} on Tensor Cores, {cuda}" if tensor else cuda


def _rate(peaks: tuple[tuple[DType, float], ...], dtype: DType) -> float | None:
    return next((rate for known, rate in peaks if known == dtype), None)


def _count(name: str, value: object) -> int:
    positive(name, value)
    return whole(name, value, 1, 2**63)


_NUMBERS: Mapping[str, Callable[[str, object], float]] = MappingProxyType(
    dict.fromkeys(("clock", "bandwidth", "tensor_clock", "power", "nvlink", "l2_bandwidth"), positive)
    | dict.fromkeys(
        (
            "sms",
            "memory",
            "alignment",
            "l2",
            "shared_memory_per_sm",
            "registers_per_sm",
            "threads_per_sm",
            "pcie",
        ),
        _count,
    )
)
_NEEDED = ("sms", "clock", "bandwidth", "memory", "alignment")


def _peaks(owner: str, name: str, peaks: object) -> tuple[tuple[DType, float], ...]:
    found = []
    for pair in many(f"{owner}: {name}", peaks):
        dtype, rate = _pair(f"{owner}: {name}", pair)
        dtype = thing(f"{owner}: a format of {name}", DType, dtype)
        found.append((dtype, positive(f"{owner}: the {dtype.name} peak", rate)))
    return tuple(found)


def _calibrated(owner: str, values: object) -> tuple[tuple[str, float], ...]:
    """Return names and values of constants: what they are called is the time model's to say."""
    pairs = (_pair(f"{owner}: calibration", pair) for pair in many(f"{owner}: calibration", values))
    return tuple((text(f"{owner}: calibration", name), positive(f"{owner}: {name}", v)) for name, v in pairs)


def _prices(owner: str, prices: object) -> tuple[Price, ...]:
    """Return prices, which JSON has as lists."""
    found = []
    for each in many(f"{owner}: prices", prices):
        parts = many(f"{owner}: price", each)
        if len(parts) != len(Price._fields):
            raise ValueError(f"{owner}: a price is {', '.join(Price._fields)}, not {shown(each)}")
        price = Price(*parts)
        positive(f"{owner}: the amount of a price", price.amount)
        choice(f"{owner}: what a price is per", price.per, PER)
        for name in ("currency", "seller", "date", "source"):
            text(f"{owner}: {name} of a price", getattr(price, name))
        found.append(price)
    return tuple(found)


def _pair(name: str, value: object) -> tuple[object, object]:
    parts = many(name, value)
    if len(parts) != 2:
        raise ValueError(f"{name} must be pairs of a name and a number, not {shown(value)}")
    return parts[0], parts[1]
