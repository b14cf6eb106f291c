"""A comparison of GPUs in sentences: the fastest, the cheapest, and what is not known."""

from collections.abc import Sequence

from ..cost.compare import Compared
from ..language import tr
from ..units import figures, si
from ._words import percent

Rows = Sequence[Compared]


def name(row: Compared) -> str:
    """Return a row's GPU and format."""
    return f"{row.gpu.name} {row.scenario.format.name}"


def fastest(rows: Rows) -> str:
    """Return which row takes the least time, against the slowest one."""
    timed = [row for row in rows if row.time]
    if not timed:
        return tr("Nothing to run in these phases.")
    best, worst = min(timed, key=lambda row: row.time), max(timed, key=lambda row: row.time)
    if len(timed) < 2:
        return tr("{gpu} takes {time}.", gpu=name(best), time=si(best.time, "s"))
    return tr(
        "Fastest: {gpu} with {time}, {ratio} times as fast as {other} with {slow}.",
        gpu=name(best), time=si(best.time, "s"), ratio=figures(worst.time / best.time), other=name(worst),
        slow=si(worst.time, "s"),
    )  # fmt: skip


def cheapest(rows: Rows) -> str:
    """Return which row with a price gives a run for the least money."""
    priced = [row for row in rows if row.price_of_throughput]
    if not priced:
        return tr("No price is known of any: type one in.")
    best = min(priced, key=lambda row: row.price_of_throughput or 0.0)
    worst = max(priced, key=lambda row: row.price_of_throughput or 0.0)
    words = {"gpu": name(best), "cost": throughput_price(best), "of": len(priced), "all": len(rows)}
    if len(priced) < 2:
        return tr("Of {all} only {gpu} has a price: {cost}.", **words)
    ratio = figures((worst.price_of_throughput or 0.0) / (best.price_of_throughput or 1.0))
    return tr("Cheapest of the {of} with a price: {gpu}, {cost}; {other} costs {ratio} times that.",
              other=name(worst), ratio=ratio, **words)  # fmt: skip


def throughput_price(row: Compared) -> str:
    """Return what a row's throughput costs, in words; that no price is known where none is."""
    cost = row.price_of_throughput
    if row.price is None or cost is None:
        return tr("no price known")
    if row.price.per == "hour":
        return tr("{cost} USD for a million runs", cost=figures(cost))
    return tr("{cost} USD for each run a second", cost=figures(cost))


def unpriced(rows: Rows) -> str:
    """Return which GPUs have no price; nothing where all have one."""
    names = list(dict.fromkeys(row.gpu.name for row in rows if row.price is None))
    return tr("No price known: {gpus}.", gpus=tr(", ").join(names)) if names else ""


def unfit(rows: Rows) -> str:
    """Return on which GPUs it would not fit; nothing where it fits on all."""
    names = list(dict.fromkeys(name(row) for row in rows if not row.fits))
    return tr("Does not fit, timed as if it did: {gpus}.", gpus=tr(", ").join(names)) if names else ""


def changed(rows: Rows) -> str:
    """Return in which rows another format stands in."""
    notes = dict.fromkeys(row.note for row in rows if row.note)
    return tr("; ").join(notes) + tr(".") if notes else ""


def row_note(row: Compared) -> str:
    """Return a row in a sentence."""
    answer = row.answer
    parts = {
        "gpu": name(row), "time": si(row.time, "s"), "limiter": tr(answer.limiter) if answer.limiter else "",
        "share": percent(answer.limited), "peak": percent(answer.share_of_peak),
        "bandwidth": percent(answer.share_of_bandwidth),
    }  # fmt: skip
    told = tr("{gpu}: {time}, {share} of it {limiter} limited; {peak} of the peak rate, "
              "{bandwidth} of the bandwidth.", **parts)  # fmt: skip
    room = "" if row.fits else tr("It does not fit.")
    return " ".join(each for each in (told, f"{throughput_price(row)}{tr('.')}", room, row.note) if each)


def price_lines(row: Compared) -> tuple[str, ...]:
    """Return a price, its date and what follows from it, as lines with the numbers put in."""
    if row.price is None or row.price_of_throughput is None:
        return (tr("no dated public price of {gpu} is recorded: type one in", gpu=row.gpu.name),)
    price, cost = row.price, row.price_of_throughput
    head = tr("{amount} {currency} for {per}: {seller}, {date}", amount=f"{price.amount:,.2f}",
              currency=price.currency, per=tr("an hour") if price.per == "hour" else tr("a card"),
              seller=price.seller, date=price.date)  # fmt: skip
    if price.per == "hour":
        sum_ = f"{price.amount:,.2f} / 3600 s x {si(row.time, 's')} x 1,000,000 = {figures(cost)} USD"
    else:
        sum_ = f"{price.amount:,.2f} / (1 / {si(row.time, 's')}) = {figures(cost)} USD"
    return (head, sum_)
