"""Virtual decks audited: each round was dealt from the deck that was committed to before the bets.

It looks at the events alone and trusts nobody: not the table that accepted them, not the machine
that shuffled. The hash is worked out anew and the cards are compared one by one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from croupier.ledger import entry_codec as ent
from croupier.ledger.log import Store
from croupier.table import Event
from croupier.table import events as ev


class DeckCheck(msgspec.Struct, frozen=True, kw_only=True):
    """One round that was dealt from a virtual deck; `problem` says what is wrong, if anything."""

    table: str
    round: int
    commitment: str
    revealed: str
    dealt: int
    problem: str = ""


class Promise(msgspec.Struct):
    """What stands at one moment of a stream."""

    commitment: str = ""
    in_time: bool = False  # committed to before the betting closed
    number: int = 0
    dealt: list[str] = []
    closed: bool = False


def check_deck_commitments(store: Store, table: str = "") -> Iterator[DeckCheck]:
    """Every round of the practice tables that were dealt virtual cards, in order."""
    for stream in store.streams(ent.TABLE_PREFIX):
        name = stream.removeprefix(ent.TABLE_PREFIX)
        if table and name != table:
            continue
        yield from check_stream(name, (ent.decode_entry(each).events for each in store.read(stream)))


def check_stream(table: str, entries: Iterator[Sequence[Event]]) -> Iterator[DeckCheck]:
    """The rounds of one table; what was promised and never shown is a problem."""
    standing, number = Promise(), 0
    for events in entries:
        for event in events:
            match event:
                case ev.DeckCommitted():
                    if standing.dealt:
                        yield found(table, standing, "")
                    standing = Promise(commitment=event.commitment, number=number)
                case ev.RoundOpened():
                    number = standing.number = event.number
                case ev.BettingClosed():
                    standing.in_time = bool(standing.commitment)
                case ev.CardsDealt() if standing.commitment:
                    standing.dealt.extend(event.cards)
                case ev.IrregularityNoted(irregularity="card_face_up") if standing.commitment:
                    standing.dealt.append(str(event.detail["card"]))
                case ev.RoundClosed():
                    standing.closed = True
                case ev.DeckRevealed():
                    if standing.dealt:
                        yield found(table, standing, event.revealed)
                    standing = Promise()
    if standing.dealt and standing.closed:
        yield found(table, standing, "")


def found(table: str, standing: Promise, revealed: str) -> DeckCheck:
    """A round with what is wrong about it."""
    deck = revealed.split()[1:]
    problem = ""
    if not revealed:
        problem = "the deck was never revealed"
    elif not standing.in_time:
        problem = "the deck was committed to after the betting had closed"
    elif hashlib.sha256(revealed.encode()).hexdigest() != standing.commitment:
        problem = "the revealed deck is not the one committed to"
    elif len(deck) != 52 or len(set(deck)) != 52:
        problem = "the revealed deck is no deck of 52 cards"
    elif deck[: len(standing.dealt)] != standing.dealt:
        problem = "other cards were dealt than the deck had on top"
    return DeckCheck(
        table=table,
        round=standing.number,
        commitment=standing.commitment,
        revealed=revealed,
        dealt=len(standing.dealt),
        problem=problem,
    )
