"""The rule of the FlashAttention paper: scores should never reach memory."""

from ..language import tr
from ..layers import Attention
from ._case import Case
from ._loss import Loss, loss, note
from ._rule import Note, Rule, Source

PAPER = Source("Dao et al., FlashAttention, 2022", "https://arxiv.org/abs/2205.14135")


def _fused(case: Case) -> Note | None:
    sites = [site for site in case.of(Attention) if site.costs]
    if not sites:
        return None
    losses = [
        loss(case, site, {"fused": True}, padding=True)
        for site in sites
        if isinstance(site.bare, Attention) and not site.bare.fused
    ]

    def bad(_: Loss) -> str:
        return tr("the scores of queries and keys go through memory")

    good = tr("attention is one kernel that keeps the scores on the chip.")
    return note(case, losses, good, bad, tr("against one fused kernel"))


FUSED = Rule("Fused attention", PAPER, _fused)
