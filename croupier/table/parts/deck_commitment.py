"""Commit-reveal of virtual decks: committed to before the bets close, revealed after the round.

A commitment is the SHA-256 of a salt and the deck. It fixes the deck before any bet is placed and
reveals nothing about it; the deck revealed afterwards must match the commitment and the cards
dealt. Practice tables only: a live table is dealt from physical cards.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.cards import names
from croupier.errors import BadInput, Refusal
from croupier.table.core.messages import Command, Event
from croupier.table.core.part import CommandSpec, Part
from croupier.table.core.roles import SYSTEM, Account
from croupier.table.drivers.shuffler import VIRTUAL, CommittedDeck, commitment_of
from croupier.table.parts.round import messages as played

if TYPE_CHECKING:
    from croupier.table.table import Table

_DIGEST = re.compile("[0-9a-f]{64}")


class CommitDeck(Command, frozen=True, tag="commit_deck"):
    """Commit to the deck of the next round without showing it."""

    commitment: str


class RevealDeck(Command, frozen=True, tag="reveal_deck"):
    """Reveal the salt and the deck after the round, so that players can verify them."""

    revealed: str


class DeckCommitted(Event, frozen=True, kw_only=True, tag="deck_committed"):
    """The deck of the next round is fixed."""

    commitment: str


class DeckRevealed(Event, frozen=True, kw_only=True, tag="deck_revealed"):
    """The committed deck in its order before the first card was dealt."""

    commitment: str
    revealed: str


@dataclass(slots=True)
class DeckCommitmentState:
    """The current commitment, and the cards dealt from the committed deck."""

    commitment: str = ""
    dealt: list[str] = field(default_factory=list)


def commit_deck(table: Table, command: CommitDeck, by: Account, at: int) -> list[Event]:
    """Commit to a deck before any bet; a lost deck is replaced between rounds."""
    if not _DIGEST.fullmatch(command.commitment):
        raise Refusal(f"expected a SHA-256, got {command.commitment!r}", VIRTUAL)
    if table.live:
        raise Refusal("a live table is dealt from physical cards", VIRTUAL)
    if table.dealing is not None:
        raise Refusal("betting is closed; commit to a deck before it closes", VIRTUAL)
    if table.fairness.commitment and table.open_round is not None and table.open_round.boxes:
        raise Refusal("wagers are already placed under another deck", VIRTUAL)
    return [DeckCommitted(commitment=command.commitment, clauses=(VIRTUAL,))]


def reveal_deck(table: Table, command: RevealDeck, by: Account, at: int) -> list[Event]:
    """Reveal the committed deck after the round; it must match the cards dealt."""
    state = table.fairness
    if not state.commitment or table.dealing is not None:
        raise Refusal("there is no deck to reveal now", VIRTUAL)
    try:
        deck = CommittedDeck.of(command.revealed)
    except BadInput as error:
        raise Refusal(str(error), VIRTUAL) from None
    if commitment_of(command.revealed) != state.commitment:
        raise Refusal(f"this is not the deck committed to as {state.commitment}", VIRTUAL)
    if state.dealt != names(deck.cards[: len(state.dealt)]):
        raise Refusal("the cards dealt are not the top cards of this deck", VIRTUAL)
    return [
        DeckRevealed(commitment=state.commitment, revealed=command.revealed, clauses=(VIRTUAL,))
    ]


def before_correcting(
    table: Table, command: played.CorrectReading, by: Account, at: int
) -> tuple[str, ...]:
    """Refuse corrections: the cards of a committed deck are never misread."""
    if table.fairness.commitment:
        raise Refusal("the cards of a virtual deck are never misread", VIRTUAL)
    return ()


def committed(table: Table, event: DeckCommitted) -> None:
    table.fairness = DeckCommitmentState(event.commitment)


def revealed(table: Table, event: DeckRevealed) -> None:
    table.fairness = DeckCommitmentState()


def dealt(table: Table, event: played.CardsDealt) -> None:
    if table.fairness.commitment:
        table.fairness.dealt.extend(event.cards)


def noted(table: Table, event: played.IrregularityNoted) -> None:
    # A card found face up in the deck has left it too.
    if table.fairness.commitment and event.irregularity == "card_face_up":
        table.fairness.dealt.append(str(event.detail["card"]))


PART = Part(
    subject="Decks",
    services=("practice",),
    commands=(
        CommandSpec(command=CommitDeck, roles=SYSTEM, duty="no_more_bets", decide=commit_deck),
        CommandSpec(command=RevealDeck, roles=SYSTEM, duty="no_more_bets", decide=reveal_deck),
    ),
    before={played.CorrectReading: before_correcting},
    evolve={
        DeckCommitted: committed,
        DeckRevealed: revealed,
        played.CardsDealt: dealt,
        played.IrregularityNoted: noted,
    },
)
