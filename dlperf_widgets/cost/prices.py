"""Prices that somebody typed, as texts that options can hold: ``T4=0.35/hour 2026-12-01``."""

from collections.abc import Iterable
from math import isfinite

from ..gpus import Price
from ..gpus._prices import PER

SELLER = "typed"


def price_text(gpu: str, amount: object, per: str, date: str) -> str:
    """Return the text of a price in USD; ValueError says why an amount is none."""
    return f"{gpu}={_amount(gpu, amount):g}/{per} {date}"


def typed_prices(texts: Iterable[str], per: str) -> dict[str, Price]:
    """Return the prices per ``per`` among the texts, by the name of the GPU."""
    read = map(_read, texts)
    return {gpu: price for gpu, price in read if price.per == per}


def checked_prices(texts: object) -> tuple[str, ...]:
    """Return texts of prices, one a GPU and kind, the last of several; ValueError says what is no price."""
    if not isinstance(texts, tuple | list):
        raise ValueError(f"prices must be a list of texts such as 'T4=0.35/hour 2026-12-01', not {texts!r}")
    last: dict[tuple[str, str], str] = {}
    for text in texts:
        gpu, price = _read(text)
        last[gpu, price.per] = price_text(gpu, price.amount, price.per, price.date)
    return tuple(last[key] for key in sorted(last))


def _read(text: object) -> tuple[str, Price]:
    gpu, equals, rest = str(text).rpartition("=")
    amount, slash, kind = rest.partition("/")
    per, _, date = kind.partition(" ")
    if not (equals and slash and gpu and date and per in PER):
        raise ValueError(f"a price is a text such as 'T4=0.35/hour 2026-12-01', not {text!r}")
    return gpu, Price(_amount(gpu, amount), "USD", per, SELLER, date, "")


def _amount(gpu: str, amount: object) -> float:
    try:
        value = float(str(amount).replace(",", "").removesuffix("USD").strip("$ "))
    except ValueError:
        raise ValueError(f"the price of {gpu} must be a number of USD, not {amount!r}") from None
    if not (value > 0 and isfinite(value)):
        raise ValueError(f"the price of {gpu} must be more than 0 USD, not {value:g}")
    return value
