"""Virtual decks of practice: committed to before the bets close, revealed after the round.

A commitment is the SHA-256 of a salt and the deck. It fixes the deck before anybody has bet, and
tells nothing about it; what is revealed afterwards must be what was committed to and what was
dealt. A table whose cards are real knows none of this.
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
    """The machine that shuffled says which deck it will deal, without showing it."""

    commitment: str


class RevealDeck(Command, frozen=True, tag="reveal_deck"):
    """The round is over: the salt and the whole deck, so that anybody can check."""

    revealed: str


class DeckCommitted(Event, frozen=True, kw_only=True, tag="deck_committed"):
    """The deck of the next round is fixed."""

    commitment: str


class DeckRevealed(Event, frozen=True, kw_only=True, tag="deck_revealed"):
    """The deck that was committed to, as it lay before the first card."""

    commitment: str
    revealed: str


@dataclass(slots=True)
class DeckCommitmentState:
    """The commitment that stands, and the cards that left the deck under it."""

    commitment: str = ""
    dealt: list[str] = field(default_factory=list)


def commit_deck(table: Table, command: CommitDeck, by: Account, at: int) -> list[Event]:
    """Before anybody has bet under another one; a deck that was lost is replaced between rounds."""
    if not _DIGEST.fullmatch(command.commitment):
        raise Refusal(f"a SHA-256 is expected, got {command.commitment!r}", VIRTUAL)
    if table.live:
        raise Refusal("a live table is dealt from real cards", VIRTUAL)
    if table.dealing is not None:
        raise Refusal("the betting is closed; a deck is committed to before", VIRTUAL)
    if table.fairness.commitment and table.open_round is not None and table.open_round.boxes:
        raise Refusal("wagers lie there under another deck", VIRTUAL)
    return [DeckCommitted(commitment=command.commitment, clauses=(VIRTUAL,))]


def reveal_deck(table: Table, command: RevealDeck, by: Account, at: int) -> list[Event]:
    """Only what was committed to, only after the round, and only if it is what was dealt."""
    standing = table.fairness
    if not standing.commitment or table.dealing is not None:
        raise Refusal("no deck waits to be revealed", VIRTUAL)
    try:
        deck = CommittedDeck.of(command.revealed)
    except BadInput as error:
        raise Refusal(str(error), VIRTUAL) from None
    if commitment_of(command.revealed) != standing.commitment:
        raise Refusal(f"this is not the deck committed to as {standing.commitment}", VIRTUAL)
    if standing.dealt != names(deck.cards[: len(standing.dealt)]):
        raise Refusal("other cards were dealt than this deck has on top", VIRTUAL)
    revealed = DeckRevealed(
        commitment=standing.commitment, revealed=command.revealed, clauses=(VIRTUAL,)
    )
    return [revealed]


def committed(table: Table, event: DeckCommitted) -> None:
    """A deck is fixed, and nothing of it has been dealt."""
    table.fairness = DeckCommitmentState(event.commitment)


def revealed(table: Table, event: DeckRevealed) -> None:
    """Nothing is promised any more."""
    table.fairness = DeckCommitmentState()


def dealt(table: Table, event: played.CardsDealt) -> None:
    """Cards left the deck."""
    if table.fairness.commitment:
        table.fairness.dealt.extend(event.cards)


def noted(table: Table, event: played.IrregularityNoted) -> None:
    """So did one that lay face up in it."""
    if table.fairness.commitment and event.irregularity == "card_face_up":
        table.fairness.dealt.append(str(event.detail["card"]))


PART = Part(
    name="fairness",
    services=("practice",),
    commands=(
        CommandSpec(command=CommitDeck, roles=SYSTEM, duty="no_more_bets", decide=commit_deck),
        CommandSpec(command=RevealDeck, roles=SYSTEM, duty="no_more_bets", decide=reveal_deck),
    ),
    evolve={
        DeckCommitted: committed,
        DeckRevealed: revealed,
        played.CardsDealt: dealt,
        played.IrregularityNoted: noted,
    },
)
