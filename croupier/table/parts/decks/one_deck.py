"""One of two decks while the shuffler is out of order; the floor chooses which (A148)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.table.core.messages import Event
from croupier.table.core.part import ActionTemplate, CommandSpec
from croupier.table.core.roles import FLOOR, Account
from croupier.table.parts.decks import messages as msg
from croupier.table.parts.decks.lifecycle import find_deck, is_covered, uses_two_decks
from croupier.table.parts.decks.state import Deck

if TYPE_CHECKING:
    from croupier.table.table import Table

ONE, ASIDE = "deck.one", "deck.aside"


def decks_undecided(table: Table) -> bool:
    """Whether the floor must still choose one of two decks."""
    return len(table.decks.playing()) > 1 and not uses_two_decks(table)


def why_not_one(table: Table) -> tuple[str, str] | None:
    """Why the table is not ready to play with one deck, with the duty; None if it is."""
    if decks_undecided(table):
        state = table.devices.state["shuffler"]
        return f"the shuffler is {state}; the floor chooses the deck that stays in play", ONE
    if is_covered(table):
        return None
    uncovered = next((deck.name for deck in table.decks.usable() if deck.stage == "aside"), None)
    if uncovered is None:
        return None
    return f"deck {uncovered} left play; cover the shuffler over it or take it to the pit", ASIDE


def why_not_keep(table: Table, deck: Deck) -> tuple[str, str] | None:
    """Why this deck may not become the only one, with the duty; None if it may."""
    if uses_two_decks(table):
        return "the shuffler works; both decks are used", "deck.two"
    if deck not in table.decks.usable():
        return f"deck {deck.name} is {deck.stage}", ONE
    if table.decks.playing() == [deck]:
        return f"deck {deck.name} is the only one in play", ONE
    loaded = table.decks.in_play()
    in_round = bool(table.layout) or table.dealing is not None
    if loaded is not None and loaded is not deck and in_round:
        return f"deck {loaded.name} is in play and stays for this round", ASIDE
    return None


def keep(table: Table, command: msg.KeepDeck, by: Account, at: int) -> list[Event]:
    """Keep one deck in play; the other lies under the cover of the shuffler or is pulled."""
    deck = find_deck(table, command.deck)
    problem = why_not_keep(table, deck)
    if problem:
        raise table.refusal(*problem)
    aside = next((other.name for other in table.decks.playing() if other is not deck), "")
    clauses = table.house.cite(ONE) + table.house.cite(ASIDE)
    return [msg.DeckKept(deck=deck.name, aside=aside, clauses=clauses)]


def offer_keep(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Due while two decks are in play without a shuffler, the loaded one first."""
    undecided = decks_undecided(table)
    for deck in sorted(table.decks.here.values(), key=lambda deck: deck.stage != "loaded"):
        if why_not_keep(table, deck) is None:
            yield ActionTemplate(
                command=msg.KeepDeck(deck.name),
                due="due" if undecided else "may",
                why="one deck is used until the shuffler works",
            )


COMMAND_SPECS = (
    CommandSpec(command=msg.KeepDeck, roles=FLOOR, duty=ASIDE, decide=keep, offers=offer_keep),
)
