"""The whole filing: every document as a file, the checklist last because it names their pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.documents.felt import Logo, felt, full_size, sign
from croupier.documents.filing.checklist import checklist
from croupier.documents.filing.document_blocks import FilingDocument
from croupier.documents.filing.gaming_guide import guide
from croupier.documents.filing.layout import FELT, SIGN, layout
from croupier.documents.filing.mathematics import Studied, mathematics
from croupier.documents.filing.new_game_request import request
from croupier.documents.filing.rules_submission import rules
from croupier.games import House
from croupier.submission.issues import Issue


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
) -> tuple[FilingDocument, ...]:
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


def files(
    house: House, made: Iterable[FilingDocument], logo: Logo | None = None
) -> dict[str, bytes]:
    """Every document as PDF by its name, and the drawings in full size."""
    drawn = felt(house, logo)
    found = {f"{each.name}.pdf": each.pdf() for each in made}
    found[f"{FELT}.pdf"] = full_size(house, drawn)
    if posted := sign(house, drawn):
        found[f"{SIGN}.pdf"] = full_size(house, posted)
    return dict(sorted(found.items()))
