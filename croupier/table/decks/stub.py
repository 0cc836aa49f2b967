"""The stub: to the rack unseen, or counted at least every five rounds (8 to 10, A124 to A128)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.decks import record as rec
from croupier.table.decks.shuffling import counts
from croupier.table.forms import Count
from croupier.table.parts import Act, Offer
from croupier.table.people import DEALER, Account
from croupier.table.record import Event
from croupier.table.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table

CARDS = Count(0, 104)


def count_due(table: Table) -> bool:
    """Whether this round's stub must be counted: every five rounds, or as often as submitted."""
    every = min(5, table.house.choices.stub_count_every)
    return not counts(table) and table.decks.rounds_since_count + 1 >= every


def waiting(table: Table) -> Round:
    """The round whose stub lies before the dealer."""
    current = table.dealing
    if current is None or current.void or current.due().kind != "settle":
        raise table.refusal("the stub is handled after the last card and decision", "stub.rack")
    if table.decks.stub:
        raise table.refusal("the stub was handled already", "stub.rack")
    return current


def deck_name(table: Table) -> str:
    """The deck that the stub belongs to."""
    deck = table.decks.in_play()
    return deck.name if deck is not None else ""  # forfeited before the first card: no stub


def taking(table: Table) -> tuple[str, ...]:
    """The clauses of taking the stub away."""
    return table.house.cite("stub.take", optional=True) + table.house.cite("stub.rack")


def discard(table: Table, command: rec.DiscardStub, by: Account, at: int) -> list[Event]:
    """To the rack unseen, unless a count is due."""
    current = waiting(table)
    if count_due(table):
        raise table.refusal("this round's stub must be counted", "stub.due")
    left = 52 - len(current.left_deck)
    return [rec.StubDiscarded(deck=deck_name(table), cards=left, clauses=taking(table))]


def count(table: Table, command: rec.CountStub, by: Account, at: int) -> list[Event]:
    """Fifty-two with the cards dealt, or it must be found out why not."""
    current = waiting(table)
    house = table.house
    if not CARDS.admits(command.cards):
        raise table.refusal(f"{command.cards!r} is no count of cards", "stub.due")
    expected = 52 - len(current.left_deck)
    clauses = house.cite("stub.due") + house.cite("stub.count", optional=True)
    if command.cards == expected:
        clauses += taking(table) + house.cite("stub.right")
        return [rec.StubCounted(deck=deck_name(table), cards=command.cards, clauses=clauses)]
    clauses += house.cite("stub.wrong")
    return [
        rec.StubCountDiffered(
            deck=deck_name(table),
            cards=command.cards,
            expected=expected,
            clauses=clauses,
        )
    ]


def offer_discard(table: Table, at: int) -> Iterator[Offer]:
    """After the last card and decision."""
    yield Offer(command=rec.DiscardStub(), due="due", why="the last card is dealt")


def offer_count(table: Table, at: int) -> Iterator[Offer]:
    """Allowed in every round, due in the fifth."""
    current = table.dealing
    if current is None:
        return
    due = count_due(table)
    yield Offer(
        command=rec.CountStub(0),
        forms={"cards": CARDS},
        due="due" if due else "may",
        why=f"{table.decks.rounds_since_count} rounds since the last count",
    )


ACTS = (
    Act(
        command=rec.DiscardStub,
        roles=DEALER,
        duty="stub.rack",
        decide=discard,
        offers=offer_discard,
    ),
    Act(command=rec.CountStub, roles=DEALER, duty="stub.due", decide=count, offers=offer_count),
)
