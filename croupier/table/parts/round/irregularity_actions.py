"""Legal irregularity declarations (chapter 13): their input fields and their consequences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from croupier.money import chip_amount
from croupier.table.core.fields import CardField, FieldType, TextField
from croupier.table.core.messages import Command, Event
from croupier.table.core.part import ActionTemplate
from croupier.table.parts.decks import stub
from croupier.table.parts.round import irregularity_evidence
from croupier.table.parts.round import messages as msg
from croupier.table.parts.round.actions import undealt_cards
from croupier.table.parts.round.irregularities import round_taking_bets
from croupier.table.parts.round.resolution import return_stakes
from croupier.table.parts.round.state import Round
from croupier.table.parts.round.turn_order import Turn
from croupier.wording import counted

if TYPE_CHECKING:
    from croupier.table.table import Table

Offers = Callable[["Table", int], Iterator[ActionTemplate]]
ON_RECORD = "counted again with the players"


def declaration(
    table: Table, kind: type[Command], forms: dict[str, FieldType] | None = None, **fixed: object
) -> Iterator[ActionTemplate]:
    """A declaration, unless it is impossible; a reason is required if it contradicts the record."""
    finding = (
        irregularity_evidence.assess(table, kind(**fixed))
        if table.attended
        else irregularity_evidence.CONSISTENT
    )
    if finding.standing == "impossible":
        return
    needs_reason = finding.standing == "contradicts"
    reason = TextField(ON_RECORD) if needs_reason else TextField("", may_be_empty=True)
    yield ActionTemplate(
        command=kind(**fixed, reason=reason.example()),
        fields={**(forms or {}), "reason": reason},
        why=finding.why,
    )


def face_up(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it while cards are due: the next one may be face up."""
    if table.due().kind == "deal":
        card = undealt_cards(table)[0]
        yield from declaration(table, msg.FindCardFaceUp, {"card": CardField()}, card=card)


def in_round(kind: type[Command]) -> Offers:
    """A declaration without other fields, offered during a round."""

    def offers(table: Table, at: int) -> Iterator[ActionTemplate]:
        if table.dealing is not None:
            yield from declaration(table, kind)

    return offers


def shuffler_jam(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it during a round, and while wagers are placed and the deck is in the shuffler."""
    if table.dealing is not None or round_taking_bets(table) is not None:
        yield from declaration(table, msg.JamShuffler)


def wrong_number(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it for every place that is dealt cards."""
    if table.dealing is not None:
        game = table.house.game
        places = [f"seat {seat}" for seat in sorted(table.dealing.boxes)]
        places += ["dealer"] if game.dealer_cards else []
        places += ["community"] if game.community_cards else []
        for place in places:
            yield from declaration(table, msg.FindWrongNumber, where=place)


def per_seat(kind: type[msg.ExposePlayerCard] | type[msg.SkipPlayer]) -> Offers:
    """A declaration about each box of the round."""

    def offers(table: Table, at: int) -> Iterator[ActionTemplate]:
        for seat in sorted(table.dealing.boxes) if table.dealing else ():
            yield from declaration(table, kind, seat=seat)

    return offers


def wrong_count(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it after a wrong stub count: the cards were misdealt, or the deck is incomplete."""
    current = table.dealing
    if current is None or current.void or table.decks.stub != "differs":
        return
    misdeal = stub.example_misdeal(table)
    if misdeal is not None:
        yield from wrong_count_finding(table, misdealt=True, cards=misdeal)
    yield from wrong_count_finding(table, misdealt=False, cards={})


def wrong_count_finding(
    table: Table, *, misdealt: bool, cards: dict[str, int]
) -> Iterator[ActionTemplate]:
    """One of the two possible findings on a wrong stub count; both are due."""
    forms: dict[str, FieldType] = {"found": stub.count_evidence(table, whole=misdealt)}
    for action in declaration(table, msg.FindWrongCount, forms, misdealt=misdealt, found=cards):
        yield ActionTemplate(
            command=action.command, fields=action.fields, due="due", why="the stub count is wrong"
        )


def consequence(table: Table, events: Sequence[Event]) -> str:
    """Return what the events of an irregularity mean for the round and its players.

    It depends on the wagers, never on a card that is face down.
    """
    current = table.open_round
    for event in events:
        if isinstance(event, msg.RoundVoided) and current is not None:
            return f"Void the round: {refund(current, event)}"
        if isinstance(event, msg.PlayerSatOut):
            return f"The round continues; seat {event.seat} sits out and gets its wagers back"
    noted = [event for event in events if isinstance(event, msg.IrregularityNoted)]
    if not noted:
        return ""
    if noted[0].irregularity == "card_face_up":
        return "The card is set aside; the round continues"
    if noted[0].irregularity == "card_drawn_in_error":
        return "The card is dealt next, face unseen; the round continues"
    return "The round continues"


def refund(current: Round, void: msg.RoundVoided) -> str:
    """Return what a void round gives back: "returns $57 to 2 players"."""
    cents, players = 0, set()
    for seat, box in current.boxes.items():
        wagers = tuple(box.stakes)
        turn = Turn(seat, wagers, wagers, needs_hand=False, announced=False, pays_envy=False)
        for event in return_stakes(current, turn, void.clause, saved=void.saved):
            if event.returned:
                cents += event.returned
                players.add(box.player)
    returned = f"returns {chip_amount(cents)} to {counted(len(players), 'player')}"
    saved = current.game.wager(void.saved) if void.saved else None
    return f"{returned}; {saved.title} is still settled" if saved else returned


ACTIONS: dict[type[Command], Offers] = {
    msg.FindCardFaceUp: face_up,
    msg.DrawInError: in_round(msg.DrawInError),
    msg.FindWrongNumber: wrong_number,
    msg.ExposeDealerCard: in_round(msg.ExposeDealerCard),
    msg.ExposeCommunityCard: in_round(msg.ExposeCommunityCard),
    msg.ExposePlayerCard: per_seat(msg.ExposePlayerCard),
    msg.JamShuffler: shuffler_jam,
    msg.JamShoe: in_round(msg.JamShoe),
    msg.SkipPlayer: per_seat(msg.SkipPlayer),
    msg.FindWrongCount: wrong_count,
}
