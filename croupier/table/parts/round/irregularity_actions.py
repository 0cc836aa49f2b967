"""When the irregularities of chapter 13 are offered, and what they leave open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from croupier.table.core.fields import FieldType, CardField, TextField
from croupier.table.core.messages import Command
from croupier.table.core.part import ActionTemplate
from croupier.table.parts.decks import stub
from croupier.table.parts.round import irregularity_evidence
from croupier.table.parts.round import messages as rec
from croupier.table.parts.round.actions import unseen_card
from croupier.table.parts.round.irregularities import round_being_bet

if TYPE_CHECKING:
    from croupier.table.table import Table

Offers = Callable[["Table", int], Iterator[ActionTemplate]]
ON_RECORD = "counted again with the players"


def declared(
    table: Table, kind: type[Command], forms: dict[str, FieldType] | None = None, **fixed: object
) -> Iterator[ActionTemplate]:
    """A declaration, unless it cannot be; with a reason where it contradicts the record."""
    found = (
        irregularity_evidence.finding(table, kind(**fixed))
        if table.attended
        else irregularity_evidence.PLAIN
    )
    if found.standing == "impossible":
        return
    needed = found.standing == "contradicts"
    reason = TextField(ON_RECORD) if needed else TextField("", may_be_empty=True)
    yield ActionTemplate(
        command=kind(**fixed, reason=reason.example()),
        fields={**(forms or {}), "reason": reason},
        why=found.why,
    )


def face_up(table: Table, at: int) -> Iterator[ActionTemplate]:
    """The next card of the deck may lie the wrong way."""
    if table.due().kind == "deal":
        card = unseen_card(table)[0]
        yield from declared(table, rec.FindCardFaceUp, {"card": CardField()}, card=card)


def in_round(kind: type[Command]) -> Offers:
    """A declaration without anything else open, offered while a round is dealt."""

    def offers(table: Table, at: int) -> Iterator[ActionTemplate]:
        if table.dealing is not None:
            yield from declared(table, kind)

    return offers


def shuffler_jam(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Also while wagers are placed and the machine has the deck."""
    if table.dealing is not None or round_being_bet(table) is not None:
        yield from declared(table, rec.JamShuffler)


def wrong_number(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Any place that is dealt cards."""
    if table.dealing is not None:
        game = table.house.game
        places = [f"seat {seat}" for seat in sorted(table.dealing.boxes)]
        places += ["dealer"] if game.dealer_cards else []
        places += ["community"] if game.community_cards else []
        for place in places:
            yield from declared(table, rec.FindWrongNumber, where=place)


def per_seat(kind: type[rec.ExposePlayerCard] | type[rec.SkipPlayer]) -> Offers:
    """A declaration about one box of the round."""

    def offers(table: Table, at: int) -> Iterator[ActionTemplate]:
        for seat in sorted(table.dealing.boxes) if table.dealing else ():
            yield from declared(table, kind, seat=seat)

    return offers


def wrong_count(table: Table, at: int) -> Iterator[ActionTemplate]:
    """After a count that differs: the cards are found at every place, or they are not."""
    current = table.dealing
    if current is None or current.void or table.decks.stub != "differs":
        return
    misdeal = stub.misdeal(table)
    if misdeal is not None:
        yield from finding(table, misdealt=True, found=misdeal)
    yield from finding(table, misdealt=False, found={})


def finding(table: Table, *, misdealt: bool, found: dict[str, int]) -> Iterator[ActionTemplate]:
    """One of the two findings about a stub, both due."""
    forms: dict[str, FieldType] = {"found": stub.evidence(table, whole=misdealt)}
    for offer in declared(table, rec.FindWrongCount, forms, misdealt=misdealt, found=found):
        yield ActionTemplate(
            command=offer.command, fields=offer.fields, due="due", why="the count differs"
        )


OFFERS: dict[type[Command], Offers] = {
    rec.FindCardFaceUp: face_up,
    rec.DrawInError: in_round(rec.DrawInError),
    rec.FindWrongNumber: wrong_number,
    rec.ExposeDealerCard: in_round(rec.ExposeDealerCard),
    rec.ExposeCommunityCard: in_round(rec.ExposeCommunityCard),
    rec.ExposePlayerCard: per_seat(rec.ExposePlayerCard),
    rec.JamShuffler: shuffler_jam,
    rec.JamShoe: in_round(rec.JamShoe),
    rec.SkipPlayer: per_seat(rec.SkipPlayer),
    rec.FindWrongCount: wrong_count,
}
