"""The stub: to the rack unseen, or counted at least every five rounds (8 to 10, A124 to A128)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.events import Event
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer
from croupier.table.life.forms import Amount
from croupier.table.life.people import DEALER, Person
from croupier.table.life.shuffling import counts
from croupier.table.round import Round

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

CARDS = Amount(0, 104)


def count_due(live: LiveTable) -> bool:
    """Whether this round's stub must be counted: every five rounds, or as often as submitted."""
    every = min(5, live.house.choices.stub_count_every)
    return not counts(live) and live.life.rounds_since_count + 1 >= every


def waiting(live: LiveTable) -> Round:
    """The round whose stub lies before the dealer."""
    current = live.dealing
    if current is None or current.void or current.due().kind != "settle":
        raise live.refusal("the stub is handled after the last card and decision", "stub.rack")
    if live.life.stub:
        raise live.refusal("the stub was handled already", "stub.rack")
    return current


def deck_name(live: LiveTable) -> str:
    """The deck that the stub belongs to."""
    deck = live.life.in_play()
    return deck.name if deck is not None else ""  # forfeited before the first card: no stub


def taking(live: LiveTable) -> tuple[str, ...]:
    """The clauses of taking the stub away."""
    return live.house.cite("stub.take", optional=True) + live.house.cite("stub.rack")


def discard(live: LiveTable, command: cmd.DiscardStub, by: Person, at: int) -> list[Event]:
    """To the rack unseen, unless a count is due."""
    current = waiting(live)
    if count_due(live):
        raise live.refusal("this round's stub must be counted", "stub.due")
    left = 52 - len(current.left_deck)
    return [ev.StubDiscarded(deck=deck_name(live), cards=left, at=at, by=by, clauses=taking(live))]


def count(live: LiveTable, command: cmd.CountStub, by: Person, at: int) -> list[Event]:
    """Fifty-two with the cards dealt, or it must be found out why not."""
    current = waiting(live)
    house = live.house
    if not CARDS.admits(command.cards):
        raise live.refusal(f"{command.cards!r} is no count of cards", "stub.due")
    expected = 52 - len(current.left_deck)
    clauses = house.cite("stub.due") + house.cite("stub.count", optional=True)
    if command.cards == expected:
        clauses += taking(live) + house.cite("stub.right")
        return [
            ev.StubCounted(deck=deck_name(live), cards=command.cards, at=at, by=by, clauses=clauses)
        ]
    clauses += house.cite("stub.wrong")
    return [
        ev.StubCountDiffered(
            deck=deck_name(live),
            cards=command.cards,
            expected=expected,
            at=at,
            by=by,
            clauses=clauses,
        )
    ]


def offer_discard(live: LiveTable, at: int) -> Iterator[Offer]:
    """After the last card and decision."""
    yield Offer(command=cmd.DiscardStub(), due="due", why="the last card is dealt")


def offer_count(live: LiveTable, at: int) -> Iterator[Offer]:
    """Allowed in every round, due in the fifth."""
    current = live.dealing
    if current is None:
        return
    due = count_due(live)
    yield Offer(
        command=cmd.CountStub(52 - len(current.left_deck)),
        forms={"cards": CARDS},
        due="due" if due else "may",
        why=f"{live.life.rounds_since_count} rounds since the last count",
    )


ACTS = (
    Act(
        command=cmd.DiscardStub,
        roles=DEALER,
        duty="stub.rack",
        decide=discard,
        offers=offer_discard,
    ),
    Act(command=cmd.CountStub, roles=DEALER, duty="stub.due", decide=count, offers=offer_count),
)
