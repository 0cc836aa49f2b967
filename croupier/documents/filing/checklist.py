"""Checklist of a filing: every layout and submission clause with the page that answers it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from croupier.documents.felt import inscriptions
from croupier.documents.filing.document_blocks import (
    Block,
    ClauseAnswer,
    FilingDocument,
    Heading,
    Row,
    TableBlock,
    make_document,
)
from croupier.games import House
from croupier.rulebook import Clause, clauses, is_within, letters, meter_floors

FILED_KINDS = ("layout", "submission")
NO_PROGRESSIVE = "no progressive is offered"
UNANSWERED = "not answered by these documents"


def filing_clauses(house: House) -> tuple[Clause, ...]:
    """The clauses that a filing must answer, by their kind or their proof."""
    return tuple(
        clause
        for clause in clauses(house.game.document)
        if clause.kind in FILED_KINDS or clause.proof in FILED_KINDS
    )


def checklist(house: House, documents: Iterable[FilingDocument]) -> FilingDocument:
    """The checklist document: where each clause is answered."""
    places = [place for document in documents for place in document.places()]
    reasons = dict(not_applicable(house))
    blocks: list[Block] = []
    for kind, heading in (("layout", "layout"), ("submission", "Rules Submission")):
        rows = [
            Row(
                (
                    clause.id,
                    clause.summary,
                    answer_cell(answers(clause, places), reasons.get(clause.id)),
                )
            )
            for clause in filing_clauses(house)
            if ("layout" in (clause.kind, clause.proof)) == (kind == "layout")
        ]
        blocks.append(Heading(text=f"Clauses about the {heading}"))
        blocks.append(
            TableBlock(
                titles=("clause", "requirement", "document, section and page"),
                rows=tuple(rows),
                widths=("auto", "1fr", "72mm"),
                sides=("left", "left", "left"),
            )
        )
    return make_document(house, "6-checklist", "Checklist", blocks)


def answers(clause: Clause, places: Iterable[ClauseAnswer]) -> list[ClauseAnswer]:
    """Where a clause is answered; if only its subclauses are, the first of those places."""
    candidates = list(places)
    exact = [place for place in candidates if place.clause == clause.id]
    below = [place for place in candidates if is_within(place.clause, clause.id)]
    return exact or below[:1]


def not_applicable(house: House) -> Iterator[tuple[str, str]]:
    """Clauses that do not apply to this table, each with the reason."""
    for wager in house.game.wagers:
        if not house.offers(wager.name):
            for clause in house.cite(f"layout.spot.{wager.name}", optional=True):
                yield clause, f"{wager.title} is not offered"
    yield from unused_meters(house)
    shown = {notice.name for notice in inscriptions.notices(house)}
    for notice in house.game.layout.notices:
        if notice.name not in shown:
            for clause in house.cite(f"layout.notice.{notice.name}", optional=True):
                yield clause, "the notice does not apply to this table"
    for clause in house.cite("layout.sign", optional=True):
        yield clause, "the felt carries all notices"


def unused_meters(house: House) -> Iterator[tuple[str, str]]:
    """Clauses about meters that this table does not have."""
    if house.game.wager("progressive") is None:
        return
    book, form = house.game.document, house.game.form.meters
    chosen = house.letters.get("progressive")
    for letter in letters(book, "progressive"):
        for floor in meter_floors(book, letter) if letter != chosen else ():
            why = f"paytable {letter} is not chosen"
            yield floor.clause, f"progressive {why}" if chosen else NO_PROGRESSIVE
    for by_meter in (form.rate_of, form.amount_of):
        for meter, clause in by_meter.items():
            if meter not in house.meters:
                yield clause, f"there is no meter {meter}" if chosen else NO_PROGRESSIVE
    if not chosen:
        yield from ((clause, NO_PROGRESSIVE) for clause in (form.section, form.rate, form.amount))


def answer_cell(places: list[ClauseAnswer], reason: str | None) -> str:
    """The places of a clause, one per document; without one, why it does not apply."""
    if not places:
        return f"not applicable: {reason}" if reason else UNANSWERED
    first = {place.document: place for place in reversed(places)}
    listed = sorted(first.values(), key=places.index)
    return "\n".join(f"{place.document}: {place.under}, page {place.page}" for place in listed)
