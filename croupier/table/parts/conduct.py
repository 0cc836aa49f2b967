"""Conduct notes on duties that software cannot observe, and holds on the record of a round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from croupier.errors import Refusal
from croupier.table.core.fields import AmountField, OneOfField, TextField
from croupier.table.core.messages import Audience, Command, Event
from croupier.table.core.part import ATTENDED, ActionTemplate, CommandSpec, Part
from croupier.table.core.roles import STAFF, SURVEILLANCE, Account
from croupier.table.parts.round import messages as played

if TYPE_CHECKING:
    from croupier.table.table import Table

HOLD = "COMAR 36.03.11.04C"
NOTABLE = (
    "conduct.hand",
    "conduct.touch",
    "conduct.view",
    "conduct.share",
    "technique",
    "load",
    "aloud.dealer",
    "aloud.player",
    "accepted",
    "stay",
    "verbal",
    "deck.inspect",
    "shuffle",
    "discard.order",
)

# Commands


class NoteConduct(Command, frozen=True, tag="note_conduct"):
    """Note an observation about a duty that software cannot observe."""

    duty: str
    about: str
    text: str


class PlaceHold(Command, frozen=True, tag="place_hold"):
    """Surveillance holds the record of a round for a dispute; the last round if none is named."""

    reason: str
    round: int = 0


# Events


class ConductNoted(Event, frozen=True, kw_only=True, tag="conduct_noted"):
    """A note about a duty that software cannot observe."""

    audience: ClassVar[Audience] = "watch"

    duty: str
    about: str
    text: str


class HoldPlaced(Event, frozen=True, kw_only=True, tag="hold_placed"):
    """The record of a round is held for a dispute."""

    audience: ClassVar[Audience] = "watch"

    round: int
    reason: str


# Rules


def notable(table: Table) -> tuple[str, ...]:
    """Return the duties in this game's rules that a note may be about."""
    return tuple(duty for duty in NOTABLE if table.house.cite(duty, optional=True))


def note(table: Table, command: NoteConduct, by: Account, at: int) -> list[Event]:
    """Record a note by a member of staff."""
    clauses = table.house.cite(command.duty, optional=True)
    if command.duty not in NOTABLE or not clauses:
        expected = ", ".join(notable(table))
        raise table.refusal(
            f"no notes are taken on {command.duty!r}; expected {expected}", "conduct.view"
        )
    if not command.about.strip() or not command.text.strip():
        raise table.refusal("a note needs the person it is about and a text", "conduct.view")
    return [
        ConductNoted(
            duty=command.duty,
            about=command.about,
            text=command.text,
            clauses=clauses,
        )
    ]


def hold(table: Table, command: PlaceHold, by: Account, at: int) -> list[Event]:
    """Hold a round: video is kept for days, and a dispute may last longer."""
    if not command.reason.strip():
        raise Refusal("a hold needs a reason", HOLD)
    number = command.round or table.rounds_played
    check_round(table, number, HOLD)
    return [HoldPlaced(round=number, reason=command.reason, clauses=(HOLD,))]


def check_round(table: Table, number: int, law: str) -> None:
    """Raise Refusal for a round that was never played."""
    if not 1 <= number <= table.rounds_played:
        rounds = f"1 to {table.rounds_played}" if table.rounds_played else "none yet"
        raise Refusal(f"round {number} was not played here; expected {rounds}", law)


def offer_note(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer a note at any time."""
    duties = notable(table)
    yield ActionTemplate(
        command=NoteConduct(duties[0], "seat 1", "as seen"),
        fields={
            "duty": OneOfField(duties),
            "about": TextField("seat 1"),
            "text": TextField("as seen"),
        },
    )


def offer_hold(table: Table, at: int) -> Iterator[ActionTemplate]:
    """Offer a hold once a round was played."""
    if table.rounds_played:
        yield ActionTemplate(
            command=PlaceHold("dispute"),
            fields={"reason": TextField("dispute"), "round": AmountField(0, table.rounds_played)},
        )


COMMANDS = (
    CommandSpec(
        command=NoteConduct,
        roles=STAFF,
        duty="conduct.view",
        decide=note,
        offers=offer_note,
    ),
    CommandSpec(
        command=PlaceHold,
        roles=SURVEILLANCE,
        duty="conduct.view",
        law=HOLD,
        decide=hold,
        offers=offer_hold,
        needs_no_post=True,
    ),
)

# Hooks into the round


def before_showing(table: Table, command: Command, by: Account, at: int) -> tuple[str, ...]:
    """Name the duties of players who look at their cards (chapter 11.A)."""
    return "conduct.hand", "conduct.touch", "conduct.view", "conduct.share"


def before_showdown(table: Table, command: Command, by: Account, at: int) -> tuple[str, ...]:
    """Name the duty to announce hands aloud."""
    current = table.dealing
    return () if current is None or current.void else ("aloud.dealer", "aloud.player")


PART = Part(
    subject="Disputes and rulings",
    services=ATTENDED,
    commands=COMMANDS,
    before={played.ShowStreet: before_showing, played.Showdown: before_showdown},
)
