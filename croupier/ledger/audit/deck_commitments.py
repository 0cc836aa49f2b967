"""Audit of virtual decks: every round was dealt from the deck committed to before the bets.

It relies on the recorded events alone, not on the table or the shuffler: the hash is computed again
and the cards are compared one by one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from croupier.ledger import entry_codec
from croupier.ledger.log import Store
from croupier.table import Event
from croupier.table import events as ev


class DeckCheck(msgspec.Struct, frozen=True, kw_only=True):
    """The check of one round dealt from a virtual deck; `problem` is empty if it passed."""

    table: str
    round: int
    commitment: str
    revealed: str
    dealt: int
    problem: str = ""


class _Commitment(msgspec.Struct):
    """A commitment that is not revealed yet, and the cards dealt under it."""

    commitment: str = ""
    in_time: bool = False  # committed before the betting closed
    number: int = 0
    dealt: list[str] = []
    closed: bool = False


def check(store: Store, table: str = "") -> Iterator[DeckCheck]:
    """Check every round dealt from a virtual deck, in order, at one table or all."""
    for stream in store.streams(entry_codec.TABLE_PREFIX):
        name = stream.removeprefix(entry_codec.TABLE_PREFIX)
        if not table or name == table:
            entries = map(entry_codec.decode_entry, store.read(stream))
            yield from check_stream(name, (entry.events for entry in entries))


def check_stream(table: str, entries: Iterator[Sequence[Event]]) -> Iterator[DeckCheck]:
    """Check the rounds of one table; a commitment that is never revealed is a problem."""
    current, number = _Commitment(), 0
    for events in entries:
        for event in events:
            match event:
                case ev.DeckCommitted():
                    if current.dealt:
                        yield _check_round(table, current, "")
                    current = _Commitment(commitment=event.commitment, number=number)
                case ev.RoundOpened():
                    number = current.number = event.number
                case ev.BettingClosed():
                    current.in_time = bool(current.commitment)
                case ev.CardsDealt() if current.commitment:
                    current.dealt.extend(event.cards)
                case ev.IrregularityNoted(irregularity="card_face_up") if current.commitment:
                    current.dealt.append(str(event.detail["card"]))
                case ev.RoundClosed():
                    current.closed = True
                case ev.DeckRevealed():
                    if current.dealt:
                        yield _check_round(table, current, event.revealed)
                    current = _Commitment()
    if current.dealt and current.closed:
        yield _check_round(table, current, "")


def _check_round(table: str, current: _Commitment, revealed: str) -> DeckCheck:
    deck = revealed.split()[1:]
    problem = ""
    if not revealed:
        problem = "the deck was never revealed"
    elif not current.in_time:
        problem = "the deck was committed to after the betting closed"
    elif hashlib.sha256(revealed.encode()).hexdigest() != current.commitment:
        problem = "the revealed deck is not the one committed to"
    elif len(deck) != 52 or len(set(deck)) != 52:
        problem = "the revealed deck is not a deck of 52 cards"
    elif deck[: len(current.dealt)] != current.dealt:
        problem = "other cards were dealt than the top cards of the deck"
    return DeckCheck(
        table=table,
        round=current.number,
        commitment=current.commitment,
        revealed=revealed,
        dealt=len(current.dealt),
        problem=problem,
    )
