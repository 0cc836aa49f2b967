"""The whole filing: every document as a file, the checklist last because it names their pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.games import House
from croupier.games.forms import Issue
from croupier.papers.felt import Logo, felt, full_size, sign
from croupier.papers.packet.blocks import Document
from croupier.papers.packet.checklist import checklist
from croupier.papers.packet.guide import guide
from croupier.papers.packet.layout import FELT, SIGN, layout
from croupier.papers.packet.mathematics import Studied, mathematics
from croupier.papers.packet.request import request
from croupier.papers.packet.rules import rules


class Approvals(msgspec.Struct, frozen=True, kw_only=True):
    """What was approved, as it is on file; the layout's stands in the submission."""

    rules: str = ""
    guide: str = ""


def documents(
    house: House,
    found: Studied,
    *,
    issues: Iterable[Issue] = (),
    logo: Logo | None = None,
    approvals: Approvals | None = None,
    new: Sequence[str] = (),
) -> tuple[Document, ...]:
    """The documents of a filing in their order; `new` names wagers that are asked for."""
    approved = approvals or Approvals()
    made = [
        rules(house, issues, approved.rules),
        layout(house, logo),
        guide(house, approved.guide),
        mathematics(house, found),
    ]
    if new:
        made.append(request(house, found, new))
    return (*made, checklist(house, made))


def files(house: House, made: Iterable[Document], logo: Logo | None = None) -> dict[str, bytes]:
    """Every document as PDF by its name, and the drawings in full size."""
    drawn = felt(house, logo)
    found = {f"{each.name}.pdf": each.pdf() for each in made}
    found[f"{FELT}.pdf"] = full_size(house, drawn)
    if posted := sign(house, drawn):
        found[f"{SIGN}.pdf"] = full_size(house, posted)
    return dict(sorted(found.items()))
