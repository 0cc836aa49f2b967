"""The checklist: every clause about the layout or the submission, with the page that answers it."""

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
    document,
)
from croupier.games import House
from croupier.rulebook import Clause, clauses, is_within, letters, meter_floors

ASKED = ("layout", "submission")
NO_PROGRESSIVE = "no progressive is offered"
UNANSWERED = "not answered by these papers"


def asked_clauses(house: House) -> tuple[Clause, ...]:
    """The clauses that a filing answers: by what they are about, or by what proves them."""
    return tuple(
        clause
        for clause in clauses(house.game.document)
        if clause.kind in ASKED or clause.proof in ASKED
    )


def checklist(house: House, documents: Iterable[FilingDocument]) -> FilingDocument:
    """Where each of these clauses is answered, document by document."""
    places = [place for each in documents for place in each.places()]
    idle = dict(not_arising(house))
    blocks: list[Block] = []
    for kind, heading in (("layout", "Layout"), ("submission", "Rules Submission")):
        rows = [
            Row((clause.id, clause.summary, *told(answers(clause, places), idle.get(clause.id))))
            for clause in asked_clauses(house)
            if ("layout" in (clause.kind, clause.proof)) == (kind == "layout")
        ]
        blocks.append(Heading(text=f"Clauses about the {heading}"))
        blocks.append(
            TableBlock(
                titles=("clause", "what it asks", "document and place", "page"),
                rows=tuple(rows),
                widths=("auto", "1fr", "56mm", "auto"),
                sides=("left", "left", "left", "right"),
            )
        )
    return document(house, "6-checklist", "Checklist", blocks)


def answers(clause: Clause, places: Iterable[ClauseAnswer]) -> list[ClauseAnswer]:
    """The places of a clause; of one that only gathers others, the first place of those."""
    known = list(places)
    exact = [place for place in known if place.clause == clause.id]
    below = [place for place in known if is_within(place.clause, clause.id)]
    return exact or below[:1]


def not_arising(house: House) -> Iterator[tuple[str, str]]:
    """Clauses that ask nothing of this table, with the reason."""
    for wager in house.game.wagers:
        if not house.offers(wager.name):
            for clause in house.cite(f"layout.spot.{wager.name}", optional=True):
                yield clause, f"{wager.title} is not offered"
    yield from idle_meters(house)
    said = {each.name for each in inscriptions.notices(house)}
    for notice in house.game.layout.notices:
        if notice.name not in said:
            for clause in house.cite(f"layout.notice.{notice.name}", optional=True):
                yield clause, "there is nothing of the kind to tell here"
    for clause in house.cite("layout.sign", optional=True):
        yield clause, "the felt carries all notices"


def idle_meters(house: House) -> Iterator[tuple[str, str]]:
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
                yield clause, f"no meter {meter} here" if chosen else NO_PROGRESSIVE
    if not chosen:
        yield from ((clause, NO_PROGRESSIVE) for clause in (form.section, form.rate, form.amount))


def told(found: list[ClauseAnswer], why_not: str | None) -> tuple[str, str]:
    """Places in words, each document once; a clause without one says why."""
    if not found:
        return (f"does not arise: {why_not}" if why_not else UNANSWERED), ""
    first = {place.document: place for place in reversed(found)}
    listed = sorted(first.values(), key=found.index)
    where = "\n".join(f"{place.document}: {place.under}" for place in listed)
    return where, "\n".join(str(place.page) for place in listed)
