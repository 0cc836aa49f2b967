"""The stub: to the rack unseen, or counted at least every five rounds (8 to 10, A124 to A128)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.core.fields import CountField, CountsField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec, Urgency
from croupier.table.core.roles import DEALER, Account
from croupier.table.parts.decks import messages as rec
from croupier.table.parts.decks.shuffling import counts
from croupier.table.parts.round import messages as played
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table

CARDS = CountField(0, 104)
WHOLE_DECK = 52
STUB = "stub"


def count_due(table: Table) -> bool:
    """Whether this round's stub must be counted: every five rounds, or as often as submitted."""
    every = min(5, table.house.choices.stub_count_every)
    return not counts(table) and table.decks.rounds_since_count + 1 >= every


def waiting(table: Table) -> Round:
    """The round whose stub lies before the dealer: no card leaves it any more."""
    current = table.dealing
    if current is None or current.void or not current.all_dealt:
        raise table.refusal("the stub is handled after the last card of the round", "stub.rack")
    if table.decks.stub == "done":
        raise table.refusal("the stub was handled already", "stub.rack")
    return current


def left(current: Round) -> int:
    """How many cards the stub should have."""
    return WHOLE_DECK - len(current.left_deck)


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
    if table.decks.stub == "differs":
        raise table.refusal("its count differs; find out why, or count again", "stub.wrong")
    discarded = rec.StubDiscarded(deck=deck_name(table), cards=left(current), clauses=taking(table))
    return [discarded]


def count(table: Table, command: rec.CountStub, by: Account, at: int) -> list[Event]:
    """Fifty-two with the cards dealt, or it must be found out why not; it may be counted again."""
    current = waiting(table)
    house = table.house
    if not CARDS.admits(command.cards):
        raise table.refusal(f"{command.cards!r} is no count of cards", "stub.due")
    expected = left(current)
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


def places(current: Round) -> tuple[str, ...]:
    """Where cards of the deck may lie; the rack has what was burned or set aside."""
    game = current.game
    found = [f"seat {seat}" for seat in sorted(current.boxes)]
    found += ["dealer"] if game.dealer_cards else []
    found += ["community"] if game.community_cards else []
    found += ["box"] if current.six_card_box else []
    return (*found, "rack", STUB)


def evidence(table: Table, *, whole: bool) -> CountsField:
    """What a finding about the stub may rest on: a count at every place, with the stub's own."""
    assert table.dealing is not None
    known = {STUB: table.decks.stub_found}
    return CountsField(places(table.dealing), WHOLE_DECK, whole=whole, known=known)


def check_found(table: Table, command: played.FindWrongCount) -> None:
    """Misdealt holds only where all 52 are there; a deck that is not whole leaves (A124)."""
    form = evidence(table, whole=command.misdealt)
    if form.admits(command.found):
        return
    duty = "wrong_count.misdealt" if command.misdealt else "wrong_count.not_misdealt"
    expected = "52 in all" if command.misdealt else "anything but 52 in all, or no count"
    raise table.refusal(
        f"cards at {', '.join(form.places)}, {table.decks.stub_found} of them in the stub and "
        f"{expected}, are expected; got {command.found}",
        duty,
    )


def misdeal(table: Table) -> dict[str, int] | None:
    """Some count at every place that comes to 52, to try a finding with; none if there is none."""
    current, stub_found = table.dealing, table.decks.stub_found
    if current is None or stub_found > WHOLE_DECK:
        return None
    found = dict.fromkeys(places(current), 0)
    first = next(iter(found))
    return {**found, first: WHOLE_DECK - stub_found, STUB: stub_found}


def offer_discard(table: Table, at: int) -> Iterator[ActionTemplate]:
    """After the last card."""
    if stub_waits(table) and table.decks.stub != "differs":
        yield ActionTemplate(command=rec.DiscardStub(), due="due", why="the last card is dealt")


def offer_count(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Allowed in every round, due in the fifth; again where it differs."""
    if not stub_waits(table):
        return
    due: Urgency = "due" if count_due(table) and table.decks.stub != "differs" else "may"
    yield ActionTemplate(
        command=rec.CountStub(0),
        fields={"cards": CARDS},
        due=due,
        why=f"{table.decks.rounds_since_count} rounds since the last count",
    )


def stub_waits(table: Table) -> bool:
    """Whether a stub lies before the dealer."""
    current = table.dealing
    whole = current is not None and not current.void and current.all_dealt
    return whole and table.decks.stub != "done"


COMMANDS = (
    CommandSpec(
        command=rec.DiscardStub,
        roles=DEALER,
        duty="stub.rack",
        decide=discard,
        offers=offer_discard,
    ),
    CommandSpec(
        command=rec.CountStub, roles=DEALER, duty="stub.due", decide=count, offers=offer_count
    ),
)
