"""What is said about a training step on many GPUs: what it is spent on, and where each number comes from."""

from ..cost.exchange import Exchange
from ..cost.feeding import samples_copy
from ..cost.footprint import Footprint
from ..cost.parallel import Step
from ..language import tr
from ..units import si
from .readouts import Readout, Why


def training_verdict(one: Step) -> str:
    """Return how well the GPUs are used, and what takes most of the rest."""
    values = {
        "gpus": f"{one.plan.ranks:,}", "share": f"{one.scaling_efficiency:.1%}", "time": si(one.time, "s"),
        "bubble": f"{one.bubble / one.time:.1%}", "exposed": f"{one.exposed / one.time:.1%}",
    }  # fmt: skip
    if one.plan.ranks == 1:
        return tr("One GPU waits for nobody: a step takes {time}.", **values)
    if max(one.bubble, one.exposed) < 0.02 * one.time:
        return tr("Nearly ideal: {gpus} GPUs reach {share} of ideal scaling, {time} a step.", **values)
    if one.bubble >= one.exposed:
        return tr(
            "The bubble costs most: {bubble} of {time} a step, against {exposed} waiting for links; {gpus} "
            "GPUs reach {share} of ideal scaling.", **values,
        )  # fmt: skip
    return tr(
        "Communication costs most: {exposed} of {time} a step is spent waiting for links, against {bubble} "
        "in the bubble; {gpus} GPUs reach {share} of ideal scaling.", **values,
    )  # fmt: skip


def overlap_note(one: Step) -> str:
    """Return how much of the communication passes while the GPUs compute."""
    if not one.communication:
        return ""
    return tr(
        "Of {all} of communication {hidden} passes while the GPUs compute, {shown} is waited for.",
        all=si(one.communication, "s"), hidden=si(one.overlapped, "s") if one.overlapped else tr("none"),
        shown=si(one.exposed, "s") if one.exposed else tr("none"),
    )  # fmt: skip


def copy_note(one: Step) -> str:
    """Return whether copying samples from the host hides behind the step, in a sentence."""
    copy = samples_copy(one)
    if copy is None:
        return ""
    values = {"size": si(copy.bytes, "B"), "time": si(copy.time, "s"), "step": si(one.time, "s")}
    if copy.time > one.time:
        return tr(
            "Copying the {size} of a step from the host takes {time}, longer than the step: it sets the "
            "pace.", **values,
        )  # fmt: skip
    return tr("Copying the next {size} from the host takes {time} and hides behind the step.", **values)


def training_numbers(one: Step) -> tuple[Readout, ...]:
    """Return the step's time and parts, and how well the GPUs are used."""
    return (
        Readout("step", tr("step"), si(one.time, "s")),
        Readout("compute", tr("computing"), si(one.compute, "s")),
        Readout("bubble", tr("bubble"), f"{one.bubble / one.time:.1%}"),
        Readout("exposed", tr("waiting for links"), si(one.exposed, "s")),
        Readout("overlapped", tr("overlapped"), si(one.overlapped, "s")),
        Readout("rate", tr("throughput"), f"{si(one.samples_per_second)} {tr('samples/s')}"),
        Readout("efficiency", tr("scaling efficiency"), f"{one.scaling_efficiency:.1%}"),
    )


def training_why(one: Step, key: str) -> Why:
    """Return where one of those numbers comes from."""
    readout = next((each for each in training_numbers(one) if each.key == key), None)
    if readout is None:
        raise ValueError(f"there is no number {key!r} to ask about")
    lines = {
        "step": _terms, "compute": _compute, "bubble": _bubble, "exposed": _links, "overlapped": _links,
        "rate": _rate, "efficiency": _efficiency,
    }[key](one)  # fmt: skip
    found = one.exchanges if key in ("step", "exposed", "overlapped") else ()
    sources = tuple(dict.fromkeys((e.name, e.source.split(" ")[0]) for e in found))
    if key == "bubble":
        sources = tuple((tr("pipeline"), t.source) for t in one.terms if t.name == "bubble")
    return Why(f"{readout.label}{tr(': ')}{readout.text}", lines, sources)


def _terms(one: Step) -> tuple[str, ...]:
    return tuple(one.explain().split("\n"))


def _compute(one: Step) -> tuple[str, ...]:
    work, m = one.work, one.plan.microbatches
    return (
        f"{m} x ({si(work.forward, 's')} + {si(work.backward, 's')}) + {si(work.update, 's')} = "
        f"{si(one.compute, 's')}",
        tr("micro-batches x (forward + backward) + update, on each GPU"),
    )


def _bubble(one: Step) -> tuple[str, ...]:
    plan = one.plan
    p, work = plan.pipeline, plan.microbatches * plan.interleave
    share = (p - 1) / (work + p - 1)
    return (
        f"(p - 1) / (v m + p - 1) = ({p} - 1) / ({plan.interleave} x {plan.microbatches} + {p} - 1) = "
        f"{share:.2%}",
        tr("of equal stages without an update, or links to wait for; here {bubble} of {time}",
           bubble=si(one.bubble, "s"), time=si(one.time, "s")),
    )  # fmt: skip


def _links(one: Step) -> tuple[str, ...]:
    return tuple(map(_exchange, one.exchanges)) or (tr("nothing is exchanged"),)


def _exchange(each: Exchange) -> str:
    return tr(
        "{name}: {formula}; {time} in all, {hidden} hidden",
        name=tr(each.name), formula=each.formula, time=si(each.seconds, "s"), hidden=si(each.overlapped, "s"),
    )  # fmt: skip


def _rate(one: Step) -> tuple[str, ...]:
    return (f"{one.samples:,} / {si(one.time, 's')} = {si(one.samples_per_second)}",)


def _efficiency(one: Step) -> tuple[str, ...]:
    many = f"({one.plan.ranks} x {si(one.time, 's')})"
    return (
        f"T1 / (n Tn) = {si(one.one_gpu, 's')} / {many} = {one.scaling_efficiency:.1%}",
        tr("T1 is what one GPU would take for all samples, were its memory large enough"),
    )


def room_note(needs: Footprint, batch: int, most: int | None, room: float, gpu: str) -> str:
    """Return whether a GPU has room for its part, in a sentence.

    Parameters
    ----------
    needs
        Of one GPU, where a sample is one of a micro-batch.
    batch, most
        The present micro-batch and the largest that fits; None if any does.
    room
        Bytes of the GPU without the reserve.
    gpu
        Its name.
    """
    values = {
        "size": si(needs.total(batch), "B"), "room": si(room, "B"), "gpu": gpu, "most": f"{most or 0:,}",
        "constant": si(needs.constant, "B"),
    }  # fmt: skip
    if needs.total(batch) <= room:
        if most is None:
            return tr("It fits: {size} of {room} on each {gpu}.", **values)
        return tr("It fits: {size} of {room} on each {gpu}, with room for batch {most}.", **values)
    if most:
        return tr("It does not fit: {size} of {room} on each {gpu}; batch {most} would.", **values)
    return tr(
        "It does not fit: {size} of {room} on each {gpu}, {constant} of it whatever the batch: share it over "
        "more tensor ranks, stages or ZeRO ranks.", **values,
    )  # fmt: skip
