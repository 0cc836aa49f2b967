"""The stub: discarded, or counted at least every five rounds (8 to 10, A124 to A128)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.core.fields import CountField, CountsField
from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec, Urgency
from croupier.table.core.roles import DEALER, Account
from croupier.table.parts.decks import messages as msg
from croupier.table.parts.decks.lifecycle import shuffler_counts
from croupier.table.parts.round import messages as round_msg
from croupier.table.parts.round.state import Round

if TYPE_CHECKING:
    from croupier.table.table import Table

CARDS = CountField(0, 104)
WHOLE_DECK = 52
STUB = "stub"


def count_due(table: Table) -> bool:
    """Whether the stub must be counted: each deck every five rounds of the table, or more often.

    A second deck may miss its fifth round, as the decks alternate; it is then due in the next.
    """
    every = min(5, table.house.choices.stub_count_every)
    return not shuffler_counts(table) and table.decks.rounds_since_count + 1 >= every


def round_with_stub(table: Table) -> Round:
    """The round after its last card, with its stub not handled yet; refused otherwise."""
    current = table.dealing
    if current is None or current.void or not current.all_dealt:
        raise table.refusal("handle the stub after the last card of the round", "stub.rack")
    if table.decks.stub == "done":
        raise table.refusal("the stub was already handled", "stub.rack")
    return current


def stub_size(current: Round) -> int:
    """The number of cards that the stub should have."""
    return WHOLE_DECK - len(current.left_deck)


def deck_name(table: Table) -> str:
    """The deck that the stub belongs to."""
    deck = table.decks.in_play()
    return deck.name if deck is not None else ""  # every box was forfeited before the first card


def discard_clauses(table: Table) -> tuple[str, ...]:
    """The clauses on removing the stub."""
    return table.house.cite("stub.take", optional=True) + table.house.cite("stub.rack")


def discard(table: Table, command: msg.DiscardStub, by: Account, at: int) -> list[Event]:
    """Put the stub into the discard rack uncounted, unless a count is due."""
    current = round_with_stub(table)
    if count_due(table):
        raise table.refusal("this round's stub must be counted", "stub.due")
    if table.decks.stub == "differs":
        raise table.refusal(
            "the stub count is wrong; record a finding or count again", "stub.wrong"
        )
    cards, clauses = stub_size(current), discard_clauses(table)
    return [msg.StubDiscarded(deck=deck_name(table), cards=cards, clauses=clauses)]


def count(table: Table, command: msg.CountStub, by: Account, at: int) -> list[Event]:
    """Count the stub; with the cards dealt it must make 52. A wrong count may be repeated."""
    current = round_with_stub(table)
    house = table.house
    if not CARDS.admits(command.cards):
        raise table.refusal(f"{command.cards!r} is not a valid card count", "stub.due")
    expected = stub_size(current)
    clauses = house.cite("stub.due") + house.cite("stub.count", optional=True)
    if command.cards == expected:
        clauses += discard_clauses(table) + house.cite("stub.right")
        return [msg.StubCounted(deck=deck_name(table), cards=command.cards, clauses=clauses)]
    clauses += house.cite("stub.wrong")
    return [
        msg.StubCountDiffered(
            deck=deck_name(table),
            cards=command.cards,
            expected=expected,
            clauses=clauses,
        )
    ]


def places(current: Round) -> tuple[str, ...]:
    """The places that can hold cards; the rack has burned and set-aside cards."""
    game = current.game
    names = [f"seat {seat}" for seat in sorted(current.boxes)]
    names += ["dealer"] if game.dealer_cards else []
    names += ["community"] if game.community_cards else []
    names += ["box"] if current.six_card_box else []
    return (*names, "rack", STUB)


def count_evidence(table: Table, *, whole: bool) -> CountsField:
    """The field for the cards counted at every place, with the stub count filled in."""
    assert table.dealing is not None
    known = {STUB: table.decks.stub_found}
    return CountsField(places(table.dealing), WHOLE_DECK, whole=whole, known=known)


def check_wrong_count(table: Table, command: round_msg.FindWrongCount) -> None:
    """Refuse a misdeal finding without all 52 cards, and the opposite with them (A124)."""
    field = count_evidence(table, whole=command.misdealt)
    if field.admits(command.found):
        return
    duty = "wrong_count.misdealt" if command.misdealt else "wrong_count.not_misdealt"
    total = "52 in total" if command.misdealt else "not 52 in total, or no count"
    raise table.refusal(
        f"expected the cards at {', '.join(field.places)}: {table.decks.stub_found} in the stub, "
        f"{total}; got {command.found}",
        duty,
    )


def example_misdeal(table: Table) -> dict[str, int] | None:
    """Example card counts that make 52 with the stub; None if the stub count is too high."""
    current, stub_found = table.dealing, table.decks.stub_found
    if current is None or stub_found > WHOLE_DECK:
        return None
    counts = dict.fromkeys(places(current), 0)
    first = next(iter(counts))
    return {**counts, first: WHOLE_DECK - stub_found, STUB: stub_found}


def offer_discard(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer it after the last card, unless the count is wrong."""
    current = table.dealing
    if current is not None and is_stub_due(table) and table.decks.stub != "differs":
        stays = "; the dealer's cards stay in the shuffler" if current.dealer_waits else ""
        why = f"the last card is dealt{stays}"
        yield ActionTemplate(command=msg.DiscardStub(), due="due", why=why)


def offer_count(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Allowed in every round, due by the interval; may be repeated if wrong."""
    if not is_stub_due(table):
        return
    due: Urgency = "due" if count_due(table) and table.decks.stub != "differs" else "may"
    yield ActionTemplate(
        command=msg.CountStub(0),
        fields={"cards": CARDS},
        due=due,
        why=f"{table.decks.rounds_since_count} rounds since the last count",
    )


def is_stub_due(table: Table) -> bool:
    """Whether the last card is dealt and the stub not handled yet."""
    current = table.dealing
    all_dealt = current is not None and not current.void and current.all_dealt
    return all_dealt and table.decks.stub != "done"


COMMAND_SPECS = (
    CommandSpec(
        command=msg.DiscardStub,
        roles=DEALER,
        duty="stub.rack",
        decide=discard,
        offers=offer_discard,
    ),
    CommandSpec(
        command=msg.CountStub, roles=DEALER, duty="stub.due", decide=count, offers=offer_count
    ),
)
