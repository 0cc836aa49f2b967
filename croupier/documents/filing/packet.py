"""The complete filing packet. The checklist is made last because it names pages of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from croupier.documents.felt import Logo, felt, full_size, sign
from croupier.documents.filing.checklist import checklist
from croupier.documents.filing.document_blocks import FilingDocument
from croupier.documents.filing.gaming_guide import WinningOdds, guide
from croupier.documents.filing.layout import FELT, SIGN, layout
from croupier.documents.filing.mathematics import FilingAnalysis, mathematics
from croupier.documents.filing.new_game_request import request
from croupier.documents.filing.rules_submission import rules, wager_title
from croupier.games import House
from croupier.submission.issues import Issue


class FilingApprovals(msgspec.Struct, frozen=True, kw_only=True):
    """Approvals on file; that of the layout is part of the submission."""

    rules: str = ""
    guide: str = ""


def documents(
    house: House,
    analyses: FilingAnalysis,
    *,
    issues: Iterable[Issue] = (),
    logo: Logo | None = None,
    approvals: FilingApprovals | None = None,
    new: Sequence[str] = (),
    guide_odds: bool = False,
) -> tuple[FilingDocument, ...]:
    """The documents of a filing in order; `new` names wagers to request.

    With `guide_odds` the gaming guide says how often each wager wins.
    """
    approved = approvals or FilingApprovals()
    result = [
        rules(house, issues, approved.rules),
        layout(house, logo),
        guide(house, approved.guide, winning_odds(house, analyses) if guide_odds else None),
        mathematics(house, analyses),
    ]
    if new:
        result.append(request(house, analyses, new))
    return (*result, checklist(house, result))


def winning_odds(house: House, analyses: FilingAnalysis) -> dict[str, WinningOdds]:
    """How often the main game and each side wager win, by their titles."""
    main = analyses.offered.main
    odds = {f"Main game, per {house.game.ante.title}": WinningOdds(main.outcomes["win"], -main.ev)}
    for side in analyses.sides:
        title = wager_title(house, side.wager)
        odds[title] = WinningOdds(side.least.hit_frequency, -side.least.ev)
    return odds


def files(
    house: House, filed: Iterable[FilingDocument], logo: Logo | None = None
) -> dict[str, bytes]:
    """The PDF files by name: every document, and the drawings in full size."""
    drawn = felt(house, logo)
    content = {f"{document.name}.pdf": document.pdf() for document in filed}
    content[f"{FELT}.pdf"] = full_size(house, drawn)
    if posted := sign(house, drawn):
        content[f"{SIGN}.pdf"] = full_size(house, posted)
    return dict(sorted(content.items()))
