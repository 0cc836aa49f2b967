"""What software cannot see: notes on conduct with the clause, and holds on the record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from croupier.errors import Refusal
from croupier.table.events import Event
from croupier.table.life import commands as cmd
from croupier.table.life import events as ev
from croupier.table.life.acts import Act, Offer
from croupier.table.life.forms import OneOf, Text
from croupier.table.life.people import STAFF, Person, Role

if TYPE_CHECKING:
    from croupier.table.life.live import LiveTable

HOLD = "COMAR 36.03.11.04C"
SURVEILLANCE: tuple[Role, ...] = ("surveillance",)
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


def notable(live: LiveTable) -> tuple[str, ...]:
    """The duties that a note may be about, where this document has them."""
    return tuple(duty for duty in NOTABLE if live.house.cite(duty, optional=True))


def note(live: LiveTable, command: cmd.NoteConduct, by: Person, at: int) -> list[Event]:
    """Anybody of the staff writes down what was seen."""
    duties = notable(live)
    if command.duty not in duties:
        raise live.refusal(
            f"{command.duty!r} is nothing to note; expected {', '.join(duties)}", "conduct.view"
        )
    if not command.about.strip() or not command.text.strip():
        raise live.refusal("a note says about whom it is, and what was seen", "conduct.view")
    clauses = live.house.cite(command.duty)
    return [
        ev.ConductNoted(
            duty=command.duty,
            about=command.about,
            text=command.text,
            at=at,
            by=by,
            clauses=clauses,
        )
    ]


def hold(live: LiveTable, command: cmd.PlaceHold, by: Person, at: int) -> list[Event]:
    """Video is kept for days, a dispute may last longer."""
    if not command.reason.strip():
        raise Refusal("a hold needs a reason", HOLD)
    number = live.table.rounds_played
    return [ev.HoldPlaced(round=number, reason=command.reason, at=at, by=by, clauses=(HOLD,))]


def offer_note(live: LiveTable, at: int) -> Iterator[Offer]:
    """At any time."""
    duties = notable(live)
    yield Offer(
        command=cmd.NoteConduct(duties[0], "seat 1", "as seen"),
        forms={"duty": OneOf(duties), "about": Text("seat 1"), "text": Text("as seen")},
    )


def offer_hold(live: LiveTable, at: int) -> Iterator[Offer]:
    """At any time."""
    yield Offer(
        command=cmd.PlaceHold("dispute"), forms={"reason": Text("dispute")}, open_to=SURVEILLANCE
    )


ACTS = (
    Act(
        command=cmd.NoteConduct,
        roles=STAFF,
        duty="conduct.view",
        decide=note,
        offers=offer_note,
    ),
    Act(
        command=cmd.PlaceHold,
        roles=SURVEILLANCE,
        duty="conduct.view",
        decide=hold,
        offers=offer_hold,
        strangers=True,
    ),
)
